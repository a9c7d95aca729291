/** Measurement of sweep cells in the gate: cells and their results, in a separate process. */
import { expect, test } from 'vitest';
import { cellTasks, SWEPT, WATCHED } from '../../bench/gate/cells.ts';
import { freshCellRatios } from '../../bench/gate/process.ts';
import { DEPTH, some } from '../depth.ts';

test('cells of all systems and their results can be computed', async () => {
  expect(new Set(SWEPT.map(({ file }) => file)).size).toBe(5);
  for (const grid of some(SWEPT.filter(({ kind }) => kind === 'played'))) {
    const { cell, answer } = await cellTasks(grid);
    await cell()();
    await answer()();
  }
});

test.runIf(DEPTH > 1)('a separate process returns the ratio of the time of a cell to its result', async () => {
  const [first, ...others] = WATCHED;
  if (first === undefined) throw new Error('no cells are watched');
  expect(others).toHaveLength(3);
  const ratios = await freshCellRatios([first]);
  expect(Object.keys(ratios)).toEqual([first.name]);
  expect(ratios[first.name]).toBeGreaterThan(0.9);
});
