import { beforeAll, expect, it } from 'vitest';
import { runBattles } from '../../src/engines/pool/adaptive-runner.ts';
import type { Progress } from '../../src/engines/pool/run.ts';
import { battles, digestOf, expected, requireBuild } from './fixtures.ts';

beforeAll(requireBuild);

it.each([
  ['kernel', 1_000],
  ['kernel', 2 ** 14],
  ['kernel', 2 ** 14 + 1],
  ['kernel', 300_000],
  ['reference', 600],
  ['reference', 30_000],
] as const)('engine %s, %i battles: runBattles returns the digest of the calling thread', async (engine, count) => {
  const run = battles(5, 5 + count, { engine });
  const seen: Progress[] = [];
  const result = await runBattles(run, { workers: 2, onProgress: (progress) => void seen.push(progress) });
  expect(digestOf(run, result)).toBe(await expected({ ...run, engine: 'kernel' }));
  expect(result).toMatchObject({ from: 5, to: 5 + count, complete: true });
  expect(new Set(seen.map(({ total: requested }) => requested))).toEqual(new Set([count]));
  expect(seen.at(-1)?.done).toBe(count);
});

it('runBattles uses no threads for a short run', async () => {
  expect((await runBattles(battles(0, 1_000), { workers: 2 })).workers).toBe(0);
});

it.each([0, 2 ** 14])('a run stopped after at least %i battles returns a prefix of the run', async (least) => {
  const run = battles(0, 2 ** 40);
  const stop = new AbortController();
  const onProgress = ({ done }: Progress): void => {
    if (done >= least) stop.abort();
  };
  const result = await runBattles(run, { workers: 2, signal: stop.signal, onProgress });
  expect(result.complete).toBe(false);
  expect(result.to).toBeGreaterThanOrEqual(least);
  expect(digestOf(run, result)).toBe(await expected(battles(0, result.to)));
});

it('runBattles validates the whole run before it starts', async () => {
  const engine = 'steam' as 'kernel';
  await expect(runBattles(battles(0, 10, { engine }))).rejects.toThrow(
    'engine: expected kernel, automaton, reference or sampled',
  );
  await expect(runBattles(battles(0, 10), { workers: 0 })).rejects.toThrow('workers: expected an integer 1..256');
});
