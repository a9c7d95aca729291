/** Tables as CSV, written as `export --excel` writes them. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { formOf } from '../../src/work/store/rows.ts';

export function csvOf(columns: readonly string[], records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { ...formOf(true), columns: [...columns] },
  );
}
