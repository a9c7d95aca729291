/**
 * Cells of sweeps, simulated and encoded as a part, compared with their results: the overhead of a sweep over `solve`
 * and `simulate`.
 */
import { solveSync } from '../src/analysis/solve.ts';
import type { Scenario } from '../src/rules/system.ts';
import { cellTasks, openGrid, SAMPLE_CELLS, SWEPT, type SweptGrid } from './gate/cells.ts';
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

/** Compares all cells of a grid of armies with the largest one, whose states include theirs. */
async function measureOverlap({ quick }: Options): Promise<Row> {
  const axes = [
    ['attacker.units.rifleman', 1, 12],
    ['defender.units.rifleman', 1, 12],
  ] as const;
  const sweep = await openGrid('phased-dice-ground', axes, 'exact');
  const scenarios = Array.from(
    { length: sweep.points },
    (_, point) => sweep.cell(point)?.scenario ?? sweep.spec.scenario,
  );
  const solveAll = (these: readonly Scenario[]) => () => () => {
    for (const each of these) solveSync(each);
    return these.length;
  };
  const contenders = { all: solveAll(scenarios), largest: solveAll(scenarios.slice(-1)) };
  const times = await race(contenders, oneByOne(quick ? 2 : 10));
  const [mean, largest] = ['all', 'largest'].map((name) => Math.min(...(times.get(name) ?? []))) as [number, number];
  const ratio = (mean * scenarios.length) / largest;
  const of = 'largest cells for all';
  return { suite: 'cells', name: 'phased-dice-ground 12 x 12 exact', value: mean / 1e6, unit: 'ms a cell', ratio, of };
}

export async function cells(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const grid of SWEPT) rows.push(await measure(grid, options));
  rows.push(await measureOverlap(options));
  return rows;
}
