/** Sweeps of one or two fields: the cells of a sweep file, played and solved as the command line does. */

import { stringify } from 'yaml';
import { pause } from '#platform/pause';
import { BudgetError, InputError, RunError } from '../../src/core/errors.ts';
import { sideBudget } from '../../src/engines/exact/budget.ts';
import { opened } from '../../src/rules/opened.ts';
import { checkWith } from '../../src/rules/scenario/check.ts';
import { stepsOf, valueAt } from '../../src/rules/scenario/problem.ts';
import type { Counts, Scenario } from '../../src/rules/system.ts';
import { solveWithin } from '../../src/studies/solve.ts';
import { settingsOf } from '../../src/tell/settings.ts';
import { toldOf } from '../../src/tell/share/told.ts';
import { type ShownSide, sidesOf } from '../../src/tell/sides.ts';
import { commandLine } from '../../src/tell/text/command.ts';
import { makeCell, tidyRows } from '../../src/work/store/cell.ts';
import {
  type AxisValue,
  type Row,
  rowNames,
  type StoredAxis,
  storedAxis,
  tableRecord,
} from '../../src/work/store/rows.ts';
import { schema } from '../../src/work/sweep/file.ts';
import { openSweep, type Sweep, sweepHash } from '../../src/work/sweep/sweep.ts';
import { scenarioOf } from './check.ts';
import { csvOf } from './csv.ts';
import { CELLS_MAX, LINE_MAX, SIDE_MAX } from './limits.ts';
import { solvable } from './solvable.ts';
import { stemOf } from './stem.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

/** A field and its values. */
export type SweptField =
  | { readonly path: string; readonly range: readonly [low: number, high: number]; readonly step: number }
  | { readonly path: string; readonly values: readonly (number | string | boolean)[] };

export interface SweepAsk {
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  /** One or two. */
  readonly axes: readonly SweptField[];
  readonly exact: 'auto' | 'always' | 'never';
  /** Of each cell; 0 with `exact: always` alone. */
  readonly battles: number;
  /** Half-width of the intervals of all outcomes; `battles` does not count then. */
  readonly precision?: number | undefined;
}

/** A sweep as the command line reads it. */
export interface SweepFile {
  readonly yaml: string;
  readonly yamlName: string;
  readonly command: string;
}

/** What is known of a sweep before it is played. */
export interface SweepPlan extends SweepFile {
  /** Sweeps of one hash have the same cells with the same results. */
  readonly hash: string;
  readonly points: number;
  readonly axes: readonly StoredAxis[];
  /** What the scenario itself has of the axes. */
  readonly here: Row['axes'];
  /** The name of the scenario, the game, the units and the settings. */
  readonly battle: string;
  /** What metrics are counted in. */
  readonly counts: Counts;
  /** The sides of the scenario, for their colours. */
  readonly sides: readonly ShownSide[];
}

/** What came of some cells. */
export interface SweepPart {
  readonly rows: readonly Row[];
  /** Points that are done with these. */
  readonly points: readonly number[];
  /** Points whose scenario is refused, and why. */
  readonly refused: readonly (readonly [point: number, why: string])[];
}

/** Milliseconds between two messages to the page. */
const TELL_EVERY = 120;

const PLACE = 'sweep';

function contentOf({ axes, exact, battles, precision, seed }: SweepAsk) {
  const small = Number(seed) <= Number.MAX_SAFE_INTEGER;
  return {
    axes: axes.map((axis) => ({ ...axis })),
    ...(precision === undefined ? { battles } : { precision }),
    exact,
    seed: small ? Number(seed) : seed,
  };
}

/** Refuses more than can be drawn. */
function checkSize({ points, columns }: Sweep): void {
  const most = columns.length === 1 ? LINE_MAX : SIDE_MAX;
  for (const { name, labels = [] } of columns) {
    if (labels.length <= most) continue;
    const expected = `at most ${String(most)} values in the page (a larger step, or the command line)`;
    throw new InputError(name, expected, String(labels.length));
  }
  if (points > CELLS_MAX) throw new InputError(PLACE, `at most ${String(CELLS_MAX)} cells in the page`, String(points));
}

/** The sweep that is asked for. @throws InputError for whatever is wrong with it */
function sweepOf(ask: SweepAsk, scenario: Scenario): Sweep {
  const value = { scenario: '-', ...contentOf(ask) };
  const { scenario: _, ...file } = checkWith(schema, { value, spot: undefined, problems: [], place: () => PLACE });
  const sweep = openSweep({ ...file, scenario }, PLACE);
  checkSize(sweep);
  return sweep;
}

/** The sweep as a file, with the scenario in it. */
function fileOf(ask: SweepAsk, { system, ...fields }: Scenario): SweepFile {
  const name = `${stemOf(ask.file)}-sweep`;
  const yamlName = `${name}.yaml`;
  return {
    yaml: stringify({ scenario: { system, ...fields }, ...contentOf(ask) }, { lineWidth: 0 }),
    yamlName,
    command: commandLine('sweep', { file: yamlName }, '--out', name),
  };
}

/** Returns `Combined arms on land (Axis & Allies: 4 infantry against 5 infantry), defender.losses gun`. */
function battleText(scenario: Scenario): string {
  const { title, system } = toldOf({ scenario });
  const set = settingsOf(scenario).filter(({ isDefault }) => !isDefault);
  return [`${title} (${system})`, ...set.map(({ path, value }) => `${path} ${value}`)].join(', ');
}

/** What a field has, where it is something that an axis can have. */
function hereOf(scenario: Scenario, path: string): AxisValue {
  const value = valueAt(scenario, stepsOf(path));
  return ['number', 'string', 'boolean'].includes(typeof value) ? (value as AxisValue) : null;
}

function plan(ask: SweepAsk, scenario: Scenario): SweepPlan {
  const sweep = sweepOf(ask, scenario);
  return {
    ...fileOf(ask, scenario),
    hash: sweepHash(sweep.spec),
    points: sweep.points,
    axes: sweep.columns.map((column) => storedAxis(column, scenario)),
    here: Object.fromEntries(sweep.columns.map(({ name }) => [name, hereOf(scenario, name)])),
    battle: battleText(scenario),
    counts: opened(scenario).system.counts ?? {},
    sides: sidesOf(scenario),
  };
}

type Open = { -readonly [K in keyof SweepPart]: SweepPart[K][number][] };

/** Gets what came; over a channel it gives a promise that resolves when the part has arrived. */
type Tell = (part: SweepPart) => unknown;

/** Sends what came now and then. */
class Telling {
  readonly #tell: Tell;
  readonly #sent: unknown[] = [];
  #part: Open = { rows: [], points: [], refused: [] };
  #last = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  add(part: Partial<SweepPart>): void {
    this.#part.rows.push(...(part.rows ?? []));
    this.#part.points.push(...(part.points ?? []));
    this.#part.refused.push(...(part.refused ?? []));
    if (performance.now() - this.#last > TELL_EVERY) this.send();
  }

  send(): void {
    this.#last = performance.now();
    this.#sent.push(this.#tell(this.#part));
    this.#part = { rows: [], points: [], refused: [] };
  }

  /** Sends the rest. Over when all parts have arrived: a result comes by another channel, and could be there before them. */
  async end(): Promise<void> {
    this.send();
    await Promise.all(this.#sent);
  }
}

const NOBODY = (): void => undefined;

/** Some hundredths of a second: there are many cells. */
const SMALL = sideBudget(1);

/** The points at which every axis is at one of its ends; the last axis goes fastest. */
function cornersOf({ columns }: Sweep): number[] {
  return columns.reduce<number[]>(
    (points, { labels = [] }) => {
      const ends = new Set([0, labels.length - 1]);
      return points.flatMap((point) => [...ends].map((end) => point * labels.length + end));
    },
    [0],
  );
}

function isSmall(scenario: Scenario): boolean {
  try {
    solveWithin(scenario, SMALL);
    return true;
  } catch (error) {
    if (error instanceof BudgetError) return false;
    throw error;
  }
}

/** The rows of a point; nothing where it was stopped. */
async function pointOf(sweep: Sweep, point: number, signal: AbortSignal): Promise<Partial<SweepPart> | undefined> {
  try {
    const cell = sweep.cell(point);
    if (cell === undefined) return { points: [point] };
    const result = await makeCell(cell, sweep, { players: new Watched(NOBODY), signal });
    return { points: [point], rows: tidyRows(result, sweep) };
  } catch (error) {
    if (signal.aborted && error instanceof RunError) return undefined;
    // A scenario that cannot be is a hole in the map.
    if (error instanceof Error && error.name.startsWith('InputError')) return { refused: [[point, error.message]] };
    throw error;
  }
}

export const sweep = {
  /** What a sweep will be. @throws InputError for whatever is wrong with it or its scenario */
  sweepPlan(ask: SweepAsk): SweepPlan {
    return plan(ask, scenarioOf(ask.text));
  },

  /** The sweep for the command line, which has no limit on cells. @throws InputError for the scenario */
  sweepFile(ask: SweepAsk): SweepFile {
    return fileOf(ask, scenarioOf(ask.text));
  },

  /**
   * Whether exact answers of all cells come at once: they do between the ends of the axes where they do there.
   * @throws InputError for whatever is wrong with the sweep or its scenario
   */
  async sweepIsSmall(ask: SweepAsk): Promise<boolean> {
    const asked = sweepOf(ask, await solvable(ask.text));
    for (const corner of cornersOf(asked)) {
      await pause();
      try {
        const cell = asked.cell(corner);
        if (cell !== undefined && !isSmall(cell.scenario)) return false;
      } catch (error) {
        // A corner that the scenario does not allow says nothing of the others.
        if (!(error instanceof Error) || !error.name.startsWith('InputError')) throw error;
      }
    }
    return true;
  },

  /**
   * Plays and solves the cells that are not there yet, in their order.
   * @param done points that are there
   * @param tell gets what came, some times a second; all of it before the promise resolves
   * @returns whether all points are done; false if it was stopped
   * @throws BudgetError if exact answers are demanded and one is too large
   */
  async sweep(ask: SweepAsk, done: readonly number[], task: number, tell: Tell): Promise<boolean> {
    const asked = sweepOf(ask, await solvable(ask.text));
    const there = new Set(done);
    const signal = signalOf(task);
    const telling = new Telling(tell);
    for (let point = 0; point < asked.points; point++) {
      if (there.has(point)) continue;
      await pause();
      const came = signal.aborted ? undefined : await pointOf(asked, point, signal);
      if (came === undefined) {
        await telling.end();
        return false;
      }
      telling.add(came);
    }
    await telling.end();
    return true;
  },

  /** The rows as `warpool export` writes them. */
  sweepCsv(rows: readonly Row[], axes: readonly StoredAxis[]): string {
    const ordered = rows.toSorted((a, b) => a.cell - b.cell);
    return csvOf(
      rowNames(axes),
      ordered.map((row) => tableRecord(row, axes)),
    );
  },
};
