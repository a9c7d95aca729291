import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapConcurrently } from '../../src/storage/folder/files.ts';

test('mapConcurrently returns results in the order of its items, with limited concurrency', async () => {
  const under = new Set<number>();
  let most = 0;
  const act = async (n: number): Promise<number> => {
    under.add(n);
    most = Math.max(most, under.size);
    await pause(n % 3);
    under.delete(n);
    return 10 * n;
  };
  const all = Array.from({ length: 20 }, (_, n) => n);
  expect(await mapConcurrently(all, act, { concurrency: 4 })).toEqual(all.map((n) => 10 * n));
  expect(most).toBe(4);
  expect(await mapConcurrently([], act)).toEqual([]);
});

test('mapConcurrently starts no more calls after a failure, and waits for running ones', async () => {
  const [started, ended]: [number[], number[]] = [[], []];
  const act = async (n: number): Promise<void> => {
    started.push(n);
    await pause(n === 1 ? 1 : 20);
    if (n === 1) throw new Error('one');
    ended.push(n);
  };
  await expect(mapConcurrently([0, 1, 2, 3, 4, 5], act, { concurrency: 3 })).rejects.toThrow('one');
  expect(started).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});

test('mapConcurrently starts no more calls after a signal', async () => {
  const stop = new AbortController();
  const act = (n: number): Promise<number> => {
    if (n === 1) stop.abort();
    return Promise.resolve(n);
  };
  expect(await mapConcurrently([0, 1, 2, 3], act, { concurrency: 1, signal: stop.signal })).toEqual([0, 1]);
});
