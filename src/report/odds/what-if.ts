/** What one more or one fewer of something does, in points of the probability to win. */

import type { FieldMoveEffect, SideMoveEffects, WhatIfResult } from '../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { getSides, type ScenarioSide } from '../scenario/sides.ts';
import { addSign, countDecimals, SHARE } from '../sheet/estimated-value.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatFixed, formatNumber } from '../text/number-format.ts';
import { createSubject, formatOutcomeClause } from './outcome-names.ts';
import { formatSharePercent } from './probability-text.ts';
import { listUnitCounts, type UnitCount } from './unit-counts.ts';

/** One number of a side, moved. */
export interface WhatIfRow {
  readonly path: string;
  readonly name: string;
  readonly value: number;
  /** `+4.2`, `+4.2 ± 0.3`: points that one more, or one fewer, gives. Undefined where it cannot be. */
  readonly more?: string | undefined;
  readonly fewer?: string | undefined;
  /** The probability then. */
  readonly after?: string | undefined;
  /** The change by one more, in points, to be drawn. */
  readonly points: number;
  readonly price?: string | undefined;
  /** Points of probability for a point of price. */
  readonly valueForPrice?: string | undefined;
}

export interface WhatIfTable {
  readonly side: string;
  readonly tone: number;
  /** `the attacker wins`: what the probability is of. */
  readonly of: string;
  readonly now: string;
  /** `One more cannon helps the attacker most: +11.2 points, to 47.5 %.` */
  readonly lines: readonly string[];
  /** What helps the side most first. */
  readonly rows: readonly WhatIfRow[];
}

/** A side, the outcome that it is looked at by, and what it can have more of. */
export interface WhatIfQuestion {
  readonly side: ScenarioSide;
  readonly of: string;
  readonly counters: readonly UnitCount[];
}

/**
 * What is asked: of each side its own victory, or that of another one if it cannot win.
 * @param absent paths of types of units of which there are none
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

/** With a minus as wide as the plus. */
const signedPoints = (value: number, decimals: number): string =>
  addSign(formatFixed(value, decimals)).replace('-', '−');

/** `+4.21`, of battles played `+4.2 ± 0.3`. */
function formatEffect({ effect, ci95, exact, differs }: NonNullable<FieldMoveEffect['more']>): string {
  if (!differs) return '0';
  const decimals = countDecimals({ value: effect, interval: exact ? undefined : ci95 }, SHARE, 2);
  const half = exact ? '' : ` ± ${formatFixed((SHARE.times * (ci95[1] - ci95[0])) / 2, decimals)}`;
  return signedPoints(SHARE.times * effect, decimals) + half;
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
    valueForPrice: more !== undefined && priced ? signedPoints(points / price, 2) : undefined,
  };
}

/** Effects below this many points are none that anybody plays for. */
const NEGLIGIBLE_POINTS = 0.005;

function formatBestChange(rows: readonly WhatIfRow[], subject: string, of: string, own: boolean): string[] {
  const [best] = rows;
  if (best === undefined || Math.abs(best.points) < NEGLIGIBLE_POINTS)
    return [`Nothing that ${subject} could have one more of helps.`];
  const to = ({ after = '' }: WhatIfRow): string => (own ? `to ${after}` : `so that ${of} in ${after}`);
  const there = best.value === 0 ? rows.find(({ value }) => value > 0) : undefined;
  const also =
    there && `Of what is there, one more ${there.name} helps most: ${there.more ?? ''} points, ${to(there)}.`;
  const first = `One more ${best.name} helps ${subject} most: ${best.more ?? ''} points, ${to(best)}.`;
  return also === undefined ? [first] : [first, also];
}

/** The most for its price, if that is another one. */
function formatBestValueForPrice(rows: readonly WhatIfRow[], best: WhatIfRow | undefined, sign: number): string[] {
  const getValueForPrice = ({ points, price }: WhatIfRow): number => (sign * points) / Number(price);
  const priced = rows.filter(
    ({ valueForPrice, points }) => valueForPrice !== undefined && sign * points > NEGLIGIBLE_POINTS,
  );
  const most = priced.toSorted((a, b) => getValueForPrice(b) - getValueForPrice(a))[0];
  if (most === undefined || priced.length < 2) return [];
  const same = most === best ? 'It also gives' : `For the same price ${most.name} gives`;
  return [`${same} most: ${most.valueForPrice ?? ''} for each 1 that it costs (${most.price ?? ''}).`];
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
