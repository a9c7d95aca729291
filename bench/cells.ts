/** Cells of sweeps, made and encoded as a part, against their answers: what a sweep adds to `solve` and `simulate`. */
import { playHere } from '../src/engines/pool/conduct.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import { simulate } from '../src/studies/simulate.ts';
import { solve } from '../src/studies/solve.ts';
import { type CellResult, makeCell } from '../src/work/store/cell.ts';
import { encoded } from '../src/work/store/segment.ts';
import { type SweepFile, schema } from '../src/work/sweep/file.ts';
import { openSweep, type Sweep } from '../src/work/sweep/sweep.ts';
import { type Contender, oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';

/** Cells of a sample. */
const CELLS = 32;

/** Samples: as many as fit into so many seconds. */
const TURNS = { least: 4, most: 200, quick: 0.7, full: 6 };

/** Battles of a cell that is played. */
const BATTLES = 10_000;

/** A scenario of each system, and two numbers of it. */
const GRIDS: Readonly<Record<string, readonly [path: string, low: number, high: number][]>> = {
  'attrition-direct': [
    ['attacker.hp', 1, 40],
    ['defender.hp', 1, 40],
  ],
  'phased-dice-ground': [
    ['attacker.units.cannon', 0, 7],
    ['defender.units.knight', 0, 7],
  ],
  'cube-bag-siege': [
    ['attacker.armies[0].units.spearman', 1, 8],
    ['defender.armies[0].units.swordsman', 1, 8],
  ],
  'strength-cards-pocket': [
    ['attacker.orderBonus', 0, 7],
    ['defender.orderBonus', 0, 7],
  ],
  'token-conflict-pirates': [
    ['players.rhodes.stock', 1, 8],
    ['players.cyprus.stock', 1, 8],
  ],
};

const HERE = { play: playHere };

async function sweepOf(file: string, asked: Pick<SweepFile, 'exact' | 'battles'>): Promise<Sweep> {
  const axes = (GRIDS[file] ?? []).map(([path, low, high]) => ({ path, range: [low, high] }));
  const spec = schema.parse({ scenario: `scenarios/${file}.yaml`, axes, ...asked });
  return openSweep({ ...spec, scenario: await loadScenario(`scenarios/${file}.yaml`) }, file);
}

/** Points all over a sweep: other ones in every turn. */
function pointsOf({ points }: Sweep, turn: number): number[] {
  const stride = Math.max(1, Math.floor(points / CELLS));
  return Array.from({ length: Math.min(points, CELLS) }, (_, c) => (turn + c * stride) % points);
}

/** Makes cells of a sweep from their points, and a part of them. */
function sweeping(sweep: Sweep): Contender {
  let turn = 0;
  return () => async () => {
    const results: CellResult[] = [];
    for (const point of pointsOf(sweep, turn++)) {
      const cell = sweep.cell(point);
      if (cell !== undefined) results.push(await makeCell(cell, sweep, { players: HERE }));
    }
    encoded(sweep, '', 0, results);
    return results.length;
  };
}

/** Answers the scenarios of the same cells, which are prepared. */
function answering(sweep: Sweep): Contender {
  let turn = 0;
  return () => {
    const cells = pointsOf(sweep, turn++).flatMap((point) => sweep.cell(point) ?? []);
    return async () => {
      for (const { scenario, seed } of cells) {
        if (sweep.battles === 0) solve(scenario);
        else await simulate(scenario, { battles: sweep.battles, seed, pool: HERE });
      }
      return cells.length;
    };
  };
}

async function measure(file: string, kind: 'exact' | 'played', { quick }: Options): Promise<Row> {
  const asked = kind === 'exact' ? { exact: 'always' as const } : { exact: 'never' as const, battles: BATTLES };
  const sweep = await sweepOf(file, asked);
  const contenders = { cell: sweeping(sweep), answer: answering(sweep) };
  const began = performance.now();
  await contenders.cell()();
  const fit = (1000 * (quick ? TURNS.quick : TURNS.full)) / (performance.now() - began);
  const turns = Math.round(Math.min(TURNS.most, Math.max(TURNS.least, fit)));
  const times = await race(contenders, { ...oneByOne(turns), awaited: true });
  const [cell, answer] = ['cell', 'answer'].map((name) => Math.min(...(times.get(name) ?? []))) as [number, number];
  return {
    suite: 'cells',
    name: `${file} ${kind}`,
    value: cell / 1e6,
    unit: 'ms a cell',
    ratio: cell / answer,
    of: `times ${kind === 'exact' ? 'solve' : 'simulate'}`,
    note: `${((cell - answer) / 1e6).toFixed(3)} ms more than that`,
  };
}

export async function cells(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of Object.keys(GRIDS))
    for (const kind of ['exact', 'played'] as const) rows.push(await measure(file, kind, options));
  return rows;
}
