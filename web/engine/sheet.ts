/** Sheets of the command line in parts that a page can show: the same words and numbers. */
import { type SheetBlock, withWords } from '../../src/tell/parts.ts';
import { headLine } from '../../src/tell/text/column.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      /** `title` explains a head, as `warpool columns` does. */
      readonly heads: readonly { readonly head: string; readonly number: boolean; readonly title?: string }[];
      readonly rows: readonly (readonly string[])[];
    };

function shown(part: SheetBlock): SheetPart {
  if (part.kind === 'note') return { kind: 'line', text: part.text };
  if (part.kind === 'left-out') return { kind: 'line', text: `(${part.text} not shown)` };
  const { heads, rows } = withWords(part);
  return {
    kind: 'table',
    heads: heads.map((column) => ({
      head: headLine(column),
      number: column.align !== 'left',
      ...('about' in column && { title: String(column.about) }),
    })),
    rows,
  };
}

/** Tables without rows are left out. */
export function partsOf(parts: readonly SheetBlock[]): SheetPart[] {
  return parts.filter((part) => part.kind !== 'table' || part.rows.length > 0).map(shown);
}
