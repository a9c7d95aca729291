/** The colour of a side (src/tell/sides.ts). It never stands alone: the name is beside it. */
import type { MarkTone } from '../../../src/tell/index.ts';

/** The class that has it: of tone 0 `side0`. */
export const toneClass = (tone: number | 'nobody' = 'nobody'): string =>
  tone === 'nobody' ? tone : `side${String(tone)}`;

/** Stands before a name; where there is no colour its place is left empty. */
export function Mark({ tone }: { readonly tone: MarkTone }) {
  return <i class={`tone ${tone === 'none' ? tone : toneClass(tone)}`} aria-hidden="true" />;
}
