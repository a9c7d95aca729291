import { expect, test } from 'vitest';
import { lineClock, longLine, progressLine } from '../../src/cli/progress.ts';

test('a line tells what is done, how fast, and what is left', () => {
  expect(progressLine({ done: 2000, asked: 10_000 }, 4, 'battles')).toBe('2 000 of 10 000 battles  500/s  16 s left');
});

test('a sweep of long cells tells battles', () => {
  const cells = { done: 0, cells: 2, before: 0 };
  expect(longLine({ ...cells, battles: [1_000_000, 6_000_000] }, 10, 'cells')).toBe(
    '0 of 2 cells, 1 000 000 of 6 000 000 battles  100 000/s  50 s left',
  );
  expect(longLine(cells, 10, 'cells')).toBe('0 of 2 cells');
  expect(longLine({ done: 5, cells: 9, before: 1 }, 2, 'cells')).toBe('5 of 9 cells  2/s  2 s left');
});

test('lines come every ten seconds in the first minute, then every minute', () => {
  const due = lineClock(0);
  const told: number[] = [];
  for (let second = 1; second <= 200; second++) if (due(1000 * second)) told.push(second);
  expect(told).toEqual([10, 20, 30, 40, 50, 60, 120, 180]);
});
