import { preventNumberBreaks } from '../../../src/report/index.ts';
import type { SheetPart } from '../../engine/output/sheet.ts';
import { Table, type TableHead } from './table.tsx';
import { Mark } from './tone.tsx';

type SheetTablePart = Extract<SheetPart, { kind: 'table' }>;

/** Adds the colors of sides to column heads. */
const createToneHeads = ({ heads, marks }: SheetTablePart): readonly TableHead[] =>
  heads.map((head, h): TableHead => {
    const tone = marks?.heads[h] ?? 'none';
    return tone === 'none' ? head : { ...head, head: [<Mark tone={tone} />, head.head] };
  });

function SheetTableView({ caption, part }: { readonly caption: string; readonly part: SheetTablePart }) {
  const { rows, marks } = part;
  const marked =
    marks === undefined
      ? rows
      : rows.map(([name, ...cells], r) => [[<Mark tone={marks.rows[r] ?? 'none'} />, name], ...cells]);
  return <Table caption={caption} heads={createToneHeads(part)} rows={marked} />;
}

/** Output of the command line as tables and small print. Captions are unique: further tables have their number. */
export function Sheet({ caption, parts }: { readonly caption: string; readonly parts: readonly SheetPart[] }) {
  const tables = parts.filter(({ kind }) => kind === 'table');
  const createCaption = (part: SheetPart): string => {
    const number = tables.indexOf(part) + 1;
    return number > 1 ? `${caption}, ${String(number)}` : caption;
  };
  return (
    <>
      {parts.map((part) =>
        part.kind === 'line' ? (
          <p class="soft small">{preventNumberBreaks(part.text)}</p>
        ) : (
          <SheetTableView caption={createCaption(part)} part={part} />
        ),
      )}
    </>
  );
}
