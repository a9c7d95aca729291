/** Relative error of exact answers, compared with reference solutions in integer arithmetic: below 1e-9. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { solveWithBudget } from '../../src/analysis/solve.ts';
import { computeRatio } from '../../src/core/chance/dice-tables.ts';
import { weighted } from '../../src/core/distributions/index.ts';
import { createBudget } from '../../src/engines/exact/budget.ts';
import { solveFinalStates, solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { loadSystems, type SystemRegistry, solveSync, validateScenario } from '../../src/index.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { Model, Scenario, State } from '../../src/rules/system.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { type Summary, summarizeDistribution } from '../../src/stats/summary.ts';
import { DEPTH } from '../depth.ts';
import { direct, mass } from '../systems/attrition-fight.ts';
import { getBudgetError } from './budgets.ts';
import { coins, conquest, duel, ENDS, excess, oneAgainstTwo, real, type Solved } from './rational.ts';

/** Returns the relative error of a value; `truth` must not be 0. */
const gap = (found: number | undefined, truth: number): number => Math.abs((found ?? Number.NaN) / truth - 1);

const expectClose = (found: number | undefined, truth: number, what: string): void => {
  expect(gap(found, truth), `${what}: ${String(found)} for ${String(truth)}`).toBeLessThan(1e-9);
};

/** Compares outcomes and, by outcome, the mean number of rounds and of remaining units or hit points of the winner. */
function expectSolved(summary: Summary, truth: Solved, names: readonly string[], left: readonly string[]): void {
  for (const [end, { p, rounds, left: whole }] of truth.entries()) {
    const name = names[end] ?? '';
    if (p === 0n) continue;
    expectClose(summary.outcomes.find((outcome) => outcome.name === name)?.p, real(p), name);
    const given = (metric: string) => summary.metrics.find((each) => each.name === metric)?.meanByOutcome[name];
    expectClose(given('rounds'), real(rounds, p), `rounds given ${name}`);
    if (end < 2) expectClose(given(left[end] ?? ''), real(whole, p), `left given ${name}`);
  }
}

/** Solves a scenario with its kernel and as a chain. */
function summaries(scenario: Scenario): [string, Summary][] {
  const model = SHIPPED_REGISTRY.system(scenario.system).model(scenario);
  const { distribution: exactDistribution, lost } = solveModel(model);
  return [
    ['kernel', solveSync(scenario).summary],
    ['chain', summarizeDistribution(createCountsShape(model), exactDistribution, lost)],
  ];
}

describe('exact answer for conquest-dice', () => {
  let systems: SystemRegistry;

  beforeAll(async () => {
    systems = await loadSystems([
      join(fileURLToPath(new URL('../..', import.meta.url)), 'examples/games/conquest-dice.mjs'),
    ]);
  });

  test.each([
    [3, 30],
    [3, 40],
    [3, 60],
    [3, 80],
    [3, 100],
    [20, 100],
    [3, 1000],
  ])('%i armies against %i match the reference solution', (attacker, defender) => {
    const scenario = validateScenario({ system: 'conquest-dice', attacker, defender }, { systems });
    const { summary, truncated: lost } = solveSync(scenario);
    const { p, left } = conquest(attacker, defender);
    expectClose(summary.outcomes[0]?.p, real(p), 'attacker');
    expectClose(summary.metrics[1]?.meanByOutcome['attacker'], real(left, p), 'armies left');
    expect(lost).toBeLessThan(1e-300);
    if (attacker === 3 && defender === 40) expectClose(real(p), 7.889917428420965e-9, 'the published figure');
  });
});

describe('exact answer for an attrition duel', () => {
  const SHALLOW = [
    [2, 60, 0, 0],
    // Every attack deals damage, so that no state repeats.
    [4, 90, 0, 6],
  ] as const;
  const DEEP = [
    [30, 25, 0, 0],
    [1, 200, 1, 1],
    [3, 120, 1, -2],
  ] as const;
  const duels = DEPTH > 1 ? [...SHALLOW, ...DEEP] : SHALLOW;
  test.each(duels)(
    '%i hit points against %i, attacks %i and %i, match the reference solution',
    (attacker, defender, forth, back) => {
      const dice = { dice: '1d6', maxRounds: 100_000 };
      const truth = duel([attacker, defender], () => [excess(6, back), excess(6, forth)]);
      const bare = direct(
        { hp: attacker, attack: forth, defense: 0 },
        { hp: defender, attack: back, defense: 0 },
        dice,
      );
      const melee = mass(
        [
          { hp: attacker, attack: forth, defense: 0 },
          { hp: defender, attack: back, defense: 0 },
        ],
        dice,
      );
      for (const [solver, summary] of summaries(bare)) {
        expectSolved(summary, truth, ENDS, ['hp.attacker', 'hp.defender']);
        expect(summary.outcomes.length, solver).toBe(4);
      }
      for (const [, summary] of summaries(melee))
        expectSolved(summary, truth, ['p0', 'p1', 'mutual'], ['hp.u0', 'hp.u1']);
    },
  );
});

describe('exact answer for mass combat', () => {
  test.each([
    [2, 14, 2],
    [1, 40, 1],
    [3, 25, 3],
  ])('%i hit points against two units of %i, attack %i, match the reference solution', (own, theirs, attack) => {
    const fight = mass(
      [
        { hp: own, attack, defense: 0, party: 'one' },
        { hp: theirs, attack: 2, defense: 0, party: 'two' },
        { hp: theirs, attack: 1, defense: 0, party: 'two' },
      ],
      { dice: '1d4', massDivisor: 'n-1', massRounding: 'floor', maxRounds: 100_000 },
    );
    const truth = oneAgainstTwo([own, theirs, theirs], [attack, 2, 1], 4);
    const { summary, truncated: lost } = solveSync(fight);
    for (const [end, name] of ['one', 'two', 'mutual'].entries()) {
      const p = truth[end] ?? 0n;
      expectClose(summary.outcomes.find((outcome) => outcome.name === name)?.p, real(p), name);
      expect(lost).toBeLessThanOrEqual(1e-15 * real(p));
    }
  });
});

describe('exact answer for phased-dice', () => {
  test.each([
    [2, 5],
    [1, 12],
    [2, 30],
    [3, 60],
  ])('%i spearmen against %i match the reference solution', (attacker, defender) => {
    const side = (spearman: number) => ({ units: { spearman }, target: ['infantry'] });
    const scenario = phasedDice.schema.parse({
      ...{ system: 'phased-dice', mode: 'ground', site: 'open', maxRounds: 1000 },
      ...{ attacker: side(attacker), defender: side(defender) },
    });
    const truth = duel([attacker, defender], (a, d) => [coins(d), coins(a)]);
    for (const [, summary] of summaries(scenario))
      expectSolved(summary, truth, ENDS, ['left.attacker', 'left.defender']);
  });
});

/** Creates a model of up to `count` independent trials with the given distribution; a failure ends the battle. */
const steps = (
  count: number,
  exactDistribution: ReturnType<typeof weighted>,
): Model<State & { readonly at: number; readonly over: boolean }> => ({
  outcomes: ['won', 'failed'],
  metrics: [
    { name: 'rounds', min: 0, max: count },
    { name: 'at', min: 0, max: count },
  ],
  maxRounds: count,
  roundsMetric: 0,
  start: () => ({ round: 0, at: 0, over: false }),
  step({ round, at }, chance) {
    const success = chance.sample(exactDistribution) === 1;
    return { round: round + 1, at: at + Number(success), over: !success };
  },
  resting: () => true,
  outcome: ({ at, over }) => (over ? 'failed' : at === count ? 'won' : undefined),
  measure: ({ round, at }) => [round, at],
  key: ({ at, over }) => at * 2 + Number(over),
});

/** Creates a model that continues each round with weight `stay` against 1, for at most `maxRounds` rounds. */
const geometric = (maxRounds: number, stay: number): Model<State & { readonly over: boolean }> => ({
  outcomes: ['stopped', 'stalemate'],
  metrics: [{ name: 'rounds', min: 0, max: maxRounds }],
  maxRounds,
  roundsMetric: 0,
  start: () => ({ round: 0, over: false }),
  step: ({ round }, chance) => ({ round: round + 1, over: chance.pick([1, stay]) === 0 }),
  resting: () => true,
  outcome: ({ over }) => (over ? 'stopped' : undefined),
  measure: ({ round }) => [round],
  key: ({ over }) => Number(over),
});

describe('chain of a custom model', () => {
  test.each([
    ['30 successes of 1e-10', 30, 10n ** 10n, 1e-300],
    ['10 of 1e-3', 10, 1000n, 1e-30],
    ['300 of 1e-1', 300, 10n, 1e-300],
    ['one of 1e-300', 1, 10n ** 300n, 1e-300],
    ['one of 1e-30', 1, 10n ** 30n, 1e-30],
  ])('has accurate tiny probabilities: %s', (_, count, odds, truth) => {
    const model = steps(
      count,
      weighted(Object.entries({ 0: odds - 1n, 1: 1n }).map(([k, weight]) => [Number(k), weight])),
    );
    const { distribution: exactDistribution, lost } = solveModel(model);
    const { outcomes, metrics } = summarizeDistribution(createCountsShape(model), exactDistribution, lost);
    expectClose(outcomes[0]?.p, truth, 'won');
    expect(metrics[0]?.max).toBe(count);
    expect(metrics[0]?.meanByOutcome['won']).toBe(count);
    expectClose(metrics[1]?.histogram.at(-1)?.[1], truth, 'the last value');
    expect(lost).toBe(0);
  });

  test('loses no probability when a state repeats up to the round limit', () => {
    for (const [rounds, stay, truth] of [
      [100, 1, 2 ** -100],
      [900, 1, 2 ** -900],
      [600, 2, (2 / 3) ** 600],
    ] as const) {
      const { distribution: exactDistribution, lost } = solveModel(geometric(rounds, stay));
      expectClose(exactDistribution.outcomes[1], truth, 'stalemate');
      expect(lost).toBe(0);
    }
  });

  test('reports lost mass of at most 1e-15 when the round limit is far away', () => {
    const { distribution: exactDistribution, lost } = solveModel(geometric(100_000, 1));
    expect(exactDistribution.outcomes[1]).toBe(0);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThanOrEqual(1e-15);
  });

  test('computeRatio keeps full precision for very large integers', () => {
    const wide = 10n ** 1100n;
    expectClose(computeRatio(3n, wide / 10n ** 820n), 3e-280, 'narrow');
    expectClose(computeRatio(wide * 7n, wide * 10n ** 290n), 7e-290, 'wide');
    expect(computeRatio(1n, wide)).toBe(0);
    expect(computeRatio(wide, wide)).toBe(1);
  });

  test('stops at the budget if the open mass is negligible, and reports it as lost', () => {
    // Every round has a new state and halves the open probability mass.
    const endless: Model<State & { readonly at: number }> = {
      ...{
        outcomes: ['stopped', 'stalemate'],
        metrics: [{ name: 'at', min: 0, max: 1e6 }],
        maxRounds: 1_000_000,
        roundsMetric: undefined,
      },
      start: () => ({ round: 0, at: 1 }),
      step: ({ round, at }, chance) => ({ round: round + 1, at: chance.pick([1, 1]) === 0 ? -at : at + 1 }),
      resting: () => true,
      outcome: ({ at }) => (at < 0 ? 'stopped' : undefined),
      measure: ({ at }) => [Math.abs(at)],
      key: ({ at }) => at,
    };
    expect(solveModel(endless, { steps: 121, moves: 1e6 }).lost).toBe(2 ** -60);
    expect(solveModel(endless, { steps: 1e6, moves: 141 }).lost).toBe(2 ** -70);
    expect(() => solveModel(endless, { steps: 1e6, moves: 41 })).toThrow(
      / still 9\.54e-7 of the probability mass open in round 21; about 43 states /,
    );
    expect(solveFinalStates(endless).length).toBeGreaterThan(1000);
  });
});

describe('BudgetError for too many moves', () => {
  const suggested = (act: () => unknown): number => getBudgetError(act).suggested ?? 0;

  test('suggests a sufficient budget for a duel whose whole mass is still open', () => {
    const long = direct({ hp: 3000 }, { hp: 3000 });
    const budget = createBudget(suggested(() => solveWithBudget(long, { steps: 170_000, moves: 1_000_000 })));
    expect(solveWithBudget(long, budget).truncated).toBeLessThan(1e-15);
  });

  test('suggests a sufficient budget for a chain, based on the moves per round', () => {
    const slow = geometric(1_000_000, 9999);
    const budget = createBudget(suggested(() => solveModel(slow, { steps: 1000, moves: 1000 })));
    expect(solveModel(slow, budget).lost).toBeLessThan(1e-15);
  });
});
