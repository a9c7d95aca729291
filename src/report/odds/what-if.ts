/** Effects of one more or one fewer unit on the win probability, in percentage points. */

import type { FieldMoveEffect, SideMoveEffects, WhatIfResult } from '../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { addSign, countDecimals, SHARE } from '../sheet/estimated-value.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatFixed, formatNumber } from '../text/number-format.ts';
import { createSubject, formatOutcomeClause } from './outcome-names.ts';
import { formatSharePercent } from './probability-text.ts';
import { listUnitCounts, type UnitCount } from './unit-counts.ts';

/** Effects of varying one number of a side. */
export interface WhatIfRow {
  readonly path: string;
  readonly name: string;
  readonly value: number;
  /** `+4.2`, `+4.2 ± 0.3`: effects of one more and one fewer, in percentage points. Undefined if not allowed. */
  readonly more?: string | undefined;
  readonly fewer?: string | undefined;
  /** Probability with one more. */
  readonly after?: string | undefined;
  /** Effect of one more, in percentage points, for the bar. */
  readonly points: number;
  readonly price?: string | undefined;
  /** Effect divided by the price. */
  readonly valueForPrice?: string | undefined;
}

export interface WhatIfTable {
  readonly side: string;
  readonly tone: number;
  /** Event of the probability: `the attacker wins`. */
  readonly of: string;
  readonly now: string;
  /** `One more cannon helps the attacker most: +11.2 points, to 47.5 %.` */
  readonly lines: readonly string[];
  /** Rows, the most helpful first. */
  readonly rows: readonly WhatIfRow[];
}

/** Side, outcome of its probability, and its numbers that can be varied. */
export interface WhatIfQuestion {
  readonly side: ScenarioSide;
  readonly of: string;
  readonly counters: readonly UnitCount[];
}

/**
 * Lists the questions: for each side its win, or the win of another side if it cannot win.
 * @param absent paths of types of units with count 0
 */
export function createWhatIfQuestions(scenario: Scenario, absent: readonly string[] = []): WhatIfQuestion[] {
  const sides = getSides(scenario);
  const { outcomes } = getBoundScenario(scenario).shape;
  const won = sides.filter(({ id }) => outcomes.includes(id));
  return sides.flatMap((side): WhatIfQuestion[] => {
    const of = (won.find(({ id }) => id === side.id) ?? won[0])?.id ?? outcomes[0];
    const counters = listUnitCounts(scenario, sides, side, absent);
    return of === undefined || counters.length === 0 ? [] : [{ side, of, counters }];
  });
}

/** Formats a number with a sign; the minus sign has the width of the plus sign. */
const formatSignedPoints = (value: number, decimals: number): string =>
  addSign(formatFixed(value, decimals)).replace('-', '−');

/** `+4.21`; simulated: `+4.2 ± 0.3`. */
function formatEffect({ effect, ci95, exact, differs }: NonNullable<FieldMoveEffect['more']>): string {
  if (!differs) return '0';
  const decimals = countDecimals({ value: effect, interval: exact ? undefined : ci95 }, SHARE, 2);
  const half = exact ? '' : ` ± ${formatFixed((SHARE.times * (ci95[1] - ci95[0])) / 2, decimals)}`;
  return formatSignedPoints(SHARE.times * effect, decimals) + half;
}

function createWhatIfRow(
  { path, name, value, price }: UnitCount,
  moved: FieldMoveEffect | undefined,
  p: number,
): WhatIfRow {
  const { more, fewer } = moved ?? {};
  const points = 100 * (more?.effect ?? 0);
  const after = more && Math.min(1, Math.max(0, p + more.effect));
  const priced = price !== undefined && price > 0;
  return {
    ...{ path, name, value, points },
    more: more && formatEffect(more),
    fewer: fewer && formatEffect(fewer),
    after: after === undefined ? undefined : formatSharePercent(after, more?.exact === true ? 2 : 1),
    price: price === undefined ? undefined : formatNumber(price),
    valueForPrice: more !== undefined && priced ? formatSignedPoints(points / price, 2) : undefined,
  };
}

/** Smaller effects, in percentage points, are negligible. */
const NEGLIGIBLE_POINTS = 0.005;

function formatBestChange(rows: readonly WhatIfRow[], subject: string, of: string, own: boolean): string[] {
  const [best] = rows;
  if (best === undefined || Math.abs(best.points) < NEGLIGIBLE_POINTS) return [`No single addition helps ${subject}.`];
  const to = ({ after = '' }: WhatIfRow): string => (own ? `to ${after}` : `so that ${of} in ${after}`);
  const there = best.value === 0 ? rows.find(({ value }) => value > 0) : undefined;
  const also =
    there && `Of units already present, one more ${there.name} helps most: ${there.more ?? ''} points, ${to(there)}.`;
  const first = `One more ${best.name} helps ${subject} most: ${best.more ?? ''} points, ${to(best)}.`;
  return also === undefined ? [first] : [first, also];
}

/** Names the best effect for its price. */
function formatBestValueForPrice(rows: readonly WhatIfRow[], best: WhatIfRow | undefined, sign: number): string[] {
  const getValueForPrice = ({ points, price }: WhatIfRow): number => (sign * points) / Number(price);
  const priced = rows.filter(
    ({ valueForPrice, points }) => valueForPrice !== undefined && sign * points > NEGLIGIBLE_POINTS,
  );
  const most = priced.toSorted((a, b) => getValueForPrice(b) - getValueForPrice(a))[0];
  if (most === undefined || priced.length < 2) return [];
  const same = most === best ? 'It also gives' : `For its price, ${most.name} gives`;
  return [`${same} most: ${most.valueForPrice ?? ''} points for each 1 of cost (${most.price ?? ''}).`];
}

function createWhatIfTable(
  { side, of, counters }: WhatIfQuestion,
  { p, moved }: SideMoveEffects,
  sides: readonly ScenarioSide[],
): WhatIfTable {
  const known = new Map(moved.map((each) => [each.path, each]));
  const own = of === side.id;
  const sign = own ? 1 : -1;
  const rows = counters
    .filter(({ path }) => known.has(path))
    .map((counter) => createWhatIfRow(counter, known.get(counter.path), p))
    .toSorted((a, b) => sign * (b.points - a.points));
  const helping = rows.filter(({ more, points }) => more !== undefined && sign * points > 0);
  const subject = createSubject(side).text;
  const clause = formatOutcomeClause(of, sides);
  const [first = '', ...also] = formatBestChange(helping, subject, clause, own);
  return {
    side: capitalize(subject),
    tone: side.tone,
    of: clause,
    now: formatSharePercent(p),
    lines: [first, ...formatBestValueForPrice(rows, helping[0], sign), ...also],
    rows,
  };
}

export function createWhatIfTables(
  scenario: Scenario,
  questions: readonly WhatIfQuestion[],
  found: WhatIfResult,
): WhatIfTable[] {
  const sides = getSides(scenario);
  return questions.flatMap((question) => {
    const result = found.sides.find(({ id }) => id === question.side.id);
    return result === undefined || result.moved.length === 0 ? [] : [createWhatIfTable(question, result, sides)];
  });
}
