/** Checks of histogram rows: counts of a cell, and rows that no sweep writes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import type { CountsShape } from '../../src/stats/counts.ts';
import type { Summary } from '../../src/stats/summary.ts';
import { createAuditedCell, findCellFaults } from '../../src/storage/store/audit.ts';
import {
  computeCell,
  createCounts,
  createHistograms,
  createRows,
  listRowSources,
} from '../../src/storage/store/cell.ts';
import { encodeHistograms, RowTable, readHistograms } from '../../src/storage/store/tables.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import type { HistogramRow, ResultRow } from '../../src/storage/sweep/rows.ts';
import type { Cell, Sweep } from '../../src/storage/sweep/sweep.ts';
import { encodeRows, runsOf, sweepFile } from './folders.ts';

const FILE = 'histograms/part-00000-0-200.parquet';

let sweep: Sweep;
let cell: Cell;
let rows: HistogramRow[];
let tidy: ResultRow[];
beforeAll(async () => {
  sweep = await loadSweep(sweepFile('axes: [{ path: attacker.hp, range: [9, 10] }]\nbattles: 200\nexact: always'));
  const made = sweep.cell(1);
  if (made === undefined) throw new Error('no cell');
  cell = made;
  const result = await computeCell(cell, sweep, { players: { play: runInCallingThread } });
  tidy = createRows(result, sweep);
  // The bytes that a sweep stores equal the bytes of its encoded rows.
  const table = new RowTable(sweep.columns);
  table.add(listRowSources(result, sweep));
  expect(Buffer.compare(table.encode({}), encodeRows(tidy, sweep.columns, {}))).toBe(0);
  rows = await read(encodeHistograms(createHistograms(result, sweep), {}));
});

function read(bytes: Uint8Array): Promise<HistogramRow[]> {
  const slice = (from: number, to?: number): ArrayBuffer => new Uint8Array(bytes.subarray(from, to)).buffer;
  return readHistograms({ name: 'counts.parquet', content: { byteLength: bytes.length, slice } }, [0, 2]);
}

const faultsOf = (parts: readonly (readonly HistogramRow[])[], files = [FILE]): string[] =>
  findCellFaults(
    createAuditedCell(
      cell,
      sweep,
      tidy,
      parts.map((part, p) => ({ file: files[p] ?? '', rows: part })),
    ),
    sweep,
  ).map(({ where, what }) => `${where}: ${what}`);

describe('findCellFaults', () => {
  test('returns no faults for an unchanged cell', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(faultsOf([rows])).toEqual([]);
  });

  test('accepts counts in two parts', () => {
    // Half of the counts in each part, which no battles produce, but with the same sums.
    const [half, rest] = [rows.filter(({ count }) => count !== null), rows.filter(({ count }) => count === null)];
    const split = [2, 3].map((by) => half.filter(({ count }) => by === 3 || (count ?? 0) > 1));
    const first = (split[0] ?? []).map((row) => ({ ...row, count: 1, to: 100 }));
    const second = (split[1] ?? []).map((row) => ({
      ...row,
      count: (row.count ?? 0) - ((row.count ?? 0) > 1 ? 1 : 0),
      from: 100,
    }));
    const files = ['histograms/part-00000-0-100.parquet', 'histograms/part-00000-100-200.parquet'];
    expect(faultsOf([[...first, ...rest], second], files)).toEqual([]);
  });

  test('reports exact probabilities outside the first part', () => {
    const distribution = rows.filter(({ probability }) => probability !== null);
    const [one] = distribution;
    const files = [FILE, 'histograms/part-00000-200-400.parquet'];
    expect(faultsOf([rows.filter((row) => !distribution.includes(row)), distribution], files)).toEqual([
      `${files[1] ?? ''}, cell 1: it has ${JSON.stringify(one)}, not nothing`,
    ]);
  });

  test('reports rows that are duplicated, out of order, or of other battles', () => {
    const [first, second, ...others] = rows;
    if (first === undefined || second === undefined) throw new Error('no rows');
    const found = (part: readonly HistogramRow[]): string => faultsOf([part]).join();
    expect(found([second, first, ...others])).toContain(
      `it has ${JSON.stringify(second)}, not ${JSON.stringify(first)}`,
    );
    expect(found([first, first, second, ...others])).toContain(`it has ${JSON.stringify(first)}, not`);
    expect(found([{ ...first, to: 199 }, second, ...others])).toContain('"to":199');
    expect(found([{ ...first, from: 1 }, second, ...others])).toContain('"from":1');
  });
});

test('a histogram row of a cell outside its part is rejected', async () => {
  const strange = rows.map((row, r) => (r === rows.length - 1 ? { ...row, cell: 7 } : row));
  await expect(read(encodeHistograms(runsOf(strange), {}))).rejects.toThrow('it has a row of cell 7');
});

test('a probability that rounding raises above 1 has a standard deviation of 0, not NaN', () => {
  const { shape } = createAuditedCell(cell, sweep, [], []);
  const certain = { outcomes: [{ name: 'attacker', p: 1 + Number.EPSILON }], metrics: [] };
  const due = createRows({ cell, shape, exact: { summary: certain as unknown as Summary } }, sweep);
  expect(due[0]).toMatchObject({ name: 'attacker', exact: 1 + Number.EPSILON, standard_deviation: 0 });
});

test('createCounts converts values to steps of the unit of the metric', () => {
  const shape: CountsShape = { outcomes: ['a', 'b'], metrics: [{ name: 'm', unit: 0.5, min: 0, max: 10 }] };
  const row = { kind: 'metric', name: 'm', outcome: 'b' } as const;
  const given = [
    { ...row, value: 1.5, count: 2 },
    { ...row, value: 2.5, count: 3 },
    { ...row, value: 2.5, count: null },
  ];
  const { metrics, outcomes } = createCounts(shape, given, ({ count }) => count);
  expect([...outcomes]).toEqual([0, 0]);
  expect(metrics).toEqual([{ low: 3, width: 3, counts: Float64Array.of(0, 0, 0, 2, 0, 3) }]);
});
