/** Statistics of a store, in one pass over its rows and with memory independent of the number of cells. */
import type { Interval } from '../../stats/index.ts';
import type { Store, StoreInfo } from '../../storage/index.ts';
import { isRangeBound } from '../sheet/estimated-value.ts';
import { type AxisClasses, createAxisClasses } from './axis-classes.ts';
import { BalancedCellCounts, type BalancedCells } from './balanced-cells.ts';
import { type CellLevel, ExtremeCellCollector } from './extreme-cells.ts';
import { EffectCounts, type MainEffects } from './main-effects.ts';
import { hasWinner } from './outcome-text.ts';
import {
  type CellReading,
  createReading,
  QuantityMap,
  REPORT_KEYS,
  type ReportRow,
  type SweepQuantity,
  snapProbability,
} from './quantity.ts';
import { ZScoreCollector, type ZScoreSummary } from './z-scores.ts';

/** Analysis of an outcome or metric over all cells. */
export interface QuantityAnalysis {
  readonly quantity: SweepQuantity;
  /** Number of cells with this quantity. */
  readonly cells: number;
  /** Mean and deviation over the cells, each counted once. */
  readonly mean: number;
  readonly deviation: number;
  /** Largest half-width of an interval; absent if all values are exact. */
  readonly halfWidth?: number;
  /** Largest distances of interval ends below and above the values. */
  readonly reach: readonly [below: number, above: number];
  /**
   * True if the declared range widens intervals, in cells in which the metric varies in more than 5 % of the battles.
   */
  readonly rangeBound: boolean;
  /** Number of cells with exact results. */
  readonly solved: number;
  /** Number of cells that did not reach the requested precision. */
  readonly missed: number;
  readonly effects: MainEffects;
  readonly greatest: CellLevel;
  readonly least: CellLevel;
  /** Earlier quantity with the same information in every cell. */
  readonly same?: DuplicateQuantity;
  /** Balanced cells; only for outcomes. */
  readonly even?: BalancedCells;
  readonly scores: ZScoreSummary;
}

/** `complement`: the sum of both probabilities is 1. */
export interface DuplicateQuantity {
  readonly as: SweepQuantity;
  readonly kind: 'equal' | 'complement';
}

export interface SweepAnalysis {
  readonly facts: StoreInfo;
  /** Number of complete cells. */
  readonly cells: number;
  /** Number of battles of all cells. */
  readonly battles: number;
  readonly solved: number;
  /** True for a complete grid: every combination of axis values has a cell. */
  readonly balanced: boolean;
  readonly quantities: readonly QuantityAnalysis[];
  /** Z-scores of all quantities. */
  readonly scores: ZScoreSummary;
}

/** Maximum number of classes of an axis for effects. */
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
  /** First metric that was equal in every cell so far; the metric itself if there is none. */
  leader: QuantityAccumulator | undefined;
  /** Last cell, its value, and the leader before it. */
  cell = -1;
  value = 0;
  leading: QuantityAccumulator | undefined;

  constructor({ kind, name }: SweepQuantity, classes: readonly AxisClasses[]) {
    this.quantity = { kind, name };
    this.effects = new EffectCounts(classes);
  }

  add(row: ReportRow, reading: CellReading): void {
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

  #widen({ kind, name, q05, q95 }: ReportRow, reading: CellReading, [low, high]: Interval): void {
    const { value } = reading;
    this.halfWidth = Math.max(this.halfWidth, (high - low) / 2);
    this.reach = [Math.max(this.reach[0], value - low), Math.max(this.reach[1], high - value)];
    this.rangeBound ||= kind === 'metric' && (name === 'rounds' || q05 !== q95) && isRangeBound(reading);
  }

  /** True if the other metric has the same value in the cell of the last row. */
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

/** Smaller differences are rounding errors. */
const ROUNDING = 1e-9;

/**
 * Partition of metrics by equal values, refined cell by cell: metrics in one class at the end are equal in every cell.
 * Metrics that leave a leader in the same cell with the same value follow the first of them.
 */
class DuplicateTracker {
  readonly #all: QuantityAccumulator[] = [];

  add(counts: QuantityAccumulator, { cell }: ReportRow, { value }: CellReading): void {
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
  // Constant metrics are not shown.
  if (leader === undefined || leader.quantity === quantity || all.variance === 0) return undefined;
  return leader.effects.all.count === all.count ? { as: leader.quantity, kind: 'equal' } : undefined;
}

/** If only two outcomes occur, the second one is the complement of the first. */
function markComplement(quantities: readonly QuantityAnalysis[]): QuantityAnalysis[] {
  const come = quantities.filter(
    ({ quantity, greatest }) => quantity.kind === 'outcome' && snapProbability(quantity, greatest.to) > 0,
  );
  // Outcomes with a winner come first.
  const [one, other, ...others] = come.toSorted(
    (a, b) => Number(hasWinner(b.quantity.name)) - Number(hasWinner(a.quantity.name)),
  );
  if (one === undefined || other === undefined || others.length > 0) return [...quantities];
  if (one.cells !== other.cells || Math.abs(one.mean + other.mean - 1) > ROUNDING) return [...quantities];
  const same: DuplicateQuantity = { as: one.quantity, kind: 'complement' };
  return quantities.map((each) => (each === other ? { ...each, same } : each));
}

/** True if every combination of values has a cell, so that effects of axes are separate. */
function isBalanced({ design, complete, points }: StoreInfo, cells: number): boolean {
  return design === 'grid' && complete && cells === points;
}

/** Analyzes a store. Sums follow the order of the rows, so the result is deterministic. */
export async function analyzeSweep(store: Store): Promise<SweepAnalysis> {
  const { info } = store;
  const classes = info.axes.map((axis) => createAxisClasses(axis, MAX_CLASSES));
  const found = new QuantityMap<QuantityAccumulator>();
  const scores = new ZScoreCollector();
  const twins = new DuplicateTracker();
  let [cells, battles, solved, last] = [0, 0, 0, -1];
  const add = (row: ReportRow): void => {
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
  for await (const rows of store.parts(REPORT_KEYS)) for (const row of rows) add(row);
  const balanced = isBalanced(info, cells);
  const all = found.values.flatMap((counts) => {
    const same = findDuplicate(counts);
    const surveyed = counts.analyze(balanced, info.streams === 'common');
    return surveyed === undefined ? [] : [{ ...surveyed, ...(same && { same }) }];
  });
  const quantities = markComplement(all);
  return { facts: info, cells, battles, solved, balanced, quantities, scores: scores.summarize() };
}
