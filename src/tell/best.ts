/** What `compare --best` prints for people. */
import type { Best, Comparison, Pairing } from '../studies/index.ts';
import { unitOf, unseenNote } from './comparison.ts';
import { BOUNDED, figureOf } from './diff.ts';
import { decimalsOf, endsText, exactText, gapScaleOf, type Scale, scaled } from './figure.ts';
import {
  answer,
  bold,
  drawing,
  factLine,
  note,
  type Sheet,
  type SheetBlock,
  type SheetNote,
  type TableCell,
} from './parts.ts';
import { clean } from './text/clean.ts';
import { exactly, fixed, grouped } from './text/digits.ts';
import { sentence } from './text/sentence.ts';
import { type Column, flowed, type Look, PLAIN } from './text/table.ts';

/** What differences of shares are counted in; means have no word. */
const pointsOf = ({ part }: Scale): string => (part ? ' percentage points' : '');

/** The same in the head of a column. */
const pointsHead = ({ part }: Scale): string => (part ? ',\npercentage points' : '');

/** The pair of two scenarios, and the sign that makes its difference the first's minus the second's. */
function pairOf({ pairs }: Comparison, one: number, two: number): { pair: Pairing | undefined; sign: number } {
  const [first, second] = [Math.min(one, two), Math.max(one, two)];
  const pair = pairs.find((each) => each.first === first && each.second === second);
  return { pair, sign: one === second ? 1 : -1 };
}

/** `-2.4 .. -1.2`: by how much a scenario differs from another. */
function apart(result: Comparison, one: number, two: number, scale: Scale): string {
  const { pair, sign } = pairOf(result, one, two);
  if (pair === undefined) return '';
  if (result.best?.ended === 'exact') return exactly(sign * scale.times * (pair.exact ?? 0), 4);
  const decimals = decimalsOf(figureOf(pair), scale, scale.decimals);
  return endsText(scaled(pair.ci95, { times: sign * scale.times }), (end) => fixed(end, decimals));
}

function bestTable(result: Comparison, best: Best, names: readonly string[]): SheetBlock[] {
  const scale = gapScaleOf(result);
  const unit = unitOf(result);
  const known = best.ended === 'exact';
  const heads: Column[] = [
    { head: 'scenario', align: 'left' },
    { head: `${result.of}, ${unit}`, named: true, align: 'point' },
    ...(known ? [{ head: `exact ${unit}`, align: 'point' } as const] : []),
    { head: 'battles', spare: 2 },
    { head: 'dropped\nat look', spare: 1 },
    { head: best.wanted === 'highest' ? 'lower than' : 'higher than', align: 'left', breaks: true },
    { head: `${known ? 'difference' : 'difference,\n95 %, all at once'}${pointsHead(scale)}` },
  ];
  const rows = result.order.map((s): TableCell[] => {
    const { value = 0, ci95: interval, exact = 0 } = result.standings[s] ?? {};
    const drop = best.drops.find(({ scenario }) => scenario === s);
    const decimals = decimalsOf({ value, interval }, scale, scale.decimals);
    return [
      names[s] ?? '',
      bold(fixed(scale.times * value, decimals)),
      ...(known ? [exactText(scale, exact, decimals)] : []),
      grouped(best.played[s] ?? 0),
      drop === undefined ? '' : String(drop.look),
      drop === undefined ? '' : clean(names[drop.against] ?? ''),
      drop === undefined ? '' : apart(result, s, drop.against, scale),
    ];
  });
  return [{ kind: 'table', heads, rows }];
}

/** How far apart scenarios which are left may be; empty where all but one were dropped. */
function within({ pairs }: Comparison, { left }: Best, scale: Scale): string {
  const inPlay = pairs.filter(({ first, second }) => left.includes(first) && left.includes(second));
  const ends = inPlay.map(({ ci95: [low, high] }) => Math.max(-low, high));
  const most = Math.max(...ends);
  if (!Number.isFinite(most)) return '';
  return `; they differ by ${fixed(scale.times * most, decimalsOf({ interval: [0, most] }, scale, scale.decimals))}${pointsOf(scale)} at most`;
}

/** One sentence on what was found. */
function bestVerdict(result: Comparison, best: Best, names: readonly string[], paint: Look['paint']): string {
  const of = clean(result.of);
  const scale = gapScaleOf(result);
  const left = best.left.map((s) => paint.bold(clean(names[s] ?? ''))).join(', ');
  const known = best.ended === 'exact' ? ', by the exact answers' : '';
  if (best.left.length === 1) return `${of}: ${left} is the ${best.wanted}${known}`;
  const tie = `${of}: ${paint.yellow('a tie')} of ${left}`;
  const { indifference = 0 } = best;
  const little = `${String(Number((scale.times * indifference).toPrecision(12)))}${pointsOf(scale)}`;
  switch (best.ended) {
    case 'exact':
      return `${tie}${indifference > 0 ? `, within ${little}` : ''}${known}`;
    case 'indifference':
      return `${tie}: they differ by less than ${little}`;
    case 'interrupted':
      return `${tie} so far${within(result, best, scale)}`;
    default:
      return `${tie}: not told apart by ${grouped(result.battles)} battles each${within(result, best, scale)}`;
  }
}

function bestNotes(result: Comparison, best: Best, asked: number): SheetNote[] {
  const saved =
    best.ended === 'interrupted' ? 'interrupted' : `${grouped(best.saved)} of ${grouped(asked)} battles saved`;
  const looks = `${String(best.looks.length)} looks at most, the first after ${grouped(best.looks[0] ?? 0)} battles`;
  const error = 'all intervals of all looks hold together with 95 %, and with them all that is said here';
  const lines = [
    `${saved}; ${looks}`,
    ...(best.ended === 'exact' ? [] : [error, ...(result.bounded ? [BOUNDED] : [])]),
  ];
  return [...lines.map((line) => note(line)), ...(best.ended === 'exact' ? [] : unseenNote(result))];
}

/** The sheet of a search for the best. @param names of the scenarios, in the order given */
export function bestSheet(result: Comparison, best: Best, names: readonly string[]): Sheet {
  const { seed, from } = result;
  const most = best.looks.at(-1) ?? 0;
  const facts = [
    `the ${best.wanted} ${clean(result.of)}`,
    `at most ${grouped(most)} battles each${from > 0 ? ` from ${grouped(from)}` : ''}`,
    'the same dice',
    `seed ${seed}`,
  ];
  return [
    [factLine([bold(`${String(names.length)} scenarios`), ...facts])],
    bestTable(result, best, names),
    [
      drawing(
        (look) => flowed(bestVerdict(result, best, names, look.paint), look),
        [answer(`${sentence(bestVerdict(result, best, names, PLAIN))}.`)],
      ),
    ],
    bestNotes(result, best, most * names.length),
  ];
}
