/** Tables of studies over a space. */

import type { Interval } from '../answers/index.ts';
import type { MorrisField, MorrisSensitivity, SobolField, SobolSensitivity } from '../studies/index.ts';
import { barOf, headOf, IDLE, shownBy, UNCLEAR, unitOf } from './effects.ts';
import { gapScaleOf, type Kind, MEAN, percent, signed } from './figure.ts';
import { type DeclaredColumn, grid, note, type SheetBlock, type Toned, toned } from './parts.ts';
import { fixed, significant } from './text/digits.ts';

const rangeOf = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `${String(min)}..${String(max)}`;

/**
 * How a field acts, by sigma over mu*: the classes of D. Garcia Sanchez et al. (Energy and Buildings 68, 2014), which
 * call them almost linear, monotonic, almost monotonic, and non-linear or interacting.
 */
function manner({ muStar, sigma }: MorrisField): string {
  const ratio = sigma / muStar;
  if (ratio < 0.1) return 'linear';
  if (ratio < 0.5) return 'monotonic';
  return ratio < 1 ? 'uneven' : 'mixed';
}

/** A field of a table that has no effect, or none that is shown. */
export const withoutEffect = (isIdle: boolean): Toned => (isIdle ? toned(IDLE, 'dim') : toned(UNCLEAR, 'yellow'));

export const FIELD = {
  head: 'field',
  align: 'left',
  about: 'the field that was varied, the most important first',
} as const;

const RANGE = { head: 'range', spare: 2, about: 'the values of the field in the space', cell: rangeOf } as const;

const INTERVAL = { head: '95 % interval', about: 'confidence interval of the value to its left' } as const;

/** @param most the greatest mu* */
export function morrisColumns(kind: Kind, most: number): DeclaredColumn<MorrisField>[] {
  const shown = ({ muStar, ci95: interval }: MorrisField) => shownBy(gapScaleOf({ kind }), { value: muStar, interval });
  const point = { align: 'point', spare: 3 } as const;
  return [
    { ...FIELD, cell: ({ path }) => path },
    RANGE,
    {
      ...{ head: headOf('mu*', kind), align: 'point' },
      about: 'Morris: the mean size of the effect of a passage through the whole range',
      cell: (field) => shown(field).value(field.muStar),
    },
    { ...INTERVAL, cell: (field) => shown(field).interval(field.ci95) },
    {
      ...{ head: 'mu', ...point, about: 'Morris: the mean of these effects with their signs' },
      cell: (field) => signed(shown(field).value(field.mu)),
    },
    {
      ...{ head: 'sigma', ...point, about: 'Morris: the standard deviation of these effects' },
      cell: (field) => shown(field).value(field.sigma),
    },
    {
      ...{ head: 'acts', align: 'left' },
      about: 'linear (sigma below 0.1 mu*), monotonic (below 0.5), uneven (below 1), mixed',
      cell: (field) => (field.ci95[0] > 0 ? manner(field) : ''),
    },
    {
      ...{ head: '', align: 'left', spare: 1, about: '' },
      cell: ({ muStar, noise, ci95: [low] }) =>
        low > 0 ? barOf(muStar, most) : withoutEffect(muStar === 0 && noise === 0),
    },
  ];
}

/** The table of a screening, and what it means. */
export function morrisParts({ fields, kind, cells }: MorrisSensitivity): SheetBlock[][] {
  const scale = gapScaleOf({ kind });
  const most = Math.max(0, ...fields.map(({ muStar }) => muStar));
  const luck = significant(scale.times * Math.max(...fields.map(({ noise }) => noise)), 2);
  const notes = [
    'mu*: the mean size of the effect of a passage through the whole range; mu: its mean; sigma: how much it differs',
    'from place to place: linear below 0.1 mu*, monotonic below 0.5 mu*, uneven below mu*, mixed above, where the',
    'field is curved or acts otherwise beside other fields. Unclear: the interval holds 0.',
    ...(cells.simulated > 0 ? [`Luck, up to ${luck} in one effect, is taken out of mu* and sigma.`] : []),
  ].join(' ');
  return [[grid(morrisColumns(kind, most), fields)], [note(notes)]];
}

const sobolShown = (interval: Interval) => shownBy(MEAN, { value: 1, interval }, 3);

/** @param most the greatest total */
export const sobolColumns = (most: number): DeclaredColumn<SobolField>[] => [
  { ...FIELD, cell: ({ path }) => path },
  RANGE,
  {
    ...{ head: 'first\norder', align: 'point' },
    about: 'Sobol: the share of the variance that the field explains by itself',
    cell: ({ first, firstCi95 }) => sobolShown(firstCi95).value(first),
  },
  { ...INTERVAL, cell: ({ firstCi95 }) => sobolShown(firstCi95).interval(firstCi95) },
  {
    ...{ head: 'total', align: 'point' },
    about: 'Sobol: the share that it explains together with all its interactions',
    cell: ({ total, totalCi95 }) => sobolShown(totalCi95).value(total),
  },
  { ...INTERVAL, cell: ({ totalCi95 }) => sobolShown(totalCi95).interval(totalCi95) },
  {
    ...{ head: '', align: 'left', about: '' },
    cell: ({ total, totalCi95: [low, high] }) =>
      low > 0 ? barOf(total, most) : withoutEffect(total === 0 && high === 0),
  },
];

/** The table of the indices, and what it means. */
export function sobolParts(result: SobolSensitivity): SheetBlock[][] {
  const { fields, of, kind, variance, noise } = result;
  if (fields.length === 0) return [[note(`${of} does not vary over this space as far as these cells show.`, 'yellow')]];
  const { times } = gapScaleOf(result);
  const most = Math.max(1e-9, ...fields.map(({ total }) => total));
  const spread = `${significant(times * Math.sqrt(variance), 3)} ${unitOf(kind, of)}`;
  const sum = fields.reduce((all, { first }) => all + first, 0);
  const notes = [
    `Standard deviation over the space: ${spread}. First order: the share of the variance that a field explains by`,
    `itself, in sum ${fixed(sum, 2)}; total: with all its interactions. Unclear: the interval holds 0.`,
    ...(noise > 0
      ? [`Luck made ${percent(fixed, noise, 1)} of the variance between cells; the indices are free of it.`]
      : []),
  ].join(' ');
  return [[grid(sobolColumns(most), fields)], [note(notes)]];
}
