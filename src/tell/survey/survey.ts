/** What a store holds, in figures: one pass over its rows, in memory that does not grow with the cells. */
import type { Row, Store, StoreFacts } from '../../work/store/rows.ts';
import { type Classes, classesOf } from './classes.ts';
import { EffectCounts, type Effects } from './effects.ts';
import { type Even, EvenCounts } from './even.ts';
import { ByQuantity, type Quantity, type Reading, readingOf } from './quantity.ts';
import { type Level, Ranks } from './ranks.ts';
import { ScoreCounts, type Scores } from './scores.ts';

/** An outcome or metric over all cells. */
export interface Surveyed {
  readonly quantity: Quantity;
  /** Cells that have it. */
  readonly cells: number;
  /** Over the cells, each counted once. */
  readonly mean: number;
  readonly deviation: number;
  /** The greatest half-width of an interval; absent if no battle was played. */
  readonly halfWidth?: number;
  /** Cells with an exact answer. */
  readonly solved: number;
  /** Cells that were to reach a precision and did not. */
  readonly missed: number;
  readonly effects: Effects;
  /** Descending, and ascending. */
  readonly highest: readonly Reading[];
  readonly lowest: readonly Reading[];
  /** Values with all their cells: descending, and ascending. */
  readonly top: readonly Level[];
  readonly bottom: readonly Level[];
  /** Of outcomes. */
  readonly even?: Even;
  readonly scores: Scores;
}

export interface Survey {
  readonly facts: StoreFacts;
  /** Cells that are there. */
  readonly cells: number;
  /** Battles of the cells together. */
  readonly battles: number;
  readonly solved: number;
  /** True for a complete grid: every value of an axis has the same cells of all others. */
  readonly balanced: boolean;
  readonly quantities: readonly Surveyed[];
  /** Of all quantities together. */
  readonly scores: Scores;
}

/** Classes of an axis for effects. */
const CLASSES = 40;

class Counts {
  readonly quantity: Quantity;
  readonly effects: EffectCounts;
  readonly ranks = new Ranks();
  readonly even = new EvenCounts();
  readonly scores = new ScoreCounts();
  halfWidth = -1;
  solved = 0;
  missed = 0;

  constructor({ kind, name }: Quantity, classes: readonly Classes[]) {
    this.quantity = { kind, name };
    this.effects = new EffectCounts(classes);
  }

  add(row: Row, reading: Reading): void {
    this.effects.add(reading, row.standard_error ?? 0);
    this.ranks.add(reading);
    if (row.kind === 'outcome') this.even.add(reading);
    this.scores.add(row);
    const [low, high] = reading.interval ?? [0, -2];
    this.halfWidth = Math.max(this.halfWidth, (high - low) / 2);
    this.solved += row.exact === null ? 0 : 1;
    this.missed += row.reached === false ? 1 : 0;
  }

  surveyed(balanced: boolean, common: boolean): Surveyed {
    const { count, mean, variance } = this.effects.all;
    return {
      quantity: this.quantity,
      cells: count,
      mean,
      deviation: Math.sqrt(variance),
      ...(this.halfWidth >= 0 && { halfWidth: this.halfWidth }),
      solved: this.solved,
      missed: this.missed,
      effects: this.effects.effects(balanced, common),
      highest: this.ranks.highest,
      lowest: this.ranks.lowest,
      top: this.ranks.top,
      bottom: this.ranks.bottom,
      ...(this.quantity.kind === 'outcome' && { even: this.even.even }),
      scores: this.scores.scores(),
    };
  }
}

/** Whether every combination of values has a cell, so that axes do not mix. */
function isBalanced({ design, complete, points }: StoreFacts, cells: number): boolean {
  return design === 'grid' && complete && cells === points;
}

/** Surveys a store. The figures are sums in the order of the rows, so they are the same every time. */
export async function survey(store: Store): Promise<Survey> {
  const { facts } = store;
  const classes = facts.axes.map((axis) => classesOf(axis, CLASSES));
  const found = new ByQuantity<Counts>();
  const scores = new ScoreCounts();
  let [cells, battles, solved, last] = [0, 0, 0, -1];
  const add = (row: Row): void => {
    const reading = readingOf(row);
    if (reading === undefined) return;
    if (row.cell !== last) {
      cells += 1;
      battles += row.battles;
      solved += row.exact === null ? 0 : 1;
      last = row.cell;
    }
    (found.get(row) ?? found.set(row, new Counts(row, classes))).add(row, reading);
    scores.add(row);
  };
  for await (const rows of store.parts()) for (const row of rows) add(row);
  const balanced = isBalanced(facts, cells);
  const quantities = found.values.map((counts) => counts.surveyed(balanced, facts.streams === 'common'));
  return { facts, cells, battles, solved, balanced, quantities, scores: scores.scores() };
}
