/** The sheets of the terminal in a page: their tables as HTML, their lines as paragraphs. */
import { type Column, type Look, PLAIN, type Rows } from '../../text/table.ts';
import { type Head, type Markup, markup, table } from '../markup.ts';

/** Characters that a line may have, so that sheets neither break sentences nor cut names. */
const WIDTH = 1200;

/** Stands for a table among the lines; cleaned texts hold no such character. */
const MARK = '\u0001';

function headOf({ head, align }: Column, c: number): Head {
  return { head: head.replaceAll('\n', ' '), number: align !== 'left', wide: c === 0 };
}

/** Rows whose first cell is a name, or whose order means nothing to sort by. */
export interface SheetWishes {
  readonly sortable?: boolean;
}

/**
 * The lines of a sheet as HTML.
 * @param sheet makes the lines for a look
 */
export function sheetOf(sheet: (look: Look) => readonly string[], { sortable }: SheetWishes = {}): Markup {
  const tables: Markup[] = [];
  const set = (heads: readonly Column[], rows: Rows): string[] => {
    const wishes = sortable === undefined ? {} : { sortable };
    if (rows.length > 0) tables.push(table(heads.map(headOf), rows, wishes));
    return rows.length > 0 ? [`${MARK}${String(tables.length - 1)}`] : [];
  };
  const lines = sheet({ width: WIDTH, paint: PLAIN, set });
  const parts = lines.map((line) => {
    const place = line.startsWith(MARK) ? tables[Number(line.slice(1))] : undefined;
    return place ?? markup`<p class="note">${line.trim()}</p>`;
  });
  return markup`${parts}`;
}
