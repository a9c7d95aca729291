/**
 * Random systems, simulated by an automaton and by the reference engine: tables of transitions, one to three phases per
 * round, draws of no, one or several words, and battles that end within a round or at its end.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { d } from '../../src/core/distributions/index.ts';
import { compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { type Battle, defineSystem, type Phase } from '../../src/system.ts';
import { DEPTH, SEED } from '../depth.ts';

const SYSTEMS = DEPTH === 1 ? 40 : 200;
const BATTLES = 500;

/** Draws of a phase at a place. */
const DRAWS = ['nothing', 'a', 'b', 'a and b', 'b, and a for its 2'] as const;

interface Table {
  readonly draws: readonly (typeof DRAWS)[number][];
  readonly sides: number;
  /** Next place by place and drawn number. */
  readonly targets: readonly number[];
}

interface Plan {
  readonly places: number;
  /** By phase. */
  readonly tables: readonly Table[];
  /** Outcome by place. */
  readonly ends: readonly ('red' | 'blue' | 'none')[];
  /** True if battles can also end within a round. */
  readonly amid: boolean;
  readonly maxRounds: number;
}

/** Exclusive upper bound of a drawn number. */
const DRAWN = 28;

const plans: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 12 }).chain((places) =>
  fc.record({
    places: fc.constant(places),
    tables: fc.array(
      fc.record({
        draws: fc.array(fc.constantFrom(...DRAWS), { minLength: places, maxLength: places }),
        sides: fc.integer({ min: 2, max: 7 }),
        targets: fc.array(fc.nat(places - 1), { minLength: places * DRAWN, maxLength: places * DRAWN }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    ends: fc.array(fc.constantFrom('red' as const, 'blue' as const, ...new Array<'none'>(5).fill('none')), {
      minLength: places,
      maxLength: places,
    }),
    amid: fc.boolean(),
    maxRounds: fc.constantFrom(1, 2, 5, 50, 200),
  }),
);

interface At {
  readonly at: number;
}

function phaseOf({ draws, sides, targets }: Table): Phase<At> {
  return ({ at }, chance) => {
    const a = (exactDistribution = d(sides)): number => chance.at('a').sample(exactDistribution);
    const b = (): number => chance.at('b').sample(d(3));
    let drawn = 0;
    if (draws[at] === 'a') drawn = a();
    if (draws[at] === 'b') drawn = b();
    if (draws[at] === 'a and b') drawn = sides * (b() - 1) + a();
    if (draws[at] === 'b, and a for its 2') drawn = b() === 2 ? 3 + a(d(4)) : 0;
    return { at: targets[DRAWN * at + drawn] ?? 0 };
  };
}

function scenarioOf({ places, tables, ends, amid, maxRounds }: Plan): Scenario {
  const battle: Battle<At> = {
    outcomes: ['red', 'blue'],
    metrics: { place: { min: 0, max: places, of: ({ at }) => at } },
    streams: { a: 1, b: 1 },
    // No battle ends at the first place, so each has at least one round.
    start: () => ({ at: 0 }),
    round: tables.map(phaseOf),
    outcome({ at }, phase) {
      if (at === 0 || (phase > 0 && !amid)) return undefined;
      const end = ends[at];
      return end === 'none' ? undefined : end;
    },
  };
  const about = { id: 'random', title: 'Random', about: 'Tables of transitions.', fields: {} };
  return validateScenario(
    { system: 'random', maxRounds },
    { systems: [defineSystem({ ...about, battle: () => battle })] },
  );
}

test('random systems have equal digests in both engines and only possible outcomes', { timeout: 600_000 }, async () => {
  let [compiled, idle] = [0, 0];
  const property = fc.asyncProperty(plans, async (plan) => {
    const scenario = scenarioOf(plan);
    compiled += Number(compileAutomaton(getBoundScenario(scenario).model, 20_000) !== undefined);
    idle += Number(plan.tables.some(({ draws }) => draws.includes('nothing')));
    const play = { battles: BATTLES, seed: 5, workers: 1 };
    const [fast, slow] = await Promise.all(
      (['automaton', 'reference'] as const).map((engine) => simulate(scenario, { ...play, engine })),
    );
    expect(fast?.engineUsed).toBe('automaton');
    expect(fast?.digest).toBe(slow?.digest);
    // An observed outcome must have a positive probability; other tests compare frequencies.
    const { distribution: exactDistribution } = solveSync(scenario);
    for (const [o, count] of (fast?.counts.outcomes ?? []).entries())
      if (count > 0) expect(exactDistribution.outcomes[o]).toBeGreaterThan(0);
  });
  await fc.assert(property, { numRuns: SYSTEMS, seed: SEED });
  expect(compiled).toBe(SYSTEMS);
  expect(idle).toBeGreaterThan(SYSTEMS / 2);
});
