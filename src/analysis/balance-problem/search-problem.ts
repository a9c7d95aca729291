/** Searches the settings of a balance problem. */

import { AbortError, createOptionsCheck, describeFound, InputError } from '../../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../../engines/index.ts';
import {
  choice,
  type OptionSpecs,
  pickOptions,
  type RequestedOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../../rules/option-spec.ts';
import { BALANCE } from '../balance/balance.ts';
import { EvaluationStopped } from '../balance/setting-evaluator.ts';
import { CellTable, CellTooLarge, type ReadingCache, type TermReadings } from './cell-table.ts';
import { compareMisses, evaluateIndices, evaluateSetting, type ProblemSetting } from './evaluated-setting.ts';
import { OptimizerSearch, type SettingOptimizer } from './optimizer-search.ts';
import { type BalanceProblem, compareCosts, countSettings } from './problem.ts';
import type { CollectedSetting, SettingCollector } from './setting-collector.ts';
import { canMeet, confirmSettings, raceCells } from './simulated-search.ts';

const { tolerance: _, ...SHARED } = BALANCE;

/** Options of `balanceScenarios`. */
export const BALANCE_SCENARIOS = {
  ...SHARED,
  /** Default: `auto`. */
  search: choice('examine all settings (complete) or skip those that cannot be among the best (pruned)', [
    'auto',
    'complete',
    'pruned',
  ]),
} as const satisfies OptionSpecs;

/** Options of the search of a balance problem. */
export interface SearchProblemOptions extends RequestedOptions<typeof BALANCE_SCENARIOS> {
  /** Chooses the settings instead of the search of warpool. */
  readonly optimizer?: SettingOptimizer | undefined;
  /** Stops the search with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each evaluated cell. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Checks of the options of `SearchProblemOptions`. */
export const SEARCH_PROBLEM_OPTIONS = {
  ...BALANCE_SCENARIOS,
  optimizer: {
    check(value: Partial<SettingOptimizer>) {
      if (typeof value.ask !== 'function' || typeof value.tell !== 'function')
        throw new InputError('optimizer', 'an object with the functions ask and tell', describeFound(value));
    },
  },
  ...PROGRESS_OPTIONS,
};

const checkOptions = createOptionsCheck<SearchProblemOptions>('balanceScenarios', SEARCH_PROBLEM_OPTIONS);

/** Evaluation of the cells of a scenario: combinations of its fields. */
export interface ScenarioCells {
  readonly name: string;
  readonly cells: number;
  readonly evaluated: number;
  /** Evaluated cells that the scenario does not allow. */
  readonly rejected: number;
  /** False if battles were simulated. */
  readonly exact: boolean;
}

/** Settings of two fields, for a figure. */
export interface SettingGrid {
  /** Greatest miss by the indices of the two fields; undefined if the setting was not evaluated or is not allowed. */
  readonly misses: readonly (readonly (number | undefined)[])[];
}

/** Result of the search of a balance problem. */
export interface BalanceSolution {
  readonly problem: BalanceProblem;
  /** Number of settings: combinations of the values of all fields. */
  readonly settings: number;
  readonly search: 'complete' | 'pruned' | 'optimizer';
  readonly scenarios: readonly ScenarioCells[];
  /** True if all values are exact. */
  readonly exact: boolean;
  /** True if a setting meets all targets, exactly or up to the error rate. */
  readonly targetsMet: boolean;
  /** The scenarios with the current values of the fields. */
  readonly current: ProblemSetting;
  /**
   * Settings that meet all targets, sorted by cost, steps and greatest step: at most 100 000 exact ones, or at most 12 that were
   * confirmed by simulation.
   */
  readonly meeting: readonly ProblemSetting[];
  /** True if `meeting` has all settings that meet the targets; for simulated values up to the error rate. */
  readonly allFound: boolean;
  /** Settings whose verdict is undecided, at most 12 together with the others. */
  readonly undecided: readonly ProblemSetting[];
  /** Number of settings that can meet all targets, or if there are none, of those that can be on the Pareto front. */
  readonly possible: number;
  /** Setting with the lowest cost among those that meet all targets; undefined without costs. */
  readonly cheapest: ProblemSetting | undefined;
  /** Settings with the smallest changes among those that meet all targets, or else of those with the smallest misses. */
  readonly fewestSteps: ProblemSetting;
  readonly leastGreatestStep: ProblemSetting;
  /** Setting with the least greatest miss; of several, the one with the least second greatest miss, and so on. */
  readonly nearest: ProblemSetting;
  /**
   * Settings for which no other one has a smaller miss of one target and no greater miss of any other; sorted by the greatest
   * miss. Empty if a setting meets all targets.
   */
  readonly front: readonly ProblemSetting[];
  /** Settings of two fields, if all were evaluated. */
  readonly grid?: SettingGrid;
  /** Seed in decimal. */
  readonly seed: string;
  /** Maximum battles of a cell. */
  readonly maxBattles: number;
  readonly errorRate: number;
  /** True if intervals of means are valid for every distribution in the declared range. */
  readonly bounded: boolean;
}

/** Whole grids with at most this number of settings and transitions are examined: several seconds. */
const COMPLETE = { settings: 10_000, steps: 10_000_000 };

/** Parts of the error rate. */
const ERROR_PARTS = { search: 1 / 2, confirmation: 1 / 4, current: 1 / 4 };

/** Maximum number of settings that are simulated again. */
const CONFIRMED_MAX = 12;

/** Settings with their misses, sorted. */
interface Ranking {
  /** Sorted by cost, or if none meets the targets by misses. */
  readonly settings: readonly CollectedSetting[];
  readonly isMet: boolean;
}

/** Ranks the settings that can meet all targets, or if there are none, all collected ones, by the estimates of their misses. */
function rankSettings(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  collected: readonly CollectedSetting[],
): Ranking {
  const candidates = collected.some(canMeet) ? collected.filter(canMeet) : collected;
  const estimates = new Map(
    candidates.map((setting) => {
      const isExact = setting.least.every((miss, t) => miss === setting.greatest[t]);
      const found = isExact ? undefined : evaluateIndices(problem, tables, setting.indices);
      return [setting, found?.targets.map(({ miss }) => miss) ?? setting.greatest] as const;
    }),
  );
  const getMisses = (setting: CollectedSetting): readonly number[] => estimates.get(setting) ?? [];
  const settings = candidates.toSorted((a, b) => compareMisses(getMisses(a), getMisses(b)) || compareCosts(a, b));
  const isMet = settings.length > 0 && getMisses(settings[0] as CollectedSetting).every((miss) => miss === 0);
  return { settings, isMet };
}

const findLeast = <T>(items: readonly T[], compute: (item: T) => number): T | undefined =>
  items.reduce<T | undefined>(
    (best, item) => (best === undefined || compute(item) < compute(best) ? item : best),
    undefined,
  );

/** Selects the settings to confirm: the best ones, and those with the smallest changes. */
function selectCandidates({ settings, isMet }: Ranking): CollectedSetting[] {
  const [first] = settings;
  if (first === undefined) return [];
  const best = isMet ? settings : [first];
  const extreme = [findLeast(best, ({ steps }) => steps), findLeast(best, ({ greatestStep }) => greatestStep)].filter(
    (setting) => setting !== undefined,
  );
  return [...new Set([first, ...extreme, ...settings])].slice(0, CONFIRMED_MAX);
}

/** Evaluates the scenarios with the current values of the fields. */
async function evaluateCurrent(problem: BalanceProblem, tables: readonly CellTable[], error: number) {
  const terms = tables.reduce((sum, table) => sum + table.terms.size, 0);
  const readings: (TermReadings | undefined)[] = [];
  for (const table of tables) readings.push(await table.evaluateCurrent(error / terms));
  const values = problem.fields.map(({ current }) => current ?? Number.NaN);
  const costs = { cost: problem.fields.reduce((sum, { cost, current = 0 }) => sum + cost * current, 0) };
  return evaluateSetting(problem, tables, values, { ...costs, steps: 0, greatestStep: 0 }, readings);
}

/** Creates the grid of a problem with two fields; undefined if cells are missing. */
function createGrid(problem: BalanceProblem, tables: readonly CellTable[]): SettingGrid | undefined {
  const [one, two, ...others] = problem.fields;
  if (one === undefined || two === undefined || others.length > 0) return undefined;
  if (countSettings(problem) > COMPLETE.settings || tables.some(({ evaluated, size }) => evaluated < size))
    return undefined;
  const list = (length: number): number[] => Array.from({ length }, (_, k) => k);
  const misses = list(one.count).map((k) =>
    list(two.count).map((m) => evaluateIndices(problem, tables, [k, m])?.greatestMiss),
  );
  return { misses };
}

/** What a search found. */
interface CollectedSearch {
  readonly search: BalanceSolution['search'];
  readonly collector: SettingCollector;
}

/** Options with their defaults. */
type ResolvedSearchOptions = ResolvedOptions<typeof BALANCE_SCENARIOS> &
  Pick<SearchProblemOptions, 'optimizer' | 'signal' | 'onProgress'>;

function createTables(
  problem: BalanceProblem,
  { signal, bounded = false, ...options }: ResolvedSearchOptions,
  cache: ReadingCache | undefined,
  onCell: () => void,
): CellTable[] {
  const { exact, budget, battles, seed, workers } = options;
  const cells = { exact, budget, battles, seed, bounded, workers, signal, onCell };
  return problem.scenarios.map((_, s) => new CellTable(problem, s, cells, cache));
}

/** Decides whether all settings are examined. */
function isCompleteSearch(problem: BalanceProblem, tables: readonly CellTable[], steps: readonly number[]): boolean {
  const cost = tables.reduce((sum, { size }, s) => sum + size * (steps[s] ?? 0), 0);
  return countSettings(problem) <= COMPLETE.settings && cost <= COMPLETE.steps;
}

/** Searches until a scenario turns out to be too large for exact answers; it is then simulated. */
async function collectSettings(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  options: ResolvedSearchOptions,
): Promise<CollectedSearch> {
  const { optimizer, battles, errorRate } = options;
  const race = { battles, error: ERROR_PARTS.search * errorRate };
  const steps: number[] = [];
  for (const table of tables) steps.push(await table.probe());
  for (;;) {
    try {
      if (optimizer !== undefined) {
        const collector = await new OptimizerSearch(problem, tables, race).run(optimizer);
        return { search: 'optimizer', collector };
      }
      const isComplete =
        options.search === 'auto' ? isCompleteSearch(problem, tables, steps) : options.search === 'complete';
      const collector = await raceCells(problem, tables, { ...race, isComplete });
      return { search: isComplete ? 'complete' : 'pruned', collector };
    } catch (error) {
      if (!(error instanceof CellTooLarge)) throw error;
    }
  }
}

/** Evaluates the collected settings: all if they are exact, otherwise the best ones by new battles. */
async function evaluateCollected(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  ranking: Ranking,
  { battles, errorRate }: ResolvedSearchOptions,
): Promise<ProblemSetting[]> {
  const indices = ranking.settings.map((setting) => setting.indices);
  if (tables.every(({ isExact }) => isExact))
    return indices.flatMap((each) => evaluateIndices(problem, tables, each) ?? []);
  const candidates = selectCandidates(ranking).map((setting) => setting.indices);
  return await confirmSettings(problem, tables, candidates, { battles, error: ERROR_PARTS.confirmation * errorRate });
}

const listMisses = ({ targets }: ProblemSetting): number[] => targets.map(({ miss }) => miss);

/** Selects the reported settings. */
function selectSettings({ fields }: BalanceProblem, evaluated: readonly ProblemSetting[]) {
  const meeting = evaluated
    .filter(({ verdict }) => verdict === 'holds')
    .sort((a, b) => a.cost - b.cost || a.steps - b.steps || a.greatestStep - b.greatestStep);
  const undecided = evaluated.filter(({ verdict }) => verdict === 'undecided');
  const nearest = evaluated.toSorted((a, b) => compareMisses(listMisses(a), listMisses(b)))[0] as ProblemSetting;
  const best =
    meeting.length > 0
      ? meeting
      : evaluated.filter((each) => compareMisses(listMisses(each), listMisses(nearest)) === 0);
  const hasCosts = fields.some(({ cost }) => cost > 0);
  return {
    targetsMet: meeting.length > 0,
    meeting,
    undecided,
    nearest,
    cheapest: hasCosts ? findLeast(meeting, ({ cost }) => cost) : undefined,
    fewestSteps: findLeast(best, ({ steps }) => steps) ?? nearest,
    leastGreatestStep: findLeast(best, ({ greatestStep }) => greatestStep) ?? nearest,
    front: meeting.length > 0 ? [] : evaluated,
  };
}

async function createSolution(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  { search, collector }: CollectedSearch,
  options: ResolvedSearchOptions,
): Promise<BalanceSolution> {
  const { seed, battles, errorRate, bounded = false } = options;
  const ranking = rankSettings(problem, tables, collector.settings);
  const evaluated = await evaluateCollected(problem, tables, ranking, options);
  if (evaluated.length === 0) throw new InputError('fields', 'a setting that all scenarios allow', 'none');
  const grid = createGrid(problem, tables);
  const exact = tables.every(({ isExact }) => isExact);
  const selected = selectSettings(problem, evaluated);
  const isWhole = search !== 'optimizer' && !collector.isTruncated;
  return {
    problem,
    settings: countSettings(problem),
    search,
    scenarios: tables.map(({ name, size, evaluated: done, rejected, isExact }) => ({
      name,
      cells: size,
      evaluated: done,
      rejected,
      exact: isExact,
    })),
    exact,
    current: await evaluateCurrent(problem, tables, ERROR_PARTS.current * errorRate),
    ...selected,
    allFound: isWhole && ranking.settings.length === evaluated.length && selected.undecided.length === 0,
    possible: ranking.settings.length,
    ...(grid && { grid }),
    seed: String(seed),
    maxBattles: battles,
    errorRate,
    bounded,
  };
}

/**
 * Searches the settings of a balance problem that meet all targets, or else those with the smallest misses.
 * @param cache stored readings of an earlier search with the same options
 * @throws InputError if an option is out of range, or a scenario has too many cells
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 * @throws AbortError if the signal stopped the search before the first result
 */
export async function searchProblem(
  problem: BalanceProblem,
  options: SearchProblemOptions = {},
  cache?: ReadingCache,
): Promise<BalanceSolution> {
  checkOptions(options);
  const { optimizer, signal, onProgress } = options;
  const resolved = {
    ...resolveOptions(BALANCE_SCENARIOS, pickOptions(BALANCE_SCENARIOS, options)),
    optimizer,
    signal,
    onProgress,
  };
  checkStart(signal);
  let done = 0;
  const report = (): void =>
    onProgress?.({ done: ++done, total: tables.reduce((sum, { size }) => sum + size, 0), unit: 'cells' });
  const tables = createTables(problem, resolved, cache, report);
  try {
    const found = await collectSettings(problem, tables, resolved);
    return await createSolution(problem, tables, found, resolved);
  } catch (error) {
    if (error instanceof EvaluationStopped) throw new AbortError('stopped before the end of the search', signal);
    throw error;
  }
}
