/** Example battles of the HTML report of a run. */

import { openBattleFunction, visitBattles } from '../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import type { Counts, CountsShape } from '../../stats/index.ts';
import { type Closeness, type ClosenessMeasure, createClosenessMeasure, findClosestBattle } from './closeness.ts';
import {
  createRarityMeasure,
  type ExaminedBattle,
  findRarestBattle,
  findTypicalBattle,
  type Rarity,
} from './selection.ts';

/** Maximum number of examined battles, from the first one of the run. */
export const MAX_EXAMINED = 10_000;

export type ExampleKind = 'typical' | 'closest' | 'strangest';

/** Example battle with the reasons for its selection. */
export interface ExampleBattle extends ExaminedBattle {
  readonly kinds: readonly ExampleKind[];
}

export interface ExampleSelection {
  /** All examined battles, in order. */
  readonly battles: readonly ExaminedBattle[];
  /** One to three different battles. */
  readonly examples: readonly ExampleBattle[];
  readonly by: ClosenessMeasure['by'] | undefined;
  readonly closenessOf: (seen: ExaminedBattle) => Closeness | undefined;
  readonly rarityOf: (seen: ExaminedBattle) => Rarity;
}

/** Battles of a run. */
export interface RunRange {
  readonly scenario: Scenario;
  /** Decimal. */
  readonly seed: string;
  readonly from: number;
  readonly to: number;
}

/** Simulates the first battles of a run, at most `MAX_EXAMINED`. */
export async function simulateFirstBattles({ scenario, seed, from, to }: RunRange): Promise<ExaminedBattle[]> {
  const play = await openBattleFunction(scenario, Math.min(MAX_EXAMINED, to - from));
  const battles: ExaminedBattle[] = [];
  const run = BigInt(seed);
  await visitBattles(from, Math.min(MAX_EXAMINED, to - from), undefined, (battle) => {
    const { outcome, metrics } = play(run, battle);
    return battles.push({ battle, outcome, metrics: [...metrics] }) > 0;
  });
  return battles;
}

function mergeExamples(chosen: readonly (readonly [ExampleKind, ExaminedBattle | undefined])[]): ExampleBattle[] {
  const reported: ExampleBattle[] = [];
  for (const [kind, seen] of chosen) {
    if (seen === undefined) continue;
    const same = reported.findIndex(({ battle }) => battle === seen.battle);
    if (same < 0) reported.push({ ...seen, kinds: [kind] });
    else reported[same] = { ...seen, kinds: [...(reported[same]?.kinds ?? []), kind] };
  }
  return reported;
}

/**
 * Selects examples from the first battles of a run, deterministically.
 * @param counts counts of the whole run
 * @param law   exact distribution, if it is known
 */
export function chooseExamples(
  scenario: Scenario,
  battles: readonly ExaminedBattle[],
  shape: CountsShape,
  counts: Counts,
  distribution: Counts | undefined,
): ExampleSelection {
  const measure = createClosenessMeasure(getBoundScenario(scenario).system, scenario, shape, battles);
  const rarityOf = createRarityMeasure(shape, distribution ?? counts);
  const reported = mergeExamples([
    ['typical', findTypicalBattle(battles, shape, counts)],
    ['closest', measure && findClosestBattle(battles, measure)],
    ['strangest', findRarestBattle(battles, rarityOf)],
  ]);
  return { battles, examples: reported, by: measure?.by, closenessOf: (seen) => measure?.of(seen), rarityOf };
}
