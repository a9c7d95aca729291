/** The game of cards and air tokens: payoffs against the exact solver, known games, what policies give away. */
import { describe, expect, it } from 'vitest';
import { type CardPolicies, type Equilibrium, findEquilibriumSync } from '../src/analysis/find-equilibrium.ts';
import { solveSync } from '../src/analysis/solve.ts';
import { BudgetError, InputError } from '../src/core/errors.ts';
import { loadScenario, validateScenario } from '../src/rules/scenario/index.ts';
import { PAYOFFS, type Payoff, type Scenario } from '../src/rules/system.ts';
import { DEPTH } from './depth.ts';

const dice = { d0: [0, 0, 0, 0, 0, 0], half: [0, 0, 0, 1, 1, 1], d4: [4, 4, 4, 4, 4, 4], any: [0, 1, 1, 2, 3, 5] };
const corps = { name: 'Corps', attack: 6, defense: 7, hp: 4, die: 'd0' };

const cards = (attacker: object, defender: object, options: object = {}): Scenario =>
  validateScenario({
    system: 'strength-cards',
    ...options,
    dice,
    attacker: { units: [corps], ...attacker },
    defender: { units: [corps], ...defender },
  });

/** Assault beats a shield, fire kills who stands in the open: worth 4 each, nothing otherwise. */
const pennies = (more: object[] = [], weights: readonly [number, number] = [1, 1]): Scenario =>
  cards(
    { hand: [...more, { name: 'Assault', strength: 3 }, { name: 'Fire', dice: ['d4'] }] },
    {
      hand: [
        { name: 'Stand', strength: 3, weight: weights[0] },
        { name: 'Shield', hpSymbols: 4, weight: weights[1] },
      ],
      retreatTo: 'none',
    },
  );

const mixture = ({ cards: played }: Equilibrium['attacker']): Record<string, number> =>
  Object.fromEntries(played.map(({ card, equilibrium }) => [card, Number(equilibrium.toFixed(9))]));

describe('known games', () => {
  it('matching pennies in cards', () => {
    const solution = findEquilibriumSync(pennies(), { payoff: 'hp-difference' });
    expect(solution.matrix).toEqual([
      [0, 4],
      [4, 0],
    ]);
    expect(solution.value).toBeCloseTo(2, 12);
    expect(mixture(solution.attacker)).toEqual({ Assault: 0.5, Fire: 0.5 });
    expect(mixture(solution.defender)).toEqual({ Stand: 0.5, Shield: 0.5 });
    expect(solution.attacker.exploitability).toBeCloseTo(0, 12);
    expect(solution.policyValue).toBeCloseTo(2, 12);
  });

  it('cards that are never better than another are not played', () => {
    const more = [
      { name: 'Patrol', strength: 1 },
      { name: 'Flare', strength: -5 },
    ];
    expect(mixture(findEquilibriumSync(pennies(more), { payoff: 'hp-difference' }).attacker)).toEqual({
      Patrol: 0,
      Flare: 0,
      Assault: 0.5,
      Fire: 0.5,
    });
  });

  it('a policy that leans to one card gives away what the enemy can make of it', () => {
    const {
      defender,
      attacker,
      value,
      policyValue: given,
    } = findEquilibriumSync(pennies([], [3, 1]), { payoff: 'hp-difference' });
    expect(defender.cards.map(({ policy }) => policy)).toEqual([0.75, 0.25]);
    expect(defender.exploitability).toBeCloseTo(3 - value, 12);
    expect(attacker.exploitability).toBeCloseTo(0, 12);
    expect(attacker.bestResponse).toBe(1);
    expect(attacker.cards.map(({ againstPolicy }) => againstPolicy)).toEqual([1, 3]);
    expect(defender.exploitabilityOfCards).toBe(defender.exploitability);
    expect(given).toBeCloseTo(2, 12);
  });

  it('for victory alone the greatest strength is best', () => {
    const { value, attacker, defender } = findEquilibriumSync(pennies(), { payoff: 'win' });
    expect([value, mixture(attacker)['Assault'], mixture(defender)['Stand']]).toEqual([0, 1, 1]);
  });

  it('no card can be chosen where noCard has a weight, and nothing else from an empty hand', () => {
    const given = cards({}, { hand: [{ name: 'Blunder', strength: -9 }], noCard: 1 }, { initiative: 'attacker' });
    const { attacker, defender } = findEquilibriumSync(given);
    expect(attacker.cards.map(({ card }) => card)).toEqual(['none']);
    expect(defender.cards.map(({ card }) => card)).toEqual(['Blunder', 'none']);
  });

  it('of tokens every set can be played, by a policy whose probabilities multiply', () => {
    const airTokens = [
      { name: 'A', weight: 0.25 },
      { name: 'B', weight: 0.5 },
    ];
    const hand = [{ name: 'X', weight: 3 }, { name: 'Y' }];
    const { attacker, defender, pairs } = findEquilibriumSync(cards({ hand, airTokens }, {}));
    expect(attacker.cards.map(({ card, policy }) => [card, policy])).toEqual([
      ['X', 0.75],
      ['Y', 0.25],
    ]);
    expect(attacker.sets).toEqual([[], ['A'], ['B'], ['A', 'B']]);
    expect(defender.sets).toEqual([[]]);
    for (const [pair] of pairs) {
      expect(pair?.attacker.policy).toEqual([0.75 * 0.5, 0.25 * 0.5, 0.75 * 0.5, 0.25 * 0.5]);
      expect(pair?.defender.policy).toEqual([1]);
    }
    expect(pairs.map((row) => row.map(({ matrix }) => [matrix.length, matrix[0]?.length]))).toEqual([
      [[4, 1]],
      [[4, 1]],
    ]);
    expect(findEquilibriumSync(cards({ hand, airTokens }, {}, { weather: 'mud' })).attacker.sets).toHaveLength(1);
  });
});

/**
 * The defender stands fast one time in three. Bombing costs the attacker one point and kills one time in two: it is
 * free where the defender stands fast, and loses the battle where it does not.
 */
const bombs = (weight = 0): Scenario =>
  cards(
    { units: [{ ...corps, attack: 3, hp: 1 }], airTokens: [{ name: 'Bombs', strength: -1, dice: ['half'], weight }] },
    {
      units: [{ ...corps, defense: 2, hp: 1 }],
      hand: [
        { name: 'Stand fast', strength: 5 },
        { name: 'Waver', weight: 2 },
      ],
      retreatTo: 'none',
    },
  );

describe('air tokens', () => {
  it('are chosen when both cards are seen: 5/6 of what the attacker could have, for 2/3 without', () => {
    const { attacker, pairs, policyValue: given } = findEquilibriumSync(bombs(), { payoff: 'hp-difference' });
    const [row = []] = pairs;
    expect(row.map(({ attacker: own }) => own.againstPolicy)).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect(row.map(({ attacker: own }) => own.bestResponse)).toEqual([1, 0]);
    expect(attacker.cards[attacker.bestResponse]?.againstPolicy).toBeCloseTo(5 / 6, 14);
    // One set for both cards: what the same token is worth on average.
    const blind = [0, 1].map((s) =>
      ([1 / 3, 2 / 3] as const).reduce((sum, p, d) => sum + p * (row[d]?.matrix[s]?.[0] ?? 0), 0),
    );
    expect(Math.max(...blind)).toBeCloseTo(2 / 3, 14);
    expect(given).toBeCloseTo(2 / 3, 14);
  });

  it('are part of what a policy gives away, beside its cards', () => {
    const { value, attacker, defender, pairs } = findEquilibriumSync(bombs(0.25), { payoff: 'hp-difference' });
    // The defender stands fast, and the attacker bombs.
    expect(value).toBeCloseTo(0.5, 12);
    expect(mixture(defender)).toEqual({ 'Stand fast': 1, Waver: 0 });
    expect(attacker.exploitability).toBeCloseTo(0.5 - 0.125, 12);
    expect(attacker.exploitabilityOfCards).toBeCloseTo(0, 12);
    expect(defender.exploitability).toBeCloseTo(5 / 6 - 0.5, 12);
    expect(defender.exploitabilityOfCards).toBeCloseTo(5 / 6 - 0.5, 12);
    expect(pairs[0]?.map((pair) => pair.attacker.exploitability)).toEqual([
      expect.closeTo(0.375, 12),
      expect.closeTo(0.125, 12),
    ]);
    expect(pairs[0]?.map(({ value: worth, policyValue: given }) => [worth, given])).toEqual([
      [expect.closeTo(0.5, 12), expect.closeTo(0.125, 12)],
      [expect.closeTo(1, 12), expect.closeTo(0.875, 12)],
    ]);
  });

  it('are mixed for each pair of cards: the island', async () => {
    const solution = findEquilibriumSync(await loadScenario('scenarios/strength-cards-island.yaml'), {
      payoff: 'hp-difference',
    });
    const [[assault, dug] = [], [bare] = []] = solution.pairs;
    for (const [game, own, enemy] of [
      [assault, [6 / 7, 1 / 7], [1 / 3, 2 / 3]],
      [dug, [6 / 7, 1 / 7], [1 / 6, 5 / 6]],
      [bare, [0, 1], [1, 0]],
    ] as const) {
      for (const [s, p] of own.entries()) expect(game?.attacker.equilibrium[s]).toBeCloseTo(p, 12);
      for (const [s, p] of enemy.entries()) expect(game?.defender.equilibrium[s]).toBeCloseTo(p, 12);
    }
    expect(solution.matrix.map((row) => row.map((value) => Number(value.toFixed(12))))).toEqual([
      [1, expect.closeTo(1 / 6, 11)],
      [expect.closeTo(-106 / 81, 11), expect.closeTo(74 / 63, 11)],
    ]);
    for (const side of [solution.attacker, solution.defender]) {
      expect(side.exploitabilityOfCards).toBeGreaterThan(0.1);
      expect(side.exploitability).toBeGreaterThan(side.exploitabilityOfCards + 0.1);
    }
  });
});

describe('a policy that is given', () => {
  it('is judged in the place of the weights', async () => {
    const scenario = await loadScenario('scenarios/strength-cards-island.yaml');
    const policies = { attacker: { cards: [0.25, 0.75] } };
    const { value, attacker, defender, pairs } = findEquilibriumSync(scenario, { payoff: 'hp-difference', policies });
    const weights = findEquilibriumSync(scenario, { payoff: 'hp-difference' });
    expect(value).toBe(weights.value);
    expect(attacker.cards.map(({ policy }) => policy)).toEqual([0.25, 0.75]);
    expect(pairs[1]?.[0]?.attacker.policy).toEqual([0.5, 0.5]);
    expect(attacker.exploitabilityOfCards).toBeGreaterThan(weights.attacker.exploitabilityOfCards);
    expect(defender.exploitability).toBe(weights.defender.exploitability);
  });

  it('gives nothing away if it is the equilibrium, cards and tokens', async () => {
    const scenario = await loadScenario('scenarios/strength-cards-island.yaml');
    const { value, attacker, defender, pairs } = findEquilibriumSync(scenario, { payoff: 'hp-difference' });
    const cardsOf = ({ cards: all }: Equilibrium['attacker']) => all.map(({ equilibrium }) => equilibrium);
    const played = findEquilibriumSync(scenario, {
      payoff: 'hp-difference',
      policies: {
        attacker: {
          cards: cardsOf(attacker),
          tokens: pairs.map((row) => row.map((pair) => pair.attacker.equilibrium)),
        },
        defender: {
          cards: cardsOf(defender),
          tokens: defender.cards.map((_, d) => pairs.map((row) => row[d]?.defender.equilibrium ?? [])),
        },
      },
    });
    expect(played.policyValue).toBeCloseTo(value, 12);
    for (const side of [played.attacker, played.defender]) expect(side.exploitability).toBeCloseTo(0, 12);
    // The cards alone, with the tokens of the weights, still give something away.
    const half = findEquilibriumSync(scenario, {
      payoff: 'hp-difference',
      policies: { attacker: { cards: cardsOf(attacker) } },
    });
    expect(half.attacker.exploitabilityOfCards).toBeCloseTo(0, 12);
    expect(half.attacker.exploitability).toBeGreaterThan(0.1);
  });

  it.each<[policies: CardPolicies, message: string]>([
    [{ attacker: { cards: [1] } }, 'policies.attacker.cards: expected 2 probabilities whose sum is 1, found [1]'],
    [{ attacker: { tokens: [[[1], [1]]] } }, 'policies.attacker.tokens[1][0]: expected [1], found none'],
    [{ defender: { cards: [0.5, 0.4] } }, 'policies.defender.cards: expected 2 probabilities'],
    [{ defender: { cards: [1.5, -0.5] } }, 'policies.defender.cards: expected 2 probabilities'],
    [
      {
        attacker: {
          tokens: [
            [[1], [0.5]],
            [[1], [1]],
          ],
        },
      },
      'policies.attacker.tokens[0][1]: expected [1], found [0.5]',
    ],
  ])('is refused if it is none: %j', (policies, message) => {
    expect(() => findEquilibriumSync(pennies(), { payoff: 'win', policies })).toThrow(message);
  });
});

/** What the exact solver says that the attacker expects. */
function expected(scenario: Scenario, payoff: Payoff): number {
  const { outcomes, metrics } = solveSync(scenario).summary;
  const mean = (name: string): number => metrics.find((metric) => metric.name === name)?.mean ?? Number.NaN;
  if (payoff === 'win') return outcomes[0]?.p ?? Number.NaN;
  return payoff === 'capture' ? mean('captured') : mean('hp.attacker') - mean('hp.defender');
}

const options = { river: 'open', absorb: ['fortification', 'symbols', 'units'] };

const rich = {
  attacker: {
    units: [
      { ...corps, attack: 5, hp: 3, die: 'any', acrossRiver: true },
      { ...corps, hp: 1, die: 'any' },
    ],
    hand: [
      { name: 'Push', strength: 2 },
      { name: 'Fire', dice: ['any', 'any'], hpSymbols: 1, weight: 2 },
    ],
    airTokens: [{ name: 'Air', strength: 1, dice: ['any'], weight: 0.25 }],
  },
  defender: {
    units: [{ ...corps, defense: 5, die: 'any' }],
    hand: [{ name: 'Dig in', hpSymbols: 2 }],
    noCard: 0.5,
    airTokens: [{ name: 'Air', strength: 2, weight: 0.5 }],
    fortification: 1,
    retreatTo: 'none',
  },
};

/** A scenario in which both play one card and one set of tokens. */
function pinned(solution: Equilibrium, chosen: Readonly<Record<'attacker' | 'defender', readonly [number, number]>>) {
  const side = (given: typeof rich.attacker | typeof rich.defender, of: 'attacker' | 'defender') => {
    const [card, set] = chosen[of];
    const tokens = solution[of].sets[set] ?? [];
    return {
      ...given,
      hand: given.hand.filter(({ name }) => name === solution[of].cards[card]?.card),
      noCard: 0,
      airTokens: given.airTokens.map((token) => ({ ...token, weight: Number(tokens.includes(token.name)) })),
    };
  };
  return cards(side(rich.attacker, 'attacker'), side(rich.defender, 'defender'), options);
}

describe('payoffs', () => {
  it.each(PAYOFFS)('%s: every one is what the exact solver expects of the choices', (payoff) => {
    const solution = findEquilibriumSync(cards(rich.attacker, rich.defender, options), { payoff });
    let cells = 0;
    for (const [a, row] of solution.pairs.entries()) {
      for (const [d, { matrix }] of row.entries()) {
        for (const [s, worths] of matrix.entries()) {
          for (const [t, worth] of worths.entries()) {
            const fixed = pinned(solution, { attacker: [a, s], defender: [d, t] });
            expect(worth).toBeCloseTo(expected(fixed, payoff), 12);
            cells++;
          }
        }
      }
    }
    expect(cells).toBe(16);
  });

  it.each(PAYOFFS)('%s: what the policies expect is what the exact solver says of the scenario', async (payoff) => {
    const shipped = ['land', 'bluff', 'pocket', 'fortress', 'fleet', 'island'];
    for (const name of shipped) {
      const given = await loadScenario(`scenarios/strength-cards-${name}.yaml`);
      const solution = findEquilibriumSync(given, { payoff });
      expect(solution.policyValue).toBeCloseTo(expected(given, payoff), 12);
      expect(solution.error).toBeLessThan(1e-9);
      for (const [of, sign] of [['attacker', 1] as const, ['defender', -1] as const]) {
        const { cards: played, exploitability } = solution[of];
        expect(played.reduce((sum, { equilibrium }) => sum + equilibrium, 0)).toBeCloseTo(1, 12);
        expect(exploitability).toBeGreaterThanOrEqual(0);
        // Nobody does better against the enemy's equilibrium than the value.
        const best = Math.max(...played.map(({ againstEquilibrium }) => againstEquilibrium));
        expect(best).toBeCloseTo(sign * solution.value, 9);
      }
    }
  });
});

describe('a game that cannot be solved', () => {
  const hand = Array.from({ length: 32 }, () => ({ name: 'Card' }));
  const airTokens = Array.from({ length: 9 }, () => ({ strength: 1 }));

  it('is refused with its size', () => {
    expect(() => findEquilibriumSync(cards({ hand, airTokens }, {}))).toThrow(BudgetError);
    expect(() => findEquilibriumSync(cards({}, { airTokens }))).toThrow(
      'the defender has 512 sets of air tokens; the game is solved for at most 256',
    );
    const five = { hand, airTokens: airTokens.slice(4) };
    expect(() => findEquilibriumSync(cards({ ...five, noCard: 1 }, five))).toThrow(
      '33 x 32 pairs of cards with 32 x 32 pairs of sets of air tokens each have 1 081 344 payoffs; ' +
        'the game is solved for at most 1 048 576',
    );
  });

  it.runIf(DEPTH > 1)('is not one at the limit', () => {
    const [eight, five] = [airTokens.slice(1), airTokens.slice(4)];
    const four = hand.slice(28);
    expect(findEquilibriumSync(cards({ hand: four, airTokens: eight }, { hand: four, airTokens: eight })).value).toBe(
      0,
    );
    expect(findEquilibriumSync(cards({ hand, airTokens: five }, { hand, airTokens: five })).matrix).toHaveLength(32);
  });

  it('is refused for another system or payoff', async () => {
    const other = await loadScenario('scenarios/attrition-direct.yaml');
    expect(() => findEquilibriumSync(other)).toThrow(InputError);
    expect(() => findEquilibriumSync(pennies(), { payoff: 'glory' as Payoff })).toThrow(
      'payoff: expected one of win, hp-difference, capture',
    );
  });

  it('is not one of 64 cards and two tokens a side', () => {
    const deck = Array.from({ length: 64 }, (_, c) => ({
      strength: c % 4,
      hpSymbols: c % 9,
      dice: c % 5 < 2 ? ['any'] : [],
    }));
    const tokens = [
      { strength: -1, dice: ['any', 'any'], weight: 0.5 },
      { strength: 0, dice: ['any'], weight: 0.5 },
    ];
    const side = { hand: deck, airTokens: tokens };
    const { error: gap, pairs } = findEquilibriumSync(cards(side, side), { payoff: 'hp-difference' });
    expect(gap).toBeLessThan(1e-8);
    expect([pairs.length, pairs[0]?.length, pairs[0]?.[0]?.matrix.length]).toEqual([64, 64, 4]);
  });
});
