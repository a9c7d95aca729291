/** What an expectation wants and what was found of it, in words: bounds, digests, and answers beside their snapshot. */

import type { ExpectationResult } from '../../analysis/node.ts';
import { splitPlace } from '../../core/index.ts';
import { hashScenario, RULESET } from '../../stats/index.ts';
import { formatIntervalOrExact, formatValue, INPUT_SCALE } from '../sheet/estimated-value.ts';
import { formatBounds } from '../text/bounds.ts';
import { formatCommandLine } from '../text/command-line.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** True if nobody had to play for the value. */
export const isExact = ({ value, battles }: ExpectationResult): boolean => value !== undefined && battles === 0;

/** What is known of the value, apart from the bounds; a value of which only a part was played is not told. */
export function getResultValue(each: ExpectationResult): { value?: number; interval?: readonly [number, number] } {
  const { verdict, value, interval } = each;
  if (value === undefined || verdict === 'interrupted') return {};
  return interval === undefined ? { value } : { value, interval };
}

/** What is asked for: `attacker`, `mean rounds`, `share of rounds`, `digest`. */
export function formatSubject({ expectation }: ExpectationResult): string {
  if (expectation.kind === 'digest') return 'digest';
  const { quantity, expect } = expectation;
  if (quantity.kind === 'share') return sanitizeLine(expect.replace(/^\S+(?: %)?\s+of\s+/, ''));
  return sanitizeLine(quantity.of);
}

/** A digest cut to what tells two apart at a glance. */
const shortenDigest = (digest: string): string => `${digest.slice(0, 12)}...`;

/** How the value is known, or the beginning of the digest. */
export function formatResultValue(each: ExpectationResult): string {
  return each.digest === undefined
    ? formatIntervalOrExact(INPUT_SCALE, getResultValue(each))
    : shortenDigest(each.digest);
}

/** What is expected, as short as a table has it. */
export function formatShortExpectation({ expectation }: ExpectationResult): string {
  const { kind, snapshot } = expectation;
  if (snapshot === undefined)
    return kind === 'digest' ? shortenDigest(expectation.digest ?? '') : formatBounds(expectation.bounds);
  const { kept } = snapshot;
  if (kept === undefined) return 'no snapshot';
  if (kept.digest !== undefined) return shortenDigest(kept.digest);
  const { value = Number.NaN, interval } = kept;
  return interval === undefined
    ? formatValue(INPUT_SCALE, { value })
    : formatIntervalOrExact(INPUT_SCALE, { value, interval });
}

/** The same in full. */
function formatExpectation({ expectation: { expect, snapshot } }: ExpectationResult): string {
  const { digest, value, interval } = snapshot?.kept ?? {};
  if (digest !== undefined) return `${sanitizeLine(expect)}, ${digest}`;
  if (interval !== undefined) return `${sanitizeLine(expect)}, ${interval.map(String).join(' .. ')}`;
  return value === undefined ? sanitizeLine(expect) : `${sanitizeLine(expect)}, ${String(value)}`;
}

/** `attacker = 0.57648, exact`, or with its interval and battles; a digest; beside a snapshot with all digits. */
function formatFinding(each: ExpectationResult): string {
  if (each.digest !== undefined) return `${each.digest} of ruleset ${RULESET}`;
  const value =
    each.expectation.snapshot === undefined ? formatValue(INPUT_SCALE, getResultValue(each)) : String(each.value);
  const found = `${formatSubject(each)} = ${value}, ${formatIntervalOrExact(INPUT_SCALE, getResultValue(each))}`;
  return isExact(each) ? found : `${found} after ${formatGrouped(each.battles)} battles`;
}

/** What else has changed since a digest or a value was noted. */
function formatChanges({ expectation, ruleset }: ExpectationResult): string[] {
  const { kept } = expectation.snapshot ?? {};
  const before = kept?.ruleset ?? ruleset ?? RULESET;
  const renewed = before === RULESET ? [] : [`the ruleset was ${before} then and is ${RULESET} now`];
  const same = ruleset === undefined ? [] : ['every count is the same'];
  const other = kept !== undefined && kept.scenario !== hashScenario(expectation.scenario);
  return [...renewed, ...same, ...(other ? ['the scenario has changed since'] : [])];
}

/** Why it fails, and what can be done; empty unless it does and is about a digest or a snapshot. */
export function formatReason(each: ExpectationResult): string {
  const { snapshot, place, kind } = each.expectation;
  if (each.verdict !== 'fails' || (snapshot === undefined && kind !== 'digest')) return '';
  const told = formatChanges(each);
  if (snapshot === undefined)
    return `; ${told.length > 0 ? told.join(', ') : 'a digest of another ruleset differs in any case'}`;
  const command = `"${sanitizeLine(formatCommandLine('assert', { file: splitPlace(place).file ?? '' }, '--update'))}"`;
  if (snapshot.kept !== undefined)
    return `; ${[...told, `if this is meant, ${command} renews the snapshot`].join(', ')}`;
  const there =
    snapshot.other === undefined ? 'there is no snapshot of it' : `the snapshot has ${sanitizeLine(snapshot.other)}`;
  return `; ${there}: ${command} writes it`;
}

/** What came of an expectation, in a line. @param wrong with what probability it may be wrong, in words */
export function formatExpectationResult(each: ExpectationResult, wrong: string): string {
  const wanted = `expected ${formatExpectation(each)}`;
  switch (each.verdict) {
    case 'holds':
      return `${wanted}, found ${formatFinding(each)}`;
    case 'fails':
      return `${wanted}, found ${formatFinding(each)}${isExact(each) || wrong === '' ? '' : `, wrong with at most ${wrong}`}${formatReason(each)}`;
    case 'undecided':
      return `${wanted}, undecided: ${formatFinding(each)}`;
    case 'interrupted':
      return `${wanted}, interrupted before it was decided`;
  }
}
