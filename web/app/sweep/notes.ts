/** Options of the Sweep panel, as stored in links: texts as typed. */
import { isMapping } from '../../../src/rules/index.ts';
import type { NumberField, Settable } from '../../engine/editing/settable.ts';
import type { SweepRequest, SweptField } from '../../engine/studies/sweep.ts';
import { createBattleCountParser, createHalfWidthParser, createNumberParser, readText } from '../parts/text-parsers.ts';
import { createNoteSignal } from '../state.ts';

/** A field with its values: a range with a step, or all words of a choice. */
export interface AxisNote {
  /** Field path; empty for the first field, or for no second one. */
  readonly path: string;
  readonly low: string;
  readonly high: string;
  readonly step: string;
}

export interface SweepNote {
  readonly one: AxisNote;
  readonly two: AxisNote;
  /** Outcome or metric; empty for all outcomes, or for the first one in a heat map. */
  readonly of: string;
  /** `usual`: exact if all cells are small, else the default number of battles. */
  readonly how: 'usual' | 'battles' | 'precision' | 'exact';
  readonly battles: string;
  readonly precision: string;
  /** True if it was started: a link starts it again. */
  readonly begun: boolean;
}

const EMPTY_AXIS: AxisNote = { path: '', low: '', high: '', step: '' };

/** Default number of battles per simulated cell. */
const DEFAULT_BATTLES = 20_000;

const EMPTY_NOTE: SweepNote = {
  ...{ one: EMPTY_AXIS, two: EMPTY_AXIS, of: '', how: 'usual' },
  ...{ battles: '20 000', precision: '0.005', begun: false },
};

const EFFORT_NAMES: ReadonlySet<unknown> = new Set([
  'usual',
  'battles',
  'precision',
  'exact',
] satisfies SweepNote['how'][]);

export const isEffortName = (value: unknown): value is SweepNote['how'] => EFFORT_NAMES.has(value);

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

function parseAxisNote(value: unknown): AxisNote {
  if (!isMapping(value)) return EMPTY_AXIS;
  const text = (name: keyof AxisNote): string => (isShort(value[name]) ? value[name] : '');
  return { path: text('path'), low: text('low'), high: text('high'), step: text('step') };
}

function parseSweepNote(value: unknown): SweepNote | undefined {
  if (!isMapping(value)) return undefined;
  const { one, two, of, how, battles, precision, begun } = value;
  return {
    one: parseAxisNote(one),
    two: parseAxisNote(two),
    of: isShort(of) ? of : EMPTY_NOTE.of,
    // Links of older versions omit their default.
    how: isEffortName(how) ? how : 'battles',
    battles: isShort(battles) ? battles : EMPTY_NOTE.battles,
    precision: isShort(precision) ? precision : EMPTY_NOTE.precision,
    begun: begun === true,
  };
}

export const sweepNote = createNoteSignal<SweepNote>('sweep', EMPTY_NOTE, parseSweepNote);

/** Default and minimum number of steps of a range. */
const DEFAULT_STEPS = 10;
const MIN_STEPS = 4;

/** Returns 1, 2 or 5 times a power of ten, the nearest by ratio. */
function chooseStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const computeRatio = (step: number): number => Math.abs(Math.log(step / rough));
  return [1, 2, 5, 10].map((times) => times * power).toSorted((a, b) => computeRatio(a) - computeRatio(b))[0] ?? rough;
}

/** Returns the number of whole steps in a distance, with a tolerance for rounding errors. */
const countSteps = (way: number, step: number): number => Math.max(0, Math.floor(way / step + 1e-9));

/** Creates a range from about half to double the current value, which is one of the values, with round steps. */
function createDefaultRange({ path, value, integer, min = 0, max = Number.POSITIVE_INFINITY }: NumberField): AxisNote {
  const size = Math.abs(value);
  const span = size === 0 ? Math.min(DEFAULT_STEPS, max - min) : Math.min(1.5 * size, max - min);
  const step = integer ? Math.max(1, Math.round(chooseStep(span / DEFAULT_STEPS))) : chooseStep(span / DEFAULT_STEPS);
  const [down, up] = [countSteps(value - min, step), countSteps(max - value, step)];
  const below = Math.min(down, Math.ceil((size === 0 ? span / 2 : size / 2) / step));
  const above = Math.min(up, Math.max(MIN_STEPS - below, Math.ceil((size === 0 ? span - below * step : size) / step)));
  const lower = Math.min(down, Math.max(below, MIN_STEPS - above));
  const shorten = (each: number): string => String(Number(each.toPrecision(12)));
  return { path, low: shorten(value - lower * step), high: shorten(value + above * step), step: shorten(step) };
}

/** Creates the options of a chosen field. */
export function createAxisNote(field: Settable | undefined): AxisNote {
  if (field === undefined) return EMPTY_AXIS;
  return field.kind === 'number' ? createDefaultRange(field) : { ...EMPTY_AXIS, path: field.path };
}

/** Parsers of battles and half-width per cell. */
export const EFFORT_PARSERS = { battles: createBattleCountParser(1, 1e9), precision: createHalfWidthParser(0.0001) };

interface TypedRange {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly step: number | undefined;
}

/** Parses a typed range; undefined for invalid numbers. */
export function parseTypedRange(
  { low, high, step }: AxisNote,
  { integer, min = -1e15, max = 1e15 }: NumberField,
): TypedRange {
  const end = createNumberParser(min, max, '', integer);
  const [from, to] = [readText(end, low), readText(end, high)];
  return {
    low: from,
    high: from === undefined || to === undefined || to <= from ? undefined : to,
    step: readText(createNumberParser(integer ? 1 : 1e-6, 1e15, '', integer), step),
  };
}

/** Creates an axis; undefined if the typed range is invalid. */
function createSweptField(swept: AxisNote, fields: readonly Settable[]): SweptField | undefined {
  const field = fields.find(({ path }) => path === swept.path);
  if (field === undefined) return undefined;
  const { path } = field;
  if (field.kind === 'word') return { path, values: [...field.words] };
  const { low, high, step } = parseTypedRange(swept, field);
  return low === undefined || high === undefined || step === undefined ? undefined : { path, range: [low, high], step };
}

/** Returns the options of both axes; by default, the first field of the scenario is swept. */
export function resolveAxisNotes({ one, two }: SweepNote, fields: readonly Settable[]): readonly [AxisNote, AxisNote] {
  return [one.path === '' ? createAxisNote(fields[0]) : one, two];
}

/** Parses how cells are computed; undefined if the typed number is invalid. */
function parseCellEffort({
  how,
  battles,
  precision,
}: SweepNote): Pick<SweepRequest, 'battles' | 'precision' | 'exact'> | undefined {
  if (how === 'exact') return { battles: 0, exact: 'always' };
  if (how === 'usual') return { battles: DEFAULT_BATTLES, exact: 'auto' };
  const count = readText(EFFORT_PARSERS.battles, battles);
  if (how === 'battles') return count === undefined ? undefined : { battles: count, exact: 'auto' };
  const width = readText(EFFORT_PARSERS.precision, precision);
  return width === undefined ? undefined : { battles: 0, precision: width, exact: 'auto' };
}

/** Creates the request to the engine; undefined while something is missing. */
export function createSweepSettings(
  typed: SweepNote,
  fields: readonly Settable[],
): Pick<SweepRequest, 'axes' | 'battles' | 'precision' | 'exact'> | undefined {
  const effort = parseCellEffort(typed);
  const notes = resolveAxisNotes(typed, fields).filter(({ path }) => path !== '');
  const axes = notes.map((each) => createSweptField(each, fields));
  const complete = axes.length > 0 && axes.every((axis) => axis !== undefined);
  return effort !== undefined && complete ? { ...effort, axes } : undefined;
}

/** Returns the number of values of an axis. */
export function countValues(axis: SweptField): number {
  if ('values' in axis) return axis.values.length;
  return Math.floor((axis.range[1] - axis.range[0]) / axis.step + 1e-9) + 1;
}

/** Maximum number of battles that are simulated when a link is opened: several seconds. */
const AT_ONCE = 30_000_000;

/** Maximum number of cells that are solved when a link is opened. */
const SOLVED_AT_ONCE = 200;

/** Returns whether a sweep takes only seconds, so that a link can start it. */
export function isShortWork({
  axes,
  battles,
  precision,
}: NonNullable<ReturnType<typeof createSweepSettings>>): boolean {
  const cells = axes.reduce((product, axis) => product * countValues(axis), 1);
  if (precision === undefined && battles === 0) return cells <= SOLVED_AT_ONCE;
  // A share of a half has a standard deviation of a half.
  const each = precision === undefined ? battles : (1.96 / (2 * precision)) ** 2;
  return cells * each <= AT_ONCE;
}
