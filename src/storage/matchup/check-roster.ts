/**
 * Checks sentences about the matchups of a roster, for `warpool assert`:
 *
 *     no army exceeds 60 % against the field
 *     no army is below 40 % against the field
 *     every army is in the support of the equilibrium
 *     every unit type is in the support of the equilibrium
 *
 * The share of an army against the field is its probability of victory, with half of all undecided battles: (1 + mean payoff) / 2.
 */
import { analyzeMatchups, type MatchupAnalysis } from '../../analysis/index.ts';
import type { ExpectationResult } from '../../analysis/node.ts';
import { findAmount, InputError } from '../../core/index.ts';
import { type Bounds, type Interval, judgeInterval, judgeValue } from '../../stats/index.ts';
import { matchup, type RunMatchupOptions } from './matchup.ts';
import type { MatchupResult } from './matchup-cells.ts';
import { ERROR_RATE } from './read-payoffs.ts';
import type { Roster } from './roster.ts';
import { listUnitTypes } from './unit-types.ts';

/** Value of a sentence, its interval and its bounds. */
interface RosterClaim {
  readonly of: string;
  readonly value: number;
  readonly interval: Interval;
  readonly bounds: Bounds;
}

const FIELD = /^no\s+army\s+(?<end>exceeds|is\s+below)\s+(?<share>\S+(?: %)?)\s+against\s+the\s+field$/u;

const SUPPORT = /^every\s+(?<what>army|unit\s+type)\s+is\s+in\s+the\s+support\s+of\s+the\s+equilibrium$/u;

const EXPECTED =
  '"no army exceeds 60 % against the field", "no army is below 40 % against the field", "every army is in the support of the equilibrium" or "every unit type is in the support of the equilibrium"';

/** Smaller probabilities are rounding errors. */
const WEIGHT_MIN = 1e-9;

/** Payoffs from -1 to 1 that count victories. */
const SHARE_PAYOFFS: readonly string[] = ['difference', 'win'];

const toShare = (payoff: number): number => (1 + payoff) / 2;

/** Claims that the least or the greatest share against the field is within a bound. */
function claimField({ symmetric, attackers }: MatchupAnalysis, isLeast: boolean, bound: number): RosterClaim {
  const ratings = (symmetric ?? attackers).ranking.map(({ rating }) => rating);
  const pick = isLeast ? Math.min : Math.max;
  const select = (end: 'value' | 'lower' | 'upper'): number => toShare(pick(...ratings.map((rating) => rating[end])));
  return {
    of: `${isLeast ? 'least' : 'greatest'} share of an army`,
    value: select('value'),
    interval: [select('lower'), select('upper')],
    bounds: isLeast ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound],
  };
}

/** Claims that no army, or no unit type, is missing in the equilibrium of the estimates. */
function claimSupport(
  { roster }: MatchupResult,
  { symmetric, equilibrium }: MatchupAnalysis,
  isArmy: boolean,
): RosterClaim {
  const mixes =
    symmetric === undefined ? [equilibrium.attackers, equilibrium.defenders] : [symmetric.equilibrium.armies];
  const used = new Set(
    mixes.flat().flatMap(({ army, weight, range }) => (Math.max(weight, range?.[1] ?? 0) > WEIGHT_MIN ? [army] : [])),
  );
  const armies = [...roster.attackers, ...roster.defenders];
  const types = isArmy ? undefined : listUnitTypes(roster);
  const listNames = (some: typeof armies): string[] =>
    some.flatMap((army) => (types === undefined ? [army.name] : [...(types.get(army) ?? [])]));
  const present = new Set(listNames(armies.filter(({ name }) => used.has(name))));
  const value = [...new Set(listNames(armies))].filter((name) => !present.has(name)).length;
  return {
    of: `${isArmy ? 'armies' : 'unit types'} outside the support`,
    value,
    interval: [value, value],
    bounds: [Number.NEGATIVE_INFINITY, 0],
  };
}

/** @param place of the sentence in messages */
function parseClaim(
  text: string,
  payoff: string,
  place: string,
): (result: MatchupResult, analysis: MatchupAnalysis) => RosterClaim {
  const field = FIELD.exec(text.trim())?.groups;
  const support = SUPPORT.exec(text.trim())?.groups;
  if (support !== undefined) return (result, analysis) => claimSupport(result, analysis, support['what'] === 'army');
  const bound = findAmount(field?.['share'] ?? '', ['%']);
  if (field === undefined || bound === undefined || !(bound.value >= 0 && bound.value <= 1))
    throw new InputError(place, EXPECTED, JSON.stringify(text));
  if (!SHARE_PAYOFFS.includes(payoff))
    throw new InputError(place, `the payoff ${SHARE_PAYOFFS.join(' or ')} for shares of victories`, `"${payoff}"`);
  const isLeast = field['end'] !== 'exceeds';
  return (_, analysis) => claimField(analysis, isLeast, bound.value);
}

const parseClaims = ({ expectations, payoff }: Roster) =>
  expectations.map(({ text, place }) => ({ text, place, claim: parseClaim(text, payoff.text, place) }));

/** Checks that the sentences of a roster file can be read. @throws InputError for the first invalid one */
export function checkRosterSentences(roster: Roster): void {
  parseClaims(roster);
}

/**
 * Checks whether the sentences of a roster file are true.
 * @throws InputError for an invalid sentence, or if the roster has none; the errors of `matchup`
 */
export async function checkRoster(roster: Roster, options: RunMatchupOptions = {}): Promise<ExpectationResult[]> {
  const { expectations, sweep } = roster;
  if (expectations.length === 0) throw new InputError(roster.name, 'a roster with the field expect', 'none');
  const claims = parseClaims(roster);
  const result = await matchup(roster, options);
  const analysis = analyzeMatchups(result.matrix);
  return claims.map(({ text, place, claim }) => {
    const { of, value, interval, bounds } = claim(result, analysis);
    const isExact = interval[0] === interval[1];
    const verdict = isExact ? judgeValue(value, bounds) : judgeInterval(interval, bounds);
    return {
      expectation: {
        kind: 'value',
        ...{ name: text, expect: text, place, scenario: sweep.spec.scenario, file: undefined, bounds },
        quantity: {
          of,
          kind: 'mean',
          range: [0, 1],
          computeValue: () => value,
          computeInterval: () => interval,
        },
        ...{ seed: String(sweep.spec.seed), battles: sweep.battles, error: ERROR_RATE, bounded: false },
      },
      ...{ verdict, value, battles: result.battles },
      ...(!isExact && { interval }),
    };
  });
}
