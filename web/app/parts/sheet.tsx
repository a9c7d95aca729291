import type { SheetPart } from '../../engine/sheet.ts';
import { Table } from './table.tsx';
import { unbroken } from './unbroken.ts';

type Grid = Extract<SheetPart, { kind: 'table' }>;

/** Columns of metrics that are 0 where nothing of them ever comes. */
const NIL = ['mean', 'SD', 'exact mean'];

/** Metrics that are always 0, as far as the table tells, beside the others. */
function parted({ heads, rows }: Grid): { readonly rows: Grid['rows']; readonly nil: readonly string[] } {
  const columns = heads.flatMap(({ head }, h) => (NIL.includes(head) ? [h] : []));
  const isNil = (row: Grid['rows'][number]): boolean =>
    heads[0]?.head === 'metric' && columns.length > 1 && columns.every((c) => Number(row[c]) === 0);
  return { rows: rows.filter((row) => !isNil(row)), nil: rows.filter(isNil).map(([name = '']) => name) };
}

function Part({ caption, part }: { readonly caption: string; readonly part: Grid }) {
  const { rows, nil } = parted(part);
  const known = part.heads.some(({ head }) => ['exact mean', 'least'].includes(head));
  return (
    <>
      {rows.length > 0 && <Table caption={caption} heads={part.heads} rows={rows} />}
      {nil.length > 0 && (
        <p class="soft small">
          {known ? 'Always 0' : '0 in every battle that was played'}: {nil.join(', ')}.
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
