/** Reads files of observed battles. */
import { InputError } from '../../core/index.ts';
import { readText } from '../../rules/index.ts';
import type { CountsShape } from '../../stats/index.ts';
import { type ObservedBattles, parseObservations } from './observations.ts';

/** Maximum size of a file of observations. */
const BYTES_MAX = 64 * 2 ** 20;

/** Reads a CSV file of observed battles. @throws InputError with the line of the first fault */
export async function readObservations(path: string, shape: CountsShape): Promise<ObservedBattles[]> {
  const { parse } = await import('csv-parse/sync');
  const text = await readText(path, BYTES_MAX);
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new InputError(path, 'rows of a CSV file with equal numbers of cells', (error as Error).message);
  }
  return parseObservations(rows, shape, path);
}
