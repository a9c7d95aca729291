/**
 * Cells of sweeps compared with their results. One process computes both in turns, so that the ratio depends on the
 * program and not on the machine. It is the overhead of a sweep over `solve` and `simulate`: scenario, rows, and bytes
 * of a part.
 */

import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { computeCell } from '../../src/storage/store/cell.ts';
import { SegmentEncoder } from '../../src/storage/store/segment.ts';
import { openSweep, type Sweep } from '../../src/storage/sweep/sweep.ts';
import { schema } from '../../src/storage/sweep/sweep-file.ts';
import { shipped } from './benchmark.ts';

/** Two varied numbers of a scenario. */
type Grid = readonly (readonly [path: string, low: number, high: number])[];

/** One shipped scenario of each system. */
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

/** Cells that are only solved, or only simulated. */
export interface SweptGrid {
  readonly name: string;
  readonly file: keyof typeof GRIDS;
  readonly kind: 'exact' | 'played';
}

export const SWEPT: readonly SweptGrid[] = (Object.keys(GRIDS) as (keyof typeof GRIDS)[]).flatMap((file) =>
  (['exact', 'played'] as const).map((kind) => ({ name: `${file} ${kind}`, file, kind })),
);

/** Number of battles of a simulated cell. */
const BATTLES = 10_000;

/** Number of cells of a sample. */
export const SAMPLE_CELLS = 32;

const HERE = { play: runInCallingThread };

/** Opens the sweep of a grid. */
export async function openGrid(file: string, grid: Grid, kind: SweptGrid['kind']): Promise<Sweep> {
  const path = shipped(`#scenarios/${file}.yaml`);
  const requested = kind === 'exact' ? { exact: 'always' } : { exact: 'never', battles: BATTLES };
  const axes = grid.map(([field, low, high]) => ({ path: field, range: [low, high] }));
  return openSweep(
    { ...schema.parse({ scenario: path, axes, ...requested }), scenario: await loadScenario(path) },
    file,
  );
}

/** Selects points of the whole sweep, different ones in every turn. */
function pointsOf({ points }: Sweep, turn: number): number[] {
  const stride = Math.max(1, Math.floor(points / SAMPLE_CELLS));
  return Array.from({ length: Math.min(points, SAMPLE_CELLS) }, (_, c) => (turn + c * stride) % points);
}

/** Compared tasks. Each call of `prepare` creates other cells; the returned function does the work. */
export interface CellTasks {
  /** Computes cells from their points, and encodes a part. */
  readonly cell: () => () => Promise<void>;
  /** Computes only the results of the same cells, whose scenarios are prepared. */
  readonly answer: () => () => Promise<void>;
}

/** @throws Error if a scenario of the grid is rejected */
export async function cellTasks(grid: SweptGrid): Promise<CellTasks> {
  const sweep = await openGrid(grid.file, GRIDS[grid.file], grid.kind);
  const turns = { cell: 0, answer: 0 };
  return {
    cell() {
      const points = pointsOf(sweep, turns.cell++);
      return async () => {
        const encoder = new SegmentEncoder(sweep);
        for (const point of points) {
          const cell = sweep.cell(point);
          if (cell !== undefined) encoder.add(await computeCell(cell, sweep, { players: HERE }));
        }
        encoder.finish(0, '');
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

/** Grids that the gate measures. */
export const WATCHED: readonly SweptGrid[] = SWEPT.filter(({ name }) =>
  ['attrition-direct exact', 'attrition-direct played', 'cube-bag-siege exact', 'phased-dice-ground played'].includes(
    name,
  ),
);

/**
 * Minimum number of turns, and minimum duration of all turns in milliseconds. The best turn counts. The compiler of V8
 * needs about 40 turns for the cells of a cube bag, but only 20 for their results.
 */
const TURNS = { least: 20, time: 4000 };

/** CPU time of this process in milliseconds, without the time of other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Ratio of the best turns of two tasks, by CPU time. */
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

/** Time of a cell divided by the time of its result, by name. */
export async function cellRatios(names: readonly string[]): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {};
  for (const grid of WATCHED) if (names.includes(grid.name)) ratios[grid.name] = await ratioOf(await cellTasks(grid));
  return ratios;
}
