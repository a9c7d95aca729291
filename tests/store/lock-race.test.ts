/** Races for a lock: a process is slow between two steps, while another one takes the lock. Each step is tested. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMark, getOwnWriter } from '../../src/core/files/durable.ts';
import { lockStore, type StoreLock } from '../../src/storage/folder/lock.ts';
import { place } from './folders.ts';

/** An action that runs once, before the given step. */
const pause = vi.hoisted((): { at: string; act: (() => Promise<void>) | undefined } => ({ at: '', act: undefined }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<Record<string, unknown>>();
  const slow = (name: string, work: (...args: unknown[]) => Promise<unknown>) => {
    return async (...args: unknown[]): Promise<unknown> => {
      const { act } = pause;
      if (pause.at !== name || act === undefined) return await work(...args);
      pause.act = undefined;
      // A slow process uses the contents of a folder from before the action.
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

describe.each([true, false])('with a lock of a dead process: %s', (stale) => {
  test.each(['readdir', 'unlink', 'rmdir', 'rename'])(
    'exactly one process gets the lock if one is slow at %s',
    async (step) => {
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
    },
  );
});

test('a process that examines a lock during its release is rejected or gets a valid lock', async () => {
  const store = place();
  mkdirSync(store);
  const first = await lockStore(store);
  pause.at = 'lstat';
  pause.act = () => first[Symbol.asyncDispose]();
  const second = await lockStore(store).catch((error: unknown) => String(error));
  // The other process may be rejected or get the lock. If it gets the lock, the lock is valid.
  if (typeof second !== 'string') await second.check();
  else expect(second).toContain('expected a store that no other process is writing');
});
