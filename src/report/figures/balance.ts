/** Figures of a search for balance. */

import type { TopLevelSpec } from 'vega-lite';
import type { BalanceResult, BalanceSetting } from '../../analysis/index.ts';
import { labelField } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatIntervalOrExact, formatValue, getTargetScale, toPlotValue } from '../sheet/estimated-value.ts';
import { formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { getSideColor } from './colors.ts';
import { createFit, createFrame, type Figure } from './figure.ts';
import { GREY, INK, SINGLE_COLUMN } from './theme.ts';

const VERDICTS = { holds: 'meets the target', fails: 'misses the target', undecided: 'undecided' } as const;

/** Maximum number of drawn points; of more points, every second or third is drawn. */
const MAX_POINTS = 400;

const NUMBER_AXIS = { type: 'quantitative', scale: { zero: false, nice: false, padding: 6 } } as const;
const COLOR = { field: 'colour', type: 'nominal', scale: null } as const;
const FILL = { field: 'fill', type: 'nominal', scale: null } as const;

/** Draws the first field on x and the second on y; a marker is filled if the setting meets the target. */
function createBalanceLineFigure(result: BalanceResult, pairs: readonly BalanceSetting[], colour: string): Figure {
  const { scenario, of } = result;
  const [one = '', two = ''] = result.fields.map(({ path }) => sanitizeXmlText(labelField(scenario, path)));
  const scale = getTargetScale(result);
  const values = pairs.map((setting) => {
    const [x = 0, y = 0] = setting.values;
    const known = `${formatValue(scale, setting)}, ${formatIntervalOrExact(scale, setting)}`;
    const tooltip = `${one} ${formatNumber(x)}, ${two} ${formatNumber(y)}: ${known}\n${VERDICTS[setting.verdict]}`;
    return { x, y, colour, fill: setting.verdict === 'holds' ? colour : 'white', tooltip };
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
        encoding: { x, y, stroke: COLOR, fill: FILL, description: { field: 'tooltip', type: 'nominal' } },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = `For each examined value of ${one}, the value of ${two} closest to the target; filled if it meets the target.`;
  return { kind: 'balance', of, width: SINGLE_COLUMN, caption, spec };
}

/** Creates a curve for one field, or the line of balanced settings for two. Undefined for more fields. */
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
  const name = sanitizeXmlText(labelField(result.scenario, field.path));
  const colour = getSideColor(of, sides);
  const every = Math.ceil(readings.length / MAX_POINTS);
  const ordered = readings
    .toSorted((a, b) => (a.values[0] ?? 0) - (b.values[0] ?? 0))
    .filter((_, r) => r % every === 0);
  const seen = ordered.map(({ values: [at = 0], value }) => ({
    at,
    ...toPlotValue(scale, value),
    tooltip: `${name} ${formatNumber(at)}: ${formatValue(scale, { value })}`,
  }));
  const verified = settings.map((setting) => {
    const {
      values: [at = 0],
      value,
      interval = [value, value],
      verdict,
    } = setting;
    const tooltip = `${name} ${formatNumber(at)}: ${formatValue(scale, setting)}, ${formatIntervalOrExact(scale, setting)}\n${VERDICTS[verdict]}`;
    const fill = verdict === 'holds' ? colour : 'white';
    return { at, ...toPlotValue(scale, value, interval), colour, fill, tooltip };
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
        encoding: { x, y: { ...y, field: 'value' }, description: { field: 'tooltip', type: 'nominal' } },
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
          description: { field: 'tooltip', type: 'nominal' },
        },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = [
    'Gray dots: examined settings. Large dots: settings of the table with their intervals, filled if they meet the target. Dashed line: the target; the band is its tolerance.',
    ...(every > 1 ? [`One in ${String(every)} of ${String(readings.length)} settings is drawn.`] : []),
  ].join(' ');
  return { kind: 'balance', of, width: SINGLE_COLUMN, caption, spec };
}
