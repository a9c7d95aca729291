/** A process that is slow between two steps of taking a lock, while another one takes it: each step in turn. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMark, getOwnWriter } from '../../src/core/files/durable.ts';
import { lockStore, type StoreLock } from '../../src/storage/folder/lock.ts';
import { place } from './folders.ts';

/** What happens before the step that is waited for, once. */
const pause = vi.hoisted((): { at: string; act: (() => Promise<void>) | undefined } => ({ at: '', act: undefined }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<Record<string, unknown>>();
  const slow = (name: string, work: (...args: unknown[]) => Promise<unknown>) => {
    return async (...args: unknown[]): Promise<unknown> => {
      const { act } = pause;
      if (pause.at !== name || act === undefined) return await work(...args);
      pause.act = undefined;
      // A folder is judged by what was in it before.
      if (name !== 'readdir') await act();
      const result = await work(...args);
      if (name === 'readdir') await act();
      return result;
    };
  };
  const slowed = ['readdir', 'lstat', 'unlink', 'rmdir', 'rename', 'rm'].map((name) => [
    name,
    slow(name, real[name] as (...args: unknown[]) => Promise<unknown>),
  ]);
  return { ...real, ...(Object.fromEntries(slowed) as Record<string, unknown>) };
});

afterEach(() => {
  pause.act = undefined;
});

const DEAD = { ...getOwnWriter(), pid: 2 ** 22 + 1 };

describe.each([true, false])('with a lock of the dead: %s', (stale) => {
  test.each(['readdir', 'unlink', 'rmdir', 'rename'])('slow at %s', async (step) => {
    const store = place();
    mkdirSync(join(store, ...(stale ? ['lock'] : [])), { recursive: true });
    if (stale) writeFileSync(join(store, 'lock', createMark(DEAD)), '');
    const quick: StoreLock[] = [];
    pause.at = step;
    pause.act = async () => {
      quick.push(await lockStore(store));
    };
    const slow = await lockStore(store).then(
      (lock) => lock,
      (error: unknown) => String(error),
    );
    pause.act = undefined;
    const [holder = slow] = quick;
    expect(quick.length === 0 || typeof slow === 'string').toBe(true);
    if (quick.length > 0) expect(slow).toContain('expected a store that no other process is writing');
    if (typeof holder === 'string') throw new Error(holder);
    await holder.check();
    expect(readdirSync(store)).toEqual(['lock']);
    await holder[Symbol.asyncDispose]();
    expect(readdirSync(store)).toEqual([]);
  });
});

test('a holder that gives its lock back while another one looks at it', async () => {
  const store = place();
  mkdirSync(store);
  const first = await lockStore(store);
  pause.at = 'lstat';
  pause.act = () => first[Symbol.asyncDispose]();
  const second = await lockStore(store).catch((error: unknown) => String(error));
  // It may be refused or get the lock; but what it gets is whole.
  if (typeof second !== 'string') await second.check();
  else expect(second).toContain('expected a store that no other process is writing');
});
