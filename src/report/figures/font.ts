/** Text widths in DejaVu Sans, to reserve space for labels. */
import { getCharacterWidth } from '#platform/font';

/** Verdana has nearly the same widths, for systems without DejaVu. */
export const FONT = 'DejaVu Sans, Verdana, sans-serif';

type WidthCache = Map<string, number>;

/** Widths by character, in ems: regular and bold. */
const widthCaches: readonly [WidthCache, WidthCache] = [new Map(), new Map()];

function measureCharacter(character: string, bold: boolean): number {
  const widths = widthCaches[bold ? 1 : 0];
  const width = widths.get(character) ?? getCharacterWidth(character.codePointAt(0) ?? 0, bold);
  widths.set(character, width);
  return width;
}

/** Computes the width of a text, in the unit of `size`. */
export function measureTextWidth(text: string, size: number, bold = false): number {
  return size * Array.from(text).reduce((sum, character) => sum + measureCharacter(character, bold), 0);
}
