import type { SheetPart } from '../../engine/sheet.ts';
import { type Head, Table } from './table.tsx';
import { Mark } from './tone.tsx';

type Tabled = Extract<SheetPart, { kind: 'table' }>;

/** The heads and the names of rows with the colours of their sides. */
function marked({ heads, rows, marks }: Tabled): Pick<Parameters<typeof Table>[0], 'heads' | 'rows'> {
  if (marks === undefined) return { heads, rows };
  return {
    heads: heads.map((head, h): Head => {
      const tone = marks.heads[h] ?? 'none';
      return tone === 'none' ? head : { ...head, head: [<Mark tone={tone} />, head.head] };
    }),
    rows: rows.map(([name, ...cells], r) => [[<Mark tone={marks.rows[r] ?? 'none'} />, name], ...cells]),
  };
}

/** What the command line would print, as tables and small print. */
export function Sheet({ caption, parts }: { readonly caption: string; readonly parts: readonly SheetPart[] }) {
  return (
    <>
      {parts.map((part) =>
        part.kind === 'line' ? <p class="soft small">{part.text}</p> : <Table caption={caption} {...marked(part)} />,
      )}
    </>
  );
}
