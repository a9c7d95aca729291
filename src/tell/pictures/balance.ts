/** What a search for balance looked at: values of the outcome or metric over one field, and the target. */

import type { TopLevelSpec } from 'vega-lite';
import type { Balance, GaugedSetting } from '../../studies/index.ts';
import { knownTo, placed, valueText, wantedScaleOf } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import { cleanText } from '../text/clean.ts';
import { plain } from '../text/digits.ts';
import { colourIn } from './colours.ts';
import { fitted, framed, type Picture } from './picture.ts';
import { GREY, INK, SINGLE } from './theme.ts';

const VERDICTS = { holds: 'meets the target', fails: 'misses it', undecided: 'undecided' } as const;

/** Points that are drawn, at most: of more, every second or third. */
const POINTS = 400;

const NUMBERS = { type: 'quantitative', scale: { zero: false, nice: false, padding: 6 } } as const;
const COLOR = { field: 'colour', type: 'nominal', scale: null } as const;
const FILL = { field: 'fill', type: 'nominal', scale: null } as const;

/** The line of balance: the first field across, the second up; filled where the target is met. */
function linePicture(result: Balance, pairs: readonly GaugedSetting[], colour: string): Picture {
  const { of } = result;
  const [one = '', two = ''] = result.fields.map(({ path }) => cleanText(path));
  const scale = wantedScaleOf(result);
  const values = pairs.map((setting) => {
    const [x = 0, y = 0] = setting.values;
    const known = `${valueText(scale, setting)}, ${knownTo(scale, setting)}`;
    const told = `${one} ${plain(x)}, ${two} ${plain(y)}: ${known}\n${VERDICTS[setting.verdict]}`;
    return { x, y, colour, fill: setting.verdict === 'holds' ? colour : 'white', told };
  });
  const x = { ...NUMBERS, field: 'x', title: one, axis: { tickCount: 8 } };
  const y = { ...NUMBERS, field: 'y', title: two };
  const spec = {
    ...framed(`${cleanText(of)} nearest to its target`, '', SINGLE),
    ...fitted(SINGLE, 240),
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
  return { kind: 'balance', of, width: SINGLE, caption, spec };
}

/** Of one field: its value across, the result up. Of two: the line of balance. Undefined for more. */
export function balancePicture(
  result: Balance,
  settings: readonly GaugedSetting[],
  sides: readonly ShownSide[] = [],
): Picture | undefined {
  const { fields, readings, of, kind, target, tolerance } = result;
  if (result.pairs !== undefined) return linePicture(result, result.pairs, colourIn(of, sides));
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0) return undefined;
  const scale = wantedScaleOf(result);
  const name = cleanText(field.path);
  const colour = colourIn(of, sides);
  const every = Math.ceil(readings.length / POINTS);
  const ordered = readings
    .toSorted((a, b) => (a.values[0] ?? 0) - (b.values[0] ?? 0))
    .filter((_, r) => r % every === 0);
  const seen = ordered.map(({ values: [at = 0], value }) => ({
    at,
    ...placed(scale, value),
    told: `${name} ${plain(at)}: ${valueText(scale, { value })}`,
  }));
  const verified = settings.map((setting) => {
    const {
      values: [at = 0],
      value,
      interval = [value, value],
      verdict,
    } = setting;
    const told = `${name} ${plain(at)}: ${valueText(scale, setting)}, ${knownTo(scale, setting)}\n${VERDICTS[verdict]}`;
    const fill = verdict === 'holds' ? colour : 'white';
    return { at, ...placed(scale, value, interval), colour, fill, told };
  });
  const y = {
    type: 'quantitative',
    title: kind === 'outcome' ? `probability of ${cleanText(of)} (%)` : `mean of ${cleanText(of)}`,
    scale: { zero: false },
  };
  const x = {
    ...NUMBERS,
    field: 'at',
    title: name,
    axis: { grid: false, tickCount: 8 },
  };
  const wanted = [placed(scale, target, [target - tolerance, target + tolerance])];
  const spec = {
    ...framed(`${cleanText(of)} over ${name}`, '', SINGLE),
    ...fitted(SINGLE, 240),
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
  return { kind: 'balance', of, width: SINGLE, caption, spec };
}
