/** Axes of a sweep: the fields that each level, or each position on a range, sets in the scenario. */
import { InputError } from '../../core/index.ts';
import { getNumericField, type Scenario } from '../../rules/index.ts';
import type { AxisFile } from './sweep-file.ts';

/** Value in tables: the value itself, or a text for a value that is not a scalar. */
export type ValueLabel = number | string | boolean | null;

/** Column of tables: an axis, or one of several that advance together. */
export interface AxisColumn {
  readonly name: string;
  /** Label for reports, if any. */
  readonly label?: string | undefined;
  /** The fields that are set. */
  readonly paths: readonly string[];
  /** Its values in order, if finite. */
  readonly labels?: readonly ValueLabel[];
  /** Bounds, if values are sampled between them. */
  readonly range?: readonly [low: number, high: number];
  /** Kind of its values: integers, numbers, or other values. */
  readonly kind: 'whole' | 'number' | 'other';
  /** Prices of its paths, if the column has the points of a side; no axis sets it. */
  readonly prices?: readonly number[];
}

/** Settings of an axis at one position: labels by column, values by path. */
export interface AxisSetting {
  readonly labels: readonly ValueLabel[];
  readonly values: readonly (readonly [path: string, value: unknown])[];
}

export interface Axis {
  readonly columns: readonly AxisColumn[];
  /** Number of levels; undefined for a range without steps, from which values are sampled. */
  readonly levels: number | undefined;
  /** @param k 0..levels-1 */
  level(k: number): AxisSetting;
  /** @param u position on the axis, 0 <= u < 1 */
  at(u: number): AxisSetting;
}

type SingleAxisFile = Exclude<AxisFile, { zip: unknown }>;
type RangeAxisFile = Extract<AxisFile, { range: unknown }>;
type CasesAxisFile = Extract<AxisFile, { cases: unknown }>;

/** Values from a range are rounded to this many decimals: more would be noise in tables. */
const DECIMALS = 6;

/** Maximum number of values of a range with steps. */
const LEVELS_MAX = 1_000_000;

const roundValue = (value: number): number => Number(value.toFixed(DECIMALS));

const toList = (path: string | readonly string[]): readonly string[] => (typeof path === 'string' ? [path] : path);

function toLabel(value: unknown): ValueLabel {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as ValueLabel);
}

export function findColumnKind(labels: readonly ValueLabel[]): AxisColumn['kind'] {
  if (labels.every((label) => Number.isInteger(label) && Math.abs(Number(label)) < 2 ** 31)) return 'whole';
  return labels.every((label) => typeof label === 'number') ? 'number' : 'other';
}

/** Creates an axis from a list of levels. */
function createListAxis(columns: readonly AxisColumn[], levels: number, level: Axis['level']): Axis {
  return { columns, levels, level, at: (u) => level(Math.min(levels - 1, Math.floor(u * levels))) };
}

type AxisNames = Pick<AxisColumn, 'name' | 'label' | 'paths'>;

function createValuesAxis(named: AxisNames, values: readonly unknown[]): Axis {
  const { paths } = named;
  const labels = values.map(toLabel);
  const column = { ...named, labels, kind: findColumnKind(labels) };
  return createListAxis([column], values.length, (k) => ({
    labels: [labels[k] ?? null],
    values: paths.map((path) => [path, values[k]] as const),
  }));
}

function createCasesAxis({ name, label, cases }: CasesAxisFile, place: string): Axis {
  const entries = Object.entries(cases);
  if (entries.length === 0) throw new InputError(`${place}.cases`, 'at least one case', 'an empty mapping');
  const labels = entries.map(([label]) => label);
  const paths = [...new Set(entries.flatMap(([, fields]) => Object.keys(fields)))];
  return createListAxis([{ name, label, paths, labels, kind: 'other' }], labels.length, (k) => ({
    labels: [labels[k] ?? null],
    values: Object.entries(entries[k]?.[1] ?? {}),
  }));
}

/** Returns the values of a range with steps; undefined without steps. */
function listSteps({ range: [low, high], step, count, scale }: RangeAxisFile, whole: boolean, place: string) {
  if (count !== undefined) {
    const share = (k: number): number => k / (count - 1);
    const log = (k: number): number => low * (high / low) ** share(k);
    const interpolateLinear = (k: number): number => low + share(k) * (high - low);
    const value = scale === 'log' ? log : interpolateLinear;
    return removeDuplicates(
      Array.from({ length: count }, (_, k) => normalizeValue(k === count - 1 ? high : value(k), whole)),
    );
  }
  const stride = step ?? (whole && scale === 'linear' ? 1 : undefined);
  if (stride === undefined) return undefined;
  const levels = Math.floor((high - low) / stride + 1e-9) + 1;
  if (levels > LEVELS_MAX)
    throw new InputError(`${place}.step`, `at most ${String(LEVELS_MAX)} values`, String(levels));
  return Array.from({ length: levels }, (_, k) => roundValue(low + k * stride));
}

const normalizeValue = (value: number, whole: boolean): number => (whole ? Math.round(value) : roundValue(value));

const removeDuplicates = (values: readonly number[]): number[] => [...new Set(values)];

function createRangeAxis({ range, scale }: RangeAxisFile, named: AxisNames, whole: boolean): Axis {
  const { paths } = named;
  const [low, high] = range;
  const interpolate = (u: number): number => {
    if (whole) return low + Math.min(high - low, Math.floor(u * (high - low + 1)));
    return scale === 'log' ? low * (high / low) ** u : low + u * (high - low);
  };
  const getSetting = (u: number): AxisSetting => {
    const value = roundValue(interpolate(u));
    return { labels: [value], values: paths.map((path) => [path, value] as const) };
  };
  return {
    columns: [{ ...named, range, kind: whole ? 'whole' : 'number' }],
    levels: undefined,
    level: getSetting,
    at: getSetting,
  };
}

/** True if all fields accept only integers. */
function hasWholeNumbers(base: Scenario, paths: readonly string[], place: string): boolean {
  return paths.map((path) => getNumericField(base, path, place).integer).every((integer) => integer);
}

function openSingleAxis(base: Scenario, file: SingleAxisFile, place: string, isSampled: boolean): Axis {
  if ('cases' in file) return createCasesAxis(file, place);
  const paths = toList(file.path);
  const named = { name: file.name ?? paths[0] ?? '', label: file.label, paths };
  if ('values' in file) return createValuesAxis(named, file.values);
  const whole = hasWholeNumbers(base, paths, `${place}.path`);
  const wholeEnds = file.range.every((end) => Number.isInteger(end));
  if (whole && !wholeEnds)
    throw new InputError(`${place}.range`, `integers for ${paths.join(', ')}`, file.range.join(', '));
  if (isSampled && file.step === undefined && file.count === undefined) return createRangeAxis(file, named, whole);
  const values = listSteps(file, whole, place);
  if (values === undefined)
    throw new InputError(place, `a step or a count in a grid, because ${named.name} is not an integer`, 'neither');
  return createValuesAxis(named, values);
}

function createZippedAxis(parts: readonly Axis[], place: string): Axis {
  const levels = parts[0]?.levels ?? 0;
  const other = parts.find((part) => part.levels !== levels);
  if (other !== undefined) {
    const found = parts.map((part) => String(part.levels ?? 'a range without steps')).join(', ');
    throw new InputError(`${place}.zip`, 'axes with the same number of values', found);
  }
  const columns = parts.flatMap((part) => part.columns);
  return createListAxis(columns, levels, (k) => {
    const settings = parts.map((part) => part.level(k));
    return { labels: settings.flatMap(({ labels }) => labels), values: settings.flatMap(({ values }) => values) };
  });
}

/**
 * @param base base scenario
 * @param place name of the axis in messages
 * @param drawn true if the design samples points, so ranges may have no steps
 * @throws InputError if the field of a range accepts no numbers, or the axes of a zip differ in length
 */
export function openAxis(base: Scenario, file: AxisFile, place: string, drawn: boolean): Axis {
  if (!('zip' in file)) return openSingleAxis(base, file, place, drawn);
  const parts = file.zip.map((part, p) => openSingleAxis(base, part, `${place}.zip[${String(p)}]`, false));
  return createZippedAxis(parts, place);
}
