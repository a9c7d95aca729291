/** Calls that rules must not make. The stack of the error starts with the caller, whose line is shown to authors. */
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

/** Two copies of the package, as in a bundled system: the copy that is called first replaces the guarded functions. */
test.each(Object.entries(ASKED))('the error about %s has its caller first in the stack', async (requested, ask) => {
  const name = '../../src/rules/rules-guard.ts?copy';
  const copy = (await import(/* @vite-ignore */ name)) as typeof own;
  expect(copy.callIsolated).not.toBe(own.callIsolated);
  for (const { callIsolated: apart } of [copy, own]) {
    const called = vi.fn(ask);
    let reported: unknown;
    try {
      apart(called, 0, 0);
    } catch (error) {
      reported = error;
    }
    expect(called).toHaveBeenCalledTimes(1);
    expect(reported).toMatchObject({ message: expect.stringContaining(`the rules call ${requested}: `) as string });
    const [first = ''] = ((reported as Error).stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
    expect(first).toContain('foreign.test.ts');
    await Promise.resolve();
  }
});
