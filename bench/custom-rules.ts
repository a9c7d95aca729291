/** Custom rules in the reference engine, against plain loops with Math.random for the same battles. */
import { SampledChance } from '../src/core/chance/sampled-chance.ts';
import { Stream } from '../src/core/chance/stream.ts';
import { count, d, sum } from '../src/core/distributions/index.ts';
import { type Battle, createModel } from '../src/rules/custom/battle.ts';
import { playBattle } from '../src/rules/play-battle.ts';
import { race } from './race.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';
import { median, timesAsFast } from './times.ts';

/** Lives of both sides, one of which loses one in each round. */
const LIVES = 500;

type Pair<T> = readonly [T, T];

const coin: Battle<Pair<number>> = {
  outcomes: ['first', 'second'],
  start: () => [LIVES, LIVES],
  round: ([a, b], chance) => (chance.sample(d(2)) === 1 ? [a - 1, b] : [a, b - 1]),
  outcome: ([a, b]) => (b === 0 ? 'first' : a === 0 ? 'second' : undefined),
};

function playCoin(): void {
  let [a, b] = [LIVES, LIVES];
  while (a > 0 && b > 0) {
    if (Math.random() < 0.5) a--;
    else b--;
  }
}

/** Values of 300 unit types: a die of this or less hits. Two units of each type fight; the first types fall first. */
const VALUES = Array.from({ length: 300 }, (_, k) => 1 + (k % 5));

const remove = (units: readonly number[], hits: number): number[] => {
  let left = hits;
  return units.map((each) => {
    const lost = Math.min(each, left);
    left -= lost;
    return each - lost;
  });
};

const total = (units: readonly number[]): number => units.reduce((all, each) => all + each, 0);
const army = (): number[] => VALUES.map(() => 2);
const hitsOf = (units: readonly number[]) =>
  sum(...units.map((each, k) => count(each, d(6), (face) => face <= (VALUES[k] ?? 0))));

const types: Battle<Pair<readonly number[]>> = {
  outcomes: ['first', 'second'],
  start: () => [army(), army()],
  round([a, b], chance) {
    const [hits, back] = [chance.sample(hitsOf(a)), chance.sample(hitsOf(b))];
    return [remove(a, back), remove(b, hits)];
  },
  outcome: ([a, b]) => (total(b) === 0 ? 'first' : total(a) === 0 ? 'second' : undefined),
};

function rollHits(units: readonly number[]): number {
  let hits = 0;
  for (const [k, each] of units.entries())
    for (let die = 0; die < each; die++) if (Math.floor(6 * Math.random()) < (VALUES[k] ?? 0)) hits++;
  return hits;
}

function playTypes(): void {
  let [a, b] = [army(), army()];
  while (total(a) > 0 && total(b) > 0) {
    const [hits, back] = [rollHits(a), rollHits(b)];
    [a, b] = [remove(a, back), remove(b, hits)];
  }
}

async function measure<S>(name: string, battle: Battle<S>, loop: () => void, turns: number): Promise<Row> {
  const model = createModel(battle, 10_000);
  let next = 0;
  const repeat = (battles: number, act: () => unknown) => () => () => {
    for (let k = 0; k < battles; k++) act();
    return battles;
  };
  const rules = repeat(50, () => playBattle(model, new SampledChance(Stream.forBattle(SEED, next++))));
  const times = await race({ rules, loop: repeat(50, loop) }, { turns, time: 40 });
  const value = median(times.get('rules') ?? []) / 1e3;
  const ratio = timesAsFast(times, 'loop', 'rules');
  return { suite: 'custom', name, value, unit: 'us/battle', ratio, of: 'times a plain loop' };
}

export async function customRules({ quick }: Options): Promise<Row[]> {
  const turns = quick ? 3 : 15;
  return [
    await measure('coin, 500 lives', coin, playCoin, turns),
    await measure('300 unit types', types, playTypes, turns),
  ];
}
