/** The excess of one roll over another as a look at half a word: src/core/chance/laws.ts gives the table. */

import type { Dice } from '../../core/chance/door.ts';
import { type DifferenceTable, differenceTable, ESCAPE } from '../../core/chance/laws.ts';
import { waysOf } from './ways.ts';

/** Bits of a half word that choose a slot: 0-4 the slot of the table, 7 the sign. */
export const HALF_SLOTS = 0x9f;
const SIGN = 0x80;

/** What is drawn from a word of its own: as many of the thresholds are <= it, so many further is the value's index. */
export interface Residual {
  readonly thresholds: readonly number[];
  readonly values: readonly number[];
}

/** A draw from half a word. Ways are the indices of `values`, and behind them those of `residuals`. */
export interface HalfWays {
  /** Tells different ones apart. */
  readonly name: string;
  readonly values: readonly number[];
  /** Of either sign, where the table has an escape. */
  readonly residuals: readonly Residual[];
  /** By the slot's bits: atoms below `cut` take the way `below`, others `above`. */
  readonly slots: ReadonlyMap<number, Slot>;
}

interface Slot {
  readonly cut: number;
  readonly below: number;
  readonly above: number;
}

/** The values of a draw, each once, and the place of each. */
class Values {
  readonly list: number[] = [];
  readonly #bonus: number;

  constructor(bonus: number) {
    this.#bonus = bonus;
  }

  indexOf(difference: number): number {
    const value = Math.max(0, difference + this.#bonus);
    const known = this.list.indexOf(value);
    return known >= 0 ? known : this.list.push(value) - 1;
  }
}

/** Distances of equal value that lie side by side are one. */
function residualOf(table: Uint32Array, sign: 1 | -1, values: Values): Residual {
  const { thresholds, outcomes } = waysOf(table);
  const found = outcomes.map((distance) => values.indexOf(sign * distance));
  const differs = (k: number): boolean => found[k] !== found[k + 1];
  return {
    thresholds: thresholds.filter((_, k) => differs(k)),
    values: found.filter((_, k) => k === thresholds.length || differs(k)),
  };
}

/** The two distances of a slot; where no atom is below the cut, the same one twice. */
function distancesIn({ cut, primary, alias }: DifferenceTable, slot: number): readonly [below: number, above: number] {
  const above = alias[slot] ?? 0;
  return [cut[slot] === 0 ? above : (primary[slot] ?? 0), above];
}

/** The slots of either sign. */
function slotsOf(table: DifferenceTable, wayOf: (distance: number, sign: 1 | -1) => number): Map<number, Slot> {
  const slots = new Map<number, Slot>();
  for (const sign of [1, -1] as const) {
    for (const [slot, cut] of table.cut.entries()) {
      const [below, above] = distancesIn(table, slot).map((distance) => wayOf(distance, sign));
      slots.set((sign < 0 ? SIGN : 0) | slot, { cut, below: below ?? 0, above: above ?? 0 });
    }
  }
  return slots;
}

const made = new Map<string, HalfWays>();

/** How max(0, X - Y + bonus), X and Y rolls of `dice`, is drawn from half a word. */
export function halfWays(dice: Dice, bonus: number): HalfWays {
  const name = `${String(dice.count)}d${String(dice.sides)}${bonus < 0 ? '' : '+'}${String(bonus)}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const table = differenceTable(dice);
  const values = new Values(bonus);
  const signs: readonly (1 | -1)[] = table.residual.length > 0 ? [1, -1] : [];
  const residuals = signs.map((sign) => residualOf(table.residual, sign, values));
  slotsOf(table, (distance, sign) => (distance === ESCAPE ? 0 : values.indexOf(sign * distance)));
  const escaped = (sign: 1 | -1): number => values.list.length + signs.indexOf(sign);
  const slots = slotsOf(table, (distance, sign) =>
    distance === ESCAPE ? escaped(sign) : values.indexOf(sign * distance),
  );
  const ways = { name, values: values.list, residuals, slots };
  made.set(name, ways);
  return ways;
}
