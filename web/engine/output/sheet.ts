/** Sheets of the command line in parts that a page can show: the same words and numbers. */
import {
  createTableTones,
  formatBlocks,
  joinHeading,
  PLAIN_PAINT,
  type ScenarioSide,
  type SheetBlock,
  type TableTones,
  toPlainTable,
} from '../../../src/report/index.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      /** `title` explains a head, as `warpool columns` does. */
      readonly heads: readonly { readonly head: string; readonly number: boolean; readonly title?: string }[];
      readonly rows: readonly (readonly string[])[];
      /** Colours of the sides that its heads and rows are of. */
      readonly marks?: TableTones | undefined;
    };

const PLAIN_STYLE = { width: Number.POSITIVE_INFINITY, paint: PLAIN_PAINT };

function toSheetParts(part: SheetBlock, sides: readonly ScenarioSide[]): SheetPart[] {
  if (part.kind === 'left-out') return [{ kind: 'line', text: `(${part.text} not shown)` }];
  if (part.kind === 'drawing' && part.fallback.length > 0) return createSheetParts(part.fallback, sides);
  if (part.kind !== 'table') return formatBlocks([part], PLAIN_STYLE).map((text) => ({ kind: 'line', text }));
  const { heads, rows } = toPlainTable(part);
  const marks = createTableTones(part, sides);
  const shownHeads = heads.map((column) => ({
    head: joinHeading(column),
    number: column.align !== 'left',
    ...(column.about !== undefined && { title: column.about }),
  }));
  return [{ kind: 'table', heads: shownHeads, rows, marks }];
}

/** Tables without rows are left out. */
export function createSheetParts(parts: readonly SheetBlock[], sides: readonly ScenarioSide[] = []): SheetPart[] {
  return parts
    .filter((part) => part.kind !== 'table' || part.rows.length > 0)
    .flatMap((part) => toSheetParts(part, sides));
}
