import { unbroken } from '../../../src/tell/text/unbroken.ts';
import type { SheetPart } from '../../engine/sheet.ts';
import { type Head, Table } from './table.tsx';
import { Mark } from './tone.tsx';

type Grid = Extract<SheetPart, { kind: 'table' }>;

/** Columns of metrics that are 0 where nothing of them ever comes. */
const NIL = ['mean', 'SD', 'exact mean'];

/** Metrics that are always 0, as far as the table tells, beside the others; both by the places of their rows. */
function parted({ heads, rows }: Grid): { readonly shown: readonly number[]; readonly nil: readonly number[] } {
  const columns = heads.flatMap(({ head }, h) => (NIL.includes(head) ? [h] : []));
  const isNil = (r: number): boolean =>
    heads[0]?.head === 'metric' && columns.length > 1 && columns.every((c) => Number(rows[r]?.[c]) === 0);
  const all = [...rows.keys()];
  return { shown: all.filter((r) => !isNil(r)), nil: all.filter(isNil) };
}

/** Heads with the colours of the sides that they are of. */
const markedHeads = ({ heads, marks }: Grid): readonly Head[] =>
  heads.map((head, h): Head => {
    const tone = marks?.heads[h] ?? 'none';
    return tone === 'none' ? head : { ...head, head: [<Mark tone={tone} />, head.head] };
  });

function Part({ caption, part }: { readonly caption: string; readonly part: Grid }) {
  const { heads, rows, marks } = part;
  const { shown, nil } = parted(part);
  const known = heads.some(({ head }) => ['exact mean', 'least'].includes(head));
  const marked = shown.map((r) => {
    const [name, ...cells] = rows[r] ?? [];
    return marks === undefined ? [name, ...cells] : [[<Mark tone={marks.rows[r] ?? 'none'} />, name], ...cells];
  });
  return (
    <>
      {marked.length > 0 && <Table caption={caption} heads={markedHeads(part)} rows={marked} />}
      {nil.length > 0 && (
        <p class="soft small">
          {known ? 'Always 0' : '0 in every battle that was played'}: {nil.map((r) => rows[r]?.[0]).join(', ')}.
        </p>
      )}
    </>
  );
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
