/** What the gate measures of cells: the same cells and answers as a sweep makes, in a process of its own. */
import { expect, test } from 'vitest';
import { cellTasks, SWEPT, WATCHED } from '../../bench/gate/cells.ts';
import { freshCellRatios } from '../../bench/gate/process.ts';
import { DEPTH, some } from '../depth.ts';

test('cells of all systems are made and answered', async () => {
  expect(new Set(SWEPT.map(({ file }) => file)).size).toBe(5);
  for (const grid of some(SWEPT.filter(({ kind }) => kind === 'played'))) {
    const { cell, answer } = await cellTasks(grid);
    await cell()();
    await answer()();
  }
});

test.runIf(DEPTH > 1)('a fresh process gives the ratios: a cell takes longer than its answer', async () => {
  const [first, ...others] = WATCHED;
  if (first === undefined) throw new Error('no cells are watched');
  expect(others).toHaveLength(3);
  const ratios = await freshCellRatios([first]);
  expect(Object.keys(ratios)).toEqual([first.name]);
  expect(ratios[first.name]).toBeGreaterThan(0.9);
});
