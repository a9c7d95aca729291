/** The values that a varied field can take: a lattice within a range. */
import { InputError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import { numericField } from '../../rules/scenario/change.ts';
import type { Scenario } from '../../rules/system.ts';

/** A field to vary, and where it is searched: around its present value, if no range is given. */
export interface Vary {
  /** `attacker.hp` */
  readonly path: string;
  readonly range?: readonly [low: number, high: number] | undefined;
}

const checkVary = optionsOf<Vary>('vary', { path: true, range: true });

/** Values k x step for whole numbers k. */
export interface BalanceAxis {
  readonly path: string;
  /** Only whole numbers can stand there; the step is 1. */
  readonly integer: boolean;
  readonly step: number;
  /** The least and the greatest k: of the range that was given, or else of the declared one. */
  readonly low: number;
  readonly high: number;
  /** The k of the present value, or the one nearest to it. */
  readonly present: number;
  /** The k around `present` that are searched first; the whole range, where that was given or is small. */
  readonly reach: number;
  /** True if the range was given. */
  readonly given: boolean;
}

/** A range of so many values is searched whole although nobody gave it. */
const SMALL = 200;

/** The first reach is half the present value, and at least so many steps. */
const LEAST_REACH = 8;

/** Values of a field of numbers that are no integers, within its first range, at least. */
const FINENESS = 100;

/** The power of ten that parts a width into 100 to 1000 steps. */
function stepOf(width: number): number {
  return Number(`1e${String(Math.floor(Math.log10(width / FINENESS)))}`);
}

/** The value at k, without digits that are the machine's. */
export function valueAt({ step }: BalanceAxis, k: number): number {
  if (step >= 1) return k * step;
  return Number((k * step).toFixed(Math.round(-Math.log10(step))));
}

/** How many values there are from one k to another. */
export function countBetween(low: number, high: number): number {
  return Math.max(0, high - low + 1);
}

function lattice(
  path: string,
  integer: boolean,
  bounds: readonly [number, number],
  present: number,
  width: number,
  given: boolean,
): BalanceAxis {
  const step = integer ? 1 : stepOf(width);
  const [low, high] = [Math.ceil(bounds[0] / step - 1e-9) + 0, Math.floor(bounds[1] / step + 1e-9)];
  const within = Math.min(high, Math.max(low, Math.round(present / step)));
  return { path, integer, step, low, high, present: within, reach: high - low, given };
}

/**
 * @param place what error messages call the field
 * @throws InputError if no number can stand there, or the range leaves the declared one or is empty
 */
export function axisOf(scenario: Scenario, vary: Vary, place: string): BalanceAxis {
  checkVary(vary);
  const { path, range } = vary;
  const { value, integer, min, max } = numericField(scenario, path, place);
  if (range !== undefined) {
    const [low, high] = range;
    const whole = !integer || (Number.isInteger(low) && Number.isInteger(high));
    if (!(low < high) || low < min || high > max || !whole) {
      const kind = integer ? 'integers' : 'numbers';
      throw new InputError(
        place,
        `a range of ${kind} within ${String(min)}..${String(max)}`,
        `${path}=${String(low)}..${String(high)}`,
      );
    }
    return lattice(path, integer, range, value ?? low, high - low, true);
  }
  if (value === undefined)
    throw new InputError(place, `a range, ${path}=low..high, for the scenario has no value there`, `"${path}"`);
  const reach = Math.max(integer ? LEAST_REACH : 1, Math.abs(value) / 2);
  const small = integer ? max - min < SMALL : max - min <= 1;
  const axis = lattice(path, integer, [min, max], value, small ? max - min : 2 * reach, false);
  return small ? axis : { ...axis, reach: Math.ceil(reach / axis.step) };
}

/** The same values and those between them, ten for each. */
export function finer(axis: BalanceAxis): BalanceAxis {
  const { step, low, high, present, reach } = axis;
  return {
    ...axis,
    step: Number(`1e${String(Math.round(Math.log10(step)) - 1)}`),
    low: 10 * low,
    high: 10 * high,
    present: 10 * present,
    reach: 10 * reach,
  };
}
