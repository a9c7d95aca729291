/** What a sensitivity analysis found, in the order of its table: bars of single steps, dots with intervals of others. */

import type { Interval } from '../../answers/index.ts';
import type { Sensitivity, StepEffect, StepField, StepSensitivity } from '../../studies/index.ts';
import { endsText, gapScaleOf, MEAN, placed, type Scale } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import { cleanText } from '../text/clean.ts';
import { colourIn } from './colours.ts';
import { type Dot, dotsSpec } from './dots.ts';
import { textWidth } from './font.ts';
import type { Picture } from './picture.ts';
import { DOUBLE, SINGLE, TEXT } from './theme.ts';
import { type Bar, type Bars, tornadoSpec } from './tornado.ts';

/** Methods that look at a whole space. */
type OfSpace = Exclude<Sensitivity, StepSensitivity>;

/** Room of names in a picture as wide as a column, and at most in one as wide as a page. */
const NARROW = 128;
const BROAD = 320;

/** A picture is as wide as its names need. */
function sizes(names: readonly string[]): { width: number; room: number } {
  const widest = Math.ceil(Math.max(0, ...names.map((name) => textWidth(cleanText(name), TEXT))));
  return widest <= NARROW ? { width: SINGLE, room: NARROW } : { width: DOUBLE, room: Math.min(BROAD, widest) };
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** `, 95 % interval 1.2 .. 1.4`; nothing where it has no width. */
function known(ci95: Interval | undefined, { times }: Scale): string {
  if (ci95 === undefined || ci95[0] === ci95[1]) return '';
  return `, 95 % interval ${endsText(ci95, (end) => (times * end).toPrecision(3))}`;
}

/** Shares are shown in percentage points, means as they are. */
const scaleOf = ({ kind, method }: Sensitivity): Scale => (method === 'sobol' ? MEAN : gapScaleOf({ kind }));

const unitOf = (result: Sensitivity): string => (scaleOf(result).part ? ' (percentage points)' : '');

function barOf(path: string, up: boolean, { effect, ci95, to }: StepEffect, scale: Scale): Bar {
  const text = short(scale.times * effect);
  const told = `${cleanText(path)} = ${String(to)}: ${text}${known(ci95, scale)}`;
  return { up, ...placed(scale, effect, ci95), text, told };
}

function barsOf({ path, up, down }: StepField, scale: Scale, sides: readonly ShownSide[]): Bars {
  return {
    name: path,
    colour: colourIn(path, sides),
    bars: [...(up ? [barOf(path, true, up, scale)] : []), ...(down ? [barOf(path, false, down, scale)] : [])],
  };
}

/** Both steps of each field that does anything, as the table has them. */
function stepPicture(result: StepSensitivity, sides: readonly ShownSide[]): Picture {
  const { fields, of, cells } = result;
  const shown = fields
    .filter(({ verdict }) => verdict !== 'none')
    .map((field) => barsOf(field, scaleOf(result), sides));
  const size = sizes(shown.map(({ name }) => name));
  const spec = tornadoSpec(shown, {
    title: `sensitivity of ${cleanText(of)}`,
    subtitle: cells.simulated > 0 ? 'lines: 95 % intervals, all at once' : 'exact',
    axis: `effect of one step${unitOf(result)}`,
    ...size,
  });
  const lines = cells.simulated > 0 ? ' Lines are 95 % intervals that hold together.' : '';
  const caption = `Effects of one step up and one step down of each field, the strongest first, in the colour of the side whose field it is.${lines}`;
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

const AXES = { morris: 'mu*, mean size of an elementary effect', sobol: 'total index, share of the variance' };

function spacePicture(result: OfSpace, sides: readonly ShownSide[]): Picture {
  const { fields, of, method } = result;
  const scale = scaleOf(result);
  const size = sizes(fields.map(({ path }) => path));
  const dots = fields.map(({ path, effect, ci95 }): Dot => {
    const text = short(scale.times * effect);
    return {
      name: path,
      ...placed(scale, effect, ci95),
      colour: colourIn(path, sides),
      text,
      told: `${cleanText(path)}: ${text}${known(ci95, scale)}`,
    };
  });
  const spec = dotsSpec(dots, {
    title: `sensitivity of ${cleanText(of)}`,
    axis: `${AXES[method]}${unitOf(result)}`,
    zero: true,
    ...size,
  });
  const caption = 'Fields with what they do in the whole space and its 95 % intervals, the strongest first.';
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

/** Effects of the fields, in the order of the table. */
export function sensitivityPicture(result: Sensitivity, sides: readonly ShownSide[] = []): Picture {
  return result.method === 'step' ? stepPicture(result, sides) : spacePicture(result, sides);
}
