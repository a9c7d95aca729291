/** What a sweep will take: cells, time and disk, from a few cells that are tried out. */
import { availableParallelism } from 'node:os';
import { playHere } from '../pool/here.ts';
import { simulate } from '../simulate.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { makeCell } from './cell.ts';
import { encodeHistograms, encodeRows } from './tables.ts';
import { countRows, lawRows, tidyRows } from './tidy.ts';

export interface Estimate {
  readonly points: number;
  /** Points that the condition lets pass. */
  readonly cells: number;
  /** Cells whose scenario was looked at, and the number of those that were tried out. */
  readonly checked: number;
  readonly tried: number;
  /** Of all cells with so many threads, from those that were tried; undefined if there are none. */
  readonly seconds: number | undefined;
  readonly workers: number;
  /** Of the whole store. */
  readonly bytes: number | undefined;
  /** Cells that were tried and could be solved. */
  readonly solved: number;
}

/** Cells that are tried out, and seconds after which no more are. */
const TRIED = 16;
const SECONDS = 5;

/** Seconds that battles must take before it is told from them how long others do. */
const PROBE = 0.02;

/** Scenarios that are checked: about two seconds. */
const CHECKED = 20_000;

/** Every so manieth point that the condition lets pass. */
function* every(sweep: Sweep, cells: number, wanted: number): Generator<number> {
  const stride = Math.max(1, cells / wanted);
  let [seen, next] = [0, 0];
  for (let point = 0; point < sweep.points; point++) {
    if (!sweep.has(point)) continue;
    if (seen++ < next) continue;
    next += stride;
    yield point;
  }
}

function countCells(sweep: Sweep): number {
  if (sweep.spec.where === undefined) return sweep.points;
  let cells = 0;
  for (let point = 0; point < sweep.points; point++) if (sweep.has(point)) cells++;
  return cells;
}

interface Trial {
  seconds: number;
  bytes: number;
  tried: number;
  solved: number;
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000;

const HERE = { play: playHere };

/** How many times as long as what is tried a cell takes, and the sweep that is tried: of fewer battles if those are slow. */
async function shortened(cell: Cell, sweep: Sweep, signal: AbortSignal | undefined) {
  const { battles, spec } = sweep;
  for (let tried = 1; tried < battles; tried *= 2) {
    const began = performance.now();
    await simulate(cell.scenario, { battles: tried, seed: cell.seed, pool: HERE, signal });
    const seconds = secondsSince(began);
    if (seconds < PROBE) continue;
    if (spec.precision !== undefined || seconds * (battles / tried) < SECONDS) break;
    return { times: battles / tried, sweep: { ...sweep, battles: tried } };
  }
  return { times: 1, sweep };
}

async function tryOut(cell: Cell, whole: Sweep, trial: Trial, signal: AbortSignal | undefined): Promise<void> {
  const { times, sweep } = await shortened(cell, whole, signal);
  const began = performance.now();
  const result = await makeCell(cell, sweep, { players: HERE, signal });
  trial.seconds += times * secondsSince(began);
  const laws = sweep.spec.keep.histograms ? lawRows(result, sweep.spec.keep.metrics) : [];
  // Many rows at once, as in a part: so much is written once for each file.
  const many = Array.from({ length: 8 }, () => result);
  const histograms = many.flatMap((each) => [...countRows(each), ...laws]);
  const rows = many.flatMap((each) => tidyRows(each, sweep));
  trial.bytes += (encodeHistograms(histograms, {}).length + encodeRows(rows, sweep.columns, {}).length) / many.length;
  trial.tried++;
  if (result.exact !== undefined) trial.solved++;
}

/**
 * @param workers threads that will play; as many as there are cores unless given
 * @param signal ends it early
 * @throws InputError or InputErrors if the scenario of a cell is refused
 * @throws RunError if the signal comes
 */
export async function estimateSweep(
  sweep: Sweep,
  workers: number = availableParallelism(),
  signal?: AbortSignal,
): Promise<Estimate> {
  const cells = countCells(sweep);
  let checked = 0;
  for (const point of every(sweep, cells, CHECKED)) {
    sweep.cell(point);
    checked++;
  }
  const trial: Trial = { seconds: 0, bytes: 0, tried: 0, solved: 0 };
  // The first one also compiles; it is tried twice.
  for (const point of [...every(sweep, cells, 1), ...every(sweep, cells, TRIED)]) {
    const cell = sweep.cell(point);
    if (trial.seconds > SECONDS || cell === undefined) break;
    if (trial.tried === 1 && point === 0) Object.assign(trial, { seconds: 0, bytes: 0, tried: 0, solved: 0 });
    await tryOut(cell, sweep, trial, signal);
  }
  const { tried, solved } = trial;
  const each = (sum: number): number | undefined => (tried === 0 ? undefined : (sum / tried) * cells);
  const seconds = each(trial.seconds);
  const found = { points: sweep.points, cells, checked, tried, solved, workers };
  return { ...found, seconds: seconds && seconds / workers, bytes: each(trial.bytes) };
}
