/** What a sensitivity analysis found, in the order of its table: bars of single steps, dots with intervals of others. */

import type { Sensitivity, StepEffect, StepField, StepSensitivity } from '../../analysis/index.ts';
import type { Interval } from '../../stats/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatRange, getDifferenceScale, MEAN, type Scale, toPlotValue } from '../sheet/estimated-value.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { getSideColor } from './colors.ts';
import { createDotPlotSpec, type Dot } from './dot-plot.ts';
import type { Figure } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { DOUBLE_COLUMN, SINGLE_COLUMN, TEXT } from './theme.ts';
import { createTornadoSpec, type TornadoBar, type TornadoRow } from './tornado.ts';

/** Methods that look at a whole space. */
type GlobalSensitivity = Exclude<Sensitivity, StepSensitivity>;

/** Room of names in a picture as wide as a column, and at most in one as wide as a page. */
const NARROW_NAMES = 128;
const BROAD_NAMES = 320;

/** A picture is as wide as its names need. */
function computeSizes(names: readonly string[]): { width: number; room: number } {
  const widest = Math.ceil(Math.max(0, ...names.map((name) => measureTextWidth(sanitizeXmlText(name), TEXT))));
  return widest <= NARROW_NAMES
    ? { width: SINGLE_COLUMN, room: NARROW_NAMES }
    : { width: DOUBLE_COLUMN, room: Math.min(BROAD_NAMES, widest) };
}

const formatShort = (value: number): string => String(Number(value.toPrecision(3)));

/** `, 95 % interval 1.2 .. 1.4`; nothing where it has no width. */
function formatIntervalSuffix(ci95: Interval | undefined, { times }: Scale): string {
  if (ci95 === undefined || ci95[0] === ci95[1]) return '';
  return `, 95 % interval ${formatRange(ci95, (end) => (times * end).toPrecision(3))}`;
}

/** Shares are shown in percentage points, means as they are. */
const getEffectScale = ({ kind, method }: Sensitivity): Scale =>
  method === 'sobol' ? MEAN : getDifferenceScale({ kind });

const formatEffectUnit = (result: Sensitivity): string => (getEffectScale(result).part ? ' (percentage points)' : '');

function createBar(path: string, up: boolean, { effect, ci95, to }: StepEffect, scale: Scale): TornadoBar {
  const text = formatShort(scale.times * effect);
  const told = `${sanitizeXmlText(path)} = ${String(to)}: ${text}${formatIntervalSuffix(ci95, scale)}`;
  return { up, ...toPlotValue(scale, effect, ci95), text, told };
}

function createTornadoRow({ path, up, down }: StepField, scale: Scale, sides: readonly ScenarioSide[]): TornadoRow {
  return {
    name: path,
    colour: getSideColor(path, sides),
    bars: [...(up ? [createBar(path, true, up, scale)] : []), ...(down ? [createBar(path, false, down, scale)] : [])],
  };
}

/** Both steps of each field that does anything, as the table has them. */
function createOneAtATimeFigure(result: StepSensitivity, sides: readonly ScenarioSide[]): Figure {
  const { fields, of, cells } = result;
  const shown = fields
    .filter(({ verdict }) => verdict !== 'none')
    .map((field) => createTornadoRow(field, getEffectScale(result), sides));
  const size = computeSizes(shown.map(({ name }) => name));
  const spec = createTornadoSpec(shown, {
    title: `sensitivity of ${sanitizeXmlText(of)}`,
    subtitle: cells.simulated > 0 ? 'lines: 95 % intervals, all at once' : 'exact',
    axis: `effect of one step${formatEffectUnit(result)}`,
    ...size,
  });
  const lines = cells.simulated > 0 ? ' Lines are 95 % intervals that hold together.' : '';
  const caption = `Effects of one step up and one step down of each field, the strongest first, in the colour of the side whose field it is.${lines}`;
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

const AXES = { morris: 'mu*, mean size of an elementary effect', sobol: 'total index, share of the variance' };

function createGlobalFigure(result: GlobalSensitivity, sides: readonly ScenarioSide[]): Figure {
  const { fields, of, method } = result;
  const scale = getEffectScale(result);
  const size = computeSizes(fields.map(({ path }) => path));
  const dots = fields.map(({ path, effect, ci95 }): Dot => {
    const text = formatShort(scale.times * effect);
    return {
      name: path,
      ...toPlotValue(scale, effect, ci95),
      colour: getSideColor(path, sides),
      text,
      told: `${sanitizeXmlText(path)}: ${text}${formatIntervalSuffix(ci95, scale)}`,
    };
  });
  const spec = createDotPlotSpec(dots, {
    title: `sensitivity of ${sanitizeXmlText(of)}`,
    axis: `${AXES[method]}${formatEffectUnit(result)}`,
    zero: true,
    ...size,
  });
  const caption = 'Fields with what they do in the whole space and its 95 % intervals, the strongest first.';
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

/** Effects of the fields, in the order of the table. */
export function createSensitivityFigure(result: Sensitivity, sides: readonly ScenarioSide[] = []): Figure {
  return result.method === 'step' ? createOneAtATimeFigure(result, sides) : createGlobalFigure(result, sides);
}
