/** Parts of a sheet in a page: tables as HTML, sentences as paragraphs. */
import { marksOf } from '../../marks.ts';
import { type SheetBlock, withWords } from '../../parts.ts';
import type { ShownSide } from '../../sides.ts';
import { type Column, headLine } from '../../text/column.ts';
import { type Head, type Markup, markup, table } from '../markup.ts';

const headOf = (column: Column, c: number): Head => ({
  head: headLine(column),
  number: column.align !== 'left',
  wide: c === 0,
});

function partOf(part: SheetBlock, sides: readonly ShownSide[]): Markup {
  if (part.kind === 'note') return markup`<p class="note">${part.text}</p>`;
  if (part.kind === 'left-out') return markup`<p class="note">(--json also has ${part.text})</p>`;
  const { heads, rows } = withWords(part);
  return table(heads.map(headOf), rows, { marks: marksOf(part, sides) });
}

/**
 * Tables without rows are left out.
 * @param sides whose outcomes, metrics and fields have their colours
 */
export function sheetOf(parts: readonly SheetBlock[], sides: readonly ShownSide[] = []): Markup {
  return markup`${parts.filter((part) => part.kind !== 'table' || part.rows.length > 0).map((part) => partOf(part, sides))}`;
}
