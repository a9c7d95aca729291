/** Target of a precision: an absolute or relative half-width. */

/** An absolute half-width, or one relative to the value, or to the floor if the value is less. */
export type HalfWidthTarget =
  | { readonly halfWidth: number; readonly part?: undefined }
  | { readonly part: number; readonly floor: number };

/** Computes the maximum half-width for a value. */
export function computeMaxHalfWidth(aim: HalfWidthTarget, value: number): number {
  return aim.part === undefined ? aim.halfWidth : aim.part * Math.max(aim.floor, Math.abs(value));
}
