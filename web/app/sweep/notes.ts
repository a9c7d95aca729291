/** What is swept, as links hold it: texts as they were typed. */
import { isMapping } from '../../../src/rules/index.ts';
import type { NumberField, Settable } from '../../engine/editing/settable.ts';
import type { SweepRequest, SweptField } from '../../engine/studies/sweep.ts';
import { createBattleCountParser, createHalfWidthParser, createNumberParser, readText } from '../parts/text-parsers.ts';
import { createNoteSignal } from '../state.ts';

/** A field with its values: a range in steps, or all words of a choice. */
export interface AxisNote {
  /** Empty: the first field of the scenario, or no second one. */
  readonly path: string;
  readonly low: string;
  readonly high: string;
  readonly step: string;
}

export interface SweepNote {
  readonly one: AxisNote;
  readonly two: AxisNote;
  /** An outcome or metric; empty: all outcomes, or on a map the first. */
  readonly of: string;
  /** `usual`: exactly where all cells are small, else as many battles as usual. */
  readonly how: 'usual' | 'battles' | 'precision' | 'exact';
  readonly battles: string;
  readonly precision: string;
  /** It was begun: who opens the link sees what comes of it. */
  readonly begun: boolean;
}

const EMPTY_AXIS: AxisNote = { path: '', low: '', high: '', step: '' };

/** Battles of a cell that is not solved, unless others are asked for. */
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
    // Links of older pages leave out what was usual then.
    how: isEffortName(how) ? how : 'battles',
    battles: isShort(battles) ? battles : EMPTY_NOTE.battles,
    precision: isShort(precision) ? precision : EMPTY_NOTE.precision,
    begun: begun === true,
  };
}

export const sweepNote = createNoteSignal<SweepNote>('sweep', EMPTY_NOTE, parseSweepNote);

/** Steps of a range unless others are asked for, and the fewest. */
const DEFAULT_STEPS = 10;
const MIN_STEPS = 4;

/** 1, 2 or 5 times a power of ten: the one that is nearest as a ratio. */
function chooseStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const ratio = (step: number): number => Math.abs(Math.log(step / rough));
  return [1, 2, 5, 10].map((times) => times * power).toSorted((a, b) => ratio(a) - ratio(b))[0] ?? rough;
}

/** How often a step goes into a way; ways of doubles are a little too long. */
const countSteps = (way: number, step: number): number => Math.max(0, Math.floor(way / step + 1e-9));

/** From about half of the present value to its double, in steps that are read easily; the value itself is one of them. */
function createDefaultRange({ path, value, integer, min = 0, max = Number.POSITIVE_INFINITY }: NumberField): AxisNote {
  const size = Math.abs(value);
  const span = size === 0 ? Math.min(DEFAULT_STEPS, max - min) : Math.min(1.5 * size, max - min);
  const step = integer ? Math.max(1, Math.round(chooseStep(span / DEFAULT_STEPS))) : chooseStep(span / DEFAULT_STEPS);
  const [down, up] = [countSteps(value - min, step), countSteps(max - value, step)];
  const below = Math.min(down, Math.ceil((size === 0 ? span / 2 : size / 2) / step));
  const above = Math.min(up, Math.max(MIN_STEPS - below, Math.ceil((size === 0 ? span - below * step : size) / step)));
  const lower = Math.min(down, Math.max(below, MIN_STEPS - above));
  const short = (each: number): string => String(Number(each.toPrecision(12)));
  return { path, low: short(value - lower * step), high: short(value + above * step), step: short(step) };
}

/** The note of a field that was chosen. */
export function createAxisNote(field: Settable | undefined): AxisNote {
  if (field === undefined) return EMPTY_AXIS;
  return field.kind === 'number' ? createDefaultRange(field) : { ...EMPTY_AXIS, path: field.path };
}

/** What cells can be asked for. */
export const EFFORT_PARSERS = { battles: createBattleCountParser(1, 1e9), precision: createHalfWidthParser(0.0001) };

interface TypedRange {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly step: number | undefined;
}

/** What was typed, as numbers: undefined where it is none that can be. */
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

/** A field with its values; undefined if what was typed gives none. */
function createSweptField(swept: AxisNote, fields: readonly Settable[]): SweptField | undefined {
  const field = fields.find(({ path }) => path === swept.path);
  if (field === undefined) return undefined;
  const { path } = field;
  if (field.kind === 'word') return { path, values: [...field.words] };
  const { low, high, step } = parseTypedRange(swept, field);
  return low === undefined || high === undefined || step === undefined ? undefined : { path, range: [low, high], step };
}

/** The fields as they stand: the first number of the scenario unless one was chosen. */
export function resolveAxisNotes({ one, two }: SweepNote, fields: readonly Settable[]): readonly [AxisNote, AxisNote] {
  return [one.path === '' ? createAxisNote(fields[0]) : one, two];
}

/** How cells are answered; undefined if what was typed gives nothing. */
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

/** What the engine is asked; undefined as long as something is missing. */
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

/** How many values a field has, as far as what was typed says. */
export function countValues(axis: SweptField): number {
  if ('values' in axis) return axis.values.length;
  return Math.floor((axis.range[1] - axis.range[0]) / axis.step + 1e-9) + 1;
}

/** Battles that are played because a link was opened: some seconds. */
const AT_ONCE = 30_000_000;

/** Cells that are solved because a link was opened. */
const SOLVED_AT_ONCE = 200;

/** Whether a sweep is one of some seconds, so that it can begin without being asked for. */
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
