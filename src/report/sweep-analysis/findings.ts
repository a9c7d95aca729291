/**
 * Findings of a sweep: balanced cells, effects of axes, anomalies. Their texts are in sweep-report/findings-text.ts.
 */
import { normalUpper } from '../../stats/index.ts';
import type { QuantityAnalysis, SweepAnalysis } from './analysis.ts';
import type { BalancedCells } from './balanced-cells.ts';
import type { AxisEffect, ClassMean } from './main-effects.ts';
import { hasWinner } from './outcome-text.ts';
import type { CellReading, SweepQuantity } from './quantity.ts';

/** Effect of an axis on the main outcome or metric: means over all cells with the same value of the axis. */
export interface AxisInfluence {
  readonly axis: string;
  /** Share of the variance between cells, 0..1. */
  readonly share: number;
  readonly least: ClassMean;
  readonly greatest: ClassMean;
  /** Largest difference of two means that chance explains, with 95 %. */
  readonly chance: number;
  /** True if the means differ by more; in an incomplete grid, by more than other axes explain. */
  readonly clear: boolean;
  /** Significant direction along a numeric axis of a complete grid. */
  readonly direction?: 'rises' | 'falls' | 'turns';
  /** Means before, at and after the turning point. */
  readonly turn?: readonly [before: ClassMean, at: ClassMean, after: ClassMean];
}

/** Notable result, or a possible problem. */
export type Anomaly =
  | { readonly kind: 'unfinished'; readonly cells: number; readonly points: number }
  | { readonly kind: 'missed'; readonly cells: number }
  | {
      readonly kind: 'disagrees';
      readonly name: string;
      readonly cell: number;
      readonly z: number;
      readonly expected: number;
    }
  | { readonly kind: 'never'; readonly names: readonly string[]; readonly exact: boolean }
  | { readonly kind: 'turns'; readonly mover: AxisInfluence }
  | { readonly kind: 'stalemate'; readonly cells: number; readonly greatest: CellReading; readonly mean: number };

export interface Findings {
  /** Outcome or metric of the findings. */
  readonly main: SweepQuantity;
  /** Balanced cells, if `main` is an outcome. */
  readonly even?: BalancedCells;
  readonly cells: number;
  /** Effects by share, significant ones first. */
  readonly influences: readonly AxisInfluence[];
  /** Share of the variance that only interactions explain. */
  readonly together?: number;
  /** True for an incomplete grid: means along an axis include effects of other axes. */
  readonly mixed: boolean;
  readonly anomalies: readonly Anomaly[];
}

/** Outcomes that vary less than this fraction of the largest variation are not the main one. */
const MIN_RELATIVE_RANGE = 0.5;

/** Selects the first outcome with a winner that varies about as much as any other, or else the first quantity. */
function findMainQuantity(shown: readonly QuantityAnalysis[]): QuantityAnalysis | undefined {
  const outcomes = shown.filter(({ quantity }) => quantity.kind === 'outcome');
  const most = Math.max(0, ...outcomes.map(({ deviation }) => deviation));
  const moving = outcomes.filter(({ deviation }) => deviation >= MIN_RELATIVE_RANGE * most);
  return moving.find(({ quantity }) => hasWinner(quantity.name)) ?? moving[0] ?? shown[0];
}

/** Error probability of a statement on an axis. */
const FALSE_ALARM_RATE = 0.05;

/** Smaller relative differences are rounding errors. */
const ROUNDING = 1e-9;

/** Largest difference of two means that chance explains, for all pairs of the axis together (Bonferroni). */
function createSignificanceTest(classes: readonly ClassMean[], common: boolean) {
  const pairs = (classes.length * (classes.length - 1)) / 2;
  const z = normalUpper(FALSE_ALARM_RATE / (2 * Math.max(1, pairs)));
  return (a: ClassMean, b: ClassMean): number =>
    z * (common ? a.error + b.error : Math.hypot(a.error, b.error)) + ROUNDING * Math.abs(a.mean + b.mean);
}

type SignificanceTest = ReturnType<typeof createSignificanceTest>;

/** True if b is significantly larger than a. */
const isGreater = (b: ClassMean, a: ClassMean, chance: SignificanceTest): boolean => b.mean - a.mean > chance(a, b);

/** Class with the smallest or largest mean. */
function findExtremeClass(classes: readonly ClassMean[], sign: 1 | -1): ClassMean | undefined {
  return classes.reduce<ClassMean | undefined>(
    (best, each) => (best === undefined || sign * each.mean > sign * best.mean ? each : best),
    undefined,
  );
}

/** Finds the most extreme class that is significantly above, or below, a class before and a class after it. */
function findTurn(classes: readonly ClassMean[], chance: SignificanceTest, sign: 1 | -1): AxisInfluence['turn'] {
  const found = classes.flatMap((at, c) => {
    const before = findExtremeClass(classes.slice(0, c), -sign as 1 | -1);
    const after = findExtremeClass(classes.slice(c + 1), -sign as 1 | -1);
    if (before === undefined || after === undefined) return [];
    const isBeyond = (side: ClassMean): boolean =>
      sign > 0 ? isGreater(at, side, chance) : isGreater(side, at, chance);
    if (!isBeyond(before) || !isBeyond(after)) return [];
    const height = Math.min(Math.abs(at.mean - before.mean), Math.abs(at.mean - after.mean));
    return [{ height, turn: [before, at, after] as const }];
  });
  return found.sort((a, b) => b.height - a.height)[0]?.turn;
}

/** @param mixed true if means along the axis include effects of other axes, so that turning points are meaningless */
function computeInfluence(
  { axis, share = 0, ordered, classes }: AxisEffect,
  common: boolean,
  mixed: boolean,
): AxisInfluence | undefined {
  const [least, greatest] = [findExtremeClass(classes, -1), findExtremeClass(classes, 1)];
  if (least === undefined || greatest === undefined || classes.length < 2) return undefined;
  const chance = createSignificanceTest(classes, common);
  const base = {
    axis,
    share,
    least,
    greatest,
    chance: chance(least, greatest),
    clear: isGreater(greatest, least, chance),
  };
  if (!ordered || mixed || !base.clear) return base;
  const turn = findTurn(classes, chance, 1) ?? findTurn(classes, chance, -1);
  if (turn !== undefined) return { ...base, direction: 'turns', turn };
  return { ...base, direction: classes.indexOf(least) < classes.indexOf(greatest) ? 'rises' : 'falls' };
}

function computeInfluences({ effects }: QuantityAnalysis, common: boolean, mixed: boolean): AxisInfluence[] {
  const movers = effects.axes.flatMap((effect) => computeInfluence(effect, common, mixed) ?? []);
  return movers.sort((a, b) => Number(b.clear) - Number(a.clear) || b.share - a.share);
}

/** Outcomes that no battle had, or, with exact results, that are impossible in all cells (below 1e-9). */
export function listNeverObserved({ quantities }: SweepAnalysis): QuantityAnalysis[] {
  return quantities.filter(({ even, cells }) => even?.never === cells);
}

function findAnomalies(survey: SweepAnalysis, movers: readonly AxisInfluence[]): Anomaly[] {
  const { facts, cells, quantities, scores } = survey;
  const missed = Math.max(0, ...quantities.map((each) => each.missed));
  const never = listNeverObserved(survey);
  const { greatest, expected } = scores;
  const stalemate = quantities.find(({ quantity }) => quantity.kind === 'outcome' && quantity.name === 'stalemate');
  const stuck = stalemate?.greatest.readings[0];
  const stalled = stalemate === undefined ? 0 : stalemate.cells - (stalemate.even?.never ?? 0);
  const odd: (Anomaly | false)[] = [
    !facts.complete && { kind: 'unfinished', cells, points: facts.points },
    missed > 0 && { kind: 'missed', cells: missed },
    greatest !== undefined && Math.abs(greatest.z) > expected && { kind: 'disagrees', ...greatest, expected },
    ...movers.map((mover): Anomaly | false => mover.turn !== undefined && { kind: 'turns', mover }),
    stalemate !== undefined &&
      stuck !== undefined &&
      stalled > 0 && {
        kind: 'stalemate',
        cells: stalled,
        greatest: stuck,
        mean: stalemate.mean,
      },
    never.length > 0 && {
      kind: 'never',
      names: never.map(({ quantity }) => quantity.name),
      exact: survey.solved === cells,
    },
  ];
  return odd.filter((each) => each !== false);
}

/** @returns undefined if no quantity is shown */
export function createFindings(survey: SweepAnalysis, shown: readonly QuantityAnalysis[]): Findings | undefined {
  const main = findMainQuantity(shown);
  if (main === undefined) return undefined;
  const mixed = survey.facts.design === 'grid' && !survey.balanced;
  const movers = computeInfluences(main, survey.facts.streams === 'common', mixed);
  return {
    main: main.quantity,
    ...(main.even && { even: main.even }),
    cells: main.cells,
    influences: movers,
    ...(main.effects.rest !== undefined && { together: main.effects.rest }),
    mixed,
    anomalies: findAnomalies(survey, movers),
  };
}
