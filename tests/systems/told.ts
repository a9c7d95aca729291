/** Rules and sentences in the replay of a scripted battle. */
import type { EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { Scenario, System } from '../../src/rules/system.ts';

class Telling extends ScriptedChance {
  readonly reported: string[] = [];
  readonly #rules: System['rules'];

  constructor(rules: System['rules'], script: readonly ScriptEntry[]) {
    super(script);
    this.#rules = rules;
  }

  override rule(id: string, facts: () => EventData = () => ({})): void {
    this.reported.push(`${id}: ${this.#rules[id]?.describe(facts()).trim() ?? 'no such rule'}`);
  }
}

/** Returns `id: sentence` of every rule that applied. */
export function toldOf<C extends Scenario>(system: System<C>, input: object, script: readonly ScriptEntry[]): string[] {
  const chance = new Telling(system.rules, script);
  playBattle(system.model(system.schema.parse({ system: system.id, ...input })), chance);
  chance.checkUsed();
  return chance.reported;
}
