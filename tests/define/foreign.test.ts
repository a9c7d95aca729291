/** What rules may not ask: who asked comes first in the stack of the error, for that is the line that authors are told. */
import { expect, test, vi } from 'vitest';
import * as own from '../../src/rules/rules-guard.ts';

const ASKED: Readonly<Record<string, () => unknown>> = {
  'Math.random': () => Math.random(),
  'Date.now': () => Date.now(),
  'new Date': () => new Date(),
  Date: () => Date(),
  'performance.now': () => performance.now(),
  'process.env.HOME': () => process.env['HOME'],
  'process.env.NOBODY': () => 'NOBODY' in process.env,
  'process.hrtime': () => process.hrtime(),
  'crypto.randomUUID': () => crypto.randomUUID(),
};

/** As where one copy of the package is bundled with a system: the first one that was called has replaced what both guard. */
test.each(Object.entries(ASKED))('%s', async (asked, ask) => {
  const name = '../../src/rules/rules-guard.ts?copy';
  const copy = (await import(/* @vite-ignore */ name)) as typeof own;
  expect(copy.callIsolated).not.toBe(own.callIsolated);
  for (const { callIsolated: apart } of [copy, own]) {
    const called = vi.fn(ask);
    let told: unknown;
    try {
      apart(called, 0, 0);
    } catch (error) {
      told = error;
    }
    expect(called).toHaveBeenCalledTimes(1);
    expect(told).toMatchObject({ message: expect.stringContaining(`the rules call ${asked}: `) as string });
    const [first = ''] = ((told as Error).stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
    expect(first).toContain('foreign.test.ts');
    await Promise.resolve();
  }
});
