/**
 * One folder for all temporary files of a run, of tests and of the programs that they start. It is removed at the end
 * of the run, including files of killed processes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'warpool-tests-';

/** Creates the folder. Vitest calls it for each project; the first call counts. Interrupted runs emit `exit` too. */
export function setup(): void {
  if (basename(tmpdir()).startsWith(NAME)) return;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}
