/** What one more or one fewer of something does, in points of the probability to win. */

import { opened, type Scenario } from '../../rules/index.ts';
import type { MovedByOne, SideMoved, WhatIf } from '../../studies/index.ts';
import { decimalsOf, SHARE, signed } from '../figure.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { fixed, plain } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { sharePercent } from './chances.ts';
import { type Counter, countersOf } from './counters.ts';
import { clauseOf, subjectOf } from './names.ts';

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
  readonly worth?: string | undefined;
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
  readonly side: ShownSide;
  readonly of: string;
  readonly counters: readonly Counter[];
}

/**
 * What is asked: of each side its own victory, or that of another one if it cannot win.
 * @param absent paths of types of units of which there are none
 */
export function questionsOf(scenario: Scenario, absent: readonly string[] = []): WhatIfQuestion[] {
  const sides = sidesOf(scenario);
  const { outcomes } = opened(scenario).shape;
  const won = sides.filter(({ id }) => outcomes.includes(id));
  return sides.flatMap((side): WhatIfQuestion[] => {
    const of = (won.find(({ id }) => id === side.id) ?? won[0])?.id ?? outcomes[0];
    const counters = countersOf(scenario, sides, side, absent);
    return of === undefined || counters.length === 0 ? [] : [{ side, of, counters }];
  });
}

/** With a minus as wide as the plus. */
const signedPoints = (value: number, decimals: number): string => signed(fixed(value, decimals)).replace('-', '−');

/** `+4.21`, of battles played `+4.2 ± 0.3`. */
function pointsText({ effect, ci95, exact, differs }: NonNullable<MovedByOne['more']>): string {
  if (!differs) return '0';
  const decimals = decimalsOf({ value: effect, interval: exact ? undefined : ci95 }, SHARE, 2);
  const half = exact ? '' : ` ± ${fixed((SHARE.times * (ci95[1] - ci95[0])) / 2, decimals)}`;
  return signedPoints(SHARE.times * effect, decimals) + half;
}

function rowOf({ path, name, value, price }: Counter, moved: MovedByOne | undefined, p: number): WhatIfRow {
  const { more, fewer } = moved ?? {};
  const points = 100 * (more?.effect ?? 0);
  const after = more && Math.min(1, Math.max(0, p + more.effect));
  const priced = price !== undefined && price > 0;
  return {
    ...{ path, name, value, points },
    more: more && pointsText(more),
    fewer: fewer && pointsText(fewer),
    after: after === undefined ? undefined : sharePercent(after, more?.exact === true ? 2 : 1),
    price: price === undefined ? undefined : plain(price),
    worth: more !== undefined && priced ? signedPoints(points / price, 2) : undefined,
  };
}

/** Effects below this many points are none that anybody plays for. */
const LITTLE = 0.005;

function leadLine(rows: readonly WhatIfRow[], subject: string, of: string, own: boolean): string[] {
  const [best] = rows;
  if (best === undefined || Math.abs(best.points) < LITTLE)
    return [`Nothing that ${subject} could have one more of helps.`];
  const to = ({ after = '' }: WhatIfRow): string => (own ? `to ${after}` : `so that ${of} in ${after}`);
  const there = best.value === 0 ? rows.find(({ value }) => value > 0) : undefined;
  const also =
    there && `Of what is there, one more ${there.name} helps most: ${there.more ?? ''} points, ${to(there)}.`;
  const first = `One more ${best.name} helps ${subject} most: ${best.more ?? ''} points, ${to(best)}.`;
  return also === undefined ? [first] : [first, also];
}

/** The most for its price, if that is another one. */
function worthLine(rows: readonly WhatIfRow[], best: WhatIfRow | undefined, sign: number): string[] {
  const worthOf = ({ points, price }: WhatIfRow): number => (sign * points) / Number(price);
  const priced = rows.filter(({ worth, points }) => worth !== undefined && sign * points > LITTLE);
  const most = priced.toSorted((a, b) => worthOf(b) - worthOf(a))[0];
  if (most === undefined || priced.length < 2) return [];
  const same = most === best ? 'It also gives' : `For the same price ${most.name} gives`;
  return [`${same} most: ${most.worth ?? ''} for each 1 that it costs (${most.price ?? ''}).`];
}

function tableOf(
  { side, of, counters }: WhatIfQuestion,
  { p, moved }: SideMoved,
  sides: readonly ShownSide[],
): WhatIfTable {
  const known = new Map(moved.map((each) => [each.path, each]));
  const own = of === side.id;
  const sign = own ? 1 : -1;
  const rows = counters
    .filter(({ path }) => known.has(path))
    .map((counter) => rowOf(counter, known.get(counter.path), p))
    .toSorted((a, b) => sign * (b.points - a.points));
  const helping = rows.filter(({ more, points }) => more !== undefined && sign * points > 0);
  const subject = subjectOf(side).text;
  const clause = clauseOf(of, sides);
  const [first = '', ...also] = leadLine(helping, subject, clause, own);
  return {
    side: sentence(subject),
    tone: side.tone,
    of: clause,
    now: sharePercent(p),
    lines: [first, ...worthLine(rows, helping[0], sign), ...also],
    rows,
  };
}

export function whatIfTables(scenario: Scenario, questions: readonly WhatIfQuestion[], found: WhatIf): WhatIfTable[] {
  const sides = sidesOf(scenario);
  return questions.flatMap((question) => {
    const result = found.sides.find(({ id }) => id === question.side.id);
    return result === undefined || result.moved.length === 0 ? [] : [tableOf(question, result, sides)];
  });
}
