/** Tests of runs with a precision target. Only the target and the battles determine where they end. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { InputError } from '../../src/core/errors.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { scheduleOutcomeAnalyses } from '../../src/stats/outcome-schedule.ts';
import { DEPTH } from '../depth.ts';
import { requireBuild, scenario } from './fixtures.ts';

beforeAll(requireBuild);

/** Runs a simulation and returns the parts of the result that must not depend on workers or engine. */
async function ending(options: SimulateOptions) {
  const { from, to, complete, stopping, summary, digest } = await simulate(scenario, { seed: 3, ...options });
  return { from, to, complete, stopping, outcomes: summary.outcomes, digest };
}

describe('a run with a precision target ends at the same battle for all workers and engines', () => {
  test.runIf(DEPTH > 1)('with a precision of outcomes, 1 to 3 workers, a pool and both engines', async () => {
    const request = { precision: 0.008, from: 5 };
    const one = await ending({ ...request, workers: 1 });
    expect(one).toMatchObject({ from: 5, complete: true, stopping: { of: 'outcomes', reached: true } });
    expect(await ending({ ...request, workers: 2 })).toEqual(one);
    expect(await ending({ ...request, workers: 3 })).toEqual(one);
    expect(await ending({ ...request, workers: 2, engine: 'reference' })).toEqual(one);
    await using pool = await ThreadPool.create({ workers: 3 });
    expect(await ending({ ...request, pool })).toEqual(one);
    expect(await ending({ ...request, pool, engine: 'reference' })).toEqual(one);
  });

  test.runIf(DEPTH > 1)('with enough battles for threads', async () => {
    const request = { precision: 0.0003 };
    const one = await ending({ ...request, workers: 1 });
    expect(await ending({ ...request, workers: 2 })).toEqual(one);
    expect(await ending({ ...request, workers: 3 })).toEqual(one);
    expect(one.stopping?.analysis).toBeGreaterThan(1);
  });

  test('with a relative precision of outcomes, and with bounded means', async () => {
    for (const request of [
      { precision: '10%', precisionFloor: 0.005 },
      { precision: 0.2, precisionOf: 'rounds', bounded: true },
    ]) {
      const one = await ending({ ...request, workers: 1 });
      expect(one.stopping?.reached).toBe(true);
      expect(await ending({ ...request, workers: 3 })).toEqual(one);
    }
  });

  test('with a precision of the mean of a metric', async () => {
    const short = await loadScenario('scenarios/phased-dice-ground.yaml');
    const request = { seed: 1, precision: 0.05, precisionOf: 'rounds' };
    const one = await simulate(short, { ...request, workers: 1 });
    const two = await simulate(short, { ...request, workers: 2 });
    expect(one.stopping).toMatchObject({ of: 'rounds', intervalMethod: 'chow-robbins', reached: true });
    expect(two).toMatchObject({ stopping: one.stopping, digest: one.digest, to: one.to });
    const rounds = one.summary.metrics.find(({ name }) => name === 'rounds');
    const [low = 0, high = 0] = rounds?.ci95 ?? [];
    expect((high - low) / 2).toBe(one.stopping?.halfWidth);
    expect((high - low) / 2).toBeLessThanOrEqual(0.05);
  });
});

test('outcomes that cannot occur require no additional battles', async () => {
  const assault = await loadScenario('scenarios/phased-dice-ground.yaml');
  const { to, summary, stopping } = await simulate(assault, { precision: 0.001 });
  expect(summary.outcomes.filter(({ count }) => count === 0)).toHaveLength(3);
  expect(stopping).toMatchObject({ reached: true });
  expect(to).toBeLessThanOrEqual(1_200_000);
});

test('a mean of rounds requires enough battles to limit the effect of unobserved values', async () => {
  const { stopping, summary, to } = await simulate(scenario, { seed: 1, precision: 0.5, precisionOf: 'rounds' });
  expect(to).toBeGreaterThan((2 * 10_000) / 0.5 - 4096);
  const rounds = summary.metrics.find(({ name }) => name === 'rounds');
  expect(rounds?.unobserved).toBeLessThan(2 * (stopping?.halfWidth ?? 0));
});

test('bounded means have wider intervals, also after a signal stops the run', async () => {
  const stop = new AbortController();
  const onProgress = (): void => {
    stop.abort();
  };
  const options = { seed: 1, battles: 1e9, bounded: true, signal: stop.signal, onProgress };
  const { complete, summary, to } = await simulate(scenario, options);
  expect(complete).toBe(false);
  const { summary: plain } = await simulate(scenario, { seed: 1, battles: to });
  for (const [m, { ci95: [low, high] = [0, 0] }] of summary.metrics.entries()) {
    const [narrowLow, narrowHigh] = plain.metrics[m]?.ci95 ?? [0, 0];
    expect(low).toBeLessThan(narrowLow);
    expect(high).toBeGreaterThan(narrowHigh);
  }
});

test('a run with a precision target has the digest of a run with the same number of battles', async () => {
  const { digest, from, to } = await ending({ precision: 0.01 });
  expect((await ending({ battles: to - from })).digest).toBe(digest);
});

test('each interval has at most the requested half-width', async () => {
  const { outcomes } = await ending({ precision: 0.01 });
  for (const { ci95: [low, high] = [0, 1] } of outcomes) expect((high - low) / 2).toBeLessThanOrEqual(0.01);
});

test('a run ends at the first interim analysis that reaches the target', async () => {
  const { stopping, to } = await ending({ precision: 0.002 });
  const { analyses: looks } = scheduleOutcomeAnalyses({ halfWidth: 0.002 }, 3, undefined, 0.0495);
  expect(looks[(stopping?.analysis ?? 0) - 1]?.battles).toBe(to);
  expect(stopping?.analyses).toBe(looks.length);
});

test('a run ends at the maximum number of battles if it does not reach the target', async () => {
  const found = await ending({ precision: 0.001, battles: 30_000 });
  expect(found).toMatchObject({ to: 30_000, complete: true, stopping: { reached: false, maxBattles: 30_000 } });
  expect(found.stopping?.halfWidth).toBeGreaterThan(0.001);
  expect(await ending({ precision: 0.001, battles: 1 })).toMatchObject({ to: 1, stopping: { reached: false } });
  expect(await ending({ precision: 1, precisionOf: 'rounds', battles: 1 })).toMatchObject({
    stopping: { reached: false },
  });
});

test('a run that a signal stops between interim analyses reports no precision', async () => {
  const stop = new AbortController();
  const onProgress = (): void => {
    stop.abort();
  };
  const found = await ending({ precision: 0.00005, signal: stop.signal, onProgress });
  expect(found.complete).toBe(false);
  expect(found.stopping).toBeUndefined();
});

test.each([
  [
    { precision: 0 },
    'precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found 0',
  ],
  [
    { precision: Number.NaN },
    'precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found NaN',
  ],
  [
    { precision: 1 },
    'precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found 1',
  ],
  [
    { precision: -1, precisionOf: 'rounds' },
    'precision: expected a half-width above 0, in the unit of rounds, or a part, such as 1%, found -1',
  ],
  [{ precisionOf: 'rounds' }, 'precisionOf requires precision'],
])('%j is rejected', async (request, message) => {
  const rejection = simulate(scenario, request);
  await expect(rejection).rejects.toThrow(InputError);
  await expect(rejection).rejects.toThrow(message);
});
