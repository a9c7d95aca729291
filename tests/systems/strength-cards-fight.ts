/** Fights battles of strength and cards by a script and notes what the rules asked for. */
import type { DiceSet, EventData } from '../../src/core/chance/chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';

/** Dice that show one number only, and one that does not. */
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

/** A scripted chance that writes down weights, dice, decision points with their options, and rules with their texts. */
class Watched extends ScriptedChance {
  readonly picks: number[][] = [];
  readonly lots: number[] = [];
  readonly asked: string[] = [];
  readonly rules: string[] = [];
  readonly told: string[] = [];

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
    this.asked.push(`${who} ${point} [${options.join(', ')}] ${String(choice)}`);
    return choice;
  }

  override rule(id: string, facts?: () => EventData): void {
    this.rules.push(id);
    this.told.push(strengthCards.rules[id]?.describe(facts?.() ?? {}) ?? `no rule ${id}`);
  }
}

export interface Fight {
  readonly outcome: string | undefined;
  /** In points, `margin` with its halves. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly picks: readonly (readonly number[])[];
  /** How many dice each side rolled that rolled any. */
  readonly lots: readonly number[];
  readonly asked: readonly string[];
  readonly rules: readonly string[];
  readonly told: readonly string[];
}

/** Fights a battle whose rolls and decisions are given and must be used up. */
export function fight(input: object, script: readonly ScriptEntry[] = []): Fight {
  const model = strengthCards.model(scenario(input));
  const chance = new Watched(script);
  const { outcome, metrics } = playBattle(model, chance);
  chance.checkUsed();
  const named = model.metrics.map(({ name, unit = 1 }, m) => [name, (metrics[m] ?? 0) * unit]);
  const { picks, lots, asked, rules, told } = chance;
  const values = Object.fromEntries(named) as Record<string, number>;
  return { outcome: model.outcomes[outcome], metrics: values, picks, lots, asked, rules, told };
}

/** A unit whose die always shows 0, unless fields say otherwise. */
export const unit = (fields: object = {}) => ({ name: 'Corps', attack: 3, defense: 3, hp: 4, die: 'd0', ...fields });

/** Shows what the dice show. */
export const faces = (...shown: number[]): ScriptEntry => ({ faces: shown });

/**
 * Two sides: what is left out of a side is one unit with a die that shows 0. The faces of such dice are not
 * part of what a test gives: `clash` gives units without dice, so exhausted, where nothing is said of units.
 */
export const clash = (attacker: object, defender: object, options: object = {}) => ({
  ...options,
  attacker: { units: [unit({ exhausted: true })], ...attacker },
  defender: { units: [unit({ exhausted: true })], ...defender },
});
