/**
 * One folder for all temporary files of a run, of tests and of the programs that they start: when the run is over it is
 * removed with everything in it, also with what was left by processes that were killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'warpool-tests-';

/** Called for each project of vitest.config.ts; the first call is for all of them. Runs that are interrupted come to `exit` too. */
export function setup(): void {
  if (basename(tmpdir()).startsWith(NAME)) return;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}
