/** Compiled scenarios: omitted tests, limits of the compiler, and exact thresholds in the records. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import type { Chance } from '../../src/core/chance/chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { type Automaton, compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { type AutomatonCode, encodeAutomaton } from '../../src/engines/automaton/encode-automaton.ts';
import { LOOK, SLOT } from '../../src/engines/automaton/layout.ts';
import { FinalStateKernel } from '../../src/engines/kernel/final-state-kernel.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Model } from '../../src/rules/system.ts';
import { createCountsShape, listValueCounts } from '../../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../../src/stats/digest.ts';
import { some } from '../depth.ts';

const WORD = 2 ** 32;

/** Creates an automaton with one node. */
function single(thresholds: readonly number[]): Automaton {
  const next = Array.from({ length: thresholds.length + 1 }, (_, way) => -1 - way);
  const endings = next.map((_, way) => ({ outcome: 0, metrics: [way] }));
  return { start: 0, nodes: [{ place: 5, thresholds, next }], finalStates: endings, rounds: undefined };
}

/** Returns the slot that a word selects in a record, as the kernel computes it. */
function slotOf({ words }: AutomatonCode, record: number, word: number): number {
  const at = record / 4;
  const { rotation, mask } = LOOK.read(words, at);
  const rotated = rotation === 0 ? word : ((word << rotation) | (word >>> (32 - rotation))) >>> 0;
  return at + LOOK.size + ((rotated & mask) >>> 0) / 4;
}

/** Returns the final state after tests of only one word. */
function endingOf(code: AutomatonCode, word: number): number {
  let record = code.start;
  while (record >= code.nodes) {
    const { threshold, below, above } = SLOT.read(code.words, slotOf(code, record, word));
    record = word < threshold ? below : above;
  }
  return record / (4 * (LOOK.size + SLOT.size));
}

describe('records of an automaton', () => {
  const threshold = fc.oneof(
    fc.integer({ min: 1, max: WORD - 1 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: WORD - 40, max: WORD - 1 }),
    fc.integer({ min: 2 ** 31 - 9, max: 2 ** 31 + 9 }),
  );

  test('lead each word to the final state of its thresholds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(threshold, { minLength: 1, maxLength: 60 }), (unsorted) => {
        const thresholds = unsorted.toSorted((a, b) => a - b);
        const code = encodeAutomaton(single(thresholds));
        const words = thresholds.flatMap((each) => [each - 1, each, Math.min(WORD - 1, each + 1)]);
        for (const word of [0, ...words, WORD - 1]) {
          const way = thresholds.filter((each) => each <= word).length;
          expect(endingOf(code, word), `word ${String(word)}`).toBe(way);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('have depth 1 for one node and depth 0 without nodes', () => {
    expect(encodeAutomaton(single([2 ** 31])).depth).toBe(1);
    expect(encodeAutomaton({ ...single([2 ** 31]), start: -1, nodes: [] }).depth).toBe(0);
  });
});

/** Creates a model of one step without rounds. */
function model(step: (chance: Chance) => number): Model<{ round: number; end: number }> {
  return {
    outcomes: ['over'],
    metrics: [{ name: 'end', min: 0, max: 100 }],
    maxRounds: 1,
    roundsMetric: undefined,
    start: () => ({ round: 0, end: -1 }),
    step: (_, chance) => ({ round: 1, end: step(chance) }),
    resting: ({ round }) => round === 0,
    outcome: ({ end }) => (end < 0 ? undefined : 'over'),
    measure: ({ end }) => [end],
    key: ({ end }) => String(end),
  };
}

describe('the compiler', () => {
  test('converts rational probabilities to thresholds of a word', () => {
    const automaton = compileAutomaton(
      model((chance) => {
        chance.seek(7);
        return chance.pick([1, 0, 2, 4]);
      }),
      100,
    );
    const [node] = automaton?.nodes ?? [];
    const thresholds = [1n, 3n].map((below) => Number((below * 2n ** 32n) / 7n));
    expect(node).toMatchObject({ place: 7, thresholds });
    expect(automaton?.finalStates.map(({ metrics }) => metrics[0])).toEqual([0, 2, 3]);
  });

  test('merges equal sums of dice into one node', () => {
    const die = [0, 1, 1, 2, 2, 2];
    const automaton = compileAutomaton(
      model((chance) => {
        chance.seek(0);
        return chance.faces([[die], [die], [die]]);
      }),
      100,
    );
    expect(automaton?.finalStates).toHaveLength(7);
    expect(automaton?.nodes.map(({ place }) => place)).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 0]);
  });

  test('takes consecutive draws from consecutive words', () => {
    const automaton = compileAutomaton(
      model((chance) => {
        chance.seek(3);
        const first = chance.pick([1, 1]);
        const [red = 0, blue = 0] = chance.draw([2, 2, 2], 3);
        return first + 2 * red + 10 * blue + 40 * chance.pick([1, 1]);
      }),
      1000,
    );
    expect(new Set(automaton?.nodes.map(({ place }) => place))).toEqual(new Set([3, 4, 5, 6]));
  });

  test('distinguishes outcomes with equal metrics', () => {
    const rules: ReturnType<typeof model> = {
      ...model((chance) => chance.pick([1, 2])),
      outcomes: ['none', 'one'],
      outcome: ({ end }) => (end < 0 ? undefined : ['none', 'one'][end]),
      measure: () => [7],
    };
    expect(compileAutomaton(rules, 100)?.finalStates).toEqual([
      { outcome: 0, metrics: [7] },
      { outcome: 1, metrics: [7] },
    ]);
  });

  test('omits tests without an effect', () => {
    const automaton = compileAutomaton(
      model((chance) => {
        chance.seek(0);
        const kept = chance.pick([1, 1]);
        chance.pick([1, 2, 3]);
        return kept;
      }),
      100,
    );
    expect(automaton?.nodes).toEqual([{ place: 0, thresholds: [2 ** 31], next: [-1, -2] }]);
  });

  /** Creates a countdown of `steps` steps, with a draw in each step or only in the last one. */
  const countdown = (steps: number, draws: boolean): Model<{ round: number; end: number }> => ({
    ...model(() => 0),
    start: () => ({ round: 0, end: -steps }),
    step: ({ end }, chance) => {
      chance.seek(-end);
      return { round: 1, end: end + 1 + (draws || end === -1 ? chance.pick([1, 1]) : 0) };
    },
    outcome: ({ end }) => (end >= 0 ? 'over' : undefined),
  });

  test('skips any number of steps without a draw', () => {
    expect(compileAutomaton(countdown(15_000, false), 200_000)?.nodes).toHaveLength(1);
  });

  test('returns undefined for too many draws in sequence', () => {
    expect(compileAutomaton(countdown(300, true), 200_000)).toBeDefined();
    expect(compileAutomaton(countdown(3000, true), 200_000)).toBeUndefined();
  });

  test('returns undefined if the scenario needs more steps than the budget', () => {
    const wide = model((chance) => chance.pick([1, 1, 1, 1]) + chance.pick([1, 1, 1, 1]));
    expect(compileAutomaton(wide, 17)).toBeDefined();
    expect(compileAutomaton(wide, 16)).toBeUndefined();
  });
});

test.each(some(['cube-bag-siege', 'strength-cards-land', 'token-conflict-pirates', 'token-conflict-city']))(
  '%s: a long compiled run has the digest of the kernel',
  async (name) => {
    const scenario = await loadScenario(`scenarios/${name}.yaml`);
    const system = SHIPPED_REGISTRY.system(scenario.system);
    const shape = createCountsShape(system.model(scenario));
    const battles = 1_500_007;
    const kernel = new SystemKernel(await loadKernel(system.id), shape, system.encode(scenario));
    kernel.run(9n, 11, battles);
    const simulated = { scenarioHash: hashScenario(scenario), system: system.id, seed: 9n, from: 11, to: 11 + battles };
    const expected = computeDigest(simulated, shape, kernel.take());
    for (const workers of [1, 2]) {
      const { digest: found } = await simulate(scenario, { battles, from: 11, seed: 9n, workers });
      expect(found).toBe(expected);
    }
  },
  60_000,
);

test('automaton and rules simulate the same battles with several equal air tokens', async () => {
  const wing = { sample: 'fighter', dice: ['sample-2'], weight: 0.5 };
  const side = { units: [{ sample: 'infantry-1' }], airTokens: [wing, wing, wing] };
  const scenario = validateScenario({ system: 'strength-cards', attacker: side, defender: side });
  const rules = SHIPPED_REGISTRY.system(scenario.system).model(scenario);
  const automaton = compileAutomaton(rules, 100_000);
  if (automaton === undefined) throw new Error('not compiled');
  const code = encodeAutomaton(automaton);
  const kernel = FinalStateKernel.createCompiled(
    await loadKernel('automaton'),
    createCountsShape(rules),
    automaton.finalStates,
    code,
  );
  for (let index = 0; index < 1000; index++) {
    const { outcome, metrics } = playBattle(rules, new SampledChance(Stream.forBattle(3n, index)));
    expect(kernel.play(3n, index), `battle ${String(index)}`).toEqual({ outcome, metrics });
  }
});

test('an automaton simulates any range of battles', async () => {
  const scenario = await loadScenario('scenarios/cube-bag-siege.yaml');
  const rules = SHIPPED_REGISTRY.system(scenario.system).model(scenario);
  const automaton = compileAutomaton(rules, 10_000);
  if (automaton === undefined) throw new Error('not compiled');
  const code = encodeAutomaton(automaton);
  const kernel = FinalStateKernel.createCompiled(
    await loadKernel('automaton'),
    createCountsShape(rules),
    automaton.finalStates,
    code,
  );
  for (const [from, count] of [
    [0, 1],
    [3, 31],
    [2 ** 32 - 16, 33],
    [2 ** 53 - 65, 64],
  ] as const) {
    kernel.run(1n, from, count);
    const ends = new Float64Array(rules.outcomes.length);
    for (let index = from; index < from + count; index++) {
      const { outcome } = kernel.play(1n, index);
      ends[outcome] = (ends[outcome] ?? 0) + 1;
    }
    expect(kernel.take().outcomes).toEqual(ends);
  }
});

test('an automaton finishes a few long battles among many short ones', async () => {
  const long = 30;
  const nodes = Array.from({ length: long }, (_, k) => ({
    place: long - k,
    thresholds: [2 ** 31],
    next: k === 0 ? [-2, -3] : [k - 1, -3],
  }));
  // One battle in 256 takes a path of up to 30 tests.
  const start = nodes.push({ place: 0, thresholds: [2 ** 24], next: [long - 1, -1] }) - 1;
  const endings = [0, 1, 2].map((end) => ({ outcome: 0, metrics: [end] }));
  const code = encodeAutomaton({ start, nodes, finalStates: endings, rounds: undefined });
  expect(code.depth).toBe(1);
  const shape = createCountsShape(model(() => 0));
  const kernel = FinalStateKernel.createCompiled(await loadKernel('automaton'), shape, endings, code);
  const ends = [0, 0, 0];
  for (let index = 0; index < 8192; index++) {
    const [end = 0] = kernel.play(5n, index).metrics;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  kernel.run(5n, 0, 8192);
  const counted = new Map(listValueCounts(kernel.take(), 0));
  expect([0, 1, 2].map((end) => counted.get(end) ?? 0)).toEqual(ends);
  expect(ends[2]).toBeGreaterThan(10);
});
