/** Report of `compare`. */
import type { Comparison, PairedDifference, RankedScenario } from '../../analysis/index.ts';
import {
  addSign,
  countDecimals,
  formatExactValue,
  formatRange,
  getDifferenceScale,
  type QuantityKind,
  type Scale,
  scaleInterval,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createAnswer,
  createDrawing,
  createFactLine,
  createNote,
  createOmission,
  createTable,
  type DeclaredColumn,
  type Sheet,
  type SheetBlock,
  type SheetNote,
} from '../sheet/sheet.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatFixed, formatGrouped, formatShortUpperBound, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { PLAIN_PAINT, type TerminalStyle, wrapSentence } from '../text/table.ts';
import {
  createDifferenceNotes,
  createDifferenceRangeNotes,
  createDifferenceTables,
  createVarianceReductionNotes,
  DIFFERENCE_COLUMNS,
  formatVarianceReduction,
  toEstimatedValue,
} from './rules-comparison.ts';

/** If there are more pairs, only neighbors in rank are shown. */
const MAX_PAIRS = 15;

/** Unit of the values of a comparison, for column heads. */
export const getColumnUnit = ({ kind }: { readonly kind: QuantityKind }): string => (kind === 'outcome' ? '%' : 'mean');

/** Formats the number of battles that would detect the estimated difference. */
function formatOutlook({ battlesNeeded, differing }: PairedDifference): string {
  if (battlesNeeded !== undefined)
    return `detecting the estimated difference takes about ${formatSignificant(battlesNeeded, 2)} battles`;
  return differing > 0 ? 'the estimates are equal' : 'no battle differs';
}

/** Formats the verdict on two scenarios as one sentence. */
export function formatPairVerdict(
  pair: PairedDifference,
  of: string,
  names: readonly string[],
  paint: TerminalStyle['paint'],
): string {
  const [one, two] = [sanitizeLine(names[pair.first] ?? ''), sanitizeLine(names[pair.second] ?? '')];
  const [high, low] = pair.verdict === 'higher' ? [two, one] : [one, two];
  if (pair.exact === 0) return `${of}: a tie, by exact values`;
  if (pair.verdict === 'tie') return `${of}: ${paint.yellow('no significant difference')}; ${formatOutlook(pair)}`;
  const [left, right] = pair.ci95;
  const unseen =
    left <= 0 && right >= 0 ? `; the simulation shows no significant difference (${formatOutlook(pair)})` : '';
  const known = pair.exact === undefined ? '' : `, by exact values${unseen}`;
  return `${of}: ${paint.bold(high)} is higher than ${paint.bold(low)}${known}`;
}

/** Letter of a group, as in compact letter displays: `a`, `b`, ..., `z`, `aa`, ... */
function formatGroupLetter(group: number): string {
  const last = String.fromCharCode(97 + (group % 26));
  return group < 26 ? last : formatGroupLetter(Math.floor(group / 26) - 1) + last;
}

/** Scenario of a ranking, with the format of its values. */
interface RankingRow extends RankedScenario {
  readonly name: string;
  readonly letters: string;
  readonly scale: Scale;
  readonly decimals: number;
}

export const RANKING_COLUMNS = {
  scenario: { head: 'scenario', align: 'left', about: 'name of the scenario', cell: ({ name }) => name },
  rank: {
    head: 'rank',
    about: 'ranks that the intervals allow; 1 is the highest',
    cell: ({ rank: [best, worst] }) => (best === worst ? String(best) : `${String(best)}-${String(worst)}`),
  },
  group: {
    head: 'group',
    align: 'left',
    about: 'scenarios that share a letter do not differ significantly',
    cell: ({ letters }) => letters,
  },
} as const satisfies Record<string, DeclaredColumn<RankingRow>>;

/** Creates the column of the values. */
const createValueColumn = (head: string): DeclaredColumn<RankingRow> => ({
  ...{ head, isName: true, align: 'point', about: '' },
  cell: ({ value, scale, decimals }) => bold(formatFixed(scale.times * value, decimals)),
});

const createExactColumn = (head: string): DeclaredColumn<RankingRow> => ({
  ...{ head, align: 'point', about: '' },
  cell: ({ exact, scale, decimals }) => (exact === undefined ? '' : formatExactValue(scale, exact, decimals)),
});

export function createRankingTable(result: Comparison, names: readonly string[]): SheetBlock[] {
  const { of, order, standings, groups } = result;
  const scale = getDifferenceScale(result);
  const unit = getColumnUnit(result);
  const rows = order.flatMap((s): RankingRow[] => {
    const standing = standings[s];
    if (standing === undefined) return [];
    const letters = groups.map((group, g) => (group.includes(s) ? formatGroupLetter(g) : ' ')).join('');
    const decimals = countDecimals({ value: standing.value, interval: standing.ci95 }, scale, scale.decimals);
    return [{ ...standing, name: names[s] ?? '', letters, scale, decimals }];
  });
  const known = standings.some(({ exact }) => exact !== undefined);
  const { scenario, rank, group } = RANKING_COLUMNS;
  const exact = known ? [createExactColumn(`exact ${unit}`)] : [];
  return [createTable<RankingRow>([scenario, rank, createValueColumn(`${of}, ${unit}`), ...exact, group], rows)];
}

/** Pair of scenarios, with the higher one in the order first. */
interface PairRow {
  readonly pair: PairedDifference;
  readonly name: string;
  /** Factor that converts the difference to higher minus lower, in the unit of the table. */
  readonly times: number;
  readonly scale: Scale;
  readonly decimals: number;
}

function createPairRow(
  pair: PairedDifference,
  order: readonly number[],
  names: readonly string[],
  scale: Scale,
): PairRow {
  const swapped = order.indexOf(pair.second) < order.indexOf(pair.first);
  const [high, low] = swapped ? [pair.second, pair.first] : [pair.first, pair.second];
  return {
    pair,
    name: `${names[high] ?? ''} - ${names[low] ?? ''}`,
    times: swapped ? scale.times : -scale.times,
    scale,
    decimals: countDecimals(toEstimatedValue(pair), scale, scale.decimals),
  };
}

export const PAIR_COLUMNS = {
  interval: {
    head: 'simultaneous\n95 % interval',
    about: 'confidence interval, valid for all pairs together (Bonferroni)',
    cell: ({ pair, times, decimals }) =>
      formatRange(scaleInterval(pair.ci95, { times }), (end) => addSign(formatFixed(end, decimals))),
  },
  needed: {
    head: 'battles\nneeded',
    spare: 2,
    about: 'approximate number of battles that detect a difference of this size',
    cell: ({ pair: { verdict, battlesNeeded } }) =>
      verdict === 'tie' && battlesNeeded !== undefined ? formatSignificant(battlesNeeded, 2) : '',
  },
} as const satisfies Record<string, DeclaredColumn<PairRow>>;

function createPairTable(result: Comparison, names: readonly string[]): SheetBlock[] {
  const { pairs, order } = result;
  const scale = getDifferenceScale(result);
  const known = pairs.some(({ exact }) => exact !== undefined);
  const computeDistance = ({ first, second }: PairedDifference): number =>
    Math.abs(order.indexOf(first) - order.indexOf(second));
  const place = ({ first, second }: PairedDifference): number => Math.min(order.indexOf(first), order.indexOf(second));
  const shown = pairs
    .filter((pair) => pairs.length <= MAX_PAIRS || computeDistance(pair) === 1)
    .sort((a, b) => place(a) - place(b) || computeDistance(a) - computeDistance(b));
  const { difference, exact, gain } = DIFFERENCE_COLUMNS;
  const { interval, needed } = PAIR_COLUMNS;
  const table = createTable<PairRow>(
    [
      { ...difference, align: 'left', cell: ({ name }) => name },
      {
        ...difference,
        head: getColumnUnit(result),
        cell: ({ pair, times, decimals }) => addSign(formatFixed(times * pair.difference, decimals)),
      },
      interval,
      ...(known
        ? [
            {
              ...exact,
              cell: ({ pair, times, scale: own, decimals }: PairRow) =>
                addSign(formatExactValue({ ...own, times }, pair.exact ?? 0, decimals)),
            },
          ]
        : []),
      { ...gain, cell: ({ pair }) => formatVarianceReduction(pair) },
      ...(known ? [] : [needed]),
    ],
    shown.map((pair) => createPairRow(pair, order, names, scale)),
  );
  const more = pairs.length - shown.length;
  return [table, ...(more > 0 ? [createOmission(`the ${formatGrouped(more)} pairs that are not neighbors`)] : [])];
}

function createRankingNotes(result: Comparison): SheetNote[] {
  const exact = result.standings.some((standing) => standing.exact !== undefined);
  return [
    createNote(
      exact
        ? 'Ranks and groups follow from exact values; scenarios that share a letter are equal.'
        : 'Scenarios that share a letter do not differ significantly; ranks are the ranks that the intervals allow. All intervals hold simultaneously with 95 % confidence (Bonferroni).',
    ),
  ];
}

/** Notes on the possible effect of unobserved differences of means. Empty for shares. */
export function createUnobservedNotes({ pairs, kind, of, battles }: Comparison): SheetNote[] {
  const most = Math.max(0, ...pairs.map(({ unobserved = 0 }) => unobserved));
  if (kind === 'outcome') return [];
  const rows = pairs.map((pair) => ({ ...pair, name: sanitizeLine(of) }));
  return [
    createNote(`unobserved differences may change these values by up to ${formatShortUpperBound(most)}`),
    ...createDifferenceRangeNotes(rows, battles),
  ];
}

/** Creates the verdict of a comparison of two scenarios. */
const createVerdictBlock = (pair: PairedDifference, of: string, names: readonly string[]): SheetBlock =>
  createDrawing(
    (look) => wrapSentence(formatPairVerdict(pair, of, names, look.paint), look),
    [createAnswer(`${capitalize(formatPairVerdict(pair, of, names, PLAIN_PAINT))}.`)],
  );

/** Creates the report of a comparison. @param names labels of the scenarios, in the requested order */
export function createComparisonSheet(result: Comparison, names: readonly string[]): Sheet {
  const { battles, seed, from, pairs, all, of, bounded } = result;
  const titles = names.length === 2 ? names.map(sanitizeLine) : [`${String(names.length)} scenarios`];
  const facts = [
    `${formatGrouped(battles)} battles each${from > 0 ? ` from ${formatGrouped(from)}` : ''}`,
    'the same dice',
  ];
  const heading = [createFactLine([...titles.map(bold), ...facts, `seed ${seed}`])];
  const [one = '', two = ''] = names;
  if (all === undefined)
    return [
      heading,
      createRankingTable(result, names),
      createPairTable(result, names),
      [...createRankingNotes(result), ...createUnobservedNotes(result), ...createVarianceReductionNotes(bounded)],
    ];
  const verdicts = pairs.map((pair) => createVerdictBlock(pair, sanitizeLine(of), names));
  return [heading, ...createDifferenceTables(all, [one, two]), verdicts, createDifferenceNotes(all)];
}
