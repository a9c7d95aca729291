/** Limits of best responses: rare outcomes, games that are too large, and wrong rules. */
import { describe, expect, test } from 'vitest';
import type { Chance } from '../../src/core/chance/chance.ts';
import { InputError, RulesError } from '../../src/core/errors.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { buildGameGraph, type GameDefinition } from '../../src/environments/best-response/game-graph.ts';
import { createGameTable } from '../../src/environments/best-response/game-table.ts';
import { computeGameValues } from '../../src/environments/best-response/game-values.ts';
import { computeOutcomeProbabilities } from '../../src/environments/best-response/outcome-probabilities.ts';
import { KeyBudget } from '../../src/rules/play-battle.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Model, State } from '../../src/rules/system.ts';
import { type Battle, defineSystem } from '../../src/system.ts';
import { DEPTH } from '../depth.ts';
import { getBudgetError } from '../exact/budgets.ts';

interface Climb extends State {
  readonly level: number;
}

const BUDGET = 1_000_000;

/** Creates a game without decisions of an agent: only `step` determines the next state. */
function contestOf<S extends State>(
  rules: Pick<Model<S>, 'outcomes' | 'start' | 'step' | 'outcome' | 'key'> & Partial<Model<S>>,
  worths: readonly number[],
): GameDefinition<S> {
  const model: Model<S> = { metrics: [], maxRounds: 10_000, roundsMetric: undefined, ...NEVER, ...rules };
  return {
    model,
    decides: () => false,
    observe: () => [],
    observeAll: () => [],
    payoff: (_, outcome) => worths[outcome] ?? 0,
  };
}

const NEVER = { resting: () => true, measure: (): number[] => [] };

/** Creates a climb of six levels. Weights of a round: 1 for a level, 999 for a fall, `waits` for no change. */
const climb = (waits: number, worths: readonly number[], maxRounds = 10_000): GameDefinition<Climb> =>
  contestOf(
    {
      outcomes: ['summit', 'fall', 'stalemate'],
      maxRounds,
      start: (): Climb => ({ round: 0, level: 0 }),
      step(state, chance): Climb {
        const happens = chance.pick([1, 999, waits]);
        const level = happens === 0 ? state.level + 1 : happens === 1 ? -1 : state.level;
        return { round: state.round + 1, level };
      },
      outcome: ({ level }) => (level < 0 ? 'fall' : level === 6 ? 'summit' : undefined),
      key: ({ level }) => level,
    },
    worths,
  );

function solved<S extends State>(contest: GameDefinition<S>) {
  const game = buildGameGraph(contest, BUDGET);
  const table = createGameTable(game);
  const { model } = contest;
  const own = (node: number, option: number): number => table.policy[(table.firstOption[node] ?? 0) + option] ?? 0;
  const outcomes = computeOutcomeProbabilities(table, model, BUDGET, own, () => undefined);
  return { values: computeGameValues(game, table, model.maxRounds, BUDGET), outcomes };
}

describe('an outcome of probability 1e-18 has full precision', () => {
  test.each([
    ['where battles last', 9000],
    ['where nearly all have ended long before it can come', 0],
  ])('%s', (_, waits) => {
    const contest = climb(waits, [1, 0, 0]);
    const { values, outcomes } = solved(contest);
    const [summit = 0] = outcomes;
    expect(summit * 1e18).toBeCloseTo(1, 12);
    expect(values.best * 1e18).toBeCloseTo(1, 12);
    expect(values.policyValue).toBe(values.best);
    expect((solveModel(contest.model).distribution.outcomes[0] ?? 0) / summit).toBeCloseTo(1, 13);
  });

  test('with a negative payoff', () => {
    expect(solved(climb(9000, [-1, 0, 0])).values.best * 1e18).toBeCloseTo(-1, 12);
  });
});

test('payoffs that cancel out have double precision and need fewer than 400 rounds', () => {
  const { values } = solved(climb(9000, [1, -1, 0]));
  expect(values.best).toBeCloseTo(-1, 14);
  expect(values.rounds).toBeLessThan(400);
});

test('unfinished battles at a near round limit are stalemates, as in the exact answer', () => {
  const contest = climb(9000, [1, 0, 0], 420);
  const { values, outcomes } = solved(contest);
  expect(values.rounds).toBe(420);
  expect(values.error).toBe(0);
  // 420 rounds without a change, except for an occasional level.
  expect((outcomes[2] ?? 0) / 0.9 ** 420).toBeCloseTo(Math.exp(420 / 9000), 3);
  for (const [o, p] of solveModel(contest.model).distribution.outcomes.entries())
    expect((outcomes[o] ?? 0) / p).toBeCloseTo(1, 12);
});

interface Walk extends State {
  readonly at: number;
}

/** Creates a walk of thirty steps among a thousand places: about 27 000 states with 20 successors each. */
function walk(): { readonly contest: GameDefinition<Walk>; readonly taken: () => number } {
  let taken = 0;
  const contest = contestOf<Walk>(
    {
      outcomes: ['over'],
      start: () => ({ round: 0, at: 0 }),
      step(state, chance: Chance): Walk {
        taken++;
        const jump = chance.pick(new Array<number>(20).fill(1));
        return { round: state.round + 1, at: (31 * state.at + 57 * jump) % 1000 };
      },
      outcome: ({ round }) => (round === 30 ? 'over' : undefined),
      key: ({ round, at }) => 1000 * round + at,
    },
    [1],
  );
  return { contest, taken: () => taken };
}

describe('a large game', () => {
  test.runIf(DEPTH > 1)('is rejected early, with its expected size and a sufficient budget', () => {
    const { contest, taken } = walk();
    const { message, suggested = 0 } = getBudgetError(() => buildGameGraph(contest, 200_000));
    expect(message.replaceAll(/[\u2009\u00a0\u202f]/gu, ' ')).toMatch(
      /budget of 200 000 steps: .* are not explored yet; about \d\d 000 states and \d\d0 000 steps or more are expected, about \d0? (seconds?|minutes?) and \d+ MB$/,
    );
    // 20 000 steps, plus the steps of the battles and states of the estimate.
    expect(taken()).toBeLessThan(70_000);
    expect(suggested / buildGameGraph(contest, 1_000_000).steps).toBeCloseTo(1, 0);
  });

  test('is rejected without an estimate if the budget is small', () => {
    const { contest, taken } = walk();
    expect(getBudgetError(() => buildGameGraph(contest, 99_999)).message).not.toContain('expected');
    expect(taken()).toBe(99_999);
  });

  test.runIf(DEPTH > 1)('is explored if the estimate is within the budget', () => {
    expect(buildGameGraph(walk().contest, 1_000_000).steps).toBeGreaterThan(400_000);
  });

  test('is rejected if the keys of its positions need too much memory', () => {
    const { model, ...rest } = walk().contest;
    const grown = { ...model, key: ({ round, at }: Walk) => `${'x'.repeat(round)}${String(at)}` };
    expect(getBudgetError(() => buildGameGraph({ ...rest, model: grown }, BUDGET, new KeyBudget(500))).message).toMatch(
      /^the optimal policy needs too much memory: \d+ positions were found; the last one has a key of \d+ characters; does the state grow/,
    );
  });
});

interface Sally {
  readonly turn: number;
  readonly luck: number;
  readonly went: string;
}

/** Creates a scenario in which a garrison waits for luck or goes out, with a mistake in its rules. */
function sally(mistake: Partial<Battle<Sally>>) {
  const system = defineSystem({
    ...{ id: 'sally', title: 'Sally', about: 'Go out, or wait for better luck.', fields: {}, rules: {} },
    decisions: [
      {
        ...{ point: 'sally', who: 'red', about: 'Goes or waits.', policies: ['wait'] },
        describe: { go: ['goes', 'go'], wait: ['waits', 'wait'] },
      },
    ],
    battle: () => ({
      outcomes: ['red', 'blue'],
      metrics: {},
      streams: { luck: 1 },
      start: (): Sally => ({ turn: 0, luck: 0, went: '' }),
      round: [
        (state, chance) => ({ ...state, luck: chance.at('luck').pick([1, 1]) }),
        (state, chance) => ({
          ...state,
          turn: state.turn + 1,
          went: chance.decide('sally', 'red', ['go', 'wait'], () => 'wait'),
        }),
      ],
      outcome: ({ turn, luck, went }) =>
        went === 'go' ? (luck === 1 ? 'red' : 'blue') : turn > 3 ? (luck === 1 ? 'red' : 'blue') : undefined,
      ...mistake,
    }),
    environment: () => ({
      players: ['red'],
      actions: { sally: ['go', 'wait'] },
      features: [
        { name: 'turn', high: 9, of: ({ turn }) => turn },
        { name: 'luck', high: 1, of: ({ luck }) => luck },
      ],
    }),
  });
  return validateScenario({ system: 'sally', name: 'at dawn' }, { systems: [system] });
}

describe('errors in custom rules', () => {
  test('are not reported if the rules are correct', () => {
    expect(findBestResponseSync(sally({})).value).toBe(15 / 16);
  });

  test('in a draw name the system and the scenario', () => {
    const failing = sally({ round: (state, chance) => ({ ...state, luck: chance.pick([1, 1]) }) });
    expect(() => findBestResponseSync(failing)).toThrow(RulesError);
    expect(() => findBestResponseSync(failing)).toThrow(/^sally: a draw names no stream, .*\(scenario "at dawn"\)$/su);
  });

  test('in a decision after a draw name the system and the scenario', () => {
    const late = sally({
      round: (state, chance) => {
        const luck = chance.at('luck').pick([1, 1]);
        return { turn: state.turn + 1, luck, went: chance.decide('sally', 'red', ['go', 'wait'], () => 'wait') };
      },
    });
    expect(() => findBestResponseSync(late)).toThrow(InputError);
    expect(() => findBestResponseSync(late)).toThrow(
      /^best-response of sally \(scenario "at dawn"\): expected "sally" before all draws/u,
    );
  });

  test('in a key are found by simulated battles', () => {
    const forgetful = sally({ key: ({ turn, went }) => `${String(turn)}${went}` });
    expect(() => findBestResponseSync(forgetful)).toThrow(RulesError);
    expect(() => findBestResponseSync(forgetful)).toThrow(
      /^sally: two states have the key "1 3wait", but \d+ % of the battles .* "warpool conform" looks/u,
    );
  });
});
