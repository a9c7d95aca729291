/** Kernel of attrition at the limits of its vectors: hit points, bonuses, rounds and numbers of battles. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { type KernelBuild, loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import type { Attrition } from '../../src/rules/attrition/schema.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { addBattle, type Counts, createCountsShape, createEmptyCounts } from '../../src/stats/counts.ts';
import { computeDigest } from '../../src/stats/digest.ts';
import { some } from '../depth.ts';
import { mass } from './attrition-fight.ts';

const BUILDS: readonly KernelBuild[] = ['release', 'debug'];
const modules: WebAssembly.Module[] = [];

beforeAll(async () => {
  for (const build of BUILDS) modules.push(await loadKernel('attrition', build));
});

interface Side {
  readonly attack?: number | null;
  readonly defense?: number;
  readonly hp: number;
  readonly prey?: readonly string[];
}

const duel = (attacker: Side, defender: Side, options: object = {}): Attrition =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'direct',
    attacker: { attack: 1, defense: 1, tags: ['x'], ...attacker },
    defender: { attack: 1, defense: 1, tags: ['x'], ...defender },
    ...options,
  });

const SEED = 7n;

/** Returns the digest of the counts of battles from..from+count-1. */
function digestOf(scenario: Attrition, from: number, count: number, counts: Counts): string {
  const simulated = { scenarioHash: '', system: 'attrition', seed: SEED, from, to: from + count };
  return computeDigest(simulated, createCountsShape(attrition.model(scenario)), counts);
}

/** Compares the first `checked` battles of `play` with the reference, and the counts of all battles with `run`. */
function expectSame(scenario: Attrition, count: number, from = 0, checked = Math.min(count, 100)): void {
  const model = attrition.model(scenario);
  const shape = createCountsShape(model);
  for (const module of modules) {
    const kernel = new SystemKernel(module, shape, attrition.encode(scenario));
    const counted = createEmptyCounts(shape);
    for (let index = from; index < from + count; index++) {
      const { outcome, metrics } = kernel.play(SEED, index);
      addBattle(counted, outcome, metrics);
      if (index - from >= checked) continue;
      expect({ outcome, metrics }).toEqual(playBattle(model, new SampledChance(Stream.forBattle(SEED, index))));
    }
    kernel.run(SEED, from, count);
    expect(digestOf(scenario, from, count, kernel.take())).toBe(digestOf(scenario, from, count, counted));
  }
}

describe('a run of the attrition kernel equals single battles', () => {
  const points = [1, 2, 126, 127, 128, 254, 255, 256, 1000];
  test.each(some(points))('with %i hp on either side', (hp) => {
    expectSame(duel({ hp }, { hp: 30 }), 300);
    expectSame(duel({ hp: 30 }, { hp }), 300);
    expectSame(duel({ hp, attack: 40 }, { hp, attack: 40 }), 300);
  });

  // 3d10 differ by at most 27: bonus 100 gives a damage of 127, bonus 101 a damage of 128.
  const bonuses = [-1000, -129, -128, -127, -126, -27, -26, -20, -1, 0, 1, 99, 100, 101, 127, 128, 129, 1000];
  test.each(some(bonuses))('with bonus %i', (bonus) => {
    for (const hp of [127, 128, 255]) {
      const options = { maxRounds: 300 };
      expectSame(duel({ hp, attack: bonus, defense: 0 }, { hp, attack: 3, defense: 0 }, options), 200, 0, 20);
      expectSame(duel({ hp, attack: 3, defense: 0 }, { hp, attack: bonus, defense: 0 }, options), 200, 0, 20);
    }
  });

  test.each(some([127, 0, 1, 15, 128, 254, 255, 256, 1000]))('with prey damage %i', (preyDamage) => {
    const prey = ['x'];
    expectSame(duel({ hp: 255, prey }, { hp: 255 }, { preyDamage }), 200);
    expectSame(duel({ hp: 255 }, { hp: 255, prey, attack: 90 }, { preyDamage }), 200);
    expectSame(duel({ hp: 60, prey }, { hp: 200, prey }, { preyDamage }), 200);
  });

  test.each(some(['2d64', '1d2', '1d6', '1d100', '8d100', '2d65', '4d32', '4d33']))('with dice %s', (dice) => {
    expectSame(duel({ hp: 90 }, { hp: 120 }, { dice }), 300);
    expectSame(duel({ hp: 200 }, { hp: 255 }, { dice }), 300);
  });

  test.each(some([1, 2, 3, 4, 8, 5, 7, 9, 100_000]))('with at most %i rounds', (maxRounds) => {
    expectSame(duel({ hp: 30 }, { hp: 25 }, { maxRounds }), 1500);
  });

  test.each(some([120, 124, 125, 129, 128, 132, 133, 1000]))('in long battles with at most %i rounds', (maxRounds) => {
    const wall = { hp: 40, attack: 0, defense: 12 };
    expectSame(duel(wall, { ...wall, hp: 30 }, { maxRounds }), 600, 0, 20);
  });

  test('with one or two harmless sides', () => {
    expectSame(duel({ hp: 30, attack: null }, { hp: 25 }), 300);
    expectSame(duel({ hp: 30, defense: 28 }, { hp: 25 }), 300);
    expectSame(duel({ hp: 30 }, { hp: 25, attack: null }), 300);
    expectSame(duel({ hp: 30, attack: null }, { hp: 25, attack: null }), 300);
    expectSame(duel({ hp: 255, attack: -23 }, { hp: 255, attack: null }, { maxRounds: 100_000 }), 9, 0, 0);
  });

  test.each([1, 7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 4097])('with %i battles', (count) => {
    expectSame(duel({ hp: 30 }, { hp: 25 }), count);
    expectSame(duel({ hp: 30 }, { hp: 25 }), count, 2 ** 53 - 1 - count, 0);
  });

  test('in an exchange at range, with and without return fire', () => {
    for (const [ranged, answer] of [
      [3, 2],
      [3, null],
      [-30, 40],
      [1000, 1000],
    ]) {
      const [attacker, defender] = [
        { hp: 25, ranged },
        { hp: 25, ranged: answer },
      ];
      expectSame(exchange(attacker, defender), 1025);
    }
  });
});

const exchange = (attacker: object, defender: object): Attrition =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'indirect',
    attacker: { defense: 1, ...attacker },
    defender: { defense: 1, ...defender },
  });

test.each([
  ['floor', 'n-1'],
  ['floor', 'n'],
  ['nearest', 'n-1'],
  ['nearest', 'n'],
])(
  'the kernel equals the reference in close mass combat: massRounding %s, massDivisor %s',
  (massRounding, massDivisor) => {
    for (const combatants of [2, 3, 4, 5]) {
      // Dice of two faces: the best attack exceeds the worst defense by 3, 2, 1 and 0.
      for (const defense of [-1, 0, 1, 2]) {
        const fighters = Array.from({ length: combatants }, () => ({ defense, hp: 3 }));
        expectSame(mass(fighters, { dice: '1d2', massRounding, massDivisor, maxRounds: 20 }), 40);
      }
    }
  },
);

test('take returns the counts of runs since the last take, without battles of play', () => {
  const scenario = duel({ hp: 30 }, { hp: 25 });
  const shape = createCountsShape(attrition.model(scenario));
  const [module] = modules;
  if (module === undefined) throw new Error('no kernel');
  const kernel = new SystemKernel(module, shape, attrition.encode(scenario));
  expect(kernel.take().outcomes).toEqual(new Float64Array(4));
  kernel.run(SEED, 0, 1000);
  kernel.play(SEED, 5);
  kernel.run(SEED, 1000, 17);
  const together = digestOf(scenario, 0, 1017, kernel.take());
  expect(kernel.take().outcomes).toEqual(new Float64Array(4));
  kernel.run(SEED, 0, 1017);
  expect(digestOf(scenario, 0, 1017, kernel.take())).toBe(together);
});
