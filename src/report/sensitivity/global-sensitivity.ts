/** Tables of global sensitivity analyses. */

import type { MorrisField, MorrisSensitivity, SobolField, SobolSensitivity } from '../../analysis/index.ts';
import { labelField, type Scenario } from '../../rules/index.ts';
import type { Interval } from '../../stats/index.ts';
import { addSign, formatPercent, getDifferenceScale, MEAN, type QuantityKind } from '../sheet/estimated-value.ts';
import {
  createNote,
  createTable,
  type DeclaredColumn,
  type SheetBlock,
  type SheetTable,
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
 * Classifies a field by sigma over mu*, as D. Garcia Sanchez et al. (Energy and Buildings 68, 2014). They call the
 * classes almost linear, monotonic, almost monotonic, and non-linear or interacting.
 */
function classifyEffect({ muStar, sigma }: MorrisField): string {
  const ratio = sigma / muStar;
  if (ratio < 0.1) return 'linear';
  if (ratio < 0.5) return 'monotonic';
  return ratio < 1 ? 'uneven' : 'mixed';
}

/** Creates the cell of a field without effect, or without a significant effect. */
export const createNoEffectCell = (isIdle: boolean): StyledText =>
  isIdle ? styleText(NO_EFFECT, 'dim') : styleText(UNCLEAR, 'yellow');

export const FIELD_COLUMN = {
  head: 'field',
  align: 'left',
  about: 'varied field, the most important first',
  cell: ({ path }: { readonly path: string }) => path,
} as const;

/** Creates a table of fields, with their labels instead of their paths. */
export function createFieldTable<F extends { readonly path: string }>(
  columns: readonly DeclaredColumn<F>[],
  scenario: Scenario,
  fields: readonly F[],
): SheetTable {
  const rows = fields.map((field) => ({ ...field, path: labelField(scenario, field.path) }));
  return { ...createTable(columns, rows), names: fields.map(({ path }) => path) };
}

const RANGE_COLUMN = {
  head: 'range',
  spare: 2,
  about: 'range of the field',
  cell: formatFieldRange,
} as const;

const INTERVAL_COLUMN = { head: '95 % interval', about: 'confidence interval of the value to its left' } as const;

/** @param most largest mu* */
export function createMorrisColumns(kind: QuantityKind, most: number): DeclaredColumn<MorrisField>[] {
  const formatShown = ({ muStar, ci95: interval }: MorrisField) =>
    createEffectFormat(getDifferenceScale({ kind }), { value: muStar, interval });
  const point = { align: 'point', spare: 3 } as const;
  return [
    FIELD_COLUMN,
    RANGE_COLUMN,
    {
      ...{ head: formatEffectHeading('mu*', kind), align: 'point' },
      about: 'Morris: mean absolute effect of a change through the whole range',
      cell: (field) => formatShown(field).value(field.muStar),
    },
    { ...INTERVAL_COLUMN, cell: (field) => formatShown(field).interval(field.ci95) },
    {
      ...{ head: 'mu', ...point, about: 'Morris: mean of these effects, with signs' },
      cell: (field) => addSign(formatShown(field).value(field.mu)),
    },
    {
      ...{ head: 'sigma', ...point, about: 'Morris: standard deviation of these effects' },
      cell: (field) => formatShown(field).value(field.sigma),
    },
    {
      ...{ head: 'type', align: 'left' },
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

/** Creates the table of a Morris screening, with an explanation. */
export function createMorrisBlocks({ scenario, fields, kind, cells }: MorrisSensitivity): SheetBlock[][] {
  const scale = getDifferenceScale({ kind });
  const most = Math.max(0, ...fields.map(({ muStar }) => muStar));
  const luck = formatSignificant(scale.times * Math.max(...fields.map(({ noise }) => noise)), 2);
  const notes = [
    'mu*: mean absolute effect of a change through the whole range; mu: mean effect; sigma: standard deviation of the',
    'effect over the space: linear below 0.1 mu*, monotonic below 0.5 mu*, uneven below mu*, mixed above, if the effect',
    'is nonlinear or depends on other fields. Unclear: the interval contains 0.',
    ...(cells.simulated > 0 ? [`Sampling noise of up to ${luck} per effect is removed from mu* and sigma.`] : []),
  ].join(' ');
  return [[createFieldTable(createMorrisColumns(kind, most), scenario, fields)], [createNote(notes)]];
}

const createIndexFormat = (interval: Interval) => createEffectFormat(MEAN, { value: 1, interval }, 3);

/** @param most largest total index */
export const createSobolColumns = (most: number): DeclaredColumn<SobolField>[] => [
  FIELD_COLUMN,
  RANGE_COLUMN,
  {
    ...{ head: 'first\norder', align: 'point' },
    about: 'Sobol: share of the variance that the field explains by itself',
    cell: ({ first, firstCi95 }) => createIndexFormat(firstCi95).value(first),
  },
  { ...INTERVAL_COLUMN, cell: ({ firstCi95 }) => createIndexFormat(firstCi95).interval(firstCi95) },
  {
    ...{ head: 'total', align: 'point' },
    about: 'Sobol: share of the variance that it explains with all its interactions',
    cell: ({ total, totalCi95 }) => createIndexFormat(totalCi95).value(total),
  },
  { ...INTERVAL_COLUMN, cell: ({ totalCi95 }) => createIndexFormat(totalCi95).interval(totalCi95) },
  {
    ...{ head: '', align: 'left', about: '' },
    cell: ({ total, totalCi95: [low, high] }) =>
      low > 0 ? createEffectBar(total, most) : createNoEffectCell(total === 0 && high === 0),
  },
];

/** Creates the table of Sobol indices, with an explanation. */
export function createSobolBlocks(result: SobolSensitivity): SheetBlock[][] {
  const { scenario, fields, of, kind, variance, noise } = result;
  if (fields.length === 0) return [[createNote(`${of} does not vary between the cells.`, 'yellow')]];
  const { times } = getDifferenceScale(result);
  const most = Math.max(1e-9, ...fields.map(({ total }) => total));
  const spread = `${formatSignificant(times * Math.sqrt(variance), 3)} ${getEffectUnit(kind, of)}`;
  const sum = fields.reduce((all, { first }) => all + first, 0);
  const notes = [
    `Standard deviation over the space: ${spread}. First order: share of the variance that a field explains by itself,`,
    `sum ${formatFixed(sum, 2)}; total: with all its interactions. Unclear: the interval contains 0.`,
    ...(noise > 0
      ? [`Sampling noise, ${formatPercent(formatFixed, noise, 1)} of the variance between cells, is removed.`]
      : []),
  ].join(' ');
  return [[createFieldTable(createSobolColumns(most), scenario, fields)], [createNote(notes)]];
}
