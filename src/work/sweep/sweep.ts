/** A sweep: which cells there are, and what the scenario of each is. All of it is a function of the file. */
import { sha256 } from '#platform/hash';
import { rulesOf, scenarioHash, wishOf } from '../../answers/index.ts';
import { InputError, MAX_BATTLES, parseSeed } from '../../core/index.ts';
import { opened, type Scenario, stepsOf, valueAt, withFields } from '../../rules/index.ts';
import { type Design, latinHypercube, randomDesign, sobolDesign } from '../../studies/index.ts';
import { type Axis, type Column, type Label, openAxis, type Setting } from './axis.ts';
import { parseCondition } from './condition.ts';
import { POINTS_MAX, type SweepSpec } from './file.ts';
import { pointsIn } from './points.ts';
import { type Cuttable, runOf } from './ranges.ts';

/** Battles of a cell unless said otherwise. */
const BATTLES = 100_000;

export type { SweepSpec };

/** A point of the design that the condition lets pass. */
export interface Cell {
  /** The number of the point, from 0. */
  readonly index: number;
  /** By column. */
  readonly labels: readonly Label[];
  readonly scenario: Scenario;
  readonly hash: string;
  readonly seed: bigint;
}

/** A sweep that was read and checked: its points, and the scenario at each. */
export interface Sweep {
  readonly spec: SweepSpec;
  readonly columns: readonly Column[];
  /** Points of the design, those that the condition leaves out counted as well. */
  readonly points: number;
  /** Battles of each cell, or at most so many if there is a precision; 0: cells are only solved. */
  readonly battles: number;
  /** The battles of a run that is kept; undefined for a sweep from a file. */
  readonly run?: Cuttable | undefined;
  /** False for points that the condition leaves out. */
  has(point: number): boolean;
  /**
   * @param point 0..points-1
   * @returns undefined if the condition leaves the point out
   * @throws InputError, with the point in the place, if the scenario is not acceptable
   */
  cell(point: number): Cell | undefined;
}

/** The place of a point on each axis. */
interface Places {
  readonly points: number;
  settings(point: number): Setting[];
}

/** All combinations of levels; the last axis goes fastest. */
function gridPlaces(axes: readonly Axis[], place: string): Places {
  const points = axes.reduce((product, { levels = 1 }) => product * levels, 1);
  if (points > POINTS_MAX)
    throw new InputError(`${place} axes`, `at most ${String(POINTS_MAX)} combinations`, String(points));
  return {
    points,
    settings(point) {
      let rest = point;
      const found: Setting[] = [];
      for (const axis of [...axes].reverse()) {
        const levels = axis.levels ?? 1;
        found.unshift(axis.level(rest % levels));
        rest = Math.floor(rest / levels);
      }
      return found;
    },
  };
}

function drawnPlaces(axes: readonly Axis[], design: Design): Places {
  return {
    points: design.points,
    settings(point) {
      const coordinates = design.point(point);
      return axes.map((axis, a) => axis.at(coordinates[a] ?? 0));
    },
  };
}

const DESIGNS = { 'latin-hypercube': latinHypercube, sobol: sobolDesign, random: randomDesign };

function placesOf({ design }: SweepSpec, axes: readonly Axis[], place: string): Places {
  if (design === 'grid') return gridPlaces(axes, place);
  return drawnPlaces(axes, DESIGNS[design.kind](axes.length, design.points, BigInt(design.seed)));
}

/** Columns that tables have besides the axes. */
const TAKEN = ['cell', 'kind', 'name', 'battles', 'estimate', 'low', 'high', 'standard_error', 'standard_deviation'];
const TAKEN_TOO = ['min', 'q05', 'q25', 'median', 'q75', 'q95', 'max', 'exact', 'z', 'reached', 'seed', 'scenario'];
const NAMES_TAKEN = [...TAKEN, ...TAKEN_TOO, 'digest', 'outcome', 'value', 'from', 'to', 'count', 'probability'];

function checkColumns(columns: readonly Column[], place: string): void {
  const names = columns.map(({ name }) => name);
  for (const [at, name] of names.entries()) {
    if (NAMES_TAKEN.includes(name.toLowerCase()))
      throw new InputError(`${place} axes`, 'names other than those of the columns of tables', `"${name}"`);
    if (names.indexOf(name) < at) throw new InputError(`${place} axes`, 'a name once', `"${name}" again`);
  }
  const paths = columns.flatMap((column) => (column.prices === undefined ? column.paths : []));
  const twice = paths.find((path, at) => paths.indexOf(path) < at);
  if (twice !== undefined) throw new InputError(`${place} axes`, 'each field in one axis', `"${twice}" again`);
}

/** The seed of a cell that has one of its own: a cell of the same scenario has the same in every sweep. */
function ownSeed(seed: bigint, hash: string): bigint {
  const digest = sha256()
    .update(`${String(seed)} ${hash}`)
    .hex();
  return BigInt(`0x${digest.slice(0, 16)}`);
}

/** Battles of each cell that a sweep file asks for, or at most so many. */
export function battlesOf({ battles, precision, exact }: Pick<SweepSpec, 'battles' | 'precision' | 'exact'>): number {
  if (battles !== undefined) return battles;
  if (precision !== undefined) return MAX_BATTLES;
  return exact === 'always' ? 0 : BATTLES;
}

function checkAsked(spec: SweepSpec, place: string): void {
  const { scenario, keep } = spec;
  const shape = opened(scenario).shape;
  const own = (name: string): string => `${place} ${name}`;
  wishOf(shape, spec, own);
  const metrics = shape.metrics.map(({ name }) => name);
  const stray = keep.metrics?.find((name) => !metrics.includes(name));
  if (stray !== undefined) throw new InputError(`${place} keep.metrics`, `some of ${metrics.join(', ')}`, `"${stray}"`);
}

type SweepAxis = SweepSpec['axes'][number];

function withoutLabel<A extends SweepAxis>(axis: A): A {
  if ('zip' in axis) return { ...axis, zip: axis.zip.map(withoutLabel) };
  const { label: _label, ...rest } = axis;
  return rest as A;
}

/** A sweep without what changes no result: names, the labels of its axes, and who plays unless battles are drawn. */
export function unworded({ name: _name, engine, ...spec }: SweepSpec): Omit<SweepSpec, 'name'> {
  const { name: _label, ...scenario } = spec.scenario;
  const axes = spec.axes.map(withoutLabel);
  return { ...spec, scenario, axes, ...(engine === 'sampled' && { engine }) };
}

/** The SHA-256 of what the results of a sweep depend on, in hexadecimal. */
export function sweepHash(spec: SweepSpec): string {
  const { scenario } = spec;
  const { scenario: _itself, ...content } = unworded(spec);
  const { systemHash } = rulesOf(scenario);
  const own = systemHash === undefined ? [] : [systemHash];
  const text = JSON.stringify([content, scenarioHash(scenario), ...own]);
  return sha256().update(text).hex();
}

/**
 * @param place what messages call the sweep, usually its file
 * @throws InputError if the axes do not fit the scenario or each other
 */
export function openSweep(spec: SweepSpec, place: string): Sweep {
  const { scenario: base, axes: files, design, where, streams } = spec;
  const drawn = design !== 'grid';
  const axes = files.map((file, a) => openAxis(base, file, `${place} axes[${String(a)}]`, drawn));
  const varied = axes.flatMap((axis) => axis.columns);
  const points = pointsIn(base, spec.costs, axes, place);
  const columns = [...varied, ...points.columns];
  checkColumns(columns, place);
  checkAsked(spec, place);
  const places = placesOf(spec, axes, place);
  const seed = parseSeed(spec.seed, `${place} seed`);
  const run = runOf(spec);
  const names = new Map(columns.map(({ name }, c) => [name, c]));
  const swept = new Set(varied.flatMap(({ paths }) => paths));
  const known = (name: string): boolean =>
    names.has(name) || swept.has(name) || valueAt(base, stepsOf(name)) !== undefined;
  const condition = where === undefined ? undefined : parseCondition(where, `${place} where`, known);
  const passes = (settings: readonly Setting[]): boolean => {
    if (condition === undefined) return true;
    const labels: Label[] = [...settings.flatMap((setting) => setting.labels), ...points.labels(settings)];
    const values = new Map(settings.flatMap((setting) => setting.values));
    return condition((name) => {
      const column = names.get(name);
      if (column !== undefined) return labels[column];
      return values.has(name) ? values.get(name) : (valueAt(base, stepsOf(name)) ?? null);
    });
  };
  return {
    spec,
    columns,
    points: places.points,
    battles: run === undefined ? battlesOf(spec) : run.to - run.from,
    run,
    has: (point) => condition === undefined || passes(places.settings(point)),
    cell(point) {
      const settings = places.settings(point);
      if (!passes(settings)) return undefined;
      const labels = settings.flatMap((setting) => setting.labels);
      const shown = varied.map(({ name }, c) => `${name}=${String(labels[c])}`).join(', ');
      const scenario = withFields(
        base,
        settings.flatMap(({ values }) => values),
        `${place} cell ${String(point)} (${shown})`,
      );
      const hash = scenarioHash(scenario);
      const own = streams === 'common' ? seed : ownSeed(seed, hash);
      return { index: point, labels: [...labels, ...points.labels(settings)], scenario, hash, seed: own };
    },
  };
}
