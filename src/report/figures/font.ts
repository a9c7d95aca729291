/** Widths of texts in DejaVu Sans, so that labels get the room that they take. */
import { getCharacterWidth } from '#platform/font';

/** Verdana has nearly the same widths, for readers without DejaVu. */
export const FONT = 'DejaVu Sans, Verdana, sans-serif';

type WidthCache = Map<string, number>;

/** By character, in ems: plain and bold. */
const widthCaches: readonly [WidthCache, WidthCache] = [new Map(), new Map()];

function measureCharacter(character: string, bold: boolean): number {
  const widths = widthCaches[bold ? 1 : 0];
  const width = widths.get(character) ?? getCharacterWidth(character.codePointAt(0) ?? 0, bold);
  widths.set(character, width);
  return width;
}

/** The width of a text of this size, in the unit of the size. */
export function measureTextWidth(text: string, size: number, bold = false): number {
  return size * Array.from(text).reduce((sum, character) => sum + measureCharacter(character, bold), 0);
}
