import { describe, expect, test } from 'vitest';
import type { RandomDraws } from '../../src/core/chance/chance.ts';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { RecordedChance, type ReplayEvent } from '../../src/core/chance/recorded-chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { ScriptError } from '../../src/core/errors.ts';

const DICE = { count: 3, sides: 10 };
const LAW = { offset: 1, weights: [2n, 0n, 1n], name: 'wounds' };
const IRON = [0, 1, 1, 2, 2, 3];
const WOOD = [4, 0, 0, 0, 1, 1];

const draws: Record<string, (chance: RandomDraws) => string> = {
  sum: (chance) => String(chance.sum(DICE)),
  'excess, low half': (chance) => String(chance.excess(DICE, 1)),
  'excess, both halves': (chance) => `${String(chance.excess(DICE, -9))},${String(chance.excess(DICE, -9))}`,
  'excess of dice too many for the table': (chance) => String(chance.excess({ count: 2, sides: 40 }, -60)),
  'hits of one pool': (chance) => String(chance.hits([{ dice: 9, value: 2 }])),
  'hits of pools that hit always, or are larger than a word': (chance) =>
    String(
      chance.hits([
        { dice: 2, value: 7 },
        { dice: 66, value: 1 },
      ]),
    ),
  'draw of three colours': (chance) => chance.draw([5, 3, 2], 3).join(),
  'draw of more than there is': (chance) => chance.draw([1, 2], 9).join(),
  'faces of one lot': (chance) => String(chance.faces([[IRON, IRON, WOOD]])),
  'faces of lots, one of them empty': (chance) => String(chance.faces([[IRON], [], [WOOD, WOOD]])),
  pick: (chance) => String(chance.pick([0, 1, 0.5, 0])),
  take: (chance) => String(chance.sample({ offset: -2, weights: [0n, 3n, 0n, 1n, 96n, 0n] })),
  roll: (chance) => chance.roll(4, 6).join(),
};

describe('the sampled chance has the distribution of the enumerated chance', () => {
  test.each(Object.entries(draws))('%s', (_name, act) => {
    const exactDistribution = new Map<string, number>();
    for (const { value, probability } of enumerateBranches(act))
      exactDistribution.set(value, (exactDistribution.get(value) ?? 0) + probability);
    expect([...exactDistribution.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);

    const trials = 40_000;
    const counts = new Map<string, number>();
    for (let i = 0; i < trials; i++) {
      const value = act(new SampledChance(Stream.forBattle(11n, i)));
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    // Outcomes expected fewer than 5 times are pooled; odds of |z| > 5 are 6e-7 for each of thirteen distributions.
    let chi = 0;
    let cells = 0;
    let [rare, rareCount] = [0, 0];
    for (const [value, p] of exactDistribution) {
      if (p * trials < 5) {
        rare += p * trials;
        rareCount += counts.get(value) ?? 0;
        continue;
      }
      chi += ((counts.get(value) ?? 0) - p * trials) ** 2 / (p * trials);
      cells++;
    }
    if (rare > 1) {
      chi += (rareCount - rare) ** 2 / rare;
      cells++;
    }
    for (const value of counts.keys()) expect(exactDistribution.has(value), value).toBe(true);
    const degrees = Math.max(1, cells - 1);
    expect((chi - degrees) / Math.sqrt(2 * degrees)).toBeLessThan(6);
  });
});

describe('stream positions', () => {
  test('determine a draw, regardless of earlier draws', () => {
    const chance = new SampledChance(Stream.forBattle(1n, 0));
    chance.seek(100);
    const alone = chance.sum(DICE);
    chance.seek(7);
    chance.hits([{ dice: 200, value: 3 }]);
    chance.excess(DICE, 0);
    chance.seek(100);
    expect(chance.sum(DICE)).toBe(alone);
  });

  test('of a full draw after half a word are at the next word', () => {
    const chance = new SampledChance(Stream.forBattle(1n, 0));
    chance.seek(6);
    const next = chance.sum(DICE);
    chance.seek(5);
    chance.excess(DICE, 0);
    expect(chance.sum(DICE)).toBe(next);
  });

  test('can select the second half of a word', () => {
    const chance = new SampledChance(Stream.forBattle(1n, 3));
    chance.seek(9);
    chance.excess(DICE, 20);
    const second = chance.excess(DICE, 20);
    chance.seek(9, 1);
    expect(chance.excess(DICE, 20)).toBe(second);
  });

  test('of later draws do not depend on whether a pool is certain', () => {
    const chance = new SampledChance(Stream.forBattle(1n, 3));
    const second = { dice: 5, value: 3 };
    chance.seek(0);
    const certain = chance.hits([{ dice: 4, value: 6 }, second]);
    chance.seek(0);
    chance.hits([{ dice: 4, value: 5 }]);
    expect(certain - 4).toBe(chance.hits([second]));
  });

  test('are one per set of custom dice, even for an empty set', () => {
    for (let i = 0; i < 50; i++) {
      const chance = new SampledChance(Stream.forBattle(1n, i));
      chance.seek(20);
      const together = chance.faces([[IRON], [], [WOOD]]);
      const next = chance.pick([1, 1, 1, 1]);
      const at = (word: number, lot: number[][]) => {
        chance.seek(word);
        return chance.faces([lot]);
      };
      expect(together).toBe(at(20, [IRON]) + at(22, [WOOD]));
      chance.seek(23);
      expect(chance.pick([1, 1, 1, 1])).toBe(next);
    }
  });

  test('give better faces no lower results, so that paired battles stay correlated', () => {
    for (let i = 0; i < 500; i++) {
      const shown = [0, 1, 2].map((more) =>
        new SampledChance(Stream.forBattle(4n, i)).faces([[IRON.map((face) => face + more), WOOD, IRON]]),
      );
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    }
  });

  test('give better values no fewer hits, so that paired battles stay correlated', () => {
    for (let i = 0; i < 2000; i++) {
      const hits = [1, 2, 3, 4, 5, 6].map((value) =>
        new SampledChance(Stream.forBattle(4n, i)).hits([{ dice: 20, value }]),
      );
      expect(hits).toEqual(hits.toSorted((a, b) => a - b));
    }
  });
});

describe('the scripted chance', () => {
  test('returns its entries and requires that all are used', () => {
    const chance = new ScriptedChance([
      { sum: 17 },
      { excess: [17, 11] },
      { faces: [6, 3, 2] },
      { draw: [2, 1] },
      { faces: [3, 4, 0] },
      { pick: 1 },
      { sample: 3 },
      { roll: [1, 6, 2] },
    ]);
    expect(chance.sum(DICE)).toBe(17);
    expect(chance.excess(DICE, 1)).toBe(7);
    expect(chance.hits([{ dice: 3, value: 2 }])).toBe(1);
    expect(chance.draw([3, 3], 3)).toEqual([2, 1]);
    expect(chance.faces([[IRON], [], [WOOD, IRON]])).toBe(3 + 4);
    expect(() => {
      chance.checkUsed();
    }).toThrow(ScriptError);
    expect(chance.pick([0, 1])).toBe(1);
    expect(chance.sample(LAW)).toBe(3);
    expect(chance.roll(3, 6)).toEqual([6, 2, 1]);
    chance.checkUsed();
  });

  test.each([
    ['another kind', (chance: ScriptedChance) => chance.hits([{ dice: 1, value: 1 }]), { sum: 4 }],
    ['a sum out of range', (chance: ScriptedChance) => chance.sum(DICE), { sum: 31 }],
    ['too few faces', (chance: ScriptedChance) => chance.hits([{ dice: 2, value: 1 }]), { faces: [1] }],
    ['a seven', (chance: ScriptedChance) => chance.hits([{ dice: 1, value: 1 }]), { faces: [7] }],
    ['too few custom dice', (chance: ScriptedChance) => chance.faces([[IRON], [IRON]]), { faces: [1] }],
    ['too many custom dice', (chance: ScriptedChance) => chance.faces([[IRON]]), { faces: [1, 1] }],
    ['what a custom die does not show', (chance: ScriptedChance) => chance.faces([[IRON, WOOD]]), { faces: [1, 2] }],
    ['more cubes than the bag holds', (chance: ScriptedChance) => chance.draw([1, 5], 2), { draw: [2, 0] }],
    ['too few cubes', (chance: ScriptedChance) => chance.draw([1, 5], 2), { draw: [0, 1] }],
    ['an impossible pick', (chance: ScriptedChance) => chance.pick([1, 0]), { pick: 1 }],
    ['a value that never comes', (chance: ScriptedChance) => chance.sample(LAW), { sample: 2 }],
    ['too few faces of a handful', (chance: ScriptedChance) => chance.roll(2, 6), { roll: [1] }],
    ['a face that is not on the dice', (chance: ScriptedChance) => chance.roll(2, 6), { roll: [1, 7] }],
    [
      'an option that is not offered',
      (chance: ScriptedChance) => chance.decide('p', 'x', ['a'], () => 'a'),
      { decide: 'b' },
    ],
  ])('rejects %s', (_name, act, entry) => {
    expect(() => act(new ScriptedChance([entry]))).toThrow(ScriptError);
  });

  test('lists the values of a distribution in its error', () => {
    const rejected = 'script entry 0: expected a value of wounds (1, 3), found 2';
    expect(() => new ScriptedChance([{ sample: 2 }]).sample(LAW)).toThrow(rejected);
    const many = { offset: 0, weights: new Array<bigint>(13).fill(1n) };
    expect(() => new ScriptedChance([]).sample(many)).toThrow(
      'expected a value of a distribution (0..12), found the end',
    );
  });

  test('leaves decisions without an entry to the policy', () => {
    const chance = new ScriptedChance([{ sum: 3 }, { decide: 'b' }]);
    const ask = () => chance.decide('p', 'x', ['a', 'b'], () => 'a');
    expect(ask()).toBe('a');
    chance.sum(DICE);
    expect(ask()).toBe('b');
  });
});

/** Returns the event that the recorded chance stores for an act. */
function reported<K extends ReplayEvent['kind']>(kind: K, stream: Stream, act: (chance: RandomDraws) => unknown) {
  const chance = new RecordedChance(stream);
  act(chance);
  const [event] = chance.events;
  if (event?.kind !== kind) throw new Error('no event');
  return event as Extract<ReplayEvent, { kind: K }>;
}

describe('the recorded chance', () => {
  const act = (chance: RandomDraws): (number | number[])[] => [
    chance.sum(DICE),
    chance.excess(DICE, 2),
    chance.excess(DICE, -2),
    chance.hits([
      { dice: 70, value: 2 },
      { dice: 3, value: 8 },
    ]),
    chance.draw([4, 4, 4], 5),
    chance.faces([[IRON, WOOD, IRON, IRON], [], [WOOD]]),
    chance.pick([1, 1, 1]),
    chance.sample(LAW),
    [...chance.roll(3, 6)],
  ];

  test('simulates the same battle, and its events add up to the draws', () => {
    for (let i = 0; i < 500; i++) {
      const chance = new RecordedChance(Stream.forBattle(2n, i));
      expect(act(chance)).toEqual(act(new SampledChance(Stream.forBattle(2n, i))));
      for (const event of chance.events) {
        if (event.kind === 'excess') {
          expect(Math.max(0, event.attack - event.defence + event.bonus)).toBe(event.excess);
          for (const roll of [event.attack, event.defence]) expect(roll >= 3 && roll <= 30).toBe(true);
        }
        if (event.kind === 'hits') {
          expect(event.faces).toHaveLength(event.pool.dice);
          expect(event.faces.filter((face) => face <= event.pool.value)).toHaveLength(event.hits);
          expect(event.faces.every((face) => face >= 1 && face <= 6)).toBe(true);
        }
        if (event.kind === 'faces') {
          expect(event.dice).toEqual([IRON, WOOD, IRON, IRON, WOOD]);
          expect(event.dice.every((die, d) => die.includes(event.shown[d] ?? -1))).toBe(true);
          expect(event.shown).toHaveLength(5);
          expect(event.shown.reduce((sum, face) => sum + face, 0)).toBe(event.sum);
        }
      }
    }
  });

  test('stores distributions by name if they have one, and faces with their dice', () => {
    const chance = new RecordedChance(Stream.forBattle(2n, 1));
    const [value, nameless] = [chance.sample(LAW), chance.sample({ offset: 7, weights: [1n] })];
    const faces = chance.roll(3, 6);
    expect(chance.events).toEqual([
      { kind: 'sample', distribution: 'wounds', value, probability: value === 1 ? 2 / 3 : 1 / 3 },
      { kind: 'sample', value: nameless, probability: 1 },
      { kind: 'roll', dice: { count: 3, sides: 6 }, faces },
    ]);
    expect(chance.events[1]).not.toHaveProperty('law');
  });

  test('stores custom dice with the frequencies of their faces', () => {
    const counts = [new Map<number, number>(), new Map<number, number>()];
    const trials = 20_000;
    for (let i = 0; i < trials; i++) {
      const event = reported('faces', Stream.forBattle(5n, i), (chance) => chance.faces([[IRON, WOOD]]));
      for (const [d, face] of event.shown.entries()) counts[d]?.set(face, (counts[d].get(face) ?? 0) + 1);
    }
    for (const [d, die] of [IRON, WOOD].entries()) {
      for (const face of new Set(die)) {
        const p = die.filter((other) => other === face).length / 6;
        const miss = Math.abs((counts[d]?.get(face) ?? 0) - p * trials);
        expect(miss).toBeLessThan(5 * Math.sqrt(trials * p * (1 - p)));
      }
    }
  });

  test('stores dice of hits with equally frequent faces', () => {
    const trials = 20_000;
    const counts = Array.from({ length: 3 }, () => new Array<number>(6).fill(0));
    for (let i = 0; i < trials; i++) {
      const event = reported('hits', Stream.forBattle(6n, i), (chance) => chance.hits([{ dice: 3, value: 2 }]));
      for (const [die, face] of event.faces.entries()) {
        const seen = counts[die] ?? [];
        seen[face - 1] = (seen[face - 1] ?? 0) + 1;
      }
    }
    const spread = Math.sqrt((trials * 5) / 36);
    for (const count of counts.flat()) expect(Math.abs(count - trials / 6)).toBeLessThan(5 * spread);
  });

  test('stores rolls of an excess with the distribution of 3d10', () => {
    let [sum, squares] = [0, 0];
    const trials = 20_000;
    for (let i = 0; i < trials; i++) {
      const event = reported('excess', Stream.forBattle(3n, i), (chance) => chance.excess(DICE, 0));
      sum += event.attack;
      squares += (event.attack - 16.5) ** 2;
    }
    // Mean 16.5, variance 24.75; five standard errors.
    expect(Math.abs(sum / trials - 16.5)).toBeLessThan(5 * Math.sqrt(24.75 / trials));
    expect(Math.abs(squares / trials - 24.75)).toBeLessThan(5 * Math.sqrt((1.9 * 24.75 ** 2) / trials));
  });
});
