/** What a replay tells of a battle whose draws and decisions are given: the rules that applied, and their sentences. */
import type { Facts } from '../../src/core/chance/door.ts';
import { type ScriptEntry, Scripted } from '../../src/core/chance/scripted.ts';
import { playBattle } from '../../src/rules/battle.ts';
import type { Scenario, System } from '../../src/rules/system.ts';

class Telling extends Scripted {
  readonly told: string[] = [];
  readonly #rules: System['rules'];

  constructor(rules: System['rules'], script: readonly ScriptEntry[]) {
    super(script);
    this.#rules = rules;
  }

  override rule(id: string, facts: () => Facts = () => ({})): void {
    this.told.push(`${id}: ${this.#rules[id]?.tell(facts()).trim() ?? 'no such rule'}`);
  }
}

/** @returns `id: sentence` of every rule that applied */
export function toldOf<C extends Scenario>(system: System<C>, input: object, script: readonly ScriptEntry[]): string[] {
  const door = new Telling(system.rules, script);
  playBattle(system.model(system.schema.parse({ system: system.id, ...input })), door);
  door.done();
  return door.told;
}
