/** Progress bar of a long command on a terminal. */
import { writeSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLongProgressBar, createProgressBar } from '../../src/cli/progress.ts';

vi.mock('node:fs', async (load) => ({ ...(await load<typeof import('node:fs')>()), writeSync: vi.fn() }));

const { isTTY } = process.stderr;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  process.stderr.isTTY = true;
});
afterEach(() => {
  vi.mocked(writeSync).mockClear();
  vi.useRealTimers();
  process.stderr.isTTY = isTTY;
});

const getLines = (): string[] => vi.mocked(writeSync).mock.calls.map(([, text]) => text);

test('createLongProgressBar appears within 0.5 s and counts cells until battles are known', () => {
  const bar = createLongProgressBar({}, 'cells');
  bar.show({ done: 4, cells: 10, before: 4 });
  vi.advanceTimersByTime(500);
  expect(getLines()).toEqual([expect.stringContaining(' 0 of 6 cells')]);
  vi.advanceTimersByTime(200);
  bar.show({ done: 5, cells: 10, before: 4 });
  vi.advanceTimersByTime(200);
  bar.show({ done: 5, cells: 10, before: 4, battles: [3000, 6000] });
  expect(getLines().slice(1)).toEqual([
    expect.stringContaining(' 1 of 6 cells'),
    expect.stringContaining(' 3 000 of 6 000 battles'),
  ]);
  bar.end();
});

test('createProgressBar counts steps only while they are reported', () => {
  const bar = createProgressBar({}, 'episodes');
  vi.advanceTimersByTime(500);
  bar.show?.({ done: 1, total: 9, unit: 'steps' });
  vi.advanceTimersByTime(200);
  bar.show?.({ done: 2, total: 9 });
  expect(getLines()).toEqual([expect.stringContaining(' 1 of 9 steps'), expect.stringContaining(' 2 of 9 episodes')]);
  bar.end();
});
