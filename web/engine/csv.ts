/** Tables as CSV, written as the command line writes them. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { FORM } from '../../src/work/store/rows.ts';

export function csvOf(columns: readonly string[], records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { ...FORM, columns: [...columns] },
  );
}
