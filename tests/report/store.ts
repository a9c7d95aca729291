/** Small stores in memory, from simulated battles and exact answers. */

import { type SimulationResult, simulate } from '../../src/analysis/simulate.ts';
import { type ExactResult, solveSync } from '../../src/analysis/solve.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { applyChanges } from '../../src/rules/scenario/update-scenario.ts';
import type { Counts, CountsShape } from '../../src/stats/counts.ts';
import { createRows } from '../../src/storage/store/cell.ts';
import {
  type AxisValue,
  EMPTY_ROW,
  type HistogramRow,
  type ResultRow,
  type Store,
  type StoredAxis,
  type StoreInfo,
} from '../../src/storage/sweep/rows.ts';
import type { Sweep } from '../../src/storage/sweep/sweep.ts';

export interface Asked {
  readonly scenario: unknown;
  readonly axes: readonly StoredAxis[];
  /** Values of the axes, in their order. Default: all combinations of their values. */
  readonly points?: readonly (readonly AxisValue[])[];
  readonly design?: string;
  /** Battles of each cell. 0: cells have only exact answers. */
  readonly battles: number;
  readonly solved?: boolean;
  /** Returns whether the cell of a point is missing. */
  readonly missing?: (values: readonly AxisValue[]) => boolean;
  readonly name?: string;
  /** Number of parts in which the battles of a cell are counted. */
  readonly parts?: number;
}

const SEED = '1';

function combined(axes: readonly StoredAxis[]): AxisValue[][] {
  return axes.reduce<AxisValue[][]>(
    (points, { values = [] }) => points.flatMap((point) => values.map((value) => [...point, value])),
    [[]],
  );
}

interface Cell {
  readonly cell: number;
  readonly axes: Record<string, AxisValue>;
  readonly run: SimulationResult | undefined;
  readonly exact: ExactResult | undefined;
  readonly parts: readonly SimulationResult[];
}

function rowsOf({ cell, axes, run, exact }: Cell): ResultRow[] {
  const found = run ?? exact;
  if (found === undefined) return [];
  const { scenario, scenarioHash: hash, shape } = found;
  const simulation = run && { battles: run.to, summary: run.summary, digest: run.digest };
  const columns = Object.keys(axes).map((name) => ({ name, paths: [name], kind: 'other' as const }));
  const of = { index: cell, labels: Object.values(axes), scenario, hash, seed: BigInt(SEED) };
  return createRows({ cell: of, shape, played: simulation, exact }, {
    columns,
    spec: { keep: {} },
  } as unknown as Sweep);
}

function weightRows(
  cell: number,
  { shape, counts }: { readonly shape: CountsShape; readonly counts: Counts },
): (HistogramRow & { readonly count: number })[] {
  const whole = { cell, from: 0, to: 0, probability: null };
  const ended = shape.outcomes.map((outcome, o) => ({
    ...whole,
    kind: 'outcome' as const,
    name: outcome,
    outcome,
    value: null,
    count: counts.outcomes[o] ?? 0,
  }));
  const counted = shape.metrics.flatMap(({ name, unit = 1 }, m) => {
    const { low, width, counts: cells } = counts.metrics[m] ?? { low: 0, width: 0, counts: [] };
    return shape.outcomes.flatMap((outcome, o) =>
      Array.from({ length: width }, (_, k) => ({
        ...whole,
        kind: 'metric' as const,
        name,
        outcome,
        value: (low + k) * unit,
        count: cells[o * width + k] ?? 0,
      })),
    );
  });
  return [...ended, ...counted].filter(({ count }) => count > 0);
}

function histogramOf({ cell, exact, parts }: Cell): HistogramRow[] {
  const counted = parts.flatMap((part) =>
    weightRows(cell, part).map((row) => ({ ...row, from: part.from, to: part.to })),
  );
  const exactDistribution =
    exact === undefined ? [] : weightRows(cell, { shape: exact.shape, counts: exact.distribution });
  return [...counted, ...exactDistribution.map(({ count, ...row }) => ({ ...row, count: null, probability: count }))];
}

async function simulation(requested: Asked, values: readonly AxisValue[], cell: number): Promise<Cell> {
  const base = validateScenario(requested.scenario);
  const changes = requested.axes.flatMap(({ paths }, a) => paths.map((path) => `${path}=${JSON.stringify(values[a])}`));
  const scenario = applyChanges(base, changes);
  const axes = Object.fromEntries(requested.axes.map(({ name }, a) => [name, values[a] ?? null]));
  const { battles, parts = 1, solved = true } = requested;
  const each = battles / parts;
  const simulation: SimulationResult[] = [];
  for (let p = 0; p < parts && battles > 0; p++)
    simulation.push(await simulate(scenario, { battles: each, from: p * each, seed: SEED, workers: 1 }));
  const run = parts === 1 ? simulation[0] : await simulate(scenario, { battles, seed: SEED, workers: 1 });
  return {
    cell,
    axes,
    run: battles > 0 ? run : undefined,
    exact: solved ? solveSync(scenario) : undefined,
    parts: simulation,
  };
}

/**
 * Creates a store with simulated battles and exact answers. It does not depend on the machine, because battles do not.
 */
export async function sweepStore(requested: Asked): Promise<Store> {
  const points = requested.points ?? combined(requested.axes);
  const cells: Cell[] = [];
  for (const [p, values] of points.entries())
    if (requested.missing?.(values) !== true) cells.push(await simulation(requested, values, p));
  const complete = cells.length === points.length;
  const facts: StoreInfo = {
    name: requested.name ?? 'a duel',
    system: validateScenario(requested.scenario).system,
    ruleset: '1',
    warpool: '0.1.0',
    axes: requested.axes,
    design: requested.design ?? 'grid',
    points: points.length,
    battles: requested.battles,
    seed: SEED,
    streams: 'common',
    complete,
    ...(complete && { digest: 'f00dfacef00dface' }),
  };
  return storeOf(facts, cells.flatMap(rowsOf), (cell) =>
    cells.filter((each) => each.cell === cell).flatMap(histogramOf),
  );
}

/** Creates a store of the rows. */
export function storeOf(
  facts: StoreInfo,
  rows: Iterable<ResultRow>,
  histogram: (cell: number) => HistogramRow[] = () => [],
): Store {
  return {
    folder: 'results',
    info: facts,
    async *rows() {
      yield* await Promise.resolve(rows);
    },
    async *parts() {
      yield await Promise.resolve([...rows]);
    },
    histogram: (cell) => Promise.resolve(histogram(cell)),
  };
}

/** Scenario of most tests. */
export const DUEL = {
  system: 'attrition',
  mode: 'direct',
  attacker: { name: 'Swordsmen', attack: 1, defense: 1, hp: 20 },
  defender: { name: 'Pikemen', attack: 1, defense: 1, hp: 20 },
};

/** Sweep with names that try to break out of HTML, SVG, a script or an expression. */
export const EVIL: Asked = {
  scenario: {
    system: 'attrition',
    mode: 'mass',
    combatants: [
      { name: '</script><img src=x onerror=alert(1)>', party: 'red', attack: 1, defense: 1, hp: 8 },
      { name: 'blue "&\' {{x}} \\', party: "'); alert(2); ('", attack: 1, defense: 1, hp: 8 },
    ],
  },
  name: '</title><script>alert("name")</script>\u202E\u0007]]>',
  axes: [
    axis('combatants[0].hp', [4, 6, 8], '<b onmouseover="alert(3)">hp</b>'),
    axis('combatants[1].hp', [4, 6, 8, 10], '</svg><script>alert(4)</script>'),
  ],
  battles: 300,
  solved: false,
  missing: (values) => values[0] === 8 && values[1] === 10,
};

/** Description of a store with rows made by hand: a grid of twelve cells. */
export const MADE: Omit<StoreInfo, 'axes'> = {
  ...{ name: 'made by hand', system: 'attrition', ruleset: '1', warpool: '0.1.0', design: 'grid', points: 12 },
  ...{ battles: 100, seed: '1', streams: 'independent', complete: true, digest: 'abc' },
};

/** Creates an axis that sets one field. */
export function axis(path: string, values: readonly AxisValue[], name = path): StoredAxis {
  return { name, paths: [path], values };
}

/** Creates a row of the outcome `attacker`. */
export function outcomeRow(cell: number, axes: Record<string, AxisValue>, p: number, error: number): ResultRow {
  return {
    ...EMPTY_ROW,
    cell,
    axes,
    kind: 'outcome',
    name: 'attacker',
    battles: 100,
    estimate: p,
    low: p - 2 * error,
    high: p + 2 * error,
    standard_error: error,
    standard_deviation: Math.sqrt(p * (1 - p)),
    seed: SEED,
    scenario: '',
  };
}
