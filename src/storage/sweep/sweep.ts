/** Sweeps: cells and their scenarios. Everything is a function of the sweep file. */
import { createSha256 } from '#platform/hash';
import { createLatinHypercube, createRandomDesign, createSobolDesign, type Design } from '../../analysis/index.ts';
import { InputError, MAX_BATTLES, parseSeed } from '../../core/index.ts';
import { getBoundScenario, getValueAt, type Scenario, setFields, splitPath } from '../../rules/index.ts';
import { createPrecisionSpec, hashScenario, identifyRules } from '../../stats/index.ts';
import { type Axis, type AxisColumn, type AxisSetting, openAxis, type ValueLabel } from './axis.ts';
import { parseCondition } from './condition.ts';
import { type Cuttable, runOf } from './ranges.ts';
import { RESERVED_NAMES } from './rows.ts';
import { openSweepCosts } from './sweep-costs.ts';
import { POINTS_MAX, type SweepSpec } from './sweep-file.ts';

/** Default number of battles of a cell. */
const BATTLES = 100_000;

export type { SweepSpec };

/** Point of the design that satisfies the condition. */
export interface Cell {
  /** Index of the point. */
  readonly index: number;
  /** By column. */
  readonly labels: readonly ValueLabel[];
  readonly scenario: Scenario;
  readonly hash: string;
  readonly seed: bigint;
}

/** Validated sweep: its points, and the scenario at each. */
export interface Sweep {
  readonly spec: SweepSpec;
  readonly columns: readonly AxisColumn[];
  /** Points of the design, excluded ones included. */
  readonly points: number;
  /** Battles of each cell, or the maximum with a precision; 0: cells are only solved exactly. */
  readonly battles: number;
  /** Battles of a resumable run; undefined for a sweep from a file. */
  readonly run?: Cuttable | undefined;
  /** False for points that the condition excludes. */
  has(point: number): boolean;
  /**
   * @param point 0..points-1
   * @returns undefined if the condition excludes the point
   * @throws InputError, with the point in the place, if the scenario is invalid
   */
  cell(point: number): Cell | undefined;
}

/** Position of a point on each axis. */
interface DesignPoints {
  readonly points: number;
  settings(point: number): AxisSetting[];
}

/** Combines all levels; the last axis varies fastest. */
function createGridPoints(axes: readonly Axis[], place: string): DesignPoints {
  const points = axes.reduce((product, { levels = 1 }) => product * levels, 1);
  if (points > POINTS_MAX)
    throw new InputError(`${place} axes`, `at most ${String(POINTS_MAX)} combinations`, String(points));
  return {
    points,
    settings(point) {
      let rest = point;
      const found: AxisSetting[] = [];
      for (const axis of [...axes].reverse()) {
        const levels = axis.levels ?? 1;
        found.unshift(axis.level(rest % levels));
        rest = Math.floor(rest / levels);
      }
      return found;
    },
  };
}

function createSampledPoints(axes: readonly Axis[], design: Design): DesignPoints {
  return {
    points: design.points,
    settings(point) {
      const coordinates = design.point(point);
      return axes.map((axis, a) => axis.at(coordinates[a] ?? 0));
    },
  };
}

const DESIGNS = { 'latin-hypercube': createLatinHypercube, sobol: createSobolDesign, random: createRandomDesign };

function createDesignPoints({ design }: SweepSpec, axes: readonly Axis[], place: string): DesignPoints {
  if (design === 'grid') return createGridPoints(axes, place);
  return createSampledPoints(axes, DESIGNS[design.kind](axes.length, design.points, BigInt(design.seed)));
}

function checkColumns(columns: readonly AxisColumn[], place: string): void {
  const names = columns.map(({ name }) => name);
  for (const [at, name] of names.entries()) {
    if (RESERVED_NAMES.has(name.toLowerCase()))
      throw new InputError(`${place} axes`, 'a name that is not a column of the result tables', `"${name}"`);
    if (names.indexOf(name) < at) throw new InputError(`${place} axes`, 'unique names', `"${name}" again`);
  }
  const paths = columns.flatMap((column) => (column.prices === undefined ? column.paths : []));
  const twice = paths.find((path, at) => paths.indexOf(path) < at);
  if (twice !== undefined) throw new InputError(`${place} axes`, 'each field in at most one axis', `"${twice}" again`);
}

/** Derives the seed of a cell in a sweep with independent streams; equal scenarios have equal seeds in all sweeps. */
function deriveCellSeed(seed: bigint, hash: string): bigint {
  const digest = createSha256()
    .update(`${String(seed)} ${hash}`)
    .hex();
  return BigInt(`0x${digest.slice(0, 16)}`);
}

/** Returns the number of battles of each cell, or their maximum with a precision. */
export function countCellBattles({
  battles,
  precision,
  exact,
}: Pick<SweepSpec, 'battles' | 'precision' | 'exact'>): number {
  if (battles !== undefined) return battles;
  if (precision !== undefined) return MAX_BATTLES;
  return exact === 'always' ? 0 : BATTLES;
}

function checkSpec(spec: SweepSpec, place: string): void {
  const { scenario, keep } = spec;
  const shape = getBoundScenario(scenario).shape;
  const own = (name: string): string => `${place} ${name}`;
  createPrecisionSpec(shape, spec, own);
  const metrics = shape.metrics.map(({ name }) => name);
  const stray = keep.metrics?.find((name) => !metrics.includes(name));
  if (stray !== undefined) throw new InputError(`${place} keep.metrics`, `some of ${metrics.join(', ')}`, `"${stray}"`);
}

type SweepAxis = SweepSpec['axes'][number];

function removeLabel<A extends SweepAxis>(axis: A): A {
  if ('zip' in axis) return { ...axis, zip: axis.zip.map(removeLabel) };
  const { label: _label, ...rest } = axis;
  return rest as A;
}

/** Removes fields that do not affect results: names, labels of axes, and the engine unless battles are sampled. */
export function removeTexts({ name: _name, engine, ...spec }: SweepSpec): Omit<SweepSpec, 'name'> {
  const { name: _label, ...scenario } = spec.scenario;
  const axes = spec.axes.map(removeLabel);
  return { ...spec, scenario, axes, ...(engine === 'sampled' && { engine }) };
}

/** Computes the SHA-256, in hexadecimal, of everything that affects the results of a sweep. */
export function computeSweepHash(spec: SweepSpec): string {
  const { scenario } = spec;
  const { scenario: _itself, ...content } = removeTexts(spec);
  const { systemHash } = identifyRules(scenario);
  const own = systemHash === undefined ? [] : [systemHash];
  const text = JSON.stringify([content, hashScenario(scenario), ...own]);
  return createSha256().update(text).hex();
}

/**
 * @param place name of the sweep in messages, usually its file
 * @throws InputError if the axes do not fit the scenario or each other
 */
export function openSweep(spec: SweepSpec, place: string): Sweep {
  const { scenario: base, axes: files, design, where, streams } = spec;
  const drawn = design !== 'grid';
  const axes = files.map((file, a) => openAxis(base, file, `${place} axes[${String(a)}]`, drawn));
  const varied = axes.flatMap((axis) => axis.columns);
  const points = openSweepCosts(base, spec.costs, axes, place);
  const columns = [...varied, ...points.columns];
  checkColumns(columns, place);
  checkSpec(spec, place);
  const places = createDesignPoints(spec, axes, place);
  const seed = parseSeed(spec.seed, `${place} seed`);
  const run = runOf(spec);
  const names = new Map(columns.map(({ name }, c) => [name, c]));
  const swept = new Set(varied.flatMap(({ paths }) => paths));
  const isKnown = (name: string): boolean =>
    names.has(name) || swept.has(name) || getValueAt(base, splitPath(name)) !== undefined;
  const condition = where === undefined ? undefined : parseCondition(where, `${place} where`, isKnown);
  const isPassing = (settings: readonly AxisSetting[]): boolean => {
    if (condition === undefined) return true;
    const labels: ValueLabel[] = [...settings.flatMap((setting) => setting.labels), ...points.labels(settings)];
    const values = new Map(settings.flatMap((setting) => setting.values));
    return condition((name) => {
      const column = names.get(name);
      if (column !== undefined) return labels[column];
      return values.has(name) ? values.get(name) : (getValueAt(base, splitPath(name)) ?? null);
    });
  };
  return {
    spec,
    columns,
    points: places.points,
    battles: run === undefined ? countCellBattles(spec) : run.to - run.from,
    run,
    has: (point) => condition === undefined || isPassing(places.settings(point)),
    cell(point) {
      const settings = places.settings(point);
      if (!isPassing(settings)) return undefined;
      const labels = settings.flatMap((setting) => setting.labels);
      const shown = varied.map(({ name }, c) => `${name}=${String(labels[c])}`).join(', ');
      const scenario = setFields(
        base,
        settings.flatMap(({ values }) => values),
        `${place} cell ${String(point)} (${shown})`,
      );
      const hash = hashScenario(scenario);
      const own = streams === 'common' ? seed : deriveCellSeed(seed, hash);
      return { index: point, labels: [...labels, ...points.labels(settings)], scenario, hash, seed: own };
    },
  };
}
