/** Three fields or more: the settings nearest to the present one, by steps of all fields together. */
import { type BalanceAxis, valueAt } from './axis.ts';
import type { Gauge } from './gauge.ts';

/** Settings that are looked at, at most; and where battles are played for them. */
const SETTINGS = { exact: 2000, played: 200 };

/** Transitions that exact answers may take together. */
const STEPS = 1_000_000;

/** What was searched around the present setting. */
export interface Near {
  /** All settings of up to so many steps of all fields together were looked at. */
  readonly radius: number;
  /** True if some of them meet the target; none of fewer steps does. */
  readonly meets: boolean;
}

/** All settings at so many steps from the present one: one offset for each field. */
function* shell(fields: number, radius: number): Generator<number[]> {
  if (fields === 1) {
    yield [radius];
    if (radius > 0) yield [-radius];
    return;
  }
  for (let here = -radius; here <= radius; here++)
    for (const rest of shell(fields - 1, radius - Math.abs(here))) yield [here, ...rest];
}

/** How many settings a shell has, those beyond ranges too. */
function sizeOf(fields: number, radius: number): number {
  if (fields === 1) return radius === 0 ? 1 : 2;
  let size = 0;
  for (let here = -radius; here <= radius; here++) size += sizeOf(fields - 1, radius - Math.abs(here));
  return size;
}

const inside = ({ low, high }: BalanceAxis, k: number): boolean => k >= low && k <= high;

/** True if the shell would take more than is affordable. */
function tooMuch({ readings }: Gauge, size: number): boolean {
  const steps = readings.reduce((most, reading) => Math.max(most, reading.steps), 0);
  const most = readings.every(({ exact }) => exact) ? SETTINGS.exact : SETTINGS.played;
  const settings = readings.length + size;
  return settings > most || settings * steps > STEPS;
}

/**
 * Looks at all settings of 0, 1, 2, ... steps from the present one, until some meet the target or the next shell would be
 * too much.
 */
export async function searchNear(axes: readonly BalanceAxis[], gauge: Gauge): Promise<Near> {
  for (let radius = 0; ; radius++) {
    if (radius > 0 && tooMuch(gauge, sizeOf(axes.length, radius))) return { radius: radius - 1, meets: false };
    const settings = [...shell(axes.length, radius)]
      .map((offsets) => axes.map((axis, a) => axis.present + (offsets[a] ?? 0)))
      .filter((ks) => axes.every((axis, a) => inside(axis, ks[a] ?? 0)));
    gauge.announce(settings.length);
    for (const ks of settings) await gauge.look(axes.map((axis, a) => valueAt(axis, ks[a] ?? 0)));
    const meets = gauge.readings.some((reading) => gauge.meets(reading));
    if (settings.length === 0 || meets) return { radius, meets };
  }
}
