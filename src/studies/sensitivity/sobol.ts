/** Sobol's indices over a space: how much of the figure's variance each field explains. */

import type { Interval } from '../../answers/intervals.ts';
import { parseCount } from '../../core/chance/stream.ts';
import { RunError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import type { Scenario } from '../../rules/system.ts';
import { rowsOf, saltelliDesign } from '../designs/saltelli.ts';
import { type CellRequest, laboratory, type StudyCell } from './cells.ts';
import { halvesOf } from './difference.ts';
import { type BasePoint, type Index, indicesOf } from './indices.ts';
import { type FieldRange, scenarioAt, spaceOf, valueIn } from './space.ts';
import { evaluateLots, STUDY_OPTIONS, type Study, type StudyOptions, settingOf, studyOf } from './study.ts';

/** What `sobolSensitivity` varies, and how often. */
export interface SobolOptions extends StudyOptions {
  /** The ranges of the fields: `attacker.hp=10..40`. At most 128. */
  readonly space: readonly string[];
  /** Base points, best a power of two; 256 unless said otherwise. */
  readonly points?: number;
}

const checkOptions = optionsOf<SobolOptions>('sobolSensitivity', { ...STUDY_OPTIONS, space: true, points: true });

/** A field with its Sobol indices, each 0..1. */
export interface SobolField extends Index, FieldRange {
  /** The total index, with its interval. */
  readonly effect: number;
  readonly ci95: Interval;
}

/** Fields ranked by their share in the variance (I. Sobol 1993). */
export interface SobolSensitivity extends Study {
  readonly method: 'sobol';
  readonly points: number;
  /** Of the figure over the space; 0 if it does not vary as far as can be seen, and then there are no fields. */
  readonly variance: number;
  /** The share of luck in the variance between cells as they were played; it is no part of the indices. */
  readonly noise: number;
  /** By total index, the greatest first. */
  readonly fields: readonly SobolField[];
}

/** Battles of a cell unless said otherwise. */
const BATTLES = 2000;

/** Base points unless said otherwise. */
const POINTS = 256;

/** Fewer say nothing. */
const POINTS_MIN = 8;

const POINTS_MAX = 2 ** 20;

/**
 * Sobol's first-order and total indices by Saltelli's scheme over a scrambled Sobol sequence: (fields + 2) x points
 * cells. The cells of a base point play the same battles, in two independent halves.
 * @throws InputError if an option or a range is not acceptable, or a point of the space is no scenario
 * @throws RunError if the kernel is not built, or the signal came before 8 base points were done
 * @throws BudgetError if exact answers were demanded and one is too large
 */
export async function sobolSensitivity(scenario: Scenario, options: SobolOptions): Promise<SobolSensitivity> {
  checkOptions(options);
  const setting = settingOf(options, BATTLES);
  const points = parseCount(options.points ?? POINTS, 'points', POINTS_MIN, POINTS_MAX);
  const axes = spaceOf(scenario, options.space);
  const design = saltelliDesign(axes.length, points, setting.seed);
  const rows = rowsOf(axes.length);
  const base = scenarioAt(
    scenario,
    axes,
    axes.map((axis) => valueIn(axis, 0)),
  );
  const lab = await laboratory(base, setting);
  const taken: BasePoint[] = [];
  const requestsOf = (j: number): CellRequest[] =>
    Array.from({ length: rows }, (_, row) => {
      const at = design.point(j * rows + row);
      const values = axes.map((axis, a) => valueIn(axis, at[a] ?? 0));
      return { scenario: scenarioAt(scenario, axes, values), from: j * setting.battles, key: values.join() };
    });
  const take = (cells: readonly StudyCell[]): void => {
    taken.push(cells.map((cell) => halvesOf(cell, lab.subject.unit)));
  };
  const done = await evaluateLots(lab, { lots: points, requestsOf, take }, options);
  if (done < POINTS_MIN) throw new RunError(`stopped before ${String(POINTS_MIN)} base points were done`);
  const { variance, noise, indices } = indicesOf(taken, setting.seed);
  const fields = (indices ?? []).flatMap((index, a): SobolField[] => {
    const axis = axes[a];
    return axis === undefined ? [] : [{ ...axis, ...index, effect: index.total, ci95: index.totalCi95 }];
  });
  return {
    method: 'sobol',
    ...studyOf(lab, setting, done === points),
    points: done,
    variance,
    noise,
    fields: fields.sort((a, b) => b.total - a.total),
  };
}
