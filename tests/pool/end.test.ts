/** Tests of threads that end while they load a module. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { requireBuild } from './fixtures.ts';

const POOL = new URL('../../dist/src/engines/pool/thread-pool.js', import.meta.url).href;

/** Program that ends pools at many times after their thread started to load a module. */
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

test.runIf(DEPTH > 1)('a thread that ends while it loads a module does not end the process', () => {
  requireBuild();
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', ENDS], { encoding: 'utf8' })).toBe('alive\n');
});
