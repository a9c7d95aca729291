/** Color of a side (src/report/scenario/sides.ts). The name is always next to it. */
import type { SideTone } from '../../../src/report/index.ts';

/** Returns the CSS class of a tone: `side0` for tone 0. */
export const getToneClass = (tone: number | 'nobody' = 'nobody'): string =>
  tone === 'nobody' ? tone : `side${String(tone)}`;

/** Color mark before a name; an empty space without a color. */
export function Mark({ tone }: { readonly tone: SideTone }) {
  return <i class={`tone ${tone === 'none' ? tone : getToneClass(tone)}`} aria-hidden="true" />;
}
