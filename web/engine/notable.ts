/** Battles that are worth a look: the most typical, the luckiest and the closest of the first of a run. */
import { parseSeed } from '../../src/core/chance/stream.ts';
import type { BattleResult } from '../../src/rules/battle.ts';
import { lookAt, openPlay } from '../../src/studies/look.ts';
import { scenarioOf } from './check.ts';
import { signalOf } from './task.ts';

export interface Notable {
  /** Ends as most do, with metrics that are nearest to their means. */
  readonly typical: number;
  /** Ends otherwise, and is the farthest from how most go. */
  readonly luckiest: number;
  /** Is the nearest to where it would have ended otherwise. */
  readonly closest: number;
  /** Battles that were looked at. */
  readonly looked: number;
}

/** Battles that are looked at: a second of the slowest systems. */
const BATTLES = 10_000;

type Seen = readonly BattleResult[];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean and standard deviation of a metric. */
function spreadOf(battles: Seen, m: number): readonly [middle: number, deviation: number] {
  const values = battles.map(({ metrics }) => metrics[m] ?? 0);
  const middle = mean(values);
  return [middle, Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))];
}

function commonest(battles: Seen): number {
  const counts = new Map<number, number>();
  for (const { outcome } of battles) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** The battle of the least value, the first of several. */
function least(battles: Seen, value: (battle: BattleResult) => number): number {
  const values = battles.map(value);
  return values.reduce((best, each, at) => (each < (values[best] ?? Number.POSITIVE_INFINITY) ? at : best), 0);
}

/**
 * How far a battle went the way of those that end as most do: each metric in standard deviations, weighed by how many of
 * them it differs between those and the others (Fisher's discriminant for metrics that do not depend on each other).
 */
function courseOf(battles: Seen, most: number, metrics: readonly number[]): (battle: BattleResult) => number {
  const [usual, other] = [
    battles.filter(({ outcome }) => outcome === most),
    battles.filter(({ outcome }) => outcome !== most),
  ];
  const terms = metrics.flatMap((m) => {
    const [middle, deviation] = spreadOf(battles, m);
    if (deviation === 0 || other.length === 0) return [];
    return [{ m, middle, deviation, weight: (spreadOf(usual, m)[0] - spreadOf(other, m)[0]) / deviation }];
  });
  return (battle) =>
    terms.reduce(
      (sum, { m, middle, deviation, weight }) => sum + (weight * ((battle.metrics[m] ?? 0) - middle)) / deviation,
      0,
    );
}

/** @param battles the first of a run, in order; at least one */
export function notableOf(battles: Seen): Notable {
  const most = commonest(battles);
  const metrics = (battles[0]?.metrics ?? []).map((_, m) => m);
  const usual = battles.filter(({ outcome }) => outcome === most);
  const other = battles.filter(({ outcome }) => outcome !== most);
  const terms = metrics.map((m) => spreadOf(usual, m)).map(([middle, deviation], m) => ({ m, middle, deviation }));
  const course = courseOf(battles, most, metrics);
  const border = other.length === 0 ? 0 : (mean(usual.map(course)) + mean(other.map(course))) / 2;
  const strange = (battle: BattleResult): number =>
    terms.reduce(
      (sum, { m, middle, deviation }) =>
        sum + (deviation === 0 ? 0 : (((battle.metrics[m] ?? 0) - middle) / deviation) ** 2),
      0,
    );
  return {
    typical: least(battles, (battle) => (battle.outcome === most ? strange(battle) : Number.POSITIVE_INFINITY)),
    luckiest: least(battles, (battle) =>
      battle.outcome === most && other.length > 0 ? Number.POSITIVE_INFINITY : course(battle),
    ),
    closest: least(battles, (battle) => Math.abs(course(battle) - border)),
    looked: battles.length,
  };
}

export const notable = {
  /** Those of battles 0..9999; of fewer where it was stopped. @throws InputError for the text */
  async notable(
    { text, seed }: { readonly text: string; readonly seed: string },
    task: number,
  ): Promise<Notable | undefined> {
    const scenario = scenarioOf(text);
    const signal = signalOf(task);
    const [play, run] = [await openPlay(scenario, BATTLES, signal), parseSeed(seed)];
    const battles: BattleResult[] = [];
    await lookAt(0, BATTLES, signal, (index) => {
      const { outcome, metrics } = play(run, index);
      battles.push({ outcome, metrics: [...metrics] });
      return true;
    });
    return battles.length === 0 ? undefined : notableOf(battles);
  },
};
