/** What an expectation wants and what was found of it, in words: bounds, digests, and answers beside their snapshot. */

import { RULESET, scenarioHash } from '../answers/index.ts';
import { placeParts } from '../core/index.ts';
import type { Judged } from '../studies/node.ts';
import { GIVEN, knownTo, valueText } from './figure.ts';
import { boundsText } from './text/bounds.ts';
import { clean } from './text/clean.ts';
import { commandLine } from './text/command.ts';
import { grouped } from './text/digits.ts';

/** True if nobody had to play for the value. */
export const isExact = ({ value, battles }: Judged): boolean => value !== undefined && battles === 0;

/** What is known of the value, apart from the bounds; a value of which only a part was played is not told. */
export function known(each: Judged): { value?: number; interval?: readonly [number, number] } {
  const { verdict, value, interval } = each;
  if (value === undefined || verdict === 'interrupted') return {};
  return interval === undefined ? { value } : { value, interval };
}

/** What is asked for: `attacker`, `mean rounds`, `share of rounds`, `digest`. */
export function subject({ expectation }: Judged): string {
  if (expectation.kind === 'digest') return 'digest';
  const { quantity, expect } = expectation;
  if (quantity.kind === 'share') return clean(expect.replace(/^\S+(?: %)?\s+of\s+/, ''));
  return clean(quantity.of);
}

/** A digest cut to what tells two apart at a glance. */
const short = (digest: string): string => `${digest.slice(0, 12)}...`;

/** How the value is known, or the beginning of the digest. */
export function knownText(each: Judged): string {
  return each.digest === undefined ? knownTo(GIVEN, known(each)) : short(each.digest);
}

/** What is expected, as short as a table has it. */
export function expectedText({ expectation }: Judged): string {
  const { kind, snapshot } = expectation;
  if (snapshot === undefined)
    return kind === 'digest' ? short(expectation.digest ?? '') : boundsText(expectation.bounds);
  const { kept } = snapshot;
  if (kept === undefined) return 'no snapshot';
  if (kept.digest !== undefined) return short(kept.digest);
  const { value = Number.NaN, interval } = kept;
  return interval === undefined ? valueText(GIVEN, { value }) : knownTo(GIVEN, { value, interval });
}

/** The same in full. */
function expected({ expectation: { expect, snapshot } }: Judged): string {
  const { digest, value, interval } = snapshot?.kept ?? {};
  if (digest !== undefined) return `${clean(expect)}, ${digest}`;
  if (interval !== undefined) return `${clean(expect)}, ${interval.map(String).join(' .. ')}`;
  return value === undefined ? clean(expect) : `${clean(expect)}, ${String(value)}`;
}

/** `attacker = 0.57648, exact`, or with its interval and battles; a digest; beside a snapshot with all digits. */
function finding(each: Judged): string {
  if (each.digest !== undefined) return `${each.digest} of ruleset ${RULESET}`;
  const value = each.expectation.snapshot === undefined ? valueText(GIVEN, known(each)) : String(each.value);
  const found = `${subject(each)} = ${value}, ${knownTo(GIVEN, known(each))}`;
  return isExact(each) ? found : `${found} after ${grouped(each.battles)} battles`;
}

/** What else has changed since a digest or a value was noted. */
function changes({ expectation, ruleset }: Judged): string[] {
  const { kept } = expectation.snapshot ?? {};
  const before = kept?.ruleset ?? ruleset ?? RULESET;
  const renewed = before === RULESET ? [] : [`the ruleset was ${before} then and is ${RULESET} now`];
  const same = ruleset === undefined ? [] : ['every count is the same'];
  const other = kept !== undefined && kept.scenario !== scenarioHash(expectation.scenario);
  return [...renewed, ...same, ...(other ? ['the scenario has changed since'] : [])];
}

/** Why it fails, and what can be done; empty unless it does and is about a digest or a snapshot. */
export function remark(each: Judged): string {
  const { snapshot, place, kind } = each.expectation;
  if (each.verdict !== 'fails' || (snapshot === undefined && kind !== 'digest')) return '';
  const told = changes(each);
  if (snapshot === undefined)
    return `; ${told.length > 0 ? told.join(', ') : 'a digest of another ruleset differs in any case'}`;
  const command = `"${clean(commandLine('assert', { file: placeParts(place).file ?? '' }, '--update'))}"`;
  if (snapshot.kept !== undefined)
    return `; ${[...told, `if this is meant, ${command} renews the snapshot`].join(', ')}`;
  const there =
    snapshot.other === undefined ? 'there is no snapshot of it' : `the snapshot has ${clean(snapshot.other)}`;
  return `; ${there}: ${command} writes it`;
}

/** What came of an expectation, in a line. @param wrong with what probability it may be wrong, in words */
export function account(each: Judged, wrong: string): string {
  const wanted = `expected ${expected(each)}`;
  switch (each.verdict) {
    case 'holds':
      return `${wanted}, found ${finding(each)}`;
    case 'fails':
      return `${wanted}, found ${finding(each)}${isExact(each) || wrong === '' ? '' : `, wrong with at most ${wrong}`}${remark(each)}`;
    case 'undecided':
      return `${wanted}, undecided: ${finding(each)}`;
    case 'interrupted':
      return `${wanted}, interrupted before it was decided`;
  }
}
