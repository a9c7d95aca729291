/**
 * Stream positions of draws must not be in the weak class: differences of two positions whose words are related more
 * closely than others (docs/explanation/randomness.md, Limits). Before the second half of its key is added, `word`
 * multiplies once; two positions whose differences at that point often agree have dependent words.
 */
import { describe, expect, test } from 'vitest';
import { WEAK_CLASS as CLASS } from '../../src/conformance/chance-checks.ts';
import { ESCAPES, SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { computeWord, Stream } from '../../src/core/chance/stream.ts';
import type { StreamLayout } from '../../src/core/chance/stream-layout.ts';
import { PLACES as DUEL_PLACES, MASS_PLACES } from '../../src/rules/attrition/layout.ts';
import { PLACES as CUBE_BAG } from '../../src/rules/cube-bag/layout.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { PLACES as PHASED_DICE } from '../../src/rules/phased-dice/layout.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { PLACES as STRENGTH_CARDS } from '../../src/rules/strength-cards/layout.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { PLACES as TOKEN_CONFLICT } from '../../src/rules/token-conflict/layout.ts';
import { modesOf, sampleScenarios } from '../arbitraries.ts';
import { DEPTH } from '../depth.ts';

/** Computes the value of `word` for a counter with the key added, before the second half of the key is added. */
function before(x: number): number {
  const y = Math.imul(x ^ (x >>> 17), 0xed5ad4bb);
  return y ^ (y >>> 11);
}

const SAMPLE = 2048;
const COUNTERS = Int32Array.from({ length: SAMPLE }, (_, i) => computeWord(1, 2, i));
const STARTS = COUNTERS.map(before);

/** Returns the share of pairs of counters that have the same difference to the counters at a distance. */
function collisions(difference: number): number {
  const gaps = COUNTERS.map((x, i) => (before((x + difference) | 0) - (STARTS[i] ?? 0)) | 0).sort();
  let [pairs, run] = [0, 1];
  for (let i = 1; i <= SAMPLE; i++) {
    if (i < SAMPLE && gaps[i] === gaps[i - 1]) run++;
    else {
      pairs += run * (run - 1);
      run = 1;
    }
  }
  return pairs / (SAMPLE * (SAMPLE - 1));
}

/** Collisions above this limit are weak: words of such positions have a correlation of about 1e-5. */
const WEAK = 1e-3;

describe('the weak class', () => {
  test('has collisions that rise with b, from .002 (b = 7) to .125 (b = 14)', () => {
    for (const [b, expected] of [
      [7, 0.0024],
      [10, 0.0082],
      [12, 0.0194],
      [14, 0.125],
    ] as const)
      for (const sign of [-1, 1]) expect(collisions(2 ** (17 + b) + sign * 2 ** b) / expected).toBeGreaterThan(0.7);
    expect(collisions(2 ** 31 + 2 ** 14)).toBeCloseTo(0.125, 1);
  });

  test.runIf(DEPTH > 1)('contains all weak sums of up to three powers of two', () => {
    const powers = Array.from({ length: 32 }, (_, a) => 2 ** a);
    const either = [...powers, ...powers.map((power) => -power)];
    const sums = new Set<number>();
    for (const [i, a] of either.entries())
      for (const [j, b] of either.slice(i + 1).entries()) {
        sums.add((a + b) >>> 0);
        for (const c of either.slice(i + j + 2)) sums.add((a + b + c) >>> 0);
      }
    const weak = [...powers, ...sums].filter((difference) => difference > 0 && difference <= 2 ** 31);
    expect(weak.filter((difference) => !CLASS.has(difference) && collisions(difference) > WEAK)).toEqual([]);
  });

  test('is rare: none of a thousand random differences is weak', () => {
    const differences = Array.from({ length: 1000 }, (_, i) => computeWord(3, 4, i));
    expect(Math.max(...differences.map(collisions))).toBeLessThan(WEAK / 10);
  });

  test('begins at 2^23 - 3 x 2^6, so that closer positions are not in it', () => {
    expect(Math.min(...CLASS)).toBe(2 ** 23 - 3 * 2 ** 6);
  });
});

/** Range of positions, ends included. */
type Range = readonly [from: number, to: number];

/** Stream positions of a system, by scenario and largest number of rounds. */
interface Scheme {
  /** Number of rounds up to which no two positions of a battle are in the weak class, for any scenario. */
  readonly rounds: number;
  places(scenario: Scenario, rounds: number): readonly Range[];
}

interface Attrition extends Scenario {
  readonly mode: 'direct' | 'indirect' | 'mass';
  readonly combatants?: readonly unknown[];
}

const LIMIT = 100_000;

/** Returns the range of positions of rounds 1 to `rounds`. */
const ofRounds = (places: StreamLayout, rounds: number): Range => [places.positionOf(1), places.end(rounds) - 1];

/** Returns the range of all declared positions. */
const all = (places: StreamLayout): Range => [places.positionOf(0), places.end() - 1];

const SCHEMES: Readonly<Record<string, Scheme>> = {
  attrition: {
    rounds: 8191,
    places(scenario, rounds) {
      const { mode, combatants = [] } = scenario as Attrition;
      const last = mode === 'indirect' ? 1 : rounds;
      if (mode === 'mass') return [ofRounds(MASS_PLACES.withSize(combatants.length), last)];
      return [ofRounds(DUEL_PLACES, last), ofRounds(ESCAPES, last)];
    },
  },
  'phased-dice': { rounds: 1023, places: (_, rounds) => [ofRounds(PHASED_DICE, rounds)] },
  'cube-bag': { rounds: LIMIT, places: () => [all(CUBE_BAG)] },
  'strength-cards': { rounds: LIMIT, places: () => [all(STRENGTH_CARDS)] },
  'token-conflict': { rounds: LIMIT, places: () => [all(TOKEN_CONFLICT)] },
};

/** Returns true if two positions in the ranges, in this order, can have the difference. */
function canDiffer(ranges: readonly Range[], difference: number): boolean {
  return ranges.some(([from, to]) =>
    ranges.some(([first, last]) => difference >= first - to && difference <= last - from && difference > 0),
  );
}

/** Returns the positions from which a battle draws, including escapes. */
function placesOf(
  scenario: Scenario,
  battle: number,
): { readonly places: ReadonlySet<number>; readonly rounds: number } {
  const places = new Set<number>();
  const inner = Stream.forBattle(7n, battle);
  const noted = {
    seek: (counter: number): void => {
      places.add(counter >>> 0);
      inner.seek(counter);
    },
    word: (): number => inner.word(),
  };
  const system = shippedSystems.find(({ id }) => id === scenario.system);
  const model = system?.model(scenario);
  if (model === undefined) throw new Error(`no system ${scenario.system}`);
  let rounds = 0;
  const counting = {
    ...model,
    step: (...[state, chance]: Parameters<typeof model.step>) => {
      const next = model.step(state, chance);
      rounds = Math.max(rounds, next.round);
      return next;
    },
  };
  playBattle(counting, new SampledChance(noted as unknown as Stream));
  return { places, rounds };
}

describe.each(shippedSystems.map((system) => [system.id, system] as const))('%s', (id, system) => {
  const scheme = SCHEMES[id];
  const generated = modesOf(system).flatMap((mode) => sampleScenarios(system, mode, 40));

  test('has its stream positions in this file', () => {
    expect(scheme).toBeDefined();
  });

  test('draws only from these positions', () => {
    for (const scenario of generated) {
      for (let battle = 0; battle < 3; battle++) {
        const { places, rounds } = placesOf(scenario, battle);
        const ranges = scheme?.places(scenario, Math.max(1, rounds)) ?? [];
        const strays = [...places].filter((place) => !ranges.some(([from, to]) => place >= from && place <= to));
        expect({ scenario: strays.length > 0 ? scenario : undefined, strays }).toEqual({ strays: [] });
      }
    }
  });

  test('does not reach the weak class within its number of rounds', () => {
    const rounds = scheme?.rounds ?? 0;
    const widest = generated.map((scenario) => scheme?.places(scenario, rounds) ?? []);
    const largest: Attrition = { system: id, mode: 'mass', combatants: Array.from({ length: 32 }) };
    for (const ranges of [...widest, scheme?.places(largest, id === 'attrition' ? LIMIT : rounds) ?? []])
      expect([...CLASS].filter((difference) => canDiffer(ranges, difference))).toEqual([]);
  });
});

test('phased dice avoid the weak class for 16 383 rounds with up to 64 words per roll', () => {
  const words = 64;
  const [slot, round] = [PHASED_DICE.words, PHASED_DICE.positionOf(1)];
  const farthest = 16_382 * round + 7 * slot + words - 1;
  const near = (difference: number): boolean => {
    const rest = difference % slot;
    return difference <= farthest && (rest < words || slot - rest < words);
  };
  expect([...CLASS].filter(near)).toEqual([]);
  expect([...CLASS].some((difference) => difference > farthest && difference <= farthest + round)).toBe(true);
});
