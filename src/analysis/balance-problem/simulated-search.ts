/**
 * Search of problems without exact answers: races of cells on common random numbers. All cells are simulated with the same
 * streams, in rounds with more and more battles. After each round, cells whose intervals exclude that they are part of one of
 * the best settings are eliminated. All intervals of the search hold together, so that the choice of cells does not invalidate them.
 * The reported settings are simulated again with other battles.
 */

import type { CellTable, SimulationRequest, TermReadings } from './cell-table.ts';
import { evaluateIndices, type ProblemSetting } from './evaluated-setting.ts';
import type { BalanceProblem, FieldIndices } from './problem.ts';
import { BoxSearch, computeMissBounds } from './search-boxes.ts';
import { type MissBounds, SettingCollector } from './setting-collector.ts';

/** Battles of the first round, and the ratio of the battles of successive rounds. */
const FIRST_ROUND = 2000;
const RATIO = 4;

/** Lists the numbers of battles of the rounds, ascending. */
export function listRounds(battles: number): number[] {
  const rounds = [battles];
  for (let round = battles / RATIO; round >= FIRST_ROUND; round /= RATIO) rounds.unshift(Math.round(round));
  return rounds;
}

/** Options of the race. */
export interface RaceOptions {
  /** Maximum number of battles of a cell. */
  readonly battles: number;
  /** Maximum probability that an interval of the search misses. */
  readonly error: number;
  readonly isComplete: boolean;
}

const listSimulated = (tables: readonly CellTable[]): CellTable[] => tables.filter(({ isExact }) => !isExact);

/** Simulates all cells of the simulated scenarios, and eliminates those that cannot be part of one of the best settings. */
export async function raceCells(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  { battles, error, isComplete }: RaceOptions,
): Promise<SettingCollector> {
  const simulated = listSimulated(tables);
  for (const table of simulated) table.checkSimulatedSize();
  const rounds = listRounds(battles);
  const intervals = simulated.reduce((sum, { size, terms }) => sum + size * terms.size * rounds.length, 0);
  const level = error / Math.max(1, intervals);
  const cells = new Map(simulated.map((table) => [table, [...table.listCells()]]));
  let collector = new SettingCollector(problem, isComplete);
  const runRound = async (to: number): Promise<void> => {
    for (const [table, remaining] of cells)
      for (const indices of remaining)
        if (table.find(indices)?.battles !== to) await table.simulate(indices, { from: 0, to, level });
    collector = new SettingCollector(problem, isComplete);
    await new BoxSearch(problem, tables, collector).run();
    for (const table of cells.keys()) cells.set(table, selectCells(problem, tables, table, collector));
  };
  for (const to of simulated.length === 0 ? [0] : rounds) await runRound(to);
  // If no setting can meet the targets any more, the race of the nearest settings is completed.
  if (simulated.length > 0 && !collector.settings.some(canMeet)) await runRound(battles);
  return collector;
}

/** Returns true if the intervals do not exclude that a setting meets all targets. */
export const canMeet = ({ least }: MissBounds): boolean => least.every((miss) => miss === 0);

/**
 * Selects the cells of a scenario whose simulation continues: those of undecided settings that can meet all targets, or if there
 * are none, of all undecided settings.
 */
function selectCells(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  table: CellTable,
  collector: SettingCollector,
): number[][] {
  const nameCell = (indices: FieldIndices): string => table.fields.map((f) => indices[f]).join();
  const cells = [...table.listCells()];
  if (!collector.isTruncated) {
    const { settings } = collector;
    const candidates = settings.some(canMeet) ? settings.filter(canMeet) : settings;
    const undecided = candidates.filter(({ greatest }) => greatest.some((miss) => miss > 0));
    const names = new Set(undecided.map(({ indices }) => nameCell(indices)));
    return cells.filter((indices) => names.has(nameCell(indices)));
  }
  const scenario = tables.indexOf(table);
  return cells.filter((indices) => {
    const reading = table.find(indices);
    if (reading == null) return false;
    const { least } = computeMissBounds(problem.targets, tables, (s) => (s === scenario ? reading : undefined));
    return Math.max(...least) <= collector.bestMiss;
  });
}

/**
 * Simulates settings again with battles that the search did not simulate, until the intervals decide whether they meet the
 * targets. All intervals hold together.
 * @param error maximum probability that one of them misses
 */
export async function confirmSettings(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  settings: readonly FieldIndices[],
  { battles, error }: Pick<RaceOptions, 'battles' | 'error'>,
): Promise<ProblemSetting[]> {
  const rounds = listRounds(battles);
  const terms = listSimulated(tables).reduce((sum, table) => sum + table.terms.size, 0);
  const level = error / Math.max(1, settings.length * terms * rounds.length);
  const confirmed: ProblemSetting[] = [];
  for (const indices of settings) {
    const found = await confirmSetting(problem, tables, indices, rounds, (to) => ({
      from: battles,
      to: battles + to,
      level,
    }));
    if (found !== undefined) confirmed.push(found);
  }
  return confirmed;
}

async function confirmSetting(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  indices: FieldIndices,
  rounds: readonly number[],
  createRequest: (to: number) => SimulationRequest,
): Promise<ProblemSetting | undefined> {
  let found: ProblemSetting | undefined;
  for (const to of rounds) {
    const readings: (TermReadings | null)[] = [];
    for (const table of tables)
      readings.push(table.isExact ? await table.solve(indices) : await table.confirm(indices, createRequest(to)));
    found = evaluateIndices(problem, tables, indices, readings);
    if (found?.verdict !== 'undecided') return found;
  }
  return found;
}
