/** Threads that are ended while they load what they are to run. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { requireBuild } from './fixtures.ts';

const POOL = new URL('../../dist/src/engines/pool/thread-pool.js', import.meta.url).href;

/** Ends pools at many moments after their thread was told to load something. */
const ENDS = `
  import { ThreadPool } from ${JSON.stringify(POOL)};
  for (let ms = 0; ms < 120; ms += 3) {
    const pool = await ThreadPool.create({ workers: 1 });
    const called = pool.call('answer', {}).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await pool.end();
    await called;
  }
  console.log('alive');
`;

test.runIf(DEPTH > 1)('a thread that is ended while it loads a module takes nobody along', () => {
  requireBuild();
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', ENDS], { encoding: 'utf8' })).toBe('alive\n');
});
