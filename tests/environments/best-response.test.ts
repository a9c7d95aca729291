/** Best responses against brute force and exact answers, and without use of hidden information. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import type { Chance } from '../../src/core/chance/chance.ts';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { BudgetError, InputError } from '../../src/core/errors.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { buildGameGraph, type GameDefinition } from '../../src/environments/best-response/game-graph.ts';
import { createGameTable } from '../../src/environments/best-response/game-table.ts';
import { computeGameValues } from '../../src/environments/best-response/game-values.ts';
import { computeOutcomeProbabilities } from '../../src/environments/best-response/outcome-probabilities.ts';
import type { RewardTable } from '../../src/environments/env-spec.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { findOutcome } from '../../src/rules/play-battle.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { DecisionOption, Scenario, State } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';
import { within } from '../exact/budgets.ts';
import { type GuessState, guess, type StormState, storm } from './decision-games.ts';

const shipped = await Promise.all(
  readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => loadScenario(`scenarios/${file}`)),
);
const playable = shipped.filter(
  ({ system }) => shippedSystems.find(({ id }) => id === system)?.environment !== undefined,
);

function solved<S extends State>(contest: GameDefinition<S>) {
  const game = buildGameGraph(contest, 1_000_000);
  const table = createGameTable(game);
  return { game, table, values: computeGameValues(game, table, contest.model.maxRounds, 1_000_000) };
}

/** Computes the value of a battle under a plan by recursion. */
function worthBy<S extends State>(
  { model, decides, payoff: points }: GameDefinition<S>,
  plan: (state: S, options: readonly DecisionOption[]) => DecisionOption | undefined,
): number {
  const turn = (state: S, chance: Chance): S => model.turn?.(state, chance) ?? model.step(state, chance);
  const from = (state: S): number => {
    const end = findOutcome(model, state);
    if (end !== undefined) return points(state, model.outcomes.indexOf(end));
    let sum = 0;
    const act = enumerateBranches((chance) => {
      const ask = chance.decide.bind(chance);
      chance.decide = (point, player, options, policy) => {
        const choice = decides(point, player) ? plan(state, options) : undefined;
        return options.find((option) => option === choice) ?? ask(point, player, options, policy);
      };
      return turn(state, chance);
    });
    for (const { value, probability } of act) sum += probability * from(value);
    return sum;
  };
  let sum = 0;
  for (const { value, probability } of enumerateBranches((chance) => model.start(chance)))
    sum += probability * from(value);
  return sum;
}

describe('a best response', () => {
  test('equals the best of all plans that depend on the round', () => {
    // Two rounds: 1 decision in the first, and 3 possible places in the second, so 3^4 plans.
    const contest = storm(2);
    const places = ['0/22', '1/22', '1/12', '1/21'];
    const stances = ['wild', 'wary', 'home'];
    let best = Number.NEGATIVE_INFINITY;
    for (let plan = 0; plan < 3 ** places.length; plan++) {
      const chosen = ({ round, gate, party }: StormState): string => {
        const place = places.indexOf(`${String(round)}/${String(gate)}${String(party)}`);
        return stances[Math.floor(plan / 3 ** place) % 3] ?? '';
      };
      best = Math.max(best, worthBy(contest, chosen));
    }
    const { values } = solved(contest);
    expect(values.best).toBeCloseTo(best, 14);
    expect(values.policyValue).toBeCloseTo(
      worthBy(contest, () => undefined),
      14,
    );
    expect(values.error).toBe(0);
  });

  test('equals the best of all plans that depend only on the state if the limit is far', () => {
    const contest = storm(10_000);
    const { values } = solved(contest);
    expect(values.rounds).toBeLessThan(200);
    expect(values.error).toBeLessThan(1e-14);
    // A plan gives each of the four places a stance, which is repeated until a hit.
    const happens = { wild: [3, 2], wary: [2, 1] } as const;
    const stances = ['wild', 'wary', 'home'] as const;
    let best = Number.NEGATIVE_INFINITY;
    for (let plan = 0; plan < 3 ** 4; plan++) {
      const from = (gate: number, party: number): number => {
        if (gate === 0) return 1 + 0.125 * party;
        if (party === 0) return -1;
        const stance = stances[Math.floor(plan / 3 ** (2 * gate + party - 3)) % 3] ?? 'home';
        if (stance === 'home') return -0.1 + 0.125 * party;
        const [hit, lost] = happens[stance];
        return (hit * from(gate - 1, party) + lost * from(gate, party - 1)) / (hit + lost);
      };
      best = Math.max(best, from(2, 2));
    }
    expect(values.best).toBeCloseTo(best, 13);
  });
});

test.each([1, 2, 3, 7, 10_000])('losses times visits sum to the difference of values, %i rounds', (maxRounds) => {
  for (const policy of [0, 1, 4]) {
    const contest = storm(maxRounds, policy);
    const { table, values } = solved(contest);
    let sum = 0;
    const own = (node: number, option: number) => table.policy[(table.firstOption[node] ?? 0) + option] ?? 0;
    const given = computeOutcomeProbabilities(table, contest.model, 1_000_000, own, (node, mass, left) => {
      sum += mass * values.loss(node, left);
    });
    expect(sum).toBeCloseTo(values.best - values.policyValue, 13);
    if (policy > 0) expect(sum).toBeGreaterThan(0);
    expect(given.reduce((total, mass) => total + mass, 0)).toBeCloseTo(1, 13);
  }
});

describe('a secret choice', () => {
  test('is not known to the player', () => {
    // A player who saw the guard would always win. Otherwise gate 2 is best, because the guard is least likely there.
    const { game, values } = solved(guess(0));
    expect(values.best).toBeCloseTo(5 / 6, 14);
    expect(values.policyValue).toBeCloseTo(1 / 2, 14);
    expect(game.beliefs).toBe(2);
  });

  test('is known to the extent that it is revealed', () => {
    const { values } = solved(guess(1));
    expect(values.best).toBeCloseTo(1 / 4 + (3 / 4) * (5 / 6), 14);
    expect(solved(guess(4)).values.best).toBeCloseTo(1, 14);
  });

  test('is inferred from the probabilities of observations', () => {
    // The spy can report only guard 0, so no report makes guard 0 less likely.
    const contest = guess(0);
    const { model } = contest;
    const turn = (state: GuessState, chance: Chance) => model.turn?.(state, chance) ?? state;
    const reported: GameDefinition<GuessState> = {
      ...contest,
      model: {
        ...model,
        turn: (state, chance) =>
          state.guard >= 0 && state.word === 0
            ? { ...state, word: state.guard === 0 && chance.pick([9, 1]) === 0 ? 3 : 1 }
            : turn(state, chance),
      },
    };
    // Word 3 reveals guard 0. Without it: guard 0 at 0.05, guard 1 at 1/3, guard 2 at 1/6.
    expect(solved(reported).values.best).toBeCloseTo(0.45 + 1 / 3 + 1 / 6, 14);
  });
});

/** Creates a reward whose mean is the probability of an outcome. */
const chanceOf = (agent: string, outcome: string): Record<string, RewardTable> => ({
  [agent]: { outcomes: { [outcome]: 1 } },
});

const BUDGET = DEPTH > 1 ? 150_000 : 20_000;

/** Scenarios whose best response needs at most a few seconds. */
const answered = some(playable).flatMap((scenario) => {
  const found = within(() => findBestResponseSync(scenario, { budget: BUDGET }));
  return found === undefined ? [] : [{ scenario, name: scenario.name ?? scenario.system, found }];
});

describe.each(answered)('$name', ({ scenario, found }) => {
  const exact = solveSync(scenario);

  test('the policies of the scenario have the probabilities of the exact answer', () => {
    for (const [o, { name, policy }] of found.outcomes.entries()) {
      expect(policy, name).toBeCloseTo(exact.distribution.outcomes[o] ?? 0, 12);
      expect(found.outcomes[o]?.name).toBe(exact.shape.outcomes[o]);
    }
    const outcome = exact.shape.outcomes[0] ?? '';
    const reward = chanceOf(found.agent, outcome);
    const { policyValue: given, value } = findBestResponseSync(scenario, { reward, budget: BUDGET });
    expect(given).toBeCloseTo(exact.distribution.outcomes[0] ?? 0, 12);
    expect(value).toBeGreaterThanOrEqual(given - 1e-15);
  });

  test('the best response is not worse, and losses sum to the difference', () => {
    const { value, policyValue: given, corrections, outcomes } = found;
    expect(value).toBeGreaterThanOrEqual(given - 1e-13);
    const lost = corrections.reduce((sum, { visits, loss }) => sum + visits * loss, 0);
    expect(lost).toBeCloseTo(value - given, 10);
    expect(outcomes.reduce((sum, { bestResponse: best }) => sum + best, 0)).toBeCloseTo(1, 12);
    if (found.decisionStates === 0) expect(value).toBe(given);
  });
});

test('some scenarios have a best response within the budget', () => {
  expect(answered.length).toBeGreaterThan(DEPTH === 1 ? 0 : 4);
});

describe('invalid input', () => {
  const duel = playable[0] as Scenario;

  test('an unknown agent, reward or decision is rejected', () => {
    expect(() => findBestResponseSync(duel, { agent: 'nobody' })).toThrow(InputError);
    expect(() => findBestResponseSync(duel, { reward: 'glory' })).toThrow(InputError);
    expect(() => findBestResponseSync(duel, { decisions: ['surrender'] })).toThrow(InputError);
  });

  test('a game beyond the budget is rejected with its size', () => {
    expect(() => findBestResponseSync(duel, { budget: 10 })).toThrow(
      /budget of 10 steps: \d+ positions were found, and \d+ of them/,
    );
    expect(() => findBestResponseSync(duel, { budget: 10 })).toThrow(BudgetError);
  });
});

test('corrections show the best action for the remaining rounds with the greatest loss', async () => {
  const systems = await loadSystems(['examples/games/block-dice.mjs']);
  const raid = await loadScenario('examples/games/block-dice-raid.yaml', { systems });
  const { corrections, value, policyValue: given } = findBestResponseSync(raid, { agent: 'defender' });
  expect(corrections.length).toBeGreaterThan(20);
  for (const { bestAction: best, policy } of corrections) expect(policy[best] ?? 0, best).toBeLessThan(1);
  const lost = corrections.reduce((sum, { visits, loss }) => sum + visits * loss, 0);
  expect(lost).toBeCloseTo(value - given, 9);
});
