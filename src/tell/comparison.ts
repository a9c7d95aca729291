/** What `compare` prints for people. */
import type { Comparison, Pairing, Standing } from '../studies/comparing/compare.ts';
import { differenceNotes, differenceTables, gained, gainNotes, type Sides } from './diff.ts';
import { decimalsOf, endsText, gapScaleOf, type Kind, type Scale, scaled, signed } from './figure.ts';
import { clean } from './text/clean.ts';
import { exactly, fixed, grouped, shortBound, significant } from './text/digits.ts';
import { type Column, columns, dotted, flowed, type Look, said } from './text/table.ts';

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

export function rankingTable(result: Comparison, names: readonly string[], look: Look): string[] {
  const scale = gapScaleOf(result);
  const unit = unitOf(result);
  const known = result.standings.some(({ exact }) => exact !== undefined);
  const exact: Column[] = known ? [{ head: `exact ${unit}`, align: 'point' }] : [];
  const heads: Column[] = [
    { head: 'scenario', align: 'left' },
    { head: 'rank' },
    { head: `${result.of}, ${unit}`, named: true, align: 'point' },
    ...exact,
    { head: 'group', align: 'left' },
  ];
  const row = (s: number, { value, ci95, exact: law, rank: [best, worst] }: Standing): string[] => {
    const decimals = decimalsOf(ci95, scale, scale.decimals);
    return [
      names[s] ?? '',
      best === worst ? String(best) : `${String(best)}-${String(worst)}`,
      look.paint.bold(fixed(scale.times * value, decimals)),
      ...(law === undefined ? [] : [exactly(scale.times * law, decimals + 2)]),
      result.groups.map((group, g) => (group.includes(s) ? letter(g) : ' ')).join(''),
    ];
  };
  const rows = result.order.flatMap((s) => {
    const standing = result.standings[s];
    return standing === undefined ? [] : [row(s, standing)];
  });
  return columns(heads, rows, look);
}

/** A pair with the scenario that is higher in the order first, and what is shown of it. */
function gapRow(pair: Pairing, order: readonly number[], names: readonly string[], scale: Scale, known: boolean) {
  const swapped = order.indexOf(pair.second) < order.indexOf(pair.first);
  const times = swapped ? scale.times : -scale.times;
  const [high, low] = swapped ? [pair.second, pair.first] : [pair.first, pair.second];
  const decimals = decimalsOf(pair.ci95, scale, scale.decimals);
  const show = (value: number): string => signed(fixed(value, decimals));
  return [
    `${names[high] ?? ''} - ${names[low] ?? ''}`,
    show(times * pair.difference),
    endsText(scaled(pair.ci95, { times }), show),
    ...(known ? [signed(exactly(times * (pair.exact ?? 0), decimals + 2))] : []),
    gained(pair),
    ...(known ? [] : [pair.verdict === 'tie' && pair.needed !== undefined ? significant(pair.needed, 2) : '']),
  ];
}

export function gapTable(result: Comparison, names: readonly string[], look: Look): string[] {
  const { pairs, order } = result;
  const scale = gapScaleOf(result);
  const known = pairs.some(({ exact }) => exact !== undefined);
  const apart = ({ first, second }: Pairing): number => Math.abs(order.indexOf(first) - order.indexOf(second));
  const place = ({ first, second }: Pairing): number => Math.min(order.indexOf(first), order.indexOf(second));
  const shown = pairs
    .filter((pair) => pairs.length <= PAIRS || apart(pair) === 1)
    .sort((a, b) => place(a) - place(b) || apart(a) - apart(b));
  const heads: Column[] = [
    { head: 'difference', align: 'left' },
    { head: unitOf(result), align: 'point' },
    { head: '95 % interval,\nall at once' },
    ...(known ? [{ head: 'exact', align: 'point' } as const] : []),
    { head: 'gain', spare: 1 },
    ...(known ? [] : [{ head: 'battles\nto tell', spare: 2 }]),
  ];
  const rows = shown.map((pair) => gapRow(pair, order, names, scale, known));
  const more = pairs.length - shown.length;
  const note = `(--json also has the ${grouped(more)} pairs that are no neighbours)`;
  return [...columns(heads, rows, look), ...(more > 0 ? said(note, look) : [])];
}

export function rankingNotes(result: Comparison, look: Look): string[] {
  const exact = result.standings.some((standing) => standing.exact !== undefined);
  const lines = exact
    ? ['Ranks and groups are by the exact answers; a shared letter: equal.']
    : [
        'Scenarios that share a letter cannot be told apart at this size; ranks are those that the intervals leave open. All intervals hold together with 95 % (Bonferroni).',
      ];
  return lines.flatMap((line) => said(line, look));
}

/** By how much differences of means that came in no battle may move those that are told; nothing for shares. */
export function unseenNote({ pairs, kind }: Comparison, look: Look): string[] {
  const most = Math.max(0, ...pairs.map(({ unseen = 0 }) => unseen));
  if (kind === 'outcome') return [];
  return said(`differences that came in no battle may move these by up to ${shortBound(most)}`, look);
}

/** The sheet of a comparison. @param names of the scenarios, in the order given */
export function compareSheet(result: Comparison, names: readonly string[], look: Look): string {
  const { battles, seed, from, pairs, all, of, bounded } = result;
  const { paint } = look;
  const titles = names.length === 2 ? names.map((name) => paint.bold(clean(name))) : [];
  const facts = [
    ...(names.length === 2 ? [] : [paint.bold(`${String(names.length)} scenarios`)]),
    `${grouped(battles)} battles each${from > 0 ? ` from ${grouped(from)}` : ''}`,
    'the same dice',
    `seed ${seed}`,
  ];
  const heading = dotted([...titles, ...facts], look);
  const [one = '', two = ''] = names;
  const sides: Sides = [one, two];
  const blocks =
    all === undefined
      ? [
          heading,
          rankingTable(result, names, look),
          gapTable(result, names, look),
          [...rankingNotes(result, look), ...unseenNote(result, look), ...gainNotes(look, bounded)],
        ]
      : [
          heading,
          ...differenceTables(all, sides, look),
          pairs.flatMap((pair) => flowed(pairVerdict(pair, clean(of), names, paint), look)),
          differenceNotes(look, bounded),
        ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
