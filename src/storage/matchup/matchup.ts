/** Matchups: every army of a roster against every other. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { THREADS } from '../../analysis/index.ts';
import {
  AbortError,
  createConflictError,
  createOptionsCheck,
  createRequirementError,
  InputError,
} from '../../core/index.ts';
import { getBoundScenario, toPortable } from '../../rules/index.ts';
import { flag, type RequestedOptions, resolveOptions } from '../../rules/option-spec.ts';
import { OUT } from '../folder/begin-folder.ts';
import { openStore } from '../store/open-store.ts';
import { runSweep, type SweepExecutionOptions } from '../store/run-sweep.ts';
import { addBattles, MORE_BATTLES } from './add-battles.ts';
import { computeCellPayoffs, type MatchupResult, startMatchup } from './matchup-cells.ts';
import { type CellPayoffs, computePayoffs, readCells } from './read-payoffs.ts';
import { changeRoster, checkRosterObject, ROSTER_CHANGES, type Roster, type RosterChanges } from './roster.ts';

/** Options of `matchup`. */
export interface RunMatchupOptions extends RosterChanges, RequestedOptions<typeof MORE_BATTLES>, SweepExecutionOptions {
  /** Folder of the results, a store of a sweep: new, empty or, with `resume`, one with the same roster. */
  readonly out?: string | undefined;
  /** Computes only the missing cells of the folder; false by default. */
  readonly resume?: boolean | undefined;
}

const checkOptions = createOptionsCheck<RunMatchupOptions>('matchup', {
  ...ROSTER_CHANGES,
  ...THREADS,
  signal: true,
  onProgress: true,
  out: OUT,
  resume: flag('continue an unfinished matchup'),
  ...MORE_BATTLES,
});

const ROW_KEYS = ['cell', 'kind', 'name', 'battles', 'estimate', 'exact', 'standard_deviation'] as const;

/**
 * Reads the matchups of a roster from the store of its sweep.
 * @throws InputError if the folder is not a complete store
 * @throws RunError if the store is damaged
 */
export async function readMatchup(roster: Roster, folder: string): Promise<MatchupResult> {
  return { roster, folder, ...computePayoffs(roster, await readFolder(roster, folder)) };
}

async function readFolder(roster: Roster, folder: string): Promise<CellPayoffs> {
  const { registry } = getBoundScenario(roster.sweep.spec.scenario);
  const store = await openStore(folder, { systems: registry });
  if (!store.info.complete) throw new InputError(folder, 'a complete store', 'an unfinished one');
  return await readCells(roster, store.parts(ROW_KEYS));
}

/** Number of cells that this process computes sooner than threads start. */
const LOCAL_CELLS_MAX = 64;

/** If most duels are solved together, the others are not worth the start of threads. */
const DUELS_SHARE = 2;

/** Runs the sweep of a roster into a folder. @throws AbortError if the signal came before all cells were there */
async function runIntoFolder(roster: Roster, out: string, options: RunMatchupOptions): Promise<CellPayoffs> {
  const { resume, workers, signal, onProgress } = options;
  const { complete, done, cells } = await runSweep(roster.sweep, { out, resume, workers, signal, onProgress });
  if (!complete) throw new AbortError(`stopped at ${String(done)} of ${String(cells)} cells`, signal);
  return await readFolder(roster, out);
}

/** Computes all cells, in a temporary folder if several threads are worthwhile. */
async function computeCells(roster: Roster, options: RunMatchupOptions): Promise<CellPayoffs> {
  const { points, spec } = roster.sweep;
  const started = startMatchup(roster);
  const isDone = started.cells.length < points / DUELS_SHARE;
  if (isDone || points <= LOCAL_CELLS_MAX || toPortable(spec.scenario) === undefined)
    return await computeCellPayoffs(roster, options, started);
  const folder = await mkdtemp(join(tmpdir(), 'warpool-matchup-'));
  try {
    return await runIntoFolder(roster, folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Computes the payoffs of every attacker of a roster against every defender: exactly where that is cheap, elsewhere by
 * simulation on common random numbers.
 *
 * With `out`, the cells are in a store of a sweep: a process that is killed loses at most the current cells, `resume`
 * continues, and `runSweep` with a `shard` fills it from several machines.
 * @param given from `loadRoster` or `validateRoster`
 * @throws InputError if an option is invalid, the folder does not fit or is in use, or the scenario of a matchup is rejected
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws AbortError if the signal aborts
 */
export async function matchup(given: Roster, options: RunMatchupOptions = {}): Promise<MatchupResult> {
  checkOptions(options);
  const { out, resume } = options;
  const { maxBattles } = resolveOptions(MORE_BATTLES, options);
  checkRosterObject(given);
  const roster = changeRoster(given, options);
  if (out !== undefined) {
    if (maxBattles !== undefined) throw createConflictError('maxBattles', 'out');
    return { roster, folder: out, ...computePayoffs(roster, await runIntoFolder(roster, out, options)) };
  }
  if (resume === true) throw createRequirementError('resume', 'out');
  const cells = await computeCells(roster, options);
  return { roster, folder: undefined, ...(await addBattles(roster, cells, maxBattles, options)) };
}
