/** Tables of studies over a space. */

import type { MorrisField, MorrisSensitivity, SobolField, SobolSensitivity } from '../../analysis/index.ts';
import type { Interval } from '../../stats/index.ts';
import { addSign, formatPercent, getDifferenceScale, MEAN, type QuantityKind } from '../sheet/estimated-value.ts';
import {
  createNote,
  createTable,
  type DeclaredColumn,
  type SheetBlock,
  type StyledText,
  styleText,
} from '../sheet/sheet.ts';
import { formatFixed, formatSignificant } from '../text/number-format.ts';
import {
  createEffectBar,
  createEffectFormat,
  formatEffectHeading,
  getEffectUnit,
  NO_EFFECT,
  UNCLEAR,
} from './effect-format.ts';

const formatFieldRange = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `${String(min)}..${String(max)}`;

/**
 * How a field acts, by sigma over mu*: the classes of D. Garcia Sanchez et al. (Energy and Buildings 68, 2014), which
 * call them almost linear, monotonic, almost monotonic, and non-linear or interacting.
 */
function classifyEffect({ muStar, sigma }: MorrisField): string {
  const ratio = sigma / muStar;
  if (ratio < 0.1) return 'linear';
  if (ratio < 0.5) return 'monotonic';
  return ratio < 1 ? 'uneven' : 'mixed';
}

/** A field of a table that has no effect, or none that is shown. */
export const createNoEffectCell = (isIdle: boolean): StyledText =>
  isIdle ? styleText(NO_EFFECT, 'dim') : styleText(UNCLEAR, 'yellow');

export const FIELD_COLUMN = {
  head: 'field',
  align: 'left',
  about: 'the field that was varied, the most important first',
} as const;

const RANGE_COLUMN = {
  head: 'range',
  spare: 2,
  about: 'the values of the field in the space',
  cell: formatFieldRange,
} as const;

const INTERVAL_COLUMN = { head: '95 % interval', about: 'confidence interval of the value to its left' } as const;

/** @param most the greatest mu* */
export function createMorrisColumns(kind: QuantityKind, most: number): DeclaredColumn<MorrisField>[] {
  const shown = ({ muStar, ci95: interval }: MorrisField) =>
    createEffectFormat(getDifferenceScale({ kind }), { value: muStar, interval });
  const point = { align: 'point', spare: 3 } as const;
  return [
    { ...FIELD_COLUMN, cell: ({ path }) => path },
    RANGE_COLUMN,
    {
      ...{ head: formatEffectHeading('mu*', kind), align: 'point' },
      about: 'Morris: the mean size of the effect of a passage through the whole range',
      cell: (field) => shown(field).value(field.muStar),
    },
    { ...INTERVAL_COLUMN, cell: (field) => shown(field).interval(field.ci95) },
    {
      ...{ head: 'mu', ...point, about: 'Morris: the mean of these effects with their signs' },
      cell: (field) => addSign(shown(field).value(field.mu)),
    },
    {
      ...{ head: 'sigma', ...point, about: 'Morris: the standard deviation of these effects' },
      cell: (field) => shown(field).value(field.sigma),
    },
    {
      ...{ head: 'acts', align: 'left' },
      about: 'linear (sigma below 0.1 mu*), monotonic (below 0.5), uneven (below 1), mixed',
      cell: (field) => (field.ci95[0] > 0 ? classifyEffect(field) : ''),
    },
    {
      ...{ head: '', align: 'left', spare: 1, about: '' },
      cell: ({ muStar, noise, ci95: [low] }) =>
        low > 0 ? createEffectBar(muStar, most) : createNoEffectCell(muStar === 0 && noise === 0),
    },
  ];
}

/** The table of a screening, and what it means. */
export function createMorrisBlocks({ fields, kind, cells }: MorrisSensitivity): SheetBlock[][] {
  const scale = getDifferenceScale({ kind });
  const most = Math.max(0, ...fields.map(({ muStar }) => muStar));
  const luck = formatSignificant(scale.times * Math.max(...fields.map(({ noise }) => noise)), 2);
  const notes = [
    'mu*: the mean size of the effect of a passage through the whole range; mu: its mean; sigma: how much it differs',
    'from place to place: linear below 0.1 mu*, monotonic below 0.5 mu*, uneven below mu*, mixed above, where the',
    'field is curved or acts otherwise beside other fields. Unclear: the interval holds 0.',
    ...(cells.simulated > 0 ? [`Luck, up to ${luck} in one effect, is taken out of mu* and sigma.`] : []),
  ].join(' ');
  return [[createTable(createMorrisColumns(kind, most), fields)], [createNote(notes)]];
}

const createIndexFormat = (interval: Interval) => createEffectFormat(MEAN, { value: 1, interval }, 3);

/** @param most the greatest total */
export const createSobolColumns = (most: number): DeclaredColumn<SobolField>[] => [
  { ...FIELD_COLUMN, cell: ({ path }) => path },
  RANGE_COLUMN,
  {
    ...{ head: 'first\norder', align: 'point' },
    about: 'Sobol: the share of the variance that the field explains by itself',
    cell: ({ first, firstCi95 }) => createIndexFormat(firstCi95).value(first),
  },
  { ...INTERVAL_COLUMN, cell: ({ firstCi95 }) => createIndexFormat(firstCi95).interval(firstCi95) },
  {
    ...{ head: 'total', align: 'point' },
    about: 'Sobol: the share that it explains together with all its interactions',
    cell: ({ total, totalCi95 }) => createIndexFormat(totalCi95).value(total),
  },
  { ...INTERVAL_COLUMN, cell: ({ totalCi95 }) => createIndexFormat(totalCi95).interval(totalCi95) },
  {
    ...{ head: '', align: 'left', about: '' },
    cell: ({ total, totalCi95: [low, high] }) =>
      low > 0 ? createEffectBar(total, most) : createNoEffectCell(total === 0 && high === 0),
  },
];

/** The table of the indices, and what it means. */
export function createSobolBlocks(result: SobolSensitivity): SheetBlock[][] {
  const { fields, of, kind, variance, noise } = result;
  if (fields.length === 0)
    return [[createNote(`${of} does not vary over this space as far as these cells show.`, 'yellow')]];
  const { times } = getDifferenceScale(result);
  const most = Math.max(1e-9, ...fields.map(({ total }) => total));
  const spread = `${formatSignificant(times * Math.sqrt(variance), 3)} ${getEffectUnit(kind, of)}`;
  const sum = fields.reduce((all, { first }) => all + first, 0);
  const notes = [
    `Standard deviation over the space: ${spread}. First order: the share of the variance that a field explains by`,
    `itself, in sum ${formatFixed(sum, 2)}; total: with all its interactions. Unclear: the interval holds 0.`,
    ...(noise > 0
      ? [`Luck made ${formatPercent(formatFixed, noise, 1)} of the variance between cells; the indices are free of it.`]
      : []),
  ].join(' ');
  return [[createTable(createSobolColumns(most), fields)], [createNote(notes)]];
}
