/** Tables of studies over a space. */

import type { MorrisField, MorrisSensitivity, SobolField, SobolSensitivity } from '../studies/sensitivity/index.ts';
import { barOf, headOf, IDLE, shownBy, UNCLEAR, unitOf } from './effects.ts';
import { gapScaleOf, MEAN, percent, type Scale, signed } from './figure.ts';
import { note, type SheetBlock, type TableCell, toned } from './parts.ts';
import type { Column } from './text/column.ts';
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

function morrisRow(field: MorrisField, scale: Scale, most: number): TableCell[] {
  const { muStar, mu, sigma, path } = field;
  const shown = shownBy(scale, { value: muStar, interval: field.ci95 });
  const told = field.ci95[0] > 0;
  const unclear = muStar === 0 && field.noise === 0 ? toned(IDLE, 'dim') : toned(UNCLEAR, 'yellow');
  return [
    path,
    rangeOf(field),
    shown.value(muStar),
    shown.interval(field.ci95),
    signed(shown.value(mu)),
    shown.value(sigma),
    told ? manner(field) : '',
    told ? barOf(muStar, most) : unclear,
  ];
}

/** The table of a screening, and what it means. */
export function morrisParts({ fields, kind, cells }: MorrisSensitivity): SheetBlock[][] {
  const scale = gapScaleOf({ kind });
  const most = Math.max(0, ...fields.map(({ muStar }) => muStar));
  const heads: Column[] = [
    { head: 'field', align: 'left' },
    { head: 'range', spare: 2 },
    { head: headOf('mu*', kind), align: 'point' },
    { head: '95 % interval' },
    { head: 'mu', align: 'point', spare: 3 },
    { head: 'sigma', align: 'point', spare: 3 },
    { head: 'acts', align: 'left' },
    { head: '', align: 'left', spare: 1 },
  ];
  const luck = significant(scale.times * Math.max(...fields.map(({ noise }) => noise)), 2);
  const notes = [
    'mu*: the mean size of the effect of a passage through the whole range; mu: its mean; sigma: how much it differs',
    'from place to place: linear below 0.1 mu*, monotonic below 0.5 mu*, uneven below mu*, mixed above, where the',
    'field is curved or acts otherwise beside other fields. Unclear: the interval holds 0.',
    ...(cells.simulated > 0 ? [`Luck, up to ${luck} in one effect, is taken out of mu* and sigma.`] : []),
  ].join(' ');
  return [[{ kind: 'table', heads, rows: fields.map((field) => morrisRow(field, scale, most)) }], [note(notes)]];
}

function sobolRow(field: SobolField, most: number): TableCell[] {
  const show = (value: number, ci95: SobolField['ci95']): string[] => {
    const shown = shownBy(MEAN, { value: 1, interval: ci95 }, 3);
    return [shown.value(value), shown.interval(ci95)];
  };
  const { first, firstCi95, total, totalCi95 } = field;
  const unclear = total === 0 && totalCi95[1] === 0 ? toned(IDLE, 'dim') : toned(UNCLEAR, 'yellow');
  return [
    field.path,
    rangeOf(field),
    ...show(first, firstCi95),
    ...show(total, totalCi95),
    totalCi95[0] > 0 ? barOf(total, most) : unclear,
  ];
}

/** The table of the indices, and what it means. */
export function sobolParts(result: SobolSensitivity): SheetBlock[][] {
  const { fields, of, kind, variance, noise } = result;
  if (fields.length === 0) return [[note(`${of} does not vary over this space as far as these cells show.`, 'yellow')]];
  const { times } = gapScaleOf(result);
  const heads: Column[] = [
    { head: 'field', align: 'left' },
    { head: 'range', spare: 2 },
    { head: 'first\norder', align: 'point' },
    { head: '95 % interval' },
    { head: 'total', align: 'point' },
    { head: '95 % interval' },
    { head: '', align: 'left' },
  ];
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
  return [[{ kind: 'table', heads, rows: fields.map((field) => sobolRow(field, most)) }], [note(notes)]];
}
