/** Texts of expectations and their results: bounds, digests, and differences from snapshots. */

import type { ExpectationResult } from '../../analysis/node.ts';
import { splitPlace } from '../../core/index.ts';
import { hashScenario, RULESET } from '../../stats/index.ts';
import { formatIntervalOrExact, formatValue, INPUT_SCALE } from '../sheet/estimated-value.ts';
import { formatBounds } from '../text/bounds.ts';
import { formatCommandLine } from '../text/command-line.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** True if the value needed no simulation. */
export const isExact = ({ value, battles }: ExpectationResult): boolean => value !== undefined && battles === 0;

/** Value and interval of a result; empty if its simulation was interrupted. */
export function getResultValue(each: ExpectationResult): { value?: number; interval?: readonly [number, number] } {
  const { verdict, value, interval } = each;
  if (value === undefined || verdict === 'interrupted') return {};
  return interval === undefined ? { value } : { value, interval };
}

/** Formats the quantity of an expectation: `attacker`, `mean rounds`, `share of rounds`, `digest`. */
export function formatSubject({ expectation }: ExpectationResult): string {
  if (expectation.kind === 'digest') return 'digest';
  const { quantity, expect } = expectation;
  if (quantity.kind === 'share') return sanitizeLine(expect.replace(/^\S+(?: %)?\s+of\s+/, ''));
  return sanitizeLine(quantity.of);
}

/** Shortens a digest for tables. */
const shortenDigest = (digest: string): string => `${digest.slice(0, 12)}...`;

/** Formats the interval of the value, or the beginning of the digest. */
export function formatResultValue(each: ExpectationResult): string {
  return each.digest === undefined
    ? formatIntervalOrExact(INPUT_SCALE, getResultValue(each))
    : shortenDigest(each.digest);
}

/** Formats the expected bounds, snapshot or digest for a table. */
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

/** Formats an expectation for a sentence, with all digits of its snapshot. */
function formatExpectation({ expectation: { expect, snapshot } }: ExpectationResult): string {
  const { digest, value, interval } = snapshot?.kept ?? {};
  if (digest !== undefined) return `${sanitizeLine(expect)}, ${digest}`;
  if (interval !== undefined) return `${sanitizeLine(expect)}, ${interval.map(String).join(' .. ')}`;
  return value === undefined ? sanitizeLine(expect) : `${sanitizeLine(expect)}, ${String(value)}`;
}

/** `attacker = 0.57648, exact`, or with its interval and battles; a digest; all digits if there is a snapshot. */
function formatFinding(each: ExpectationResult): string {
  if (each.digest !== undefined) return `${each.digest} with ruleset ${RULESET}`;
  const value =
    each.expectation.snapshot === undefined ? formatValue(INPUT_SCALE, getResultValue(each)) : String(each.value);
  const found = `${formatSubject(each)} = ${value}, ${formatIntervalOrExact(INPUT_SCALE, getResultValue(each))}`;
  return isExact(each) ? found : `${found} after ${formatGrouped(each.battles)} battles`;
}

/** Lists possible reasons for a difference from a stored digest or value. */
function formatChanges({ expectation, ruleset }: ExpectationResult): string[] {
  const { kept } = expectation.snapshot ?? {};
  const before = kept?.ruleset ?? ruleset ?? RULESET;
  const renewed = before === RULESET ? [] : [`the ruleset has changed from ${before} to ${RULESET}`];
  const same = ruleset === undefined ? [] : ['all counts are equal'];
  const other = kept !== undefined && kept.scenario !== hashScenario(expectation.scenario);
  return [...renewed, ...same, ...(other ? ['the scenario has changed'] : [])];
}

/** Formats the reason for a failure and its remedy. Empty unless a digest or a snapshot fails. */
export function formatReason(each: ExpectationResult): string {
  const { snapshot, place, kind } = each.expectation;
  if (each.verdict !== 'fails' || (snapshot === undefined && kind !== 'digest')) return '';
  const reported = formatChanges(each);
  if (snapshot === undefined)
    return `; ${reported.length > 0 ? reported.join(', ') : 'digests of different rulesets always differ'}`;
  const command = `"${sanitizeLine(formatCommandLine('assert', { file: splitPlace(place).file ?? '' }, '--update'))}"`;
  if (snapshot.kept !== undefined)
    return `; ${[...reported, `if this is intended, ${command} updates the snapshot`].join(', ')}`;
  const there =
    snapshot.other === undefined ? 'no snapshot is stored' : `the snapshot has ${sanitizeLine(snapshot.other)}`;
  return `; ${there}: ${command} writes it`;
}

/** Formats the result of an expectation as one line. @param wrong error probability of the verdict, as text */
export function formatExpectationResult(each: ExpectationResult, wrong: string): string {
  const wanted = `expected ${formatExpectation(each)}`;
  switch (each.verdict) {
    case 'holds':
      return `${wanted}, found ${formatFinding(each)}`;
    case 'fails':
      return `${wanted}, found ${formatFinding(each)}${isExact(each) || wrong === '' ? '' : `, error probability at most ${wrong}`}${formatReason(each)}`;
    case 'undecided':
      return `${wanted}, undecided: ${formatFinding(each)}`;
    case 'interrupted':
      return `${wanted}, interrupted before it was decided`;
  }
}
