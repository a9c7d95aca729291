/** Report of `compare --best`. */
import type { BestScenario, Comparison, PairedDifference } from '../../analysis/index.ts';
import {
  countDecimals,
  formatExactValue,
  formatRange,
  getDifferenceScale,
  type Scale,
  scaleInterval,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createAnswer,
  createDrawing,
  createFactLine,
  createNote,
  type Sheet,
  type SheetBlock,
  type SheetNote,
  type TableCell,
} from '../sheet/sheet.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatExact, formatFixed, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { PLAIN_PAINT, type TerminalStyle, type TextColumn, wrapSentence } from '../text/table.ts';
import { createUnobservedNotes, getColumnUnit } from './comparison.ts';
import { BOUNDED, toEstimatedValue } from './rules-comparison.ts';

/** Unit of differences of shares; empty for means. */
const formatPointsUnit = ({ part }: Scale): string => (part ? ' percentage points' : '');

/** Unit of differences in column heads. */
const formatPointsHeading = ({ part }: Scale): string => (part ? ',\npercentage points' : '');

/** Finds the pair of two scenarios, and the sign that makes its difference `one` minus `two`. */
function findPair(
  { pairs }: Comparison,
  one: number,
  two: number,
): { pair: PairedDifference | undefined; sign: number } {
  const [first, second] = [Math.min(one, two), Math.max(one, two)];
  const pair = pairs.find((each) => each.first === first && each.second === second);
  return { pair, sign: one === second ? 1 : -1 };
}

/** `-2.4 .. -1.2`: formats the difference of two scenarios. */
function formatDifference(result: Comparison, one: number, two: number, scale: Scale): string {
  const { pair, sign } = findPair(result, one, two);
  if (pair === undefined) return '';
  if (result.best?.reason === 'exact') return formatExact(sign * scale.times * (pair.exact ?? 0), 4);
  const decimals = countDecimals(toEstimatedValue(pair), scale, scale.decimals);
  return formatRange(scaleInterval(pair.ci95, { times: sign * scale.times }), (end) => formatFixed(end, decimals));
}

function createBestTable(result: Comparison, best: BestScenario, names: readonly string[]): SheetBlock[] {
  const scale = getDifferenceScale(result);
  const unit = getColumnUnit(result);
  const known = best.reason === 'exact';
  const heads: TextColumn[] = [
    { head: 'scenario', align: 'left' },
    { head: `${result.of}, ${unit}`, isName: true, align: 'point' },
    ...(known ? [{ head: `exact ${unit}`, align: 'point' } as const] : []),
    { head: 'battles', spare: 2 },
    { head: 'eliminated\nat analysis', spare: 1 },
    { head: best.goal === 'highest' ? 'lower than' : 'higher than', align: 'left', breaks: true },
    { head: `${known ? 'difference' : 'difference,\nsimultaneous 95 %'}${formatPointsHeading(scale)}` },
  ];
  const rows = result.order.map((s): TableCell[] => {
    const { value = 0, ci95: interval, exact = 0 } = result.standings[s] ?? {};
    const drop = best.eliminated.find(({ scenario }) => scenario === s);
    const decimals = countDecimals({ value, interval }, scale, scale.decimals);
    return [
      names[s] ?? '',
      bold(formatFixed(scale.times * value, decimals)),
      ...(known ? [formatExactValue(scale, exact, decimals)] : []),
      formatGrouped(best.simulated[s] ?? 0),
      drop === undefined ? '' : String(drop.analysis),
      drop === undefined ? '' : sanitizeLine(names[drop.against] ?? ''),
      drop === undefined ? '' : formatDifference(result, s, drop.against, scale),
    ];
  });
  return [{ kind: 'table', heads, rows }];
}

/** Formats the largest possible difference of the remaining scenarios. Empty if only one remains. */
function formatRemainingDifference({ pairs }: Comparison, { remaining }: BestScenario, scale: Scale): string {
  const inPlay = pairs.filter(({ first, second }) => remaining.includes(first) && remaining.includes(second));
  const ends = inPlay.map(({ ci95: [low, high] }) => Math.max(-low, high));
  const most = Math.max(...ends);
  if (!Number.isFinite(most)) return '';
  return `; they differ by ${formatFixed(scale.times * most, countDecimals({ interval: [0, most] }, scale, scale.decimals))}${formatPointsUnit(scale)} at most`;
}

/** Formats the result as one sentence. */
function formatBestVerdict(
  result: Comparison,
  best: BestScenario,
  names: readonly string[],
  paint: TerminalStyle['paint'],
): string {
  const of = sanitizeLine(result.of);
  const scale = getDifferenceScale(result);
  const left = best.remaining.map((s) => paint.bold(sanitizeLine(names[s] ?? ''))).join(', ');
  const known = best.reason === 'exact' ? ', by exact values' : '';
  if (best.remaining.length === 1) return `${of}: ${left} is the ${best.goal}${known}`;
  const tie = `${of}: ${paint.yellow('a tie')} of ${left}`;
  const { indifference = 0 } = best;
  const little = `${String(Number((scale.times * indifference).toPrecision(12)))}${formatPointsUnit(scale)}`;
  switch (best.reason) {
    case 'exact':
      return `${tie}${indifference > 0 ? `, within ${little}` : ''}${known}`;
    case 'indifference':
      return `${tie}: they differ by less than ${little}`;
    case 'interrupted':
      return `${tie} so far${formatRemainingDifference(result, best, scale)}`;
    default:
      return `${tie}: no significant difference after ${formatGrouped(result.battles)} battles each${formatRemainingDifference(result, best, scale)}`;
  }
}

function createBestNotes(result: Comparison, best: BestScenario, requestedBattles: number): SheetNote[] {
  const saved =
    best.reason === 'interrupted'
      ? 'interrupted'
      : `${formatGrouped(best.savedBattles)} of ${formatGrouped(requestedBattles)} battles saved`;
  const looks = `at most ${String(best.analyses.length)} interim analyses, the first after ${formatGrouped(best.analyses[0] ?? 0)} battles`;
  const error =
    'the intervals of all interim analyses, and all statements here, hold simultaneously with 95 % confidence';
  const lines = [
    `${saved}; ${looks}`,
    ...(best.reason === 'exact' ? [] : [error, ...(result.bounded ? [BOUNDED] : [])]),
  ];
  return [...lines.map((line) => createNote(line)), ...(best.reason === 'exact' ? [] : createUnobservedNotes(result))];
}

/**
 * Creates the report of a search for the best scenario.
 * @param names labels of the scenarios, in the requested order
 */
export function createBestScenarioSheet(result: Comparison, best: BestScenario, names: readonly string[]): Sheet {
  const { seed, from } = result;
  const most = best.analyses.at(-1) ?? 0;
  const facts = [
    `the ${best.goal} ${sanitizeLine(result.of)}`,
    `at most ${formatGrouped(most)} battles each${from > 0 ? ` from ${formatGrouped(from)}` : ''}`,
    'the same dice',
    `seed ${seed}`,
  ];
  return [
    [createFactLine([bold(`${String(names.length)} scenarios`), ...facts])],
    createBestTable(result, best, names),
    [
      createDrawing(
        (look) => wrapSentence(formatBestVerdict(result, best, names, look.paint), look),
        [createAnswer(`${capitalize(formatBestVerdict(result, best, names, PLAIN_PAINT))}.`)],
      ),
    ],
    createBestNotes(result, best, most * names.length),
  ];
}
