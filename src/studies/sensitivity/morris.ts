/** Screening by elementary effects: which fields of a space matter, and which act alike everywhere. */

import type { Interval } from '../../answers/intervals.ts';
import { parseCount } from '../../core/chance/stream.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import type { Scenario } from '../../rules/system.ts';
import { morrisTrajectories, type Trajectory } from '../designs/trajectories.ts';
import { type CellRequest, laboratory, type StudyCell } from './cells.ts';
import { exactDifference, halvesOf, noiseOf } from './difference.ts';
import { type Elementary, type Screened, screened } from './elementary.ts';
import { decimal, type FieldRange, scenarioAt, spaceOf, valuesOf } from './space.ts';
import { evaluateLots, STUDY_OPTIONS, type Study, type StudyOptions, settingOf, studyOf } from './study.ts';

/** What `morrisSensitivity` varies, and how often. */
export interface MorrisOptions extends StudyOptions {
  /** The ranges of the fields: `attacker.hp=10..40`. */
  readonly space: readonly string[];
  /** 20 unless said otherwise. */
  readonly trajectories?: number;
  /** Levels of fields that are not whole numbers, even; 4 unless said otherwise. Whole numbers are levels themselves. */
  readonly levels?: number;
}

const checkOptions = optionsOf<MorrisOptions>('morrisSensitivity', {
  ...STUDY_OPTIONS,
  space: true,
  trajectories: true,
  levels: true,
});

/** A field, screened by elementary effects. */
export interface MorrisField extends Screened, FieldRange {
  /** mu*, with its interval. */
  readonly effect: number;
  readonly ci95: Interval;
}

/** Fields ranked by their mean elementary effects (M. Morris 1991). */
export interface MorrisSensitivity extends Study {
  readonly method: 'morris';
  readonly trajectories: number;
  /** By mu*, the greatest first. Effects are those of a passage through the whole range. */
  readonly fields: readonly MorrisField[];
}

/** Battles of a cell unless said otherwise. */
const BATTLES = 2000;

/** Trajectories unless said otherwise. */
const TRAJECTORIES = 20;

const LEVELS = 4;

/** The value of a level; level 0 is the least. */
function valueAt({ min, max, integer }: FieldRange, level: number, levels: number): number {
  return integer ? min + level : decimal(min + ((max - min) * level) / (levels - 1));
}

/** The effect of one step, as if it went on through the whole range. */
function elementary(before: StudyCell, after: StudyCell, unit: number, scale: number): Elementary {
  const [first, second] = [halvesOf(before, unit), halvesOf(after, unit)];
  const exact = before.battles === undefined && after.battles === undefined;
  const gap = exact ? exactDifference(before.value, after.value) : after.value - before.value;
  const halves = exact ? ([gap, gap] as const) : ([second[0] - first[0], second[1] - first[1]] as const);
  return {
    effect: gap * scale,
    halves: [halves[0] * scale, halves[1] * scale],
    noise: noiseOf(before, after, unit) * scale * scale,
  };
}

function requestsOf(
  base: Scenario,
  axes: readonly FieldRange[],
  levels: readonly number[],
  walk: Trajectory,
  from: number,
) {
  return walk.points.map((point): CellRequest => {
    const values = axes.map((axis, a) => valueAt(axis, point[a] ?? 0, levels[a] ?? 2));
    return { scenario: scenarioAt(base, axes, values), from, key: values.join() };
  });
}

/**
 * Morris's screening over a space. The cells of a trajectory play the same battles, those of different trajectories
 * others; (fields + 1) x trajectories cells in all.
 * @throws InputError if an option or a range is not acceptable, or a point of the space is no scenario
 * @throws RunError if the kernel is not built, or the signal came before two trajectories were done
 * @throws BudgetError if exact answers were demanded and one is too large
 */
export async function morrisSensitivity(scenario: Scenario, options: MorrisOptions): Promise<MorrisSensitivity> {
  checkOptions(options);
  const setting = settingOf(options, BATTLES);
  const trajectories = parseCount(options.trajectories ?? TRAJECTORIES, 'trajectories', 2, 1_000_000);
  const real = parseCount(options.levels ?? LEVELS, 'levels', 2, 1_000_000);
  if (real % 2 === 1) throw new InputError('levels', 'an even number', String(real));
  const axes = spaceOf(scenario, options.space);
  const levels = axes.map((axis) => valuesOf(axis) ?? real);
  const walks = morrisTrajectories(levels, trajectories, setting.seed);
  const base = scenarioAt(
    scenario,
    axes,
    axes.map(({ min }) => min),
  );
  const lab = await laboratory(base, setting);
  const effects = axes.map((): Elementary[] => []);
  const take = (cells: readonly StudyCell[], t: number): void => {
    const { order, steps } = walks.trajectory(t);
    for (const [i, a] of order.entries()) {
      const [before, after] = [cells[i], cells[i + 1]];
      const scale = ((levels[a] ?? 2) - 1) / (steps[a] ?? 1);
      if (before && after) effects[a]?.push(elementary(before, after, lab.subject.unit, scale));
    }
  };
  const requests = (t: number): CellRequest[] =>
    requestsOf(scenario, axes, levels, walks.trajectory(t), t * setting.battles);
  const done = await evaluateLots(lab, { lots: trajectories, requestsOf: requests, take }, options);
  if (done < 2) throw new RunError('stopped before two trajectories were done');
  const fields = axes.map((axis, a): MorrisField => {
    const found = screened(effects[a] ?? []);
    return { ...axis, ...found, effect: found.muStar, ci95: found.muStarCi95 };
  });
  return {
    method: 'morris',
    ...studyOf(lab, setting, done === trajectories),
    trajectories: done,
    fields: fields.sort((a, b) => b.muStar - a.muStar),
  };
}
