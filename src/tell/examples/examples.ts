/** The examples that the page of a run tells, and why these. */

import type { Tally, TallyShape } from '../../answers/index.ts';
import { opened, type Scenario } from '../../rules/index.ts';
import { lookAt, openPlay } from '../../studies/index.ts';
import { type Rarity, rarityIn, type Seen, strangest, typical } from './choose.ts';
import { type Closeness, closest, type Measure, measureOf } from './close.ts';

/** Battles that are looked at, from the first of the run on. */
export const LOOKED = 10_000;

export type Kind = 'typical' | 'closest' | 'strangest';

/** A battle, and for what it stands. */
export interface Example extends Seen {
  readonly kinds: readonly Kind[];
}

export interface Examples {
  /** All battles that were looked at, in order. */
  readonly battles: readonly Seen[];
  /** One to three, each battle once. */
  readonly told: readonly Example[];
  readonly by: Measure['by'] | undefined;
  readonly closenessOf: (seen: Seen) => Closeness | undefined;
  readonly rarityOf: (seen: Seen) => Rarity;
}

/** Which battles a run has. */
export interface Course {
  readonly scenario: Scenario;
  /** In decimal. */
  readonly seed: string;
  readonly from: number;
  readonly to: number;
}

/** The first battles of a run, at most LOOKED. */
export async function firstBattles({ scenario, seed, from, to }: Course): Promise<Seen[]> {
  const play = await openPlay(scenario, Math.min(LOOKED, to - from));
  const battles: Seen[] = [];
  const run = BigInt(seed);
  await lookAt(from, Math.min(LOOKED, to - from), undefined, (battle) => {
    const { outcome, metrics } = play(run, battle);
    return battles.push({ battle, outcome, metrics: [...metrics] }) > 0;
  });
  return battles;
}

function merged(chosen: readonly (readonly [Kind, Seen | undefined])[]): Example[] {
  const told: Example[] = [];
  for (const [kind, seen] of chosen) {
    if (seen === undefined) continue;
    const same = told.findIndex(({ battle }) => battle === seen.battle);
    if (same < 0) told.push({ ...seen, kinds: [kind] });
    else told[same] = { ...seen, kinds: [...(told[same]?.kinds ?? []), kind] };
  }
  return told;
}

/**
 * Chooses among the first battles of a run; the same run gives the same ones.
 * @param tally of the whole run
 * @param law   the exact law, if it is known
 */
export function chooseExamples(
  scenario: Scenario,
  battles: readonly Seen[],
  shape: TallyShape,
  tally: Tally,
  law: Tally | undefined,
): Examples {
  const measure = measureOf(opened(scenario).system, scenario, shape, battles);
  const rarityOf = rarityIn(shape, law ?? tally);
  const told = merged([
    ['typical', typical(battles, shape, tally)],
    ['closest', measure && closest(battles, measure)],
    ['strangest', strangest(battles, rarityOf)],
  ]);
  return { battles, told, by: measure?.by, closenessOf: (seen) => measure?.of(seen), rarityOf };
}
