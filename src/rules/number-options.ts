/** Settings that are amounts, of which runs need none: parts, probabilities, percent, differences. */
import { type Amount, InputError, parseAmount } from '../core/index.ts';
import { type AcceptedNumbers, type CheckedOptionSpec, checkAccepted, number } from './option-spec.ts';

const upTo = (most: number): AcceptedNumbers => ({
  ...{ expected: `a number above 0, at most ${String(most)}`, isAccepted: (value) => value > 0 && value <= most },
});

/** Creates an option: a number above 0, at most `most`; `10%` is 0.1. */
export const fractionUpTo = (about: string, most: number): CheckedOptionSpec<number> => ({
  ...number(about, { ...upTo(most), units: ['%'] }),
  field: { type: 'number', min: 1e-9, max: most },
});

/** Creates an option: a probability, 0..1, or 0%..100%. */
export const probabilityOption = (about: string): CheckedOptionSpec<number> =>
  number(about, {
    expected: 'a number 0..1, or 0%..100%',
    isAccepted: (value) => value >= 0 && value <= 1,
    units: ['%'],
  });

/** Creates an option: a number of percent, with or without the sign: 10 and 10% are 10. */
export function percentOption(about: string, most: number): CheckedOptionSpec<number> {
  const base = number(about, upTo(most));
  return { ...base, read: (text, place) => base.read(text.trim().replace(/\s*%$/, ''), place) };
}

/** Creates an option: a difference, 0.01, or 1pp of probabilities. `1%` is rejected as ambiguous. */
export function differenceOption(about: string, zero: boolean): CheckedOptionSpec<Amount, number> {
  const expected = `a number ${zero ? 'of 0 or more' : 'above 0'}`;
  const fits = (value: number): boolean => Number.isFinite(value) && (value > 0 || (zero && value === 0));
  return {
    ...{ about, value: '<x>' },
    read: (text, place) =>
      parseAmount(text, place, `${expected}, or points of probabilities such as 1pp`, fits, ['pp']),
    check: (value, place) => ({ value: checkAccepted({ expected, isAccepted: fits }, value, place), unit: '' }),
  };
}

/**
 * Converts a difference to a number.
 * @param metric its metric, if it does not refer to an outcome: means have no percentage points
 */
export function resolveDifference(
  given: Amount | undefined,
  metric: string | undefined,
  place: string,
): number | undefined {
  if (given?.unit === 'pp' && metric !== undefined)
    throw new InputError(place, `a number in the unit of ${metric}`, `${String(100 * given.value)}pp`);
  return given?.value;
}
