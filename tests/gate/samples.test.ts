/** Samples of the gate. */
import { describe, expect, test, vi } from 'vitest';
import { watched } from '../../bench/gate/process.ts';
import { shortest } from '../../bench/gate/sample.ts';

/** Simulated clock in milliseconds; only tasks advance it. tinybench keeps the clock that exists when it is loaded. */
const clock = vi.hoisted(() => {
  const shown = { now: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => shown.now);
  return shown;
});

/** Creates tasks with given durations of their calls, and the list of calls. */
function tasksOf(times: Readonly<Record<string, readonly number[]>>) {
  const calls: string[] = [];
  const tasks = Object.fromEntries(
    Object.entries(times).map(([name, durations]) => {
      let call = 0;
      const task = (): void => {
        clock.now += durations[call++] ?? Number.NaN;
        calls.push(name);
      };
      return [name, task];
    }),
  );
  return { tasks, calls };
}

describe('samples of several tasks', () => {
  test('take turns, after a warm-up that takes turns too', async () => {
    const { tasks, calls } = tasksOf({ a: [1, 1, 1, 1, 1], b: [9, 9, 9, 9, 9], c: [5, 5, 5, 5, 5] });
    await shortest(tasks, { warmUp: 2, samples: 3 });
    expect(calls.join('')).toBe('abcabcabcabcabc');
  });

  test('return the shortest duration, without the warm-up', async () => {
    const { tasks } = tasksOf({ a: [1, 7, 4, 5], b: [3, 30, 20, 10] });
    expect(await shortest(tasks, { warmUp: 1, samples: 3 })).toEqual({ a: 4, b: 10 });
  });

  test('have the requested number, regardless of their duration', async () => {
    const { tasks, calls } = tasksOf({ a: new Array<number>(120).fill(0.001), b: new Array<number>(120).fill(1000) });
    expect(await shortest(tasks, { samples: 120 })).toEqual({ a: expect.closeTo(0.001, 6) as number, b: 1000 });
    expect(calls).toHaveLength(240);
  });

  test('throw the error of a failed task', async () => {
    const fails = (): void => {
      throw new Error('the kernel trapped');
    };
    await expect(shortest({ fails }, { samples: 3 })).rejects.toThrow('the kernel trapped');
  });
});

test('a process without a message channel runs its task', async () => {
  const shape = { outcomes: [], metrics: [] };
  const entry = { name: 'none', path: 'nowhere.wasm', shape, made: { form: 'kernel', words: [] } } as const;
  const simulated = watched(process.execPath, [], { kind: 'play', entries: [entry], calls: 1, battles: [1] });
  await expect(simulated).rejects.toThrow('nowhere.wasm');
});
