/**
 * What an expectation says:
 *
 *     <outcome or metric> between <a> and <b> | at least <a> | at most <b>
 *     <share> of <metric> between <a> and <b> | at least <a> | at most <b>
 *     <outcome or metric> as in the snapshot
 *     share of <metric> between <a> and <b> | at least <a> | at most <b> as in the snapshot
 *
 * An outcome is its probability, a metric its mean; `95% of rounds at most 20`: in 95 % of the battles or more, rounds is
 * at most 20. Probabilities are 0..1, or 0%..100%. Bounds belong to what is accepted.
 */

import type { Bounds } from '../../answers/bounds.ts';
import { type Quantity, quantityOf, shareWithin } from '../../answers/quantity.ts';
import type { TallyShape } from '../../answers/tally.ts';
import { foundNumeral, readAmount } from '../../core/chance/numerals.ts';
import { InputError } from '../../core/errors.ts';

export interface Sentence {
  readonly quantity: Quantity;
  readonly bounds: Bounds;
  /** What is compared with the snapshot, in words; absent if the sentence has bounds. */
  readonly kept?: string;
}

/** What a sentence or a digest ends with that is compared with the snapshot. */
export const AS_SNAPSHOT = 'as in the snapshot';

const KEPT = new RegExp(`^(?<subject>.*\\S)\\s+${AS_SNAPSHOT.replaceAll(' ', '\\s+')}$`, 'su');

const ANY: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const CONDITION =
  /^(?<subject>.*\S)\s+(?:between\s+(?<low>\S+|\S+ %)\s+and\s+(?<high>\S+|\S+ %)|at\s+(?<end>least|most)\s+(?<bound>\S+|\S+ %))$/su;

const SHARE = /^(?<share>[-+.\d]\S*(?: %)?)\s+of\s+(?<metric>\S.*)$/su;

const EXPECTED = `an outcome or a metric, then "between a and b", "at least a", "at most b" or "${AS_SNAPSHOT}"`;

/** A number as it is written, and whether it is in per cent. */
function amount(text: string, place: string): { readonly value: number; readonly percent: boolean } {
  const read = readAmount(text, ['%']);
  if (read === undefined) throw new InputError(place, 'a number', foundNumeral(text));
  return { value: read.value, percent: read.unit === '%' };
}

function probability(text: string, place: string): number {
  const { value } = amount(text, place);
  if (value >= 0 && value <= 1) return value;
  throw new InputError(place, 'a probability 0..1 or 0%..100%', `"${text}"`);
}

function inUnits(text: string, place: string): number {
  const { value, percent } = amount(text, place);
  if (percent) throw new InputError(place, 'a number in the unit of the metric', `"${text}"`);
  return value;
}

/** The bounds that a condition names, each read by `read`. */
function boundsOf(groups: Readonly<Record<string, string | undefined>>, read: (text: string) => number): Bounds {
  const { low, high, end, bound } = groups;
  return [
    end === 'most' ? Number.NEGATIVE_INFINITY : read(low ?? bound ?? ''),
    end === 'least' ? Number.POSITIVE_INFINITY : read(high ?? bound ?? ''),
  ];
}

function ascending([low, high]: Bounds, place: string): Bounds {
  if (low <= high) return [low, high];
  throw new InputError(place, 'the lesser bound first', `between ${String(low)} and ${String(high)}`);
}

/** The range that a share is in. */
function rangeOf(groups: Readonly<Record<string, string | undefined>>, place: string): Bounds {
  return ascending(
    boundsOf(groups, (written) => inUnits(written, place)),
    place,
  );
}

/** What is compared with the snapshot: an outcome, a metric, or the share of a metric in a range. */
function keptQuantity(subject: string, shape: TallyShape, place: string): Quantity {
  const { groups } = CONDITION.exec(subject) ?? {};
  const metric = /^share\s+of\s+(?<metric>\S.*)$/su.exec(groups?.['subject'] ?? '')?.groups?.['metric'];
  if (groups === undefined || metric === undefined) return quantityOf(shape, subject, place);
  return shareWithin(shape, metric, rangeOf(groups, place), place);
}

/**
 * @param shape of the scenario that it is about
 * @param place what error messages call the sentence
 * @throws InputError if it cannot be read, or the scenario has no such outcome or metric
 */
export function readSentence(text: string, shape: TallyShape, place: string): Sentence {
  const kept = KEPT.exec(text.trim())?.groups?.['subject']?.replaceAll(/\s+/gu, ' ');
  if (kept !== undefined) return { quantity: keptQuantity(kept, shape, place), bounds: ANY, kept };
  const { groups } = CONDITION.exec(text.trim()) ?? {};
  if (groups === undefined) throw new InputError(place, EXPECTED, JSON.stringify(text));
  const { subject = '' } = groups;
  const share = SHARE.exec(subject)?.groups;
  const known = [...shape.outcomes, ...shape.metrics.map(({ name }) => name)];
  if (share !== undefined && !known.includes(subject)) {
    const least = probability(share['share'] ?? '', place);
    return {
      quantity: shareWithin(shape, share['metric'] ?? '', rangeOf(groups, place), place),
      bounds: [least, 1],
    };
  }
  const quantity = quantityOf(shape, subject, place);
  const read = quantity.kind === 'outcome' ? probability : inUnits;
  const bounds = boundsOf(groups, (written) => read(written, place));
  return { quantity, bounds: ascending(bounds, place) };
}
