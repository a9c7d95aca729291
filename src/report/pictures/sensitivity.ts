/** What a sensitivity analysis found, as dots with intervals. */
import type { Sensitivity } from '../../sensitivity/index.ts';
import { cleanText } from '../clean.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { BLUE, ORANGE, SINGLE } from './theme.ts';

/** One effect of one field. */
interface Shown {
  readonly name: string;
  readonly effect: number;
  readonly ci95?: readonly [low: number, high: number] | undefined;
}

/** What stands on the axis, by method. */
const AXES = {
  step: 'one step',
  morris: 'mu*, mean size of an elementary effect',
  sobol: 'total index, share of the variance',
};

/** Of single steps the one up, as far as there is one; of other methods what they rank by. */
function shownOf(result: Sensitivity): Shown[] {
  if (result.method !== 'step') return result.fields.map(({ path, effect, ci95 }) => ({ name: path, effect, ci95 }));
  return result.fields.flatMap(({ path, up, down }): Shown[] => {
    const step = up ?? down;
    if (step === undefined) return [];
    return [{ name: `${path} ${up === undefined ? '−' : '+'}`, effect: step.effect, ci95: step.ci95 }];
  });
}

/** Effects of fields with their intervals, the strongest first. */
export function sensitivityPicture(result: Sensitivity): Picture {
  const { method, of, kind } = result;
  const points = kind === 'outcome' && method !== 'sobol';
  const scale = points ? 100 : 1;
  const ordered = shownOf(result).toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const dots = ordered.map(({ name, effect, ci95 }): Dot => {
    const text = String(Number((scale * effect).toPrecision(3)));
    const ends = ci95?.map((end) => scale * end);
    const interval = ends === undefined ? '' : `, 95 % interval ${ends.map((end) => end.toPrecision(3)).join(' .. ')}`;
    const colour = effect < 0 ? ORANGE : BLUE;
    const told = `${cleanText(name)}: ${text}${interval}`;
    return { name, value: scale * effect, low: ends?.[0], high: ends?.[1], colour, text, told };
  });
  const spec = dotsSpec(dots, {
    title: `sensitivity of ${cleanText(of)}`,
    axis: `${AXES[method]}${points ? ' (percent points)' : ''}`,
    zero: true,
  });
  const caption = 'Effects of the fields with their 95 % intervals, the strongest first; blue raises, orange lowers.';
  return { kind: 'sensitivity', of, width: SINGLE, caption, spec };
}
