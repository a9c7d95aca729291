/** Parts of the environments that are sent and received by themselves. */
import { type Step, stepOf } from '../environments.ts';
import { type FieldPlace, viewsOf } from '../fields.ts';

/** Environments from..to-1 after a step: arrays of their rows alone. The same object every time. */
export interface Slice extends Step {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Episodes that the last step has ended; `infos.finished` begins with their environments, counted over all slices. */
  readonly finished: number;
}

/** The views of a slice. */
export function sliceOf(
  memory: ArrayBufferLike,
  places: readonly FieldPlace[],
  index: number,
  from: number,
  to: number,
): { -readonly [K in keyof Slice]: Slice[K] } {
  const moved = places.map((place) => ({ ...place, address: place.address + from * place.row }));
  return { ...stepOf(viewsOf(memory, moved, to - from)), index, from, to, finished: 0 };
}
