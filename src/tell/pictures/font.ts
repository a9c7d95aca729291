/** Widths of texts in DejaVu Sans, so that labels get the room that they take. */
import { characterWidth } from '#platform/font';

/** Verdana has nearly the same widths, for readers without DejaVu. */
export const FONT = 'DejaVu Sans, Verdana, sans-serif';

type Known = Map<string, number>;

/** By character, in ems: plain and bold. */
const known: readonly [Known, Known] = [new Map(), new Map()];

function widthOf(character: string, bold: boolean): number {
  const widths = known[bold ? 1 : 0];
  const width = widths.get(character) ?? characterWidth(character.codePointAt(0) ?? 0, bold);
  widths.set(character, width);
  return width;
}

/** The width of a text of this size, in the unit of the size. */
export function textWidth(text: string, size: number, bold = false): number {
  return size * Array.from(text).reduce((sum, character) => sum + widthOf(character, bold), 0);
}
