/** What `compare` prints for people. */
import type { Comparison, Pairing, Standing } from '../studies/index.ts';
import {
  DIFFERENCE_COLUMNS,
  differenceNotes,
  differenceTables,
  figureOf,
  gained,
  gainNotes,
  rangeNotes,
} from './diff.ts';
import { decimalsOf, endsText, exactText, gapScaleOf, type Kind, type Scale, scaled, signed } from './figure.ts';
import {
  answer,
  bold,
  type DeclaredColumn,
  drawing,
  factLine,
  grid,
  leftOut,
  note,
  type Sheet,
  type SheetBlock,
  type SheetNote,
} from './parts.ts';
import { clean } from './text/clean.ts';
import { fixed, grouped, shortBound, significant } from './text/digits.ts';
import { sentence } from './text/sentence.ts';
import { flowed, type Look, PLAIN } from './text/table.ts';

/** More pairs than these are too many for a glance: then only neighbours in rank are shown. */
const PAIRS = 15;

/** What figures of a comparison are counted in, in the head of a column. */
export const unitOf = ({ kind }: { readonly kind: Kind }): string => (kind === 'outcome' ? '%' : 'mean');

/** What can be said of battles that would show a difference. */
function outlook({ needed, differing }: Pairing): string {
  if (needed !== undefined) return `to show the estimated one takes about ${significant(needed, 2)} battles`;
  return differing > 0 ? 'the estimates are equal' : 'no battle differs';
}

/** One sentence on two scenarios. */
export function pairVerdict(pair: Pairing, of: string, names: readonly string[], paint: Look['paint']): string {
  const [one, two] = [clean(names[pair.first] ?? ''), clean(names[pair.second] ?? '')];
  const [high, low] = pair.verdict === 'higher' ? [two, one] : [one, two];
  if (pair.exact === 0) return `${of}: a tie, by the exact answers`;
  if (pair.verdict === 'tie') return `${of}: ${paint.yellow('no difference found at this size')}; ${outlook(pair)}`;
  const [left, right] = pair.ci95;
  const unseen = left <= 0 && right >= 0 ? `; these battles show no difference (${outlook(pair)})` : '';
  const known = pair.exact === undefined ? '' : `, by the exact answers${unseen}`;
  return `${of}: ${paint.bold(high)} is higher than ${paint.bold(low)}${known}`;
}

/** `a`, `b`, ..., `z`, `aa`, ...: statistics' letters for groups. */
function letter(group: number): string {
  const last = String.fromCharCode(97 + (group % 26));
  return group < 26 ? last : letter(Math.floor(group / 26) - 1) + last;
}

/** A scenario of a ranking, and how its figures are shown. */
interface Ranked extends Standing {
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
} as const satisfies Record<string, DeclaredColumn<Ranked>>;

/** The figure of each scenario. */
const valueColumn = (head: string): DeclaredColumn<Ranked> => ({
  ...{ head, named: true, align: 'point', about: '' },
  cell: ({ value, scale, decimals }) => bold(fixed(scale.times * value, decimals)),
});

const exactColumn = (head: string): DeclaredColumn<Ranked> => ({
  ...{ head, align: 'point', about: '' },
  cell: ({ exact, scale, decimals }) => (exact === undefined ? '' : exactText(scale, exact, decimals)),
});

export function rankingTable(result: Comparison, names: readonly string[]): SheetBlock[] {
  const { of, order, standings, groups } = result;
  const scale = gapScaleOf(result);
  const unit = unitOf(result);
  const rows = order.flatMap((s): Ranked[] => {
    const standing = standings[s];
    if (standing === undefined) return [];
    const letters = groups.map((group, g) => (group.includes(s) ? letter(g) : ' ')).join('');
    const decimals = decimalsOf({ value: standing.value, interval: standing.ci95 }, scale, scale.decimals);
    return [{ ...standing, name: names[s] ?? '', letters, scale, decimals }];
  });
  const known = standings.some(({ exact }) => exact !== undefined);
  const { scenario, rank, group } = RANKING_COLUMNS;
  const exact = known ? [exactColumn(`exact ${unit}`)] : [];
  return [grid<Ranked>([scenario, rank, valueColumn(`${of}, ${unit}`), ...exact, group], rows)];
}

/** A pair with the scenario that is higher in the order first. */
interface Gap {
  readonly pair: Pairing;
  readonly name: string;
  /** Makes the difference the higher's less the lower's, in what it is shown in. */
  readonly times: number;
  readonly scale: Scale;
  readonly decimals: number;
}

function gapOf(pair: Pairing, order: readonly number[], names: readonly string[], scale: Scale): Gap {
  const swapped = order.indexOf(pair.second) < order.indexOf(pair.first);
  const [high, low] = swapped ? [pair.second, pair.first] : [pair.first, pair.second];
  return {
    pair,
    name: `${names[high] ?? ''} - ${names[low] ?? ''}`,
    times: swapped ? scale.times : -scale.times,
    scale,
    decimals: decimalsOf(figureOf(pair), scale, scale.decimals),
  };
}

export const GAP_COLUMNS = {
  interval: {
    head: '95 % interval,\nall at once',
    about: 'the same, valid for all pairs together (Bonferroni)',
    cell: ({ pair, times, decimals }) => endsText(scaled(pair.ci95, { times }), (end) => signed(fixed(end, decimals))),
  },
  needed: {
    head: 'battles\nto tell',
    spare: 2,
    about: 'about how many battles a difference of this size takes to be told from 0',
    cell: ({ pair: { verdict, needed } }) => (verdict === 'tie' && needed !== undefined ? significant(needed, 2) : ''),
  },
} as const satisfies Record<string, DeclaredColumn<Gap>>;

function gapTable(result: Comparison, names: readonly string[]): SheetBlock[] {
  const { pairs, order } = result;
  const scale = gapScaleOf(result);
  const known = pairs.some(({ exact }) => exact !== undefined);
  const apart = ({ first, second }: Pairing): number => Math.abs(order.indexOf(first) - order.indexOf(second));
  const place = ({ first, second }: Pairing): number => Math.min(order.indexOf(first), order.indexOf(second));
  const shown = pairs
    .filter((pair) => pairs.length <= PAIRS || apart(pair) === 1)
    .sort((a, b) => place(a) - place(b) || apart(a) - apart(b));
  const { difference, exact, gain } = DIFFERENCE_COLUMNS;
  const { interval, needed } = GAP_COLUMNS;
  const table = grid<Gap>(
    [
      { ...difference, align: 'left', cell: ({ name }) => name },
      {
        ...difference,
        head: unitOf(result),
        cell: ({ pair, times, decimals }) => signed(fixed(times * pair.difference, decimals)),
      },
      interval,
      ...(known
        ? [
            {
              ...exact,
              cell: ({ pair, times, scale: own, decimals }: Gap) =>
                signed(exactText({ ...own, times }, pair.exact ?? 0, decimals)),
            },
          ]
        : []),
      { ...gain, cell: ({ pair }) => gained(pair) },
      ...(known ? [] : [needed]),
    ],
    shown.map((pair) => gapOf(pair, order, names, scale)),
  );
  const more = pairs.length - shown.length;
  return [table, ...(more > 0 ? [leftOut(`the ${grouped(more)} pairs that are no neighbours`)] : [])];
}

function rankingNotes(result: Comparison): SheetNote[] {
  const exact = result.standings.some((standing) => standing.exact !== undefined);
  return [
    note(
      exact
        ? 'Ranks and groups are by the exact answers; a shared letter: equal.'
        : 'Scenarios that share a letter cannot be told apart at this size; ranks are those that the intervals leave open. All intervals hold together with 95 % (Bonferroni).',
    ),
  ];
}

/** By how much differences of means that came in no battle may move those that are told; nothing for shares. */
export function unseenNote({ pairs, kind, of, battles }: Comparison): SheetNote[] {
  const most = Math.max(0, ...pairs.map(({ unseen = 0 }) => unseen));
  if (kind === 'outcome') return [];
  const rows = pairs.map((pair) => ({ ...pair, name: clean(of) }));
  return [
    note(`differences that came in no battle may move these by up to ${shortBound(most)}`),
    ...rangeNotes(rows, battles),
  ];
}

/** The answer of a comparison of two. */
const verdictPart = (pair: Pairing, of: string, names: readonly string[]): SheetBlock =>
  drawing(
    (look) => flowed(pairVerdict(pair, of, names, look.paint), look),
    [answer(`${sentence(pairVerdict(pair, of, names, PLAIN))}.`)],
  );

/** The sheet of a comparison. @param names of the scenarios, in the order given */
export function compareSheet(result: Comparison, names: readonly string[]): Sheet {
  const { battles, seed, from, pairs, all, of, bounded } = result;
  const titles = names.length === 2 ? names.map(clean) : [`${String(names.length)} scenarios`];
  const facts = [`${grouped(battles)} battles each${from > 0 ? ` from ${grouped(from)}` : ''}`, 'the same dice'];
  const heading = [factLine([...titles.map(bold), ...facts, `seed ${seed}`])];
  const [one = '', two = ''] = names;
  if (all === undefined)
    return [
      heading,
      rankingTable(result, names),
      gapTable(result, names),
      [...rankingNotes(result), ...unseenNote(result), ...gainNotes(bounded)],
    ];
  const verdicts = pairs.map((pair) => verdictPart(pair, clean(of), names));
  return [heading, ...differenceTables(all, [one, two]), verdicts, differenceNotes(all)];
}
