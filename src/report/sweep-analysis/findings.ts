/** What a sweep found, as data: what is balanced, what matters, what is odd. Words for it are in report/store/answer-words.ts. */
import { normalUpper } from '../../stats/index.ts';
import type { QuantityAnalysis, SweepAnalysis } from './analysis.ts';
import type { BalancedCells } from './balanced-cells.ts';
import type { AxisEffect, ClassMean } from './main-effects.ts';
import { hasWinner } from './outcome-text.ts';
import type { CellReading, SweepQuantity } from './quantity.ts';

/** What an axis does to the main outcome or metric: means over all cells with the same value of the axis. */
export interface AxisInfluence {
  readonly axis: string;
  /** Of the variance between cells. */
  readonly share: number;
  readonly least: ClassMean;
  readonly greatest: ClassMean;
  /** How far means may lie apart by chance alone: the greatest distance of any two, with 95 %. */
  readonly chance: number;
  /** False if the means do not differ by more than that: in a grid with holes, by more than what the other axes do. */
  readonly clear: boolean;
  /** Of a numeric axis, unless the grid has holes: whether values grow or fall along it, or both, by more than chance. */
  readonly direction?: 'rises' | 'falls' | 'turns';
  /** Where it turns: the first of the means that matter, the one between them, the last. */
  readonly turn?: readonly [before: ClassMean, at: ClassMean, after: ClassMean];
}

/** Something that a reader should know of, or look into. */
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
  /** The outcome, or metric, that is meant. */
  readonly main: SweepQuantity;
  /** Over all cells, if an outcome is meant. */
  readonly even?: BalancedCells;
  readonly cells: number;
  /** Axes with a clear effect first, by their share. */
  readonly influences: readonly AxisInfluence[];
  /** Share of the variance that only axes together explain. */
  readonly together?: number;
  /** True for a grid with holes: means along an axis also carry what others do. */
  readonly mixed: boolean;
  readonly anomalies: readonly Anomaly[];
}

/** An outcome that moves less than this part of the one that moves most is not the main one. */
const MIN_RELATIVE_RANGE = 0.5;

/** The first outcome that a side wins with and that moves about as much as any, else the first of all. */
function findMainQuantity(shown: readonly QuantityAnalysis[]): QuantityAnalysis | undefined {
  const outcomes = shown.filter(({ quantity }) => quantity.kind === 'outcome');
  const most = Math.max(0, ...outcomes.map(({ deviation }) => deviation));
  const moving = outcomes.filter(({ deviation }) => deviation >= MIN_RELATIVE_RANGE * most);
  return moving.find(({ quantity }) => hasWinner(quantity.name)) ?? moving[0] ?? shown[0];
}

/** Chance of a false word on an axis. */
const FALSE_ALARM_RATE = 0.05;

/** Differences below this part of a value are the rounding of equal numbers. */
const ROUNDING = 1e-9;

/** Two means, and how far they may lie apart by chance, all pairs of the axis at once (Bonferroni). */
function createSignificanceTest(classes: readonly ClassMean[], common: boolean) {
  const pairs = (classes.length * (classes.length - 1)) / 2;
  const z = normalUpper(FALSE_ALARM_RATE / (2 * Math.max(1, pairs)));
  return (a: ClassMean, b: ClassMean): number =>
    z * (common ? a.error + b.error : Math.hypot(a.error, b.error)) + ROUNDING * Math.abs(a.mean + b.mean);
}

type SignificanceTest = ReturnType<typeof createSignificanceTest>;

/** Whether b is more than a by more than chance. */
const exceeds = (b: ClassMean, a: ClassMean, chance: SignificanceTest): boolean => b.mean - a.mean > chance(a, b);

/** The class with the least, or greatest, mean. */
function findExtremeClass(classes: readonly ClassMean[], sign: 1 | -1): ClassMean | undefined {
  return classes.reduce<ClassMean | undefined>(
    (best, each) => (best === undefined || sign * each.mean > sign * best.mean ? each : best),
    undefined,
  );
}

/** A class between two others that lies beyond both by more than chance, the farthest beyond: a hump, or a dip. */
function findTurn(classes: readonly ClassMean[], chance: SignificanceTest, sign: 1 | -1): AxisInfluence['turn'] {
  const found = classes.flatMap((at, c) => {
    const before = findExtremeClass(classes.slice(0, c), -sign as 1 | -1);
    const after = findExtremeClass(classes.slice(c + 1), -sign as 1 | -1);
    if (before === undefined || after === undefined) return [];
    const beyond = (side: ClassMean): boolean => (sign > 0 ? exceeds(at, side, chance) : exceeds(side, at, chance));
    if (!beyond(before) || !beyond(after)) return [];
    const height = Math.min(Math.abs(at.mean - before.mean), Math.abs(at.mean - after.mean));
    return [{ height, turn: [before, at, after] as const }];
  });
  return found.sort((a, b) => b.height - a.height)[0]?.turn;
}

/** @param mixed true if means along the axis also carry what other axes do, so that a turn means nothing */
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
    clear: exceeds(greatest, least, chance),
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

/** Outcomes that no battle had, and that no cell can have, but for one battle of a billion, where it is known exactly. */
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

/** @returns undefined if nothing is shown */
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
