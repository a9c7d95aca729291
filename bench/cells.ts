/**
 * Cells of sweeps, simulated and encoded as a part, compared with their results: the overhead of a sweep over `solve`
 * and `simulate`.
 */
import { cellTasks, SAMPLE_CELLS, SWEPT, type SweptGrid } from './gate/cells.ts';
import { oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';

/** Takes as many samples as fit into a number of seconds. */
const TURNS = { least: 4, most: 200, quick: 0.7, full: 6 };

async function measure(grid: SweptGrid, { quick }: Options): Promise<Row> {
  const { cell, answer } = await cellTasks(grid);
  const done = (act: () => Promise<void>) => () => act().then(() => SAMPLE_CELLS);
  const contenders = { cell: () => done(cell()), answer: () => done(answer()) };
  const began = performance.now();
  await contenders.cell()();
  const fit = (1000 * (quick ? TURNS.quick : TURNS.full)) / (performance.now() - began);
  const turns = Math.round(Math.min(TURNS.most, Math.max(TURNS.least, fit)));
  const times = await race(contenders, { ...oneByOne(turns), awaited: true });
  const [whole, alone] = ['cell', 'answer'].map((name) => Math.min(...(times.get(name) ?? []))) as [number, number];
  return {
    suite: 'cells',
    name: grid.name,
    value: whole / 1e6,
    unit: 'ms a cell',
    ratio: whole / alone,
    of: `times ${grid.kind === 'exact' ? 'solve' : 'simulate'}`,
    note: `${((whole - alone) / 1e6).toFixed(3)} ms more than that`,
  };
}

export async function cells(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const grid of SWEPT) rows.push(await measure(grid, options));
  return rows;
}
