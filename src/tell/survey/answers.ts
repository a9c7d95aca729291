/** What a sweep found, as data: what is balanced, what matters, what is odd. Words for it are in report/store/answer-words.ts. */
import { normalUpper } from '../../answers/index.ts';
import type { ClassMean, Effect } from './effects.ts';
import type { Even } from './even.ts';
import { isWon } from './outcomes.ts';
import type { Quantity, Reading } from './quantity.ts';
import type { Survey, Surveyed } from './survey.ts';

/** What an axis does to the main outcome or metric: means over all cells with the same value of the axis. */
export interface Mover {
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
export type Oddity =
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
  | { readonly kind: 'turns'; readonly mover: Mover }
  | { readonly kind: 'stalemate'; readonly cells: number; readonly greatest: Reading; readonly mean: number };

export interface Answers {
  /** The outcome, or metric, that is meant. */
  readonly main: Quantity;
  /** Over all cells, if an outcome is meant. */
  readonly even?: Even;
  readonly cells: number;
  /** Axes with a clear effect first, by their share. */
  readonly movers: readonly Mover[];
  /** Share of the variance that only axes together explain. */
  readonly together?: number;
  /** True for a grid with holes: means along an axis also carry what others do. */
  readonly mixed: boolean;
  readonly odd: readonly Oddity[];
}

/** An outcome that moves less than this part of the one that moves most is not the main one. */
const MOVES = 0.5;

/** The first outcome that a side wins with and that moves about as much as any, else the first of all. */
function mainOf(shown: readonly Surveyed[]): Surveyed | undefined {
  const outcomes = shown.filter(({ quantity }) => quantity.kind === 'outcome');
  const most = Math.max(0, ...outcomes.map(({ deviation }) => deviation));
  const moving = outcomes.filter(({ deviation }) => deviation >= MOVES * most);
  return moving.find(({ quantity }) => isWon(quantity.name)) ?? moving[0] ?? shown[0];
}

/** Chance of a false word on an axis. */
const ALARM = 0.05;

/** Differences below this part of a value are the rounding of equal numbers. */
const ROUNDING = 1e-9;

/** Two means, and how far they may lie apart by chance, all pairs of the axis at once (Bonferroni). */
function farthest(classes: readonly ClassMean[], common: boolean) {
  const pairs = (classes.length * (classes.length - 1)) / 2;
  const z = normalUpper(ALARM / (2 * Math.max(1, pairs)));
  return (a: ClassMean, b: ClassMean): number =>
    z * (common ? a.error + b.error : Math.hypot(a.error, b.error)) + ROUNDING * Math.abs(a.mean + b.mean);
}

type Chance = ReturnType<typeof farthest>;

/** Whether b is more than a by more than chance. */
const exceeds = (b: ClassMean, a: ClassMean, chance: Chance): boolean => b.mean - a.mean > chance(a, b);

/** The class with the least, or greatest, mean. */
function extreme(classes: readonly ClassMean[], sign: 1 | -1): ClassMean | undefined {
  return classes.reduce<ClassMean | undefined>(
    (best, each) => (best === undefined || sign * each.mean > sign * best.mean ? each : best),
    undefined,
  );
}

/** A class between two others that lies beyond both by more than chance, the farthest beyond: a hump, or a dip. */
function turnOf(classes: readonly ClassMean[], chance: Chance, sign: 1 | -1): Mover['turn'] {
  const found = classes.flatMap((at, c) => {
    const before = extreme(classes.slice(0, c), -sign as 1 | -1);
    const after = extreme(classes.slice(c + 1), -sign as 1 | -1);
    if (before === undefined || after === undefined) return [];
    const beyond = (side: ClassMean): boolean => (sign > 0 ? exceeds(at, side, chance) : exceeds(side, at, chance));
    if (!beyond(before) || !beyond(after)) return [];
    const height = Math.min(Math.abs(at.mean - before.mean), Math.abs(at.mean - after.mean));
    return [{ height, turn: [before, at, after] as const }];
  });
  return found.sort((a, b) => b.height - a.height)[0]?.turn;
}

/** @param mixed true if means along the axis also carry what other axes do, so that a turn means nothing */
function moverOf({ axis, share = 0, ordered, classes }: Effect, common: boolean, mixed: boolean): Mover | undefined {
  const [least, greatest] = [extreme(classes, -1), extreme(classes, 1)];
  if (least === undefined || greatest === undefined || classes.length < 2) return undefined;
  const chance = farthest(classes, common);
  const base = {
    axis,
    share,
    least,
    greatest,
    chance: chance(least, greatest),
    clear: exceeds(greatest, least, chance),
  };
  if (!ordered || mixed || !base.clear) return base;
  const turn = turnOf(classes, chance, 1) ?? turnOf(classes, chance, -1);
  if (turn !== undefined) return { ...base, direction: 'turns', turn };
  return { ...base, direction: classes.indexOf(least) < classes.indexOf(greatest) ? 'rises' : 'falls' };
}

function moversOf({ effects }: Surveyed, common: boolean, mixed: boolean): Mover[] {
  const movers = effects.axes.flatMap((effect) => moverOf(effect, common, mixed) ?? []);
  return movers.sort((a, b) => Number(b.clear) - Number(a.clear) || b.share - a.share);
}

/** Outcomes that no battle had, and that no cell can have, but for one battle of a billion, where it is known exactly. */
export function neverOf({ quantities }: Survey): Surveyed[] {
  return quantities.filter(({ even, cells }) => even?.never === cells);
}

function oddOf(survey: Survey, movers: readonly Mover[]): Oddity[] {
  const { facts, cells, quantities, scores } = survey;
  const missed = Math.max(0, ...quantities.map((each) => each.missed));
  const never = neverOf(survey);
  const { greatest, expected } = scores;
  const stalemate = quantities.find(({ quantity }) => quantity.kind === 'outcome' && quantity.name === 'stalemate');
  const stuck = stalemate?.greatest.readings[0];
  const stalled = stalemate === undefined ? 0 : stalemate.cells - (stalemate.even?.never ?? 0);
  const odd: (Oddity | false)[] = [
    !facts.complete && { kind: 'unfinished', cells, points: facts.points },
    missed > 0 && { kind: 'missed', cells: missed },
    greatest !== undefined && Math.abs(greatest.z) > expected && { kind: 'disagrees', ...greatest, expected },
    ...movers.map((mover): Oddity | false => mover.turn !== undefined && { kind: 'turns', mover }),
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
export function answersOf(survey: Survey, shown: readonly Surveyed[]): Answers | undefined {
  const main = mainOf(shown);
  if (main === undefined) return undefined;
  const mixed = survey.facts.design === 'grid' && !survey.balanced;
  const movers = moversOf(main, survey.facts.streams === 'common', mixed);
  return {
    main: main.quantity,
    ...(main.even && { even: main.even }),
    cells: main.cells,
    movers,
    ...(main.effects.rest !== undefined && { together: main.effects.rest }),
    mixed,
    odd: oddOf(survey, movers),
  };
}
