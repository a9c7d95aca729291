/** The sheets of the command line in parts that a page can show: the same words and numbers. */
import { headLine } from '../../src/tell/text/column.ts';
import { type Look, PLAIN } from '../../src/tell/text/table.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly heads: readonly { readonly head: string; readonly number: boolean }[];
      readonly rows: readonly (readonly string[])[];
    };

/** Characters of a line, so that sheets neither break sentences nor cut names. */
const WIDTH = 1200;

/** Stands for a table among the lines; cleaned texts hold no such character. */
const MARK = '\u0001';

/** Where the command line shows what a table leaves out. */
const JSON_TOO = /^\(--json also has (.*)\)$/;

/** @param sheet makes the lines for a look: `(look) => outcomeTable(summary, battles, exact, look)` */
export function partsOf(sheet: (look: Look) => readonly string[]): SheetPart[] {
  const tables: SheetPart[] = [];
  const set: Look['set'] = (columns, rows) => {
    if (rows.length === 0) return [];
    const heads = columns.map((column) => ({ head: headLine(column), number: column.align !== 'left' }));
    tables.push({ kind: 'table', heads, rows });
    return [`${MARK}${String(tables.length - 1)}`];
  };
  return sheet({ width: WIDTH, paint: PLAIN, set }).map((line) => {
    const table = line.startsWith(MARK) ? tables[Number(line.slice(1))] : undefined;
    return table ?? { kind: 'line', text: line.trim().replace(JSON_TOO, '($1 not shown)') };
  });
}
