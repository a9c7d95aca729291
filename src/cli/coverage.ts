/** Counts rules, some battles at a time: signals are heard in between. */
import { setImmediate } from 'node:timers/promises';
import type { SeedLike } from '../core/chance/stream.ts';
import type { Scenario } from '../rules/system.ts';
import { coverage, type RuleCoverage } from '../studies/coverage.ts';

/** Battles of the reference model between two pauses: a tenth of a second at most. */
const SLICE = 100;

/** Rules with how often they applied in so many battles. */
export interface Covered {
  readonly rules: readonly RuleCoverage[];
  readonly battles: number;
}

function added(before: readonly RuleCoverage[], more: readonly RuleCoverage[]): RuleCoverage[] {
  return more.map(({ id, source, fired, battles }, r) => ({
    id,
    source,
    fired: fired + (before[r]?.fired ?? 0),
    battles: battles + (before[r]?.battles ?? 0),
  }));
}

/** Counts in battles from..from+battles-1, as far as the signal lets it; undefined if in none. */
export async function coverRules(
  scenario: Scenario,
  { seed, from, battles }: { readonly seed: SeedLike; readonly from: number; readonly battles: number },
  signal: AbortSignal,
): Promise<Covered | undefined> {
  let [rules, done]: [readonly RuleCoverage[], number] = [[], 0];
  while (done < battles && !signal.aborted) {
    const slice = Math.min(SLICE, battles - done);
    rules = added(rules, coverage(scenario, { seed, from: from + done, battles: slice }));
    done += slice;
    await setImmediate();
  }
  return done === 0 ? undefined : { rules, battles: done };
}
