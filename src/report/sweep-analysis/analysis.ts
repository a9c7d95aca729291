/** What a store holds, in figures: one pass over its rows, in memory that does not grow with the cells. */
import type { Interval } from '../../stats/index.ts';
import type { ResultRow, Store, StoreInfo } from '../../storage/index.ts';
import { isRangeBound } from '../sheet/estimated-value.ts';
import { type AxisClasses, createAxisClasses } from './axis-classes.ts';
import { BalancedCellCounts, type BalancedCells } from './balanced-cells.ts';
import { type CellLevel, ExtremeCellCollector } from './extreme-cells.ts';
import { EffectCounts, type MainEffects } from './main-effects.ts';
import { hasWinner } from './outcome-text.ts';
import { type CellReading, createReading, QuantityMap, type SweepQuantity, snapProbability } from './quantity.ts';
import { ZScoreCollector, type ZScoreSummary } from './z-scores.ts';

/** An outcome or metric over all cells. */
export interface QuantityAnalysis {
  readonly quantity: SweepQuantity;
  /** Cells that have it. */
  readonly cells: number;
  /** Over the cells, each counted once. */
  readonly mean: number;
  readonly deviation: number;
  /** The greatest half-width of an interval; absent if all values are exact. */
  readonly halfWidth?: number;
  /** How far intervals reach below and above their values at most. */
  readonly reach: readonly [below: number, above: number];
  /** True if a declared range makes intervals wide, in cells where the metric varies in more than one of twenty battles. */
  readonly rangeBound: boolean;
  /** Cells with an exact answer. */
  readonly solved: number;
  /** Cells that were to reach a precision and did not. */
  readonly missed: number;
  readonly effects: MainEffects;
  readonly greatest: CellLevel;
  readonly least: CellLevel;
  /** What says the same in every cell and comes before it. */
  readonly same?: DuplicateQuantity;
  /** Of outcomes. */
  readonly even?: BalancedCells;
  readonly scores: ZScoreSummary;
}

/** `complement`: the two probabilities add to 1. */
export interface DuplicateQuantity {
  readonly as: SweepQuantity;
  readonly kind: 'equal' | 'complement';
}

export interface SweepAnalysis {
  readonly facts: StoreInfo;
  /** Cells that are there. */
  readonly cells: number;
  /** Battles of the cells together. */
  readonly battles: number;
  readonly solved: number;
  /** True for a complete grid: every value of an axis has the same cells of all others. */
  readonly balanced: boolean;
  readonly quantities: readonly QuantityAnalysis[];
  /** Of all quantities together. */
  readonly scores: ZScoreSummary;
}

/** Classes of an axis for effects. */
const MAX_CLASSES = 40;

class QuantityAccumulator {
  readonly quantity: SweepQuantity;
  readonly effects: EffectCounts;
  readonly greatest = new ExtremeCellCollector(1);
  readonly least = new ExtremeCellCollector(-1);
  readonly even = new BalancedCellCounts();
  readonly scores = new ZScoreCollector();
  halfWidth = -1;
  reach: readonly [number, number] = [0, 0];
  rangeBound = false;
  solved = 0;
  missed = 0;
  /** The first of those that were equal to it in every cell so far: itself, if none was. */
  leader: QuantityAccumulator | undefined;
  /** The last cell, its value, and what led before it. */
  cell = -1;
  value = 0;
  leading: QuantityAccumulator | undefined;

  constructor({ kind, name }: SweepQuantity, classes: readonly AxisClasses[]) {
    this.quantity = { kind, name };
    this.effects = new EffectCounts(classes);
  }

  add(row: ResultRow, reading: CellReading): void {
    this.effects.add(reading, row.exact === null ? (row.standard_error ?? 0) : 0);
    const at = snapProbability(row, reading.value);
    this.greatest.add(at, reading);
    this.least.add(at, reading);
    if (row.kind === 'outcome') this.even.add(reading);
    this.scores.add(row);
    if (reading.interval !== undefined) this.#widen(row, reading, reading.interval);
    this.solved += row.exact === null ? 0 : 1;
    this.missed += row.reached === false ? 1 : 0;
  }

  #widen({ kind, name, q05, q95 }: ResultRow, reading: CellReading, [low, high]: Interval): void {
    const { value } = reading;
    this.halfWidth = Math.max(this.halfWidth, (high - low) / 2);
    this.reach = [Math.max(this.reach[0], value - low), Math.max(this.reach[1], high - value)];
    this.rangeBound ||= kind === 'metric' && (name === 'rounds' || q05 !== q95) && isRangeBound(reading);
  }

  /** Whether the other has the same value in the cell of the last row. */
  agrees({ cell, value }: QuantityAccumulator): boolean {
    return cell === this.cell && Math.abs(value - this.value) <= ROUNDING * Math.max(1, Math.abs(value));
  }

  analyze(balanced: boolean, common: boolean): QuantityAnalysis | undefined {
    const { count, mean, variance } = this.effects.all;
    const [greatest, least] = [this.greatest.level, this.least.level];
    if (greatest === undefined || least === undefined) return undefined;
    return {
      quantity: this.quantity,
      cells: count,
      mean,
      deviation: Math.sqrt(variance),
      ...(this.halfWidth >= 0 && { halfWidth: this.halfWidth }),
      reach: this.reach,
      rangeBound: this.rangeBound,
      solved: this.solved,
      missed: this.missed,
      effects: this.effects.effects(balanced, common),
      greatest,
      least,
      ...(this.quantity.kind === 'outcome' && { even: this.even.cells }),
      scores: this.scores.summarize(),
    };
  }
}

/** Differences below this are the rounding of equal numbers. */
const ROUNDING = 1e-9;

/**
 * Metrics parted by their values, cell by cell: those that stay together to the end are equal in every cell. Those that
 * leave a leader in one cell with one value follow the first of them.
 */
class DuplicateTracker {
  readonly #all: QuantityAccumulator[] = [];

  add(counts: QuantityAccumulator, { cell }: ResultRow, { value }: CellReading): void {
    const first = counts.leader === undefined;
    if (first) this.#all.push(counts);
    [counts.cell, counts.value, counts.leading] = [cell, value, counts.leader];
    if (!first && (counts.leader === counts || counts.leader?.agrees(counts))) return;
    counts.leader = this.#all.find(
      (each) => each.leader === each && each.leading === counts.leading && each.agrees(counts),
    );
    counts.leader ??= counts;
  }
}

function findDuplicate({ leader, quantity, effects }: QuantityAccumulator): DuplicateQuantity | undefined {
  const { all } = effects;
  // What never moves is never shown.
  if (leader === undefined || leader.quantity === quantity || all.variance === 0) return undefined;
  return leader.effects.all.count === all.count ? { as: leader.quantity, kind: 'equal' } : undefined;
}

/** Of two outcomes, where no other comes, the second is what is left: one or the other ends every battle. */
function markComplement(quantities: readonly QuantityAnalysis[]): QuantityAnalysis[] {
  const come = quantities.filter(
    ({ quantity, greatest }) => quantity.kind === 'outcome' && snapProbability(quantity, greatest.to) > 0,
  );
  // What a side wins with is told first.
  const [one, other, ...others] = come.toSorted(
    (a, b) => Number(hasWinner(b.quantity.name)) - Number(hasWinner(a.quantity.name)),
  );
  if (one === undefined || other === undefined || others.length > 0) return [...quantities];
  if (one.cells !== other.cells || Math.abs(one.mean + other.mean - 1) > ROUNDING) return [...quantities];
  const same: DuplicateQuantity = { as: one.quantity, kind: 'complement' };
  return quantities.map((each) => (each === other ? { ...each, same } : each));
}

/** Whether every combination of values has a cell, so that axes do not mix. */
function isBalanced({ design, complete, points }: StoreInfo, cells: number): boolean {
  return design === 'grid' && complete && cells === points;
}

/** Surveys a store. The figures are sums in the order of the rows, so they are the same every time. */
export async function analyzeSweep(store: Store): Promise<SweepAnalysis> {
  const { info } = store;
  const classes = info.axes.map((axis) => createAxisClasses(axis, MAX_CLASSES));
  const found = new QuantityMap<QuantityAccumulator>();
  const scores = new ZScoreCollector();
  const twins = new DuplicateTracker();
  let [cells, battles, solved, last] = [0, 0, 0, -1];
  const add = (row: ResultRow): void => {
    const reading = createReading(row);
    if (reading === undefined) return;
    if (row.cell !== last) {
      cells += 1;
      battles += row.battles;
      solved += row.exact === null ? 0 : 1;
      last = row.cell;
    }
    const counts = found.get(row) ?? found.set(row, new QuantityAccumulator(row, classes));
    counts.add(row, reading);
    if (row.kind === 'metric') twins.add(counts, row, reading);
    scores.add(row);
  };
  for await (const rows of store.parts()) for (const row of rows) add(row);
  const balanced = isBalanced(info, cells);
  const all = found.values.flatMap((counts) => {
    const same = findDuplicate(counts);
    const surveyed = counts.analyze(balanced, info.streams === 'common');
    return surveyed === undefined ? [] : [{ ...surveyed, ...(same && { same }) }];
  });
  const quantities = markComplement(all);
  return { facts: info, cells, battles, solved, balanced, quantities, scores: scores.summarize() };
}
