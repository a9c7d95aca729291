import { unbroken } from '../../../src/tell/index.ts';
import type { SheetPart } from '../../engine/sheet.ts';
import { type Head, Table } from './table.tsx';
import { Mark } from './tone.tsx';

type Grid = Extract<SheetPart, { kind: 'table' }>;

/** Heads with the colours of the sides that they are of. */
const markedHeads = ({ heads, marks }: Grid): readonly Head[] =>
  heads.map((head, h): Head => {
    const tone = marks?.heads[h] ?? 'none';
    return tone === 'none' ? head : { ...head, head: [<Mark tone={tone} />, head.head] };
  });

function Part({ caption, part }: { readonly caption: string; readonly part: Grid }) {
  const { rows, marks } = part;
  const marked =
    marks === undefined
      ? rows
      : rows.map(([name, ...cells], r) => [[<Mark tone={marks.rows[r] ?? 'none'} />, name], ...cells]);
  return <Table caption={caption} heads={markedHeads(part)} rows={marked} />;
}

/** What the command line would print, as tables and small print. */
export function Sheet({ caption, parts }: { readonly caption: string; readonly parts: readonly SheetPart[] }) {
  return (
    <>
      {parts.map((part) =>
        part.kind === 'line' ? <p class="soft small">{unbroken(part.text)}</p> : <Part caption={caption} part={part} />,
      )}
    </>
  );
}
