/** Fixtures for strength-cards tests: run a battle by a script and record its decisions and rules. */
import type { DiceSet, EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';

/** Dice that always show the same number, and two that vary. */
const DICE = {
  d0: [0, 0, 0, 0, 0, 0],
  d1: [1, 1, 1, 1, 1, 1],
  d3: [3, 3, 3, 3, 3, 3],
  d9: [9, 9, 9, 9, 9, 9],
  any: [0, 1, 2, 3, 4, 5],
  many: [0, 5, 6, 7, 8, 20],
};

export function scenario(input: object): StrengthCards {
  return strengthCards.schema.parse({ system: 'strength-cards', dice: DICE, ...input });
}

/** Scripted chance that records weights, dice, decision points with their options, and rules with their sentences. */
class Watched extends ScriptedChance {
  readonly picks: number[][] = [];
  readonly lots: number[] = [];
  readonly requested: string[] = [];
  readonly rules: string[] = [];
  readonly reported: string[] = [];

  override pick(weights: readonly number[]): number {
    this.picks.push([...weights]);
    return super.pick(weights);
  }

  override faces(lots: readonly DiceSet[]): number {
    this.lots.push(lots.flat().length);
    return super.faces(lots);
  }

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, who, options, policy);
    this.requested.push(`${who} ${point} [${options.join(', ')}] ${String(choice)}`);
    return choice;
  }

  override rule(id: string, facts?: () => EventData): void {
    this.rules.push(id);
    this.reported.push(strengthCards.rules[id]?.describe(facts?.() ?? {}) ?? `no rule ${id}`);
  }
}

export interface Fight {
  readonly outcome: string | undefined;
  /** Values in points; `margin` can have halves. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly picks: readonly (readonly number[])[];
  /** Number of dice of each side that rolled any. */
  readonly lots: readonly number[];
  readonly requested: readonly string[];
  readonly rules: readonly string[];
  readonly reported: readonly string[];
}

/** Runs a battle by a script that must be used up. */
export function fight(input: object, script: readonly ScriptEntry[] = []): Fight {
  const model = strengthCards.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name, unit = 1 }, m) => [name, (metrics[m] ?? 0) * unit]);
  const { picks, lots, requested: asked, rules, reported: told } = chance;
  const values = Object.fromEntries(named) as Record<string, number>;
  return { outcome: model.outcomes[outcome], metrics: values, picks, lots, requested: asked, rules, reported: told };
}

/** Returns a unit whose die always shows 0, unless fields set another. */
export const unit = (fields: object = {}) => ({ name: 'Corps', attack: 3, defense: 3, hp: 4, die: 'd0', ...fields });

/** Returns a script entry with the faces of dice. */
export const faces = (...shown: number[]): ScriptEntry => ({ faces: shown });

/**
 * Returns a battle of two sides. A side without units gets one exhausted unit, which rolls no dice, so that scripts
 * need no faces for it.
 */
export const clash = (attacker: object, defender: object, options: object = {}) => ({
  ...options,
  attacker: { units: [unit({ exhausted: true })], ...attacker },
  defender: { units: [unit({ exhausted: true })], ...defender },
});
