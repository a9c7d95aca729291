/** How wide a stream is. */
import type { WriteStream } from 'node:tty';

/** Characters in a line of text where nobody says: a file, a pipe. */
const WIDTH = 80;

/** The narrowest and the widest line of text. */
const [NARROWEST, WIDEST] = [40, 200];

/** What we look at of a stream. */
export type Screen = Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** What a terminal says, or else the variable COLUMNS; a file or a pipe without it takes tables of any width. */
export function widthsOf({ isTTY, columns = 0 }: Screen): { readonly width: number; readonly tables: number } {
  const found = Math.floor(isTTY === true ? columns : Number(process.env['COLUMNS']));
  if (!(found > 0)) return { width: WIDTH, tables: isTTY === true ? WIDTH : Number.POSITIVE_INFINITY };
  const tables = Math.max(NARROWEST, found);
  return { width: Math.min(tables, WIDEST), tables };
}
