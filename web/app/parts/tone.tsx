/** The colour of a side (src/report/scenario/sides.ts). It never stands alone: the name is beside it. */
import type { SideTone } from '../../../src/report/index.ts';

/** The class that has it: of tone 0 `side0`. */
export const getToneClass = (tone: number | 'nobody' = 'nobody'): string =>
  tone === 'nobody' ? tone : `side${String(tone)}`;

/** Stands before a name; where there is no colour its place is left empty. */
export function Mark({ tone }: { readonly tone: SideTone }) {
  return <i class={`tone ${tone === 'none' ? tone : getToneClass(tone)}`} aria-hidden="true" />;
}
