/** Figures of a sensitivity analysis, in the order of its table: bars for one at a time, dots for global methods. */

import type { Sensitivity, StepEffect, StepField, StepSensitivity } from '../../analysis/index.ts';
import { labelField } from '../../rules/index.ts';
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

/** Global methods. */
type GlobalSensitivity = Exclude<Sensitivity, StepSensitivity>;

/** Width of names in a figure of one column, and maximum width in a figure of two columns, in pixels. */
const NARROW_NAMES = 128;
const BROAD_NAMES = 320;

/** Width of the figure that its names need. */
function computeSizes(names: readonly string[]): { width: number; room: number } {
  const widest = Math.ceil(Math.max(0, ...names.map((name) => measureTextWidth(sanitizeXmlText(name), TEXT))));
  return widest <= NARROW_NAMES
    ? { width: SINGLE_COLUMN, room: NARROW_NAMES }
    : { width: DOUBLE_COLUMN, room: Math.min(BROAD_NAMES, widest) };
}

const formatShort = (value: number): string => String(Number(value.toPrecision(3)));

/** `, 95 % interval 1.2 .. 1.4`; empty for an interval without width. */
function formatIntervalSuffix(ci95: Interval | undefined, { times }: Scale): string {
  if (ci95 === undefined || ci95[0] === ci95[1]) return '';
  return `, 95 % interval ${formatRange(ci95, (end) => (times * end).toPrecision(3))}`;
}

/** Shares are in percentage points, means in their unit. */
const getEffectScale = ({ kind, method }: Sensitivity): Scale =>
  method === 'sobol' ? MEAN : getDifferenceScale({ kind });

const formatEffectUnit = (result: Sensitivity): string => (getEffectScale(result).part ? ' (percentage points)' : '');

function createBar(name: string, up: boolean, { effect, ci95, to }: StepEffect, scale: Scale): TornadoBar {
  const text = formatShort(scale.times * effect);
  const tooltip = `${sanitizeXmlText(name)} = ${String(to)}: ${text}${formatIntervalSuffix(ci95, scale)}`;
  return { up, ...toPlotValue(scale, effect, ci95), text, tooltip };
}

function createTornadoRow({ up, down }: StepField, name: string, colour: string, scale: Scale): TornadoRow {
  return {
    ...{ name, colour },
    bars: [...(up ? [createBar(name, true, up, scale)] : []), ...(down ? [createBar(name, false, down, scale)] : [])],
  };
}

/** Creates the figure of both steps of each field with an effect. */
function createOneAtATimeFigure(result: StepSensitivity, sides: readonly ScenarioSide[]): Figure {
  const { scenario, fields, of, cells } = result;
  const label = ({ path }: StepField): string => labelField(scenario, path);
  const shown = fields
    .filter(({ verdict }) => verdict !== 'none')
    .map((each) => createTornadoRow(each, label(each), getSideColor(each.path, sides), getEffectScale(result)));
  const size = computeSizes(shown.map(({ name }) => name));
  const spec = createTornadoSpec(shown, {
    title: `sensitivity of ${sanitizeXmlText(of)}`,
    subtitle: cells.simulated > 0 ? 'lines: simultaneous 95 % intervals' : 'exact',
    axis: `effect of one step${formatEffectUnit(result)}`,
    ...size,
  });
  const lines = cells.simulated > 0 ? ' Lines are simultaneous 95 % intervals.' : '';
  const caption = `Effects of one step up and one step down of each field, the strongest first, in the color of the side of the field.${lines}`;
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

const AXES = { morris: 'mu*, mean absolute elementary effect', sobol: 'total index, share of the variance' };

function createGlobalFigure(result: GlobalSensitivity, sides: readonly ScenarioSide[]): Figure {
  const { scenario, fields, of, method } = result;
  const scale = getEffectScale(result);
  const dots = fields.map(({ path, effect, ci95 }): Dot => {
    const text = formatShort(scale.times * effect);
    const name = labelField(scenario, path);
    return {
      name,
      ...toPlotValue(scale, effect, ci95),
      colour: getSideColor(path, sides),
      text,
      tooltip: `${sanitizeXmlText(name)}: ${text}${formatIntervalSuffix(ci95, scale)}`,
    };
  });
  const size = computeSizes(dots.map(({ name }) => name));
  const spec = createDotPlotSpec(dots, {
    title: `sensitivity of ${sanitizeXmlText(of)}`,
    axis: `${AXES[method]}${formatEffectUnit(result)}`,
    zero: true,
    ...size,
  });
  const caption = 'Effects of the fields over the whole space with 95 % intervals, the strongest first.';
  return { kind: 'sensitivity', of, width: size.width, caption, spec };
}

/** Creates the figure of the effects of fields, in the order of the table. */
export function createSensitivityFigure(result: Sensitivity, sides: readonly ScenarioSide[] = []): Figure {
  return result.method === 'step' ? createOneAtATimeFigure(result, sides) : createGlobalFigure(result, sides);
}
