import type { SheetPart } from '../../engine/sheet.ts';
import { Table } from './table.tsx';

/** What the command line would print, as tables and small print. */
export function Sheet({ caption, parts }: { readonly caption: string; readonly parts: readonly SheetPart[] }) {
  return (
    <>
      {parts.map((part) =>
        part.kind === 'line' ? (
          <p class="soft small">{part.text}</p>
        ) : (
          <Table caption={caption} heads={part.heads} rows={part.rows} />
        ),
      )}
    </>
  );
}
