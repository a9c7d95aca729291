/**
 * Cells of sweeps against their answers: both are made in one process in turns, so that the ratio is of the program, not of
 * the machine. It tells what a sweep adds to `solve` and `simulate`: the scenario, the rows, the bytes of a part.
 */

import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { type ComputedCell, computeCell } from '../../src/storage/store/cell.ts';
import { encodeSegment } from '../../src/storage/store/segment.ts';
import { openSweep, type Sweep } from '../../src/storage/sweep/sweep.ts';
import { schema } from '../../src/storage/sweep/sweep-file.ts';
import { shipped } from './benchmark.ts';

/** Two numbers of a scenario that are swept. */
type Grid = readonly [path: string, low: number, high: number][];

/** A shipped scenario of each system. */
const GRIDS = {
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
} as const satisfies Readonly<Record<string, Grid>>;

/** Cells that are solved alone, or played alone. */
export interface SweptGrid {
  readonly name: string;
  readonly file: keyof typeof GRIDS;
  readonly kind: 'exact' | 'played';
}

export const SWEPT: readonly SweptGrid[] = (Object.keys(GRIDS) as (keyof typeof GRIDS)[]).flatMap((file) =>
  (['exact', 'played'] as const).map((kind) => ({ name: `${file} ${kind}`, file, kind })),
);

/** Battles of a cell that is played. */
const BATTLES = 10_000;

/** Cells of a sample. */
export const SAMPLE_CELLS = 32;

const HERE = { play: runInCallingThread };

async function sweepOf({ file, kind }: SweptGrid): Promise<Sweep> {
  const path = shipped(`#scenarios/${file}.yaml`);
  const asked = kind === 'exact' ? { exact: 'always' } : { exact: 'never', battles: BATTLES };
  const axes = GRIDS[file].map(([field, low, high]) => ({ path: field, range: [low, high] }));
  return openSweep({ ...schema.parse({ scenario: path, axes, ...asked }), scenario: await loadScenario(path) }, file);
}

/** Points all over a sweep: other ones in every turn. */
function pointsOf({ points }: Sweep, turn: number): number[] {
  const stride = Math.max(1, Math.floor(points / SAMPLE_CELLS));
  return Array.from({ length: Math.min(points, SAMPLE_CELLS) }, (_, c) => (turn + c * stride) % points);
}

/** What is compared; each call of `prepare` makes other cells, and the function that it returns does the work. */
export interface CellTasks {
  /** Makes cells from their points, and a part of them. */
  readonly cell: () => () => Promise<void>;
  /** Answers the scenarios of the same cells, which are prepared. */
  readonly answer: () => () => Promise<void>;
}

/** @throws Error if a scenario of the grid is refused */
export async function cellTasks(grid: SweptGrid): Promise<CellTasks> {
  const sweep = await sweepOf(grid);
  const turns = { cell: 0, answer: 0 };
  return {
    cell() {
      const points = pointsOf(sweep, turns.cell++);
      return async () => {
        const results: ComputedCell[] = [];
        for (const point of points) {
          const cell = sweep.cell(point);
          if (cell !== undefined) results.push(await computeCell(cell, sweep, { players: HERE }));
        }
        encodeSegment(sweep, '', 0, results);
      };
    },
    answer() {
      const cells = pointsOf(sweep, turns.answer++).flatMap((point) => sweep.cell(point) ?? []);
      return async () => {
        for (const { scenario, seed } of cells) {
          if (sweep.battles === 0) solveSync(scenario);
          else await simulate(scenario, { battles: sweep.battles, seed, pool: HERE });
        }
      };
    },
  };
}

/** The cells that the gate watches. */
export const WATCHED: readonly SweptGrid[] = SWEPT.filter(({ name }) =>
  ['attrition-direct exact', 'attrition-direct played', 'cube-bag-siege exact', 'phased-dice-ground played'].includes(
    name,
  ),
);

/** Turns of each, of which the best counts: at least so many, and as many as take so many milliseconds. */
const TURNS = { least: 20, time: 800 };

/** Milliseconds of CPU of this process: those that other processes take meanwhile do not count. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The best of some turns over the best of others, in milliseconds of CPU. */
async function ratioOf({ cell, answer }: CellTasks): Promise<number> {
  const { Bench } = await import('tinybench');
  const best = { cell: Number.POSITIVE_INFINITY, answer: Number.POSITIVE_INFINITY };
  const began = performance.now();
  for (let turn = 0; turn < TURNS.least || performance.now() - began < TURNS.time; turn++) {
    const bench = new Bench({ iterations: 1, time: 0, warmup: false, throws: true, now: cpuTime });
    bench.add('cell', cell(), { async: true }).add('answer', answer(), { async: true });
    await bench.run();
    for (const { name, result } of bench.tasks) {
      if (result.state !== 'completed') throw new Error(`${name} was not measured: ${result.state}`);
      best[name as keyof typeof best] = Math.min(best[name as keyof typeof best], result.latency.min);
    }
  }
  return best.cell / best.answer;
}

/** Time of a cell over the time of its answer, by name. */
export async function cellRatios(names: readonly string[]): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {};
  for (const grid of WATCHED) if (names.includes(grid.name)) ratios[grid.name] = await ratioOf(await cellTasks(grid));
  return ratios;
}
