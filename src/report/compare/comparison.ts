/** What `compare` prints for people. */
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

/** More pairs than these are too many for a glance: then only neighbours in rank are shown. */
const MAX_PAIRS = 15;

/** What figures of a comparison are counted in, in the head of a column. */
export const getColumnUnit = ({ kind }: { readonly kind: QuantityKind }): string => (kind === 'outcome' ? '%' : 'mean');

/** What can be said of battles that would show a difference. */
function formatOutlook({ battlesNeeded, differing }: PairedDifference): string {
  if (battlesNeeded !== undefined)
    return `to show the estimated one takes about ${formatSignificant(battlesNeeded, 2)} battles`;
  return differing > 0 ? 'the estimates are equal' : 'no battle differs';
}

/** One sentence on two scenarios. */
export function formatPairVerdict(
  pair: PairedDifference,
  of: string,
  names: readonly string[],
  paint: TerminalStyle['paint'],
): string {
  const [one, two] = [sanitizeLine(names[pair.first] ?? ''), sanitizeLine(names[pair.second] ?? '')];
  const [high, low] = pair.verdict === 'higher' ? [two, one] : [one, two];
  if (pair.exact === 0) return `${of}: a tie, by the exact answers`;
  if (pair.verdict === 'tie')
    return `${of}: ${paint.yellow('no difference found at this size')}; ${formatOutlook(pair)}`;
  const [left, right] = pair.ci95;
  const unseen = left <= 0 && right >= 0 ? `; these battles show no difference (${formatOutlook(pair)})` : '';
  const known = pair.exact === undefined ? '' : `, by the exact answers${unseen}`;
  return `${of}: ${paint.bold(high)} is higher than ${paint.bold(low)}${known}`;
}

/** `a`, `b`, ..., `z`, `aa`, ...: statistics' letters for groups. */
function formatGroupLetter(group: number): string {
  const last = String.fromCharCode(97 + (group % 26));
  return group < 26 ? last : formatGroupLetter(Math.floor(group / 26) - 1) + last;
}

/** A scenario of a ranking, and how its figures are shown. */
interface RankingRow extends RankedScenario {
  readonly name: string;
  readonly letters: string;
  readonly scale: Scale;
  readonly decimals: number;
}

export const RANKING_COLUMNS = {
  scenario: { head: 'scenario', align: 'left', about: 'the name of the scenario', cell: ({ name }) => name },
  rank: {
    head: 'rank',
    about: 'the ranks that the intervals leave open; 1 is the highest',
    cell: ({ rank: [best, worst] }) => (best === worst ? String(best) : `${String(best)}-${String(worst)}`),
  },
  group: {
    head: 'group',
    align: 'left',
    about: 'scenarios that share a letter cannot be told apart',
    cell: ({ letters }) => letters,
  },
} as const satisfies Record<string, DeclaredColumn<RankingRow>>;

/** The figure of each scenario. */
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

/** A pair with the scenario that is higher in the order first. */
interface PairRow {
  readonly pair: PairedDifference;
  readonly name: string;
  /** Makes the difference the higher's less the lower's, in what it is shown in. */
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
    head: '95 % interval,\nall at once',
    about: 'the same, valid for all pairs together (Bonferroni)',
    cell: ({ pair, times, decimals }) =>
      formatRange(scaleInterval(pair.ci95, { times }), (end) => addSign(formatFixed(end, decimals))),
  },
  needed: {
    head: 'battles\nto tell',
    spare: 2,
    about: 'about how many battles a difference of this size takes to be told from 0',
    cell: ({ pair: { verdict, battlesNeeded } }) =>
      verdict === 'tie' && battlesNeeded !== undefined ? formatSignificant(battlesNeeded, 2) : '',
  },
} as const satisfies Record<string, DeclaredColumn<PairRow>>;

function createPairTable(result: Comparison, names: readonly string[]): SheetBlock[] {
  const { pairs, order } = result;
  const scale = getDifferenceScale(result);
  const known = pairs.some(({ exact }) => exact !== undefined);
  const apart = ({ first, second }: PairedDifference): number => Math.abs(order.indexOf(first) - order.indexOf(second));
  const place = ({ first, second }: PairedDifference): number => Math.min(order.indexOf(first), order.indexOf(second));
  const shown = pairs
    .filter((pair) => pairs.length <= MAX_PAIRS || apart(pair) === 1)
    .sort((a, b) => place(a) - place(b) || apart(a) - apart(b));
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
  return [table, ...(more > 0 ? [createOmission(`the ${formatGrouped(more)} pairs that are no neighbours`)] : [])];
}

function createRankingNotes(result: Comparison): SheetNote[] {
  const exact = result.standings.some((standing) => standing.exact !== undefined);
  return [
    createNote(
      exact
        ? 'Ranks and groups are by the exact answers; a shared letter: equal.'
        : 'Scenarios that share a letter cannot be told apart at this size; ranks are those that the intervals leave open. All intervals hold together with 95 % (Bonferroni).',
    ),
  ];
}

/** By how much differences of means that came in no battle may move those that are told; nothing for shares. */
export function createUnobservedNotes({ pairs, kind, of, battles }: Comparison): SheetNote[] {
  const most = Math.max(0, ...pairs.map(({ unobserved = 0 }) => unobserved));
  if (kind === 'outcome') return [];
  const rows = pairs.map((pair) => ({ ...pair, name: sanitizeLine(of) }));
  return [
    createNote(`differences that came in no battle may move these by up to ${formatShortUpperBound(most)}`),
    ...createDifferenceRangeNotes(rows, battles),
  ];
}

/** The answer of a comparison of two. */
const createVerdictBlock = (pair: PairedDifference, of: string, names: readonly string[]): SheetBlock =>
  createDrawing(
    (look) => wrapSentence(formatPairVerdict(pair, of, names, look.paint), look),
    [createAnswer(`${capitalize(formatPairVerdict(pair, of, names, PLAIN_PAINT))}.`)],
  );

/** The sheet of a comparison. @param names of the scenarios, in the order given */
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
