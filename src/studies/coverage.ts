/** Which rules of a system a run comes across. */
import { Counting, MAX_BATTLES, optionsOf, RulesError, Stream, tellWork } from '../core/index.ts';
import { offload, WATCH, type WatchOptions } from '../engines/index.ts';
import { opened, playSeeded, type Scenario, sourceOf } from '../rules/index.ts';
import { type Asked, count, type Settings, unlessGiven } from '../rules/setting.ts';
import { PLACE, stretchOf } from './asked.ts';

/** What `coverage` is asked with. */
export const COVERAGE = {
  ...PLACE,
  /** How many; 10 000 unless said otherwise: the reference model is slow. */
  battles: {
    ...unlessGiven(count(1, MAX_BATTLES, 'how often each rule applied in the first n battles'), 10_000),
    ...{ value: '[n]', preset: '10000' },
  },
} as const satisfies Settings;

/** Which battles `coverageSync` plays. */
export type CoverageSyncOptions = Asked<typeof COVERAGE>;

/** Options of `coverage`. */
export interface CoverageOptions extends CoverageSyncOptions, WatchOptions {}

const checkSyncOptions = optionsOf<CoverageSyncOptions>('coverageSync', COVERAGE);
const checkOptions = optionsOf<CoverageOptions>('coverage', { ...COVERAGE, ...WATCH });

/** A rule of the system, and how often it applied. */
export interface RuleCoverage {
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  /** How often it applied, in all battles together. */
  readonly fired: number;
  /** Battles in which it applied at least once. */
  readonly battles: number;
}

/**
 * Simulates battles with the reference engine and counts how often each rule of the system applied, rules that never did
 * included, in the order of the catalogue. It computes in a thread of the process; a system that was given as a value, and
 * not by `loadSystems`, is simulated in the calling thread, which hears no signal meanwhile.
 * @throws InputError if an option is out of range
 * @throws AbortError if the signal comes first
 */
export async function coverage(scenario: Scenario, options: CoverageOptions = {}): Promise<RuleCoverage[]> {
  checkOptions(options);
  const { signal, onProgress, ...asked } = options;
  stretchOf(asked, COVERAGE.battles.fallback);
  return await offload('coverage', scenario, asked, { signal, onProgress }, () => coverageSync(scenario, asked));
}

/**
 * Counts as `coverage` does, in the calling thread: it blocks the event loop until the result is there.
 * @throws InputError if an option is out of range
 */
export function coverageSync(scenario: Scenario, options: CoverageSyncOptions = {}): RuleCoverage[] {
  checkSyncOptions(options);
  const { seed, from: first, battles } = stretchOf(options, COVERAGE.battles.fallback);
  const open = opened(scenario);
  const { system } = open;
  const totals = new Map(Object.keys(system.rules).map((id) => [id, { fired: 0, battles: 0 }]));
  for (let index = first; index < first + battles; index++) {
    tellWork(index - first, battles, 'battles');
    const door = new Counting(Stream.of(seed, index));
    playSeeded(open, seed, index, door);
    for (const [id, fired] of door.fired) {
      const total = totals.get(id);
      if (total === undefined) throw new RulesError(`${system.id}: the rule "${id}" is not among its rules`);
      total.fired += fired;
      total.battles++;
    }
  }
  return Object.entries(system.rules).map(([id, rule]) => ({
    id,
    source: sourceOf(rule),
    ...(totals.get(id) ?? { fired: 0, battles: 0 }),
  }));
}
