/** Target of a precision: an absolute or relative half-width. */

/** A half-width, whatever the value; or a part of the value, or of the floor where the value is less. */
export type HalfWidthTarget =
  | { readonly halfWidth: number; readonly part?: undefined }
  | { readonly part: number; readonly floor: number };

/** Computes the maximum half-width for a value. */
export function computeMaxHalfWidth(aim: HalfWidthTarget, value: number): number {
  return aim.part === undefined ? aim.halfWidth : aim.part * Math.max(aim.floor, Math.abs(value));
}
