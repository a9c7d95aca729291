/** Which rules of a system a run comes across. */
import { Counting } from '../core/chance/sampled.ts';
import { MAX_BATTLES, Stream } from '../core/chance/stream.ts';
import { RulesError } from '../core/errors.ts';
import { optionsOf } from '../core/names.ts';
import { opened, playSeeded } from '../rules/opened.ts';
import { type Asked, count, type Settings, unlessGiven } from '../rules/setting.ts';
import type { Scenario } from '../rules/system.ts';
import { sourceOf } from '../rules/system.ts';
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

/** Which battles `coverage` plays. */
export type CoverageOptions = Asked<typeof COVERAGE>;

const checkOptions = optionsOf<CoverageOptions>('coverage', COVERAGE);

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
 * Plays battles with the reference model and counts how often each rule of the system applied, rules that
 * never did included, in the order of the catalogue.
 * @throws InputError if an option is out of range
 */
export function coverage(scenario: Scenario, options: CoverageOptions = {}): RuleCoverage[] {
  checkOptions(options);
  const { seed, from: first, battles } = stretchOf(options, COVERAGE.battles.fallback);
  const open = opened(scenario);
  const { system } = open;
  const totals = new Map(Object.keys(system.rules).map((id) => [id, { fired: 0, battles: 0 }]));
  for (let index = first; index < first + battles; index++) {
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
