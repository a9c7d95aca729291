/** What a search for balance looked at: values of the outcome or metric over one field, and the target. */

import type { TopLevelSpec } from 'vega-lite';
import type { BalanceResult, BalanceSetting } from '../../analysis/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatIntervalOrExact, formatValue, getTargetScale, toPlotValue } from '../sheet/estimated-value.ts';
import { formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { getSideColor } from './colors.ts';
import { createFit, createFrame, type Figure } from './figure.ts';
import { GREY, INK, SINGLE_COLUMN } from './theme.ts';

const VERDICTS = { holds: 'meets the target', fails: 'misses it', undecided: 'undecided' } as const;

/** Points that are drawn, at most: of more, every second or third. */
const MAX_POINTS = 400;

const NUMBER_AXIS = { type: 'quantitative', scale: { zero: false, nice: false, padding: 6 } } as const;
const COLOR = { field: 'colour', type: 'nominal', scale: null } as const;
const FILL = { field: 'fill', type: 'nominal', scale: null } as const;

/** The line of balance: the first field across, the second up; filled where the target is met. */
function createBalanceLineFigure(result: BalanceResult, pairs: readonly BalanceSetting[], colour: string): Figure {
  const { of } = result;
  const [one = '', two = ''] = result.fields.map(({ path }) => sanitizeXmlText(path));
  const scale = getTargetScale(result);
  const values = pairs.map((setting) => {
    const [x = 0, y = 0] = setting.values;
    const known = `${formatValue(scale, setting)}, ${formatIntervalOrExact(scale, setting)}`;
    const told = `${one} ${formatNumber(x)}, ${two} ${formatNumber(y)}: ${known}\n${VERDICTS[setting.verdict]}`;
    return { x, y, colour, fill: setting.verdict === 'holds' ? colour : 'white', told };
  });
  const x = { ...NUMBER_AXIS, field: 'x', title: one, axis: { tickCount: 8 } };
  const y = { ...NUMBER_AXIS, field: 'y', title: two };
  const spec = {
    ...createFrame(`${sanitizeXmlText(of)} nearest to its target`, '', SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 240),
    data: { values },
    layer: [
      { mark: { type: 'line', color: GREY, strokeWidth: 1, aria: false }, encoding: { x, y } },
      {
        mark: { type: 'point', opacity: 1, size: 30, strokeWidth: 1.5 },
        encoding: { x, y, stroke: COLOR, fill: FILL, description: { field: 'told', type: 'nominal' } },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = `For each examined value of ${one}, the value of ${two} that comes closest to the target; filled where it meets it.`;
  return { kind: 'balance', of, width: SINGLE_COLUMN, caption, spec };
}

/** Of one field: its value across, the result up. Of two: the line of balance. Undefined for more. */
export function createBalanceFigure(
  result: BalanceResult,
  settings: readonly BalanceSetting[],
  sides: readonly ScenarioSide[] = [],
): Figure | undefined {
  const { fields, readings, of, kind, target, tolerance } = result;
  if (result.pairs !== undefined) return createBalanceLineFigure(result, result.pairs, getSideColor(of, sides));
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0) return undefined;
  const scale = getTargetScale(result);
  const name = sanitizeXmlText(field.path);
  const colour = getSideColor(of, sides);
  const every = Math.ceil(readings.length / MAX_POINTS);
  const ordered = readings
    .toSorted((a, b) => (a.values[0] ?? 0) - (b.values[0] ?? 0))
    .filter((_, r) => r % every === 0);
  const seen = ordered.map(({ values: [at = 0], value }) => ({
    at,
    ...toPlotValue(scale, value),
    told: `${name} ${formatNumber(at)}: ${formatValue(scale, { value })}`,
  }));
  const verified = settings.map((setting) => {
    const {
      values: [at = 0],
      value,
      interval = [value, value],
      verdict,
    } = setting;
    const told = `${name} ${formatNumber(at)}: ${formatValue(scale, setting)}, ${formatIntervalOrExact(scale, setting)}\n${VERDICTS[verdict]}`;
    const fill = verdict === 'holds' ? colour : 'white';
    return { at, ...toPlotValue(scale, value, interval), colour, fill, told };
  });
  const y = {
    type: 'quantitative',
    title: kind === 'outcome' ? `probability of ${sanitizeXmlText(of)} (%)` : `mean of ${sanitizeXmlText(of)}`,
    scale: { zero: false },
  };
  const x = {
    ...NUMBER_AXIS,
    field: 'at',
    title: name,
    axis: { grid: false, tickCount: 8 },
  };
  const wanted = [toPlotValue(scale, target, [target - tolerance, target + tolerance])];
  const spec = {
    ...createFrame(`${sanitizeXmlText(of)} over ${name}`, '', SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 240),
    layer: [
      {
        data: { values: wanted },
        mark: { type: 'rect', color: GREY, opacity: 0.35, aria: false },
        encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        data: { values: wanted },
        mark: { type: 'rule', color: INK, strokeDash: [3, 2], strokeWidth: 0.75, aria: false },
        encoding: { y: { ...y, field: 'value' } },
      },
      {
        data: { values: seen },
        mark: { type: 'line', color: GREY, strokeWidth: 1, aria: false },
        encoding: { x, y: { ...y, field: 'value' } },
      },
      {
        data: { values: seen },
        mark: { type: 'point', filled: true, color: GREY, opacity: 1, size: 12 },
        encoding: { x, y: { ...y, field: 'value' }, description: { field: 'told', type: 'nominal' } },
      },
      {
        data: { values: verified },
        mark: { type: 'rule', strokeWidth: 1.5, aria: false },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color: COLOR },
      },
      {
        data: { values: verified },
        mark: { type: 'point', opacity: 1, size: 30, strokeWidth: 1.5 },
        encoding: {
          x,
          y: { ...y, field: 'value' },
          stroke: COLOR,
          fill: FILL,
          description: { field: 'told', type: 'nominal' },
        },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = [
    'Grey dots: settings that were looked at. Large dots: those of the table, filled where they meet the target, with their intervals. Dashed: the target; the band is its tolerance.',
    ...(every > 1 ? [`Of ${String(readings.length)} settings one in ${String(every)} is drawn.`] : []),
  ].join(' ');
  return { kind: 'balance', of, width: SINGLE_COLUMN, caption, spec };
}
