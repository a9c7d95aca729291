/** The game of cards and air tokens: payoffs against the exact solver, known games, what policies give away. */
import { describe, expect, it } from 'vitest';
import { BudgetError, InputError } from '../src/errors.ts';
import { checkScenario, loadScenario } from '../src/scenario/index.ts';
import { solve } from '../src/solve.ts';
import { type CardsSolution, PAYOFFS, type Payoff, solveCards } from '../src/solve-cards.ts';
import type { Scenario } from '../src/systems/system.ts';

const dice = { d0: [0, 0, 0, 0, 0, 0], d4: [4, 4, 4, 4, 4, 4], any: [0, 1, 1, 2, 3, 5] };
const corps = { name: 'Corps', attack: 6, defense: 7, hp: 4, die: 'd0' };

const cards = (attacker: object, defender: object, options: object = {}): Scenario =>
  checkScenario({
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

const mixture = ({ strategies }: CardsSolution['attacker']): Record<string, number> =>
  Object.fromEntries(
    strategies.map(({ card, tokens, equilibrium }) => [[card, ...tokens].join('+'), Number(equilibrium.toFixed(9))]),
  );

describe('known games', () => {
  it('matching pennies in cards', () => {
    const solution = solveCards(pennies(), 'hp-difference');
    expect(solution.matrix).toEqual([
      [0, 4],
      [4, 0],
    ]);
    expect(solution.value).toBeCloseTo(2, 12);
    expect(mixture(solution.attacker)).toEqual({ Assault: 0.5, Fire: 0.5 });
    expect(mixture(solution.defender)).toEqual({ Stand: 0.5, Shield: 0.5 });
    expect(solution.attacker.exploitability).toBeCloseTo(0, 12);
    expect(solution.given).toBeCloseTo(2, 12);
  });

  it('cards that are never better than another are not played', () => {
    const more = [
      { name: 'Patrol', strength: 1 },
      { name: 'Flare', strength: -5 },
    ];
    expect(mixture(solveCards(pennies(more), 'hp-difference').attacker)).toEqual({
      Patrol: 0,
      Flare: 0,
      Assault: 0.5,
      Fire: 0.5,
    });
  });

  it('a policy that leans to one card gives away what the enemy can make of it', () => {
    const { defender, attacker, value, given } = solveCards(pennies([], [3, 1]), 'hp-difference');
    expect(defender.strategies.map(({ policy }) => policy)).toEqual([0.75, 0.25]);
    expect(defender.exploitability).toBeCloseTo(3 - value, 12);
    expect(attacker.exploitability).toBeCloseTo(0, 12);
    expect(attacker.bestAnswer).toBe(1);
    expect(attacker.strategies.map(({ againstPolicy }) => againstPolicy)).toEqual([1, 3]);
    expect(given).toBeCloseTo(2, 12);
  });

  it('for victory alone the greatest strength is best', () => {
    const { value, attacker, defender } = solveCards(pennies(), 'win');
    expect([value, mixture(attacker)['Assault'], mixture(defender)['Stand']]).toEqual([0, 1, 1]);
  });

  it('no card is a strategy where it can be played, and the only one of an empty hand', () => {
    const given = cards({}, { hand: [{ name: 'Blunder', strength: -9 }], noCard: 1 }, { initiative: 'attacker' });
    const { attacker, defender } = solveCards(given);
    expect(attacker.strategies.map(({ card }) => card)).toEqual(['none']);
    expect(defender.strategies.map(({ card }) => card)).toEqual(['Blunder', 'none']);
  });

  it('of tokens every set can be played, by a policy whose probabilities multiply', () => {
    const airTokens = [
      { name: 'A', weight: 0.25 },
      { name: 'B', weight: 0.5 },
    ];
    const hand = [{ name: 'X', weight: 3 }, { name: 'Y' }];
    const { strategies } = solveCards(cards({ hand, airTokens }, {})).attacker;
    expect(strategies.map(({ card, tokens, policy }) => [[card, ...tokens].join(), policy])).toEqual([
      ['X', 0.75 * 0.75 * 0.5],
      ['X,A', 0.75 * 0.25 * 0.5],
      ['X,B', 0.75 * 0.75 * 0.5],
      ['X,A,B', 0.75 * 0.25 * 0.5],
      ['Y', 0.25 * 0.75 * 0.5],
      ['Y,A', 0.25 * 0.25 * 0.5],
      ['Y,B', 0.25 * 0.75 * 0.5],
      ['Y,A,B', 0.25 * 0.25 * 0.5],
    ]);
    expect(solveCards(cards({ hand, airTokens }, {}, { weather: 'mud' })).attacker.strategies).toHaveLength(2);
  });
});

/** What the exact solver says that the attacker expects. */
function expected(scenario: Scenario, payoff: Payoff): number {
  const { outcomes, metrics } = solve(scenario).summary;
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

describe('payoffs', () => {
  it.each(PAYOFFS)('%s: every cell is what the exact solver expects of the two choices', (payoff) => {
    const given = cards(rich.attacker, rich.defender, options);
    const { matrix, attacker, defender } = solveCards(given, payoff);
    const pinned = (
      side: typeof rich.attacker | typeof rich.defender,
      { card, tokens }: (typeof attacker.strategies)[number],
    ) => ({
      ...side,
      hand: side.hand.filter(({ name }) => name === card),
      noCard: 0,
      airTokens: side.airTokens.map((token) => ({ ...token, weight: Number(tokens.includes(token.name)) })),
    });
    expect(matrix).toHaveLength(4);
    for (const [a, own] of attacker.strategies.entries()) {
      for (const [d, enemy] of defender.strategies.entries()) {
        const fixed = cards(pinned(rich.attacker, own), pinned(rich.defender, enemy), options);
        expect(matrix[a]?.[d]).toBeCloseTo(expected(fixed, payoff), 12);
      }
    }
  });

  it.each(PAYOFFS)('%s: what the policies expect is what the exact solver says of the scenario', async (payoff) => {
    const shipped = ['land', 'bluff', 'pocket', 'fortress', 'fleet'];
    for (const name of shipped) {
      const given = await loadScenario(`scenarios/strength-cards-${name}.yaml`);
      const solution = solveCards(given, payoff);
      expect(solution.given).toBeCloseTo(expected(given, payoff), 12);
      expect(solution.gap).toBeLessThan(1e-9);
      for (const side of [solution.attacker, solution.defender]) {
        expect(side.strategies.reduce((sum, { equilibrium }) => sum + equilibrium, 0)).toBeCloseTo(1, 12);
        expect(side.exploitability).toBeGreaterThanOrEqual(0);
      }
      // Nobody does better against the enemy's equilibrium than the value.
      const best = Math.max(...solution.attacker.strategies.map((strategy) => strategy.againstEquilibrium));
      expect(best).toBeCloseTo(solution.value, 9);
      const least = Math.max(...solution.defender.strategies.map((strategy) => strategy.againstEquilibrium));
      expect(-least).toBeCloseTo(solution.value, 9);
    }
  });
});

describe('a game that cannot be solved', () => {
  it('is refused with its size', () => {
    const hand = Array.from({ length: 17 }, () => ({ name: 'Card' }));
    const airTokens = Array.from({ length: 4 }, () => ({ strength: 1 }));
    expect(() => solveCards(cards({ hand, airTokens }, {}))).toThrow(BudgetError);
    expect(() => solveCards(cards({}, { hand, airTokens }))).toThrow('the defender has 272 choices');
    expect(() => solveCards(cards({ hand: hand.slice(1), airTokens }, {}))).not.toThrow();
  });

  it('is refused for another system or payoff', async () => {
    const other = await loadScenario('scenarios/attrition-direct.yaml');
    expect(() => solveCards(other)).toThrow(InputError);
    expect(() => solveCards(pennies(), 'glory' as Payoff)).toThrow(
      'payoff: expected one of win, hp-difference, capture',
    );
  });

  it('is not one of 256 strategies a side', () => {
    const hand = Array.from({ length: 64 }, (_, c) => ({
      strength: c % 4,
      hpSymbols: c % 9,
      dice: c % 5 < 2 ? ['any'] : [],
    }));
    const airTokens = [
      { strength: 1, weight: 0.5 },
      { strength: 0, dice: ['any'], weight: 0.5 },
    ];
    const { gap, elapsedSeconds } = solveCards(cards({ hand, airTokens }, { hand, airTokens }), 'hp-difference');
    expect(gap).toBeLessThan(1e-8);
    expect(elapsedSeconds).toBeLessThan(20);
  });
});
