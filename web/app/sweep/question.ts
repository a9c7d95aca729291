/** What is swept, as links hold it: texts as they were typed. */
import { isMapping } from '../../../src/rules/scenario/problem.ts';
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
  readonly how: 'battles' | 'precision' | 'exact';
  readonly battles: string;
  readonly precision: string;
}

const NOTHING: SweptNote = { path: '', low: '', high: '', step: '' };

const EMPTY: SweepNote = { one: NOTHING, two: NOTHING, of: '', how: 'battles', battles: '20000', precision: '0.005' };

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

function sweptOf(value: unknown): SweptNote {
  if (!isMapping(value)) return NOTHING;
  const text = (name: keyof SweptNote): string => (isShort(value[name]) ? value[name] : '');
  return { path: text('path'), low: text('low'), high: text('high'), step: text('step') };
}

function noteOf(value: unknown): SweepNote | undefined {
  if (!isMapping(value)) return undefined;
  const { one, two, of, how, battles, precision } = value;
  return {
    one: sweptOf(one),
    two: sweptOf(two),
    of: isShort(of) ? of : EMPTY.of,
    how: how === 'precision' || how === 'exact' ? how : 'battles',
    battles: isShort(battles) ? battles : EMPTY.battles,
    precision: isShort(precision) ? precision : EMPTY.precision,
  };
}

export const note = asked<SweepNote>('sweep', EMPTY, noteOf);

/** Values of a field unless others are asked for. */
const VALUES = 11;

/** About half of the present value to its double, in steps that are read easily. */
function usualRange({ path, value, integer, min = 0, max = Number.POSITIVE_INFINITY }: NumberField): SweptNote {
  const [low, high] = [Math.max(min, value / 2), Math.min(max, value === 0 ? 10 : 2 * value)];
  const rough = (high - low) / (VALUES - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough * 0.999) ?? rough;
  const step = integer ? Math.max(1, Math.round(nice)) : nice;
  const short = (each: number): string => String(Number(each.toPrecision(6)));
  const first = Math.max(min, Math.floor(low / step) * step);
  return {
    path,
    low: short(first),
    high: short(Math.max(first + step, Math.min(max, first + (VALUES - 1) * step))),
    step: short(step),
  };
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
