/** Background work of panels: stop, progress and result when one replaces another. */
import { beforeEach, expect, test, vi } from 'vitest';

/** State of the simulated engine: stopped tasks, and its start, for which work waits. */
const engine = vi.hoisted(() => ({
  stopped: [] as number[],
  start: Promise.resolve(),
  last: 0,
  WorkStopped: class extends Error {},
}));

vi.mock('../../web/engine/client.ts', () => ({
  WorkStopped: engine.WorkStopped,
  perform: async (
    work: (afar: unknown, task: number, report: unknown) => Promise<unknown>,
    signal: AbortSignal,
    { onProgress }: { onProgress: unknown },
  ) => {
    const task = ++engine.last;
    const ended = new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new engine.WorkStopped());
      });
    });
    const over = engine.start.then(() => {
      if (signal.aborted) throw new engine.WorkStopped();
      return work({ stop: (number: number) => engine.stopped.push(number) }, task, onProgress);
    });
    return await Promise.race([over, ended]);
  },
}));

type Begin = (engine: unknown, task: number, report: (progress: unknown) => void) => Promise<string>;

interface Under {
  readonly busy: { readonly value: boolean };
  readonly progress: { readonly value: unknown };
  readonly result: { readonly value: string | undefined };
  readonly fault: { readonly value: unknown };
  readonly of: { readonly value: string };
  start(text: string, begin: Begin): Promise<void>;
  stop(): void;
}

/** Imported by a name that TypeScript does not resolve: the module is checked with the libraries of browsers. */
const PLACE = '../../web/app/figures/background-work.ts';
const { BackgroundWork } = (await import(PLACE)) as { BackgroundWork: new () => Under };

beforeEach(() => {
  Object.assign(engine, { stopped: [], start: Promise.resolve(), last: 0 });
});

/** A promise with its resolve function: Node.js 20 has no Promise.withResolvers. */
function gate<T>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** Waits for a turn of the event loop. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

test('work that replaced other work can be stopped after the other work has ended', async () => {
  const work = new BackgroundWork();
  const [first, second] = [gate<string>(), gate<string>()];
  const one = work.start('a', () => first.promise);
  await turn();
  const two = work.start('b', () => second.promise);
  await turn();
  expect(engine.stopped).toEqual([1]);
  first.open('old');
  await one;
  expect([work.busy.value, work.result.value]).toEqual([true, undefined]);
  work.stop();
  expect(engine.stopped).toEqual([1, 2]);
  second.open('new');
  await two;
  expect([work.busy.value, work.result.value, work.fault.value]).toEqual([false, 'new', undefined]);
});

test('work that waits for the engine ends at once after a stop, and never starts', async () => {
  const started = gate<undefined>();
  engine.start = started.promise;
  const begin = vi.fn((_: unknown) => Promise.resolve('begun'));
  const work = new BackgroundWork();
  const over = work.start('a', begin);
  work.stop();
  await over;
  expect([work.busy.value, work.fault.value]).toEqual([false, undefined]);
  started.open(undefined);
  await turn();
  expect(begin).not.toHaveBeenCalled();
});

test('only the second of two tasks that start at once runs', async () => {
  const work = new BackgroundWork();
  const begin = (name: string) =>
    vi.fn((_: unknown, __: number, report: (progress: unknown) => void) => {
      report(name);
      return Promise.resolve(name);
    });
  const [first, second] = [begin('first'), begin('second')];
  await Promise.all([work.start('a', first), work.start('b', second)]);
  expect(first).not.toHaveBeenCalled();
  expect([work.of.value, work.progress.value, work.result.value]).toEqual(['b', 'second', 'second']);
});
