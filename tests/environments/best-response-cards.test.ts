/**
 * Exact optima of strength-cards against the game of cards and air tokens: the best answer to the scenario's policy, and
 * the value of the game against the equilibrium. Tokens are chosen when both cards are seen, and not before.
 */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Equilibrium, findEquilibriumSync } from '../../src/analysis/find-equilibrium.ts';
import type { Chance } from '../../src/core/chance/chance.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { buildGameGraph, type GameDefinition } from '../../src/environments/best-response/game-graph.ts';
import {
  computeGameValues,
  createGameTable,
  type GameValues,
} from '../../src/environments/best-response/game-values.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { observe } from '../../src/rules/strength-cards/environment.ts';
import { type EngagementState, createModel as modelOf } from '../../src/rules/strength-cards/model.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';
import { PAYOFFS, type Payoff } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';

const SIDES = ['attacker', 'defender'] as const;
type Side = (typeof SIDES)[number];

/** What a payoff of the game pays a side, as a table of rewards. */
function rewardOf(payoff: Payoff, side: Side) {
  const sign = side === 'attacker' ? 1 : -1;
  if (payoff === 'win') return { outcomes: { attacker: sign } };
  return { metrics: payoff === 'capture' ? { captured: sign } : { 'hp.attacker': sign, 'hp.defender': -sign } };
}

/** The decisions that the game of cards is about; damage is taken as the scenario's policies say. */
const POINTS = ['card', 'air'];

const optimum = (scenario: StrengthCards, payoff: Payoff, agent: Side) =>
  findBestResponseSync(scenario, { agent, reward: { [agent]: rewardOf(payoff, agent) }, decisions: POINTS });

const bestAnswer = (solution: Equilibrium, side: Side): number => {
  const { cards, bestResponse: best } = solution[side];
  return cards[best]?.againstPolicy ?? Number.NaN;
};

/** How likely the equilibrium is to play the next token when two cards are seen and some tokens decided. */
function nextToken(solution: Equilibrium, side: Side, { attacker, defender }: EngagementState): number {
  const { air } = { attacker, defender }[side];
  const { equilibrium } = solution.pairs[attacker.card]?.[defender.card]?.[side] ?? { equilibrium: [] };
  const fits = (set: number, choices: readonly boolean[]) => choices.every((on, t) => ((set >> t) & 1) === Number(on));
  const mass = (choices: readonly boolean[]) =>
    equilibrium.reduce((sum, p, set) => sum + (fits(set, choices) ? p : 0), 0);
  const before = mass(air);
  return before > 0 ? mass([...air, true]) / before : 0;
}

/** The battles of a scenario in which both sides play the equilibrium, unless the agent decides. */
function equilibriumContest(scenario: StrengthCards, solution: Equilibrium, payoff: Payoff, agent: Side) {
  const model = modelOf(scenario);
  const turn = (state: EngagementState, chance: Chance): EngagementState => {
    const ask = chance.decide.bind(chance);
    chance.decide = (point, player, options, policy) => {
      const side = player as Side;
      if (point === 'losses') return ask(point, player, options, policy);
      const weights =
        point === 'card'
          ? solution[side].cards.map(({ equilibrium }) => equilibrium)
          : [1 - nextToken(solution, side, state), nextToken(solution, side, state)];
      return ask(point, player, options, () => options[chance.pick(weights)] ?? policy());
    };
    try {
      return model.turn?.(state, chance) ?? state;
    } finally {
      Reflect.deleteProperty(chance, 'decide');
    }
  };
  const { outcomes = {}, metrics = {} } = rewardOf(payoff, agent) as Record<string, Record<string, number>>;
  const contest: GameDefinition<EngagementState> = {
    model: { ...model, turn },
    decides: (point, player) => player === agent && POINTS.includes(point),
    observe: (state) => observe(scenario, state, agent),
    observeAll: (state) => observe(scenario, state, undefined),
    payoff: (state, outcome) =>
      model
        .measure(state)
        .reduce(
          (sum, value, m) => sum + (metrics[model.metrics[m]?.name ?? ''] ?? 0) * value,
          outcomes[model.outcomes[outcome] ?? ''] ?? 0,
        ),
  };
  return contest;
}

function valuesAgainstEquilibrium(
  scenario: StrengthCards,
  solution: Equilibrium,
  payoff: Payoff,
  agent: Side,
): GameValues {
  const game = buildGameGraph(equilibriumContest(scenario, solution, payoff, agent), 1_000_000);
  return computeGameValues(game, createGameTable(game), 1, 1_000_000);
}

const DICE = { bomb: [1, 2, 2, 3, 3, 4], mortar: [0, 0, 1, 1, 2, 2] };

/** Small battles of about equal sides. Cards give strength, or damage and symbols; tokens trade strength for damage. */
function sided(side: Side): fc.Arbitrary<object> {
  const between = (min: number, max: number) => fc.integer({ min, max });
  const quarters = between(0, 4).map((quarter) => quarter / 4);
  const die = fc.constantFrom('sample-3', [], ['sample-3', 'mortar'], ['mortar', 'mortar']);
  const unit = fc.record({ attack: between(2, 3), defense: between(2, 3), hp: between(2, 4), die });
  const weight = quarters.map((share) => share + 0.25);
  const dice = fc.array(fc.constantFrom('mortar', 'bomb'), { minLength: 1, maxLength: 2 });
  const strong = fc.record({ strength: between(2, 3), enemyStrength: between(-1, 0), weight });
  const heavy = fc.record({ strength: between(0, 1), hpSymbols: between(0, 3), dice, weight });
  const bombers = fc.record({ strength: between(-3, -1), dice, weight: quarters });
  const cover = fc.record({ strength: between(1, 3), weight: quarters });
  return fc.record({
    units: fc.array(unit, { minLength: 2, maxLength: 2 }),
    hand: fc
      .tuple(strong, heavy, fc.option(fc.oneof(strong, heavy)))
      .map((hand) => hand.filter((card) => card !== null)),
    noCard: fc.constantFrom(0, 0, 0, 1),
    airTokens: fc.array(fc.oneof(bombers, bombers, bombers, cover), { minLength: 1, maxLength: 2 }),
    absorb: fc.shuffledSubarray(['symbols', 'fortification', 'units'], { minLength: 3 }),
    retreatTo:
      side === 'attacker' ? fc.constantFrom('none', 'none', 'origin') : fc.constantFrom('friendly', 'friendly', 'none'),
  });
}

const generated = fc
  .sample(
    fc.record({ attacker: sided('attacker'), defender: sided('defender'), initiative: fc.constantFrom(...SIDES) }),
    { numRuns: 30, seed: 9 },
  )
  .map((input) => validateScenario({ system: 'strength-cards', dice: DICE, ...input }) as StrengthCards);

const compared = generated.slice(0, 4 * DEPTH);

const shipped = await Promise.all(
  readdirSync('scenarios')
    .filter((file) => file.startsWith('strength-cards-'))
    .map(async (file) => ({ file, scenario: (await loadScenario(`scenarios/${file}`)) as StrengthCards })),
);

describe('against the game of cards', () => {
  test.runIf(DEPTH > 1).each(PAYOFFS)('the optimum is the best answer to the enemy’s policy: %s', (payoff) => {
    for (const scenario of compared) {
      const solution = findEquilibriumSync(scenario, { payoff });
      for (const agent of SIDES) {
        const { value, policyValue: given } = optimum(scenario, payoff, agent);
        expect(value).toBeCloseTo(bestAnswer(solution, agent), 12);
        expect(given).toBeCloseTo(agent === 'attacker' ? solution.policyValue : -solution.policyValue, 12);
      }
    }
  });

  test.each(PAYOFFS)('against the equilibrium the optimum is the value of the game: %s', (payoff) => {
    for (const scenario of [...shipped.map((each) => each.scenario), ...compared]) {
      const solution = findEquilibriumSync(scenario, { payoff });
      for (const agent of SIDES) {
        const { best, policyValue: given } = valuesAgainstEquilibrium(scenario, solution, payoff, agent);
        const value = agent === 'attacker' ? solution.value : -solution.value;
        expect(best).toBeCloseTo(value, 9);
        expect(given).toBeCloseTo(value, 9);
      }
    }
  });

  test('of these games many have mixtures, and tokens that the cards decide', () => {
    const solutions = generated.map((scenario) => findEquilibriumSync(scenario, { payoff: 'hp-difference' }));
    const mixes = (p: number) => p > 1e-9 && p < 1 - 1e-9;
    const cards = solutions.filter(({ attacker }) => attacker.cards.some(({ equilibrium }) => mixes(equilibrium)));
    const games = solutions.map(({ pairs }) => pairs.flat().map(({ attacker }) => attacker));
    const tokens = games.filter((sides) => sides.some(({ equilibrium }) => equilibrium.some(mixes)));
    // Other tokens for other cards: what a choice of both at once cannot do.
    const turns = games.filter((sides) => new Set(sides.map(({ bestResponse: best }) => best)).size > 1);
    expect(cards.length).toBeGreaterThan(2);
    expect(tokens.length).toBeGreaterThan(4);
    expect(turns.length).toBeGreaterThan(15);
  });
});

const dice = { none: [0, 0, 0, 0, 0, 0], half: [0, 0, 0, 1, 1, 1] };
const corps = { name: 'Corps', attack: 3, defense: 3, hp: 1, die: 'none' };
const battle = (attacker: object, defender: object) =>
  validateScenario(
    {
      system: 'strength-cards',
      dice,
      attacker: { units: [corps], ...attacker },
      defender: { units: [corps], ...defender },
    },
    { system: 'strength-cards' },
  );

describe('what is seen when tokens are chosen', () => {
  const bombs = [{ name: 'Bombs', strength: -1, dice: ['half'], weight: 0 }];

  test('both cards: 5/6 for the 2/3 of a token that is chosen with the card', () => {
    const scenario = battle(
      { airTokens: bombs },
      {
        units: [{ ...corps, defense: 2 }],
        hand: [
          { name: 'Stand fast', strength: 5 },
          { name: 'Waver', weight: 2 },
        ],
        retreatTo: 'none',
      },
    );
    const { value, policyValue: given } = optimum(scenario, 'hp-difference', 'attacker');
    expect(value).toBeCloseTo(5 / 6, 14);
    expect(given).toBeCloseTo(2 / 3, 14);
    expect(bestAnswer(findEquilibriumSync(scenario, { payoff: 'hp-difference' }), 'attacker')).toBeCloseTo(5 / 6, 14);
  });

  test('not whether the enemy has held all its tokens', () => {
    // The defender should bomb where the attacker wins by its token, and must not where that is held: it cannot know.
    const scenario = battle(
      { airTokens: [{ name: 'Cover', strength: 5, weight: 0.5 }], retreatTo: 'none' },
      { airTokens: bombs, retreatTo: 'none' },
    );
    const { value, beliefs } = optimum(scenario, 'hp-difference', 'defender');
    expect(value).toBeCloseTo(0, 14);
    expect(bestAnswer(findEquilibriumSync(scenario, { payoff: 'hp-difference' }), 'defender')).toBeCloseTo(0, 14);
    expect(beliefs).toBe(1);
  });
});

describe.each(shipped)('$file', ({ scenario }) => {
  test.each(SIDES)('the optimum of the %s is the best answer to the enemy’s policy', (agent) => {
    for (const payoff of PAYOFFS) {
      const { value } = optimum(scenario, payoff, agent);
      expect(value, payoff).toBeCloseTo(bestAnswer(findEquilibriumSync(scenario, { payoff }), agent), 12);
    }
  });
});
