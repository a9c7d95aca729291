/** Compiled scenarios with rounds: each battle equals the battle of the model, even if it returns to a state. */
import { expect, test } from 'vitest';
import type { Chance } from '../../src/core/chance/chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../../src/engines/automaton/encode-automaton.ts';
import { FinalStateKernel } from '../../src/engines/kernel/final-state-kernel.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { Model } from '../../src/rules/system.ts';
import {
  addBattle,
  type Counts,
  createCountsShape,
  createEmptyCounts,
  listValueCounts,
} from '../../src/stats/counts.ts';

interface Walk {
  readonly round: number;
  readonly at: number;
  readonly done: number;
}

interface Rules {
  /** Functions that return the increment of each step of a round; they draw from position `first` on. */
  readonly steps: readonly ((chance: Chance, first: number) => number)[];
  readonly words: number;
  readonly maxRounds: number;
  readonly goal: number;
  readonly from?: number;
}

/** Creates a walk with steps in each round, not below -3, that ends at its goal or beyond. */
function walk({ steps, words, maxRounds, goal, from = 0 }: Rules): Model<Walk> {
  return {
    outcomes: ['there', 'beyond', 'stalemate'],
    metrics: [
      { name: 'at', min: -1000, max: 1000 },
      { name: 'rounds', min: 0, max: maxRounds },
    ],
    maxRounds,
    roundsMetric: 1,
    roundWords: words,
    start: () => ({ round: 0, at: from, done: 0 }),
    step({ round, at, done }, chance) {
      const now = done === 0 ? round + 1 : round;
      const more = steps[done]?.(chance, now * words) ?? 0;
      return { round: now, at: Math.max(-3, at + more), done: (done + 1) % steps.length };
    },
    resting: ({ done }) => done === 0,
    outcome: ({ at, done }) => (done !== 0 || at < goal ? undefined : at === goal ? 'there' : 'beyond'),
    measure: ({ at, round }) => [at, round],
    key: ({ at, done }) => `${String(at)},${String(done)}`,
  };
}

const coin =
  (offset: number, tails = 0) =>
  (chance: Chance, first: number): number => {
    chance.seek(first + offset);
    return chance.pick([1, 1]) === 0 ? tails : 1;
  };
const still = (): number => 0;
const excess =
  (half: 0 | 1, bonus: number, dice = { count: 3, sides: 10 }) =>
  (chance: Chance, first: number): number => {
    chance.seek(first, half);
    return chance.excess(dice, bonus);
  };

/** Draws halves of words and whole words in sequence, without a seek. */
function chain(chance: Chance, first: number): number {
  chance.seek(first);
  const dice = { count: 1, sides: 3 };
  const [a = 0, b = 0, c = 0] = [1, 2, 0].map((bonus) => chance.excess(dice, bonus));
  return a + b + c + chance.sum(dice) + chance.excess(dice, -1);
}

/** Draws without reading a word. */
const nothing = (chance: Chance, first: number): number => {
  chance.seek(first);
  return chance.hits([]);
};

/** Draws from a bag of one color, which reads no word, and then tosses a coin. */
const certain = (chance: Chance, first: number): number => {
  chance.seek(first);
  return (chance.draw([5], 2)[0] ?? 0) - 2 + coin(0)(chance, first);
};

/** Draws one of 40 numbers. Most of them belong to only a few words, so their thresholds are close together. */
function crowded(chance: Chance, first: number): number {
  chance.seek(first);
  return chance.pick(Array.from({ length: 40 }, (_, k) => 3 ** -k)) + 1;
}

const RULES: readonly (readonly [string, Rules])[] = [
  ['a round of one look', { steps: [coin(0)], words: 1, maxRounds: 9, goal: 4 }],
  ['rounds that come back to a state', { steps: [coin(0, -1)], words: 3, maxRounds: 40, goal: 3, from: 1 }],
  ['steps without a look before and behind', { steps: [still, coin(1), still], words: 2, maxRounds: 6, goal: 3 }],
  ['rounds without a look', { steps: [still], words: 1, maxRounds: 7, goal: 3 }],
  ['rounds of a draw without a look', { steps: [nothing], words: 1, maxRounds: 7, goal: 3 }],
  ['draws without a look in all phases', { steps: [nothing, nothing], words: 1, maxRounds: 7, goal: 3 }],
  ['a draw without a look before one with it', { steps: [certain], words: 1, maxRounds: 9, goal: 4 }],
  ['a goal that is reached without a look', { steps: [() => 2, still], words: 1, maxRounds: 7, goal: 5 }],
  ['a battle that is over before it begins', { steps: [coin(0)], words: 1, maxRounds: 7, goal: 0 }],
  ['halves of a word', { steps: [excess(0, -9), excess(1, -4)], words: 1, maxRounds: 30, goal: 90 }],
  ['many escapes', { steps: [excess(0, 4, { count: 4, sides: 20 })], words: 1, maxRounds: 6, goal: 60 }],
  ['halves and words in a row', { steps: [chain], words: 4, maxRounds: 5, goal: 25 }],
  ['thresholds close together', { steps: [crowded], words: 1, maxRounds: 30, goal: 20 }],
  ['one round', { steps: [coin(0), coin(1)], words: 2, maxRounds: 1, goal: 1 }],
];

/** Converts counts to pairs of values and counts. */
const reported = (counts: Counts) => [
  [...counts.outcomes],
  counts.metrics.map((_, m) => [...counts.outcomes.keys()].map((outcome) => listValueCounts(counts, m, outcome))),
];

test.each(RULES)('kernel and model simulate the same battles: %s', async (_, rules) => {
  const model = walk(rules);
  const automaton = compileAutomaton(model, 50_000);
  if (automaton === undefined) throw new Error('not compiled');
  const { finalStates: endings, rounds } = automaton;
  const code = encodeAutomaton(automaton);
  const shape = createCountsShape(model);
  const battles = 3000;
  for (const build of ['release', 'debug'] as const) {
    const kernel = FinalStateKernel.createCompiled(await loadKernel('rounds', build), shape, endings, code, rounds);
    const counted = createEmptyCounts(shape);
    for (let index = 0; index < battles; index++) {
      const simulated = playBattle(model, new SampledChance(Stream.forBattle(7n, index)));
      addBattle(counted, simulated.outcome, simulated.metrics);
      const found = kernel.play(7n, index);
      if (found.outcome !== simulated.outcome || simulated.metrics.some((value, m) => value !== found.metrics[m]))
        expect(found, `${build}, battle ${String(index)}`).toEqual(simulated);
    }
    for (const [from, to] of [
      [0, 1],
      [1, 34],
      [34, battles],
    ] as const) {
      kernel.run(7n, from, to - from);
    }
    expect(reported(kernel.take()), build).toEqual(reported(counted));
    kernel.run(7n, 0, battles);
    expect(reported(kernel.take()), `${build}, once more`).toEqual(reported(counted));
    kernel.close();
  }
});

test('a model without roundWords is not compiled', () => {
  const { roundWords: _, ...model } = walk({ steps: [coin(0)], words: 1, maxRounds: 9, goal: 4 });
  expect(compileAutomaton(model, 1000)).toBeUndefined();
});

test('a model whose last round reaches the positions of escaped draws is not compiled', () => {
  const rules = { steps: [coin(0)], words: 2 ** 20, goal: 4 };
  expect(compileAutomaton(walk({ ...rules, maxRounds: 2046 }), 1000)).toBeDefined();
  expect(compileAutomaton(walk({ ...rules, maxRounds: 2047 }), 1000)).toBeUndefined();
});
