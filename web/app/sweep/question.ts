/** What is swept, as links hold it: texts as they were typed. */
import { isMapping } from '../../../src/rules/index.ts';
import type { NumberField, Settable } from '../../engine/settable.ts';
import type { SweepAsk, SweptField } from '../../engine/sweep.ts';
import { battlesIn, halfWidth, numberIn, read } from '../parts/typed.ts';
import { asked } from '../state.ts';

/** A field with its values: a range in steps, or all words of a choice. */
export interface SweptNote {
  /** Empty: the first field of the scenario, or no second one. */
  readonly path: string;
  readonly low: string;
  readonly high: string;
  readonly step: string;
}

export interface SweepNote {
  readonly one: SweptNote;
  readonly two: SweptNote;
  /** An outcome or metric; empty: all outcomes, or on a map the first. */
  readonly of: string;
  /** `usual`: exactly where all cells are small, else as many battles as usual. */
  readonly how: 'usual' | 'battles' | 'precision' | 'exact';
  readonly battles: string;
  readonly precision: string;
  /** It was begun: who opens the link sees what comes of it. */
  readonly begun: boolean;
}

const NOTHING: SweptNote = { path: '', low: '', high: '', step: '' };

/** Battles of a cell that is not solved, unless others are asked for. */
const USUAL = 20_000;

const EMPTY: SweepNote = {
  ...{ one: NOTHING, two: NOTHING, of: '', how: 'usual' },
  ...{ battles: '20 000', precision: '0.005', begun: false },
};

const HOW: ReadonlySet<unknown> = new Set(['usual', 'battles', 'precision', 'exact'] satisfies SweepNote['how'][]);

export const isHow = (value: unknown): value is SweepNote['how'] => HOW.has(value);

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

function sweptOf(value: unknown): SweptNote {
  if (!isMapping(value)) return NOTHING;
  const text = (name: keyof SweptNote): string => (isShort(value[name]) ? value[name] : '');
  return { path: text('path'), low: text('low'), high: text('high'), step: text('step') };
}

function noteOf(value: unknown): SweepNote | undefined {
  if (!isMapping(value)) return undefined;
  const { one, two, of, how, battles, precision, begun } = value;
  return {
    one: sweptOf(one),
    two: sweptOf(two),
    of: isShort(of) ? of : EMPTY.of,
    // Links of older pages leave out what was usual then.
    how: isHow(how) ? how : 'battles',
    battles: isShort(battles) ? battles : EMPTY.battles,
    precision: isShort(precision) ? precision : EMPTY.precision,
    begun: begun === true,
  };
}

export const note = asked<SweepNote>('sweep', EMPTY, noteOf);

/** Steps of a range unless others are asked for, and the fewest. */
const STEPS = 10;
const FEW = 4;

/** 1, 2 or 5 times a power of ten: the one that is nearest as a ratio. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const ratio = (step: number): number => Math.abs(Math.log(step / rough));
  return [1, 2, 5, 10].map((times) => times * power).toSorted((a, b) => ratio(a) - ratio(b))[0] ?? rough;
}

/** How often a step goes into a way; ways of doubles are a little too long. */
const fits = (way: number, step: number): number => Math.max(0, Math.floor(way / step + 1e-9));

/** From about half of the present value to its double, in steps that are read easily; the value itself is one of them. */
function usualRange({ path, value, integer, min = 0, max = Number.POSITIVE_INFINITY }: NumberField): SweptNote {
  const size = Math.abs(value);
  const span = size === 0 ? Math.min(STEPS, max - min) : Math.min(1.5 * size, max - min);
  const step = integer ? Math.max(1, Math.round(niceStep(span / STEPS))) : niceStep(span / STEPS);
  const [down, up] = [fits(value - min, step), fits(max - value, step)];
  const below = Math.min(down, Math.ceil((size === 0 ? span / 2 : size / 2) / step));
  const above = Math.min(up, Math.max(FEW - below, Math.ceil((size === 0 ? span - below * step : size) / step)));
  const lower = Math.min(down, Math.max(below, FEW - above));
  const short = (each: number): string => String(Number(each.toPrecision(12)));
  return { path, low: short(value - lower * step), high: short(value + above * step), step: short(step) };
}

/** The note of a field that was chosen. */
export function noteFor(field: Settable | undefined): SweptNote {
  if (field === undefined) return NOTHING;
  return field.kind === 'number' ? usualRange(field) : { ...NOTHING, path: field.path };
}

/** What cells can be asked for. */
export const EACH = { battles: battlesIn(1, 1e9), precision: halfWidth(0.0001) };

interface TypedRange {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly step: number | undefined;
}

/** What was typed, as numbers: undefined where it is none that can be. */
export function typedOf({ low, high, step }: SweptNote, { integer, min = -1e15, max = 1e15 }: NumberField): TypedRange {
  const end = numberIn(min, max, '', integer);
  const [from, to] = [read(end, low), read(end, high)];
  return {
    low: from,
    high: from === undefined || to === undefined || to <= from ? undefined : to,
    step: read(numberIn(integer ? 1 : 1e-6, 1e15, '', integer), step),
  };
}

/** A field with its values; undefined if what was typed gives none. */
function fieldOf(swept: SweptNote, fields: readonly Settable[]): SweptField | undefined {
  const field = fields.find(({ path }) => path === swept.path);
  if (field === undefined) return undefined;
  const { path } = field;
  if (field.kind === 'word') return { path, values: [...field.words] };
  const { low, high, step } = typedOf(swept, field);
  return low === undefined || high === undefined || step === undefined ? undefined : { path, range: [low, high], step };
}

/** The fields as they stand: the first number of the scenario unless one was chosen. */
export function sweptNotes({ one, two }: SweepNote, fields: readonly Settable[]): readonly [SweptNote, SweptNote] {
  return [one.path === '' ? noteFor(fields[0]) : one, two];
}

/** How cells are answered; undefined if what was typed gives nothing. */
function effortOf({
  how,
  battles,
  precision,
}: SweepNote): Pick<SweepAsk, 'battles' | 'precision' | 'exact'> | undefined {
  if (how === 'exact') return { battles: 0, exact: 'always' };
  if (how === 'usual') return { battles: USUAL, exact: 'auto' };
  const count = read(EACH.battles, battles);
  if (how === 'battles') return count === undefined ? undefined : { battles: count, exact: 'auto' };
  const width = read(EACH.precision, precision);
  return width === undefined ? undefined : { battles: 0, precision: width, exact: 'auto' };
}

/** What the engine is asked; undefined as long as something is missing. */
export function askOf(
  typed: SweepNote,
  fields: readonly Settable[],
): Pick<SweepAsk, 'axes' | 'battles' | 'precision' | 'exact'> | undefined {
  const effort = effortOf(typed);
  const notes = sweptNotes(typed, fields).filter(({ path }) => path !== '');
  const axes = notes.map((each) => fieldOf(each, fields));
  const complete = axes.length > 0 && axes.every((axis) => axis !== undefined);
  return effort !== undefined && complete ? { ...effort, axes } : undefined;
}

/** How many values a field has, as far as what was typed says. */
export function countOf(axis: SweptField): number {
  if ('values' in axis) return axis.values.length;
  return Math.floor((axis.range[1] - axis.range[0]) / axis.step + 1e-9) + 1;
}

/** Battles that are played because a link was opened: some seconds. */
const AT_ONCE = 30_000_000;

/** Cells that are solved because a link was opened. */
const SOLVED_AT_ONCE = 200;

/** Whether a sweep is one of some seconds, so that it can begin without being asked for. */
export function isShortWork({ axes, battles, precision }: NonNullable<ReturnType<typeof askOf>>): boolean {
  const cells = axes.reduce((product, axis) => product * countOf(axis), 1);
  if (precision === undefined && battles === 0) return cells <= SOLVED_AT_ONCE;
  // A share of a half has a standard deviation of a half.
  const each = precision === undefined ? battles : (1.96 / (2 * precision)) ** 2;
  return cells * each <= AT_ONCE;
}
