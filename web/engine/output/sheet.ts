/** Converts sheets of the command line to parts that the page renders. */
import {
  createTableTones,
  formatBlocks,
  joinHeading,
  PLAIN_STYLE,
  type ScenarioSide,
  type SheetBlock,
  type TableTones,
  toPlainTable,
} from '../../../src/report/index.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      /** `title` explains a head, as in `warpool columns`. */
      readonly heads: readonly { readonly head: string; readonly number: boolean; readonly title?: string }[];
      readonly rows: readonly (readonly string[])[];
      /** Tones of the sides of its heads and rows. */
      readonly marks?: TableTones | undefined;
    };

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

/** Converts sheet blocks; omits tables without rows. */
export function createSheetParts(parts: readonly SheetBlock[], sides: readonly ScenarioSide[] = []): SheetPart[] {
  return parts
    .filter((part) => part.kind !== 'table' || part.rows.length > 0)
    .flatMap((part) => toSheetParts(part, sides));
}
