/** Options that take a number; what they refuse is an InputError with the option as its place. */
import { Option } from 'commander';
import { type Amount, type NumberUnit, parseAmount } from '../core/chance/numerals.ts';
import { parseCount } from '../core/chance/stream.ts';
import { InputError } from '../core/errors.ts';

/** An option that takes a whole number: 1000, 1k, 1e3, 1,000. */
export function count(name: string, about: string, min: number, max: number, unit = 'n'): Option {
  return new Option(`--${name} <${unit}>`, about).argParser((value: string) =>
    parseCount(value, `--${name}`, min, max),
  );
}

/** What numbers are accepted: in words, and whether one is. */
interface Range {
  readonly expected: string;
  readonly fits: (value: number) => boolean;
  readonly units?: readonly NumberUnit[];
}

const ABOVE_0: Range = { expected: 'a number above 0', fits: (value) => value > 0 };

/** An option that takes a number. */
function number(name: string, about: string, { expected, fits, units }: Range): Option {
  return new Option(`--${name} <x>`, about).argParser(
    (value: string) => parseAmount(value, `--${name}`, expected, fits, units).value,
  );
}

/** An option that takes a number above 0; `10%` is 0.1. */
export const partAbove0 = (name: string, about: string): Option => number(name, about, { ...ABOVE_0, units: ['%'] });

/** An option that takes a probability: 0..1, or 0%..100%. */
export function chanceOf(name: string, about: string): Option {
  const fits = (value: number): boolean => value >= 0 && value <= 1;
  return number(name, about, { expected: 'a number 0..1, or 0%..100%', fits, units: ['%'] });
}

/** An option that takes a number of percent, with or without the sign: 10 and 10% are 10. */
export function percent(name: string, about: string, most: number): Option {
  return new Option(`--${name} <x>`, about).argParser((value: string) => {
    const plain = value.trim().replace(/\s*%$/, '');
    const fits = (found: number): boolean => found > 0 && found <= most;
    return parseAmount(plain, `--${name}`, `a number above 0, at most ${String(most)}`, fits).value;
  });
}

/** A difference: of probabilities also in percentage points. */
export type Width = Amount;

/** An option that takes a difference: 0.01, or 1pp of probabilities. `1%` is refused: of what? */
export function width(name: string, about: string, zero: boolean): Option {
  const expected = `a number ${zero ? 'of 0 or more' : 'above 0'}, or points of probabilities such as 1pp`;
  const fits = (value: number): boolean => value > 0 || (zero && value === 0);
  return new Option(`--${name} <x>`, about).argParser((value: string) =>
    parseAmount(value, `--${name}`, expected, fits, ['pp']),
  );
}

/**
 * The number that a difference is.
 * @param metric the metric that it is of, if it is of no outcome: means have no percentage points
 */
export function widthOf(given: Width | undefined, metric: string | undefined, place: string): number | undefined {
  if (given?.unit === 'pp' && metric !== undefined)
    throw new InputError(place, `a number in the unit of ${metric}`, `${String(100 * given.value)}pp`);
  return given?.value;
}
