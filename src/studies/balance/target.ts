/** What is to be reached, as it is written: `attacker=0.5`, `attacker=50%`, `rounds=8`. */

import { quantityOf } from '../../answers/quantity.ts';
import type { TallyShape } from '../../answers/tally.ts';
import { foundNumeral, readAmount } from '../../core/chance/numerals.ts';
import { InputError } from '../../core/errors.ts';
import type { BalanceTarget } from './gauge.ts';

/** Unless said otherwise a target may be missed by so much, or by this part of it where that is more. */
const TOLERANCE = 0.01;

/**
 * @param text      `name=value`: an outcome with its probability, or a metric with its mean
 * @param tolerance above 0 or 0; 0.01, or 1 % of the target where that is more, unless said otherwise
 * @param place     what error messages call the text
 * @throws InputError if the scenario has no such outcome or metric, or the value is none that it can have
 */
export function readTarget(
  text: string,
  tolerance: number | undefined,
  shape: TallyShape,
  place: string,
): BalanceTarget {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InputError(place, 'name=value', `"${text}"`);
  const quantity = quantityOf(shape, text.slice(0, at).trim(), place);
  const written = text.slice(at + 1).trim();
  const value = readAmount(written, quantity.kind === 'outcome' ? ['%'] : [])?.value;
  const what = quantity.kind === 'outcome' ? 'a probability' : `a mean of ${quantity.of}`;
  if (value === undefined) throw new InputError(place, what, foundNumeral(written));
  const [least, greatest] = quantity.range;
  if (value < least || value > greatest)
    throw new InputError(place, `${what} ${String(least)}..${String(greatest)}`, String(value));
  return { quantity, value, tolerance: tolerance ?? Math.max(TOLERANCE, TOLERANCE * Math.abs(value)) };
}
