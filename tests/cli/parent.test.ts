/** A process ends after the parent process whose id is in WARPOOL_PARENT. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';

/** Program that starts a run of several hours, prints its process id and waits. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const env = { ...process.env, WARPOOL_PARENT: String(process.pid) };
  const run = ['bin/warpool.js', 'run', 'scenarios/attrition-direct.yaml', '--battles', '1e12', '--workers', '1'];
  const child = spawn(process.execPath, run, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  process.stdout.write(String(child.pid));
  setInterval(() => undefined, 1000);
`;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.runIf(DEPTH > 1)('a run ends after its parent is killed', { timeout: 30_000 }, async () => {
  const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(String(pid));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(isThere(child)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isThere(child), { timeout: 15_000 }).toBe(false);
});
