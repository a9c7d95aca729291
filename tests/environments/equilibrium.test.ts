/** Equilibria of battles with cards and air tokens: known games, exploitability, given policies, errors. */
import { describe, expect, it } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { BudgetError, InputError } from '../../src/core/errors.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import {
  type Equilibrium,
  type EquilibriumDecision,
  type EquilibriumSyncOptions,
  findEquilibrium,
  findEquilibriumSync,
  type PolicyFunction,
} from '../../src/environments/equilibrium/find-equilibrium.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';

const HP = { attacker: { metrics: { 'hp.attacker': 1, 'hp.defender': -1 } } };

/** Rewards of the attacker. */
const REWARDS = { win: 'win', hp: HP, capture: { attacker: { metrics: { captured: 1 } } } } as const;

/** Decisions about cards; the policies of the scenario choose the losses. */
const CARDS: EquilibriumSyncOptions = { reward: HP, decisions: ['card', 'air'] };

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

/** Creates a game of cards: an assault beats a shield, fire eliminates a corps without one. Each is worth 4, else 0. */
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

/** Finds the decision of a player about a card, or about an air token after two cards. */
function getDecision(
  { strategies }: Equilibrium,
  player: string,
  simulated: readonly [attacker: string, defender: string] | [] = [],
): EquilibriumDecision | undefined {
  const [attacker, defender] = simulated;
  return strategies.find(
    ({ player: who, decision, observation }) =>
      who === player &&
      decision === (simulated.length === 0 ? 'card' : 'air') &&
      (attacker === undefined || observation[`card.attacker.${attacker}`] === 1) &&
      (defender === undefined || observation[`card.defender.${defender}`] === 1),
  );
}

/** Removes the prefix of the decision point from actions, and rounds their probabilities. */
const round = (actions: Readonly<Record<string, number>> = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(actions).map(([name, p]) => [name.split(':')[1] ?? name, Number(p.toFixed(9))]));

const getMixture = (found: Equilibrium, player: string, simulated: readonly [string, string] | [] = []) =>
  round(getDecision(found, player, simulated)?.equilibrium);

const getPlayer = ({ players }: Equilibrium, name: string) => {
  const found = players.find(({ player }) => player === name);
  if (found === undefined) throw new Error(`no player ${name}`);
  return { ...found, exploitability: found.exploitability ?? Number.NaN, guaranteed: found.guaranteed ?? Number.NaN };
};

/** Sums the losses of a player at a decision point. */
const sumLosses = (found: Equilibrium, player: string, point?: string): number =>
  getPlayer(found, player)
    .losses.filter(({ decision }) => point === undefined || decision === point)
    .reduce((sum, { visits, loss }) => sum + visits * loss, 0);

describe('known games', () => {
  it('matching pennies with cards has the value 2 and equal probabilities', () => {
    const found = findEquilibriumSync(pennies(), CARDS);
    expect(found.value).toBeCloseTo(2, 12);
    expect(found.interval).toEqual([expect.closeTo(2, 12), expect.closeTo(2, 12)]);
    expect(getMixture(found, 'attacker')).toEqual({ Assault: 0.5, Fire: 0.5 });
    expect(getMixture(found, 'defender')).toEqual({ Stand: 0.5, Shield: 0.5 });
    expect(getPlayer(found, 'attacker')).toMatchObject({ exploitability: expect.closeTo(0, 12) as number, losses: [] });
    expect(found.policyValue).toBeCloseTo(2, 12);
    expect(found.strategies.map(({ visits, isUnique }) => [visits, isUnique])).toEqual([
      [1, true],
      [1, true],
    ]);
  });

  it('dominated cards have probability 0', () => {
    const more = [
      { name: 'Patrol', strength: 1 },
      { name: 'Flare', strength: -5 },
    ];
    expect(getMixture(findEquilibriumSync(pennies(more), CARDS), 'attacker')).toEqual({ Assault: 0.5, Fire: 0.5 });
  });

  it('a policy that prefers one card loses against the best response', () => {
    const found = findEquilibriumSync(pennies([], [3, 1]), CARDS);
    const defender = getPlayer(found, 'defender');
    expect(getDecision(found, 'defender')?.policy).toEqual({ 'card:Stand': 0.75, 'card:Shield': 0.25 });
    expect(defender.exploitability).toBeCloseTo(3 - found.value, 12);
    expect(defender.guaranteed).toBeCloseTo(-3, 12);
    expect(defender.losses).toMatchObject([
      { player: 'defender', decision: 'card', visits: 1, loss: expect.closeTo(1, 12) as number },
    ]);
    expect(round(defender.losses[0]?.equilibrium)).toEqual({ Stand: 0.5, Shield: 0.5 });
    expect(getPlayer(found, 'attacker').exploitability).toBeCloseTo(0, 12);
    expect([found.policyValue, found.nashConv]).toEqual([expect.closeTo(2, 12), expect.closeTo(1, 12)]);
  });

  it('if only the winner counts, the greatest strength is best', () => {
    const found = findEquilibriumSync(pennies(), { ...CARDS, reward: 'win' });
    expect(found.value).toBe(-1);
    expect(getMixture(found, 'defender')).toEqual({ Stand: 1 });
    expect(getDecision(found, 'defender')).toMatchObject({ isUnique: true });
    expect(getDecision(found, 'defender')).not.toHaveProperty('ranges');
    // The attacker loses with any card.
    const ranges = { 'card:Assault': [0, 1], 'card:Fire': [0, 1] };
    expect(getDecision(found, 'attacker')).toMatchObject({ isUnique: false, ranges });
    expect(found.outcomes).toEqual([
      { name: 'attacker', equilibrium: 0 },
      { name: 'defender', equilibrium: 1 },
    ]);
  });

  it('the action none exists if noCard has a weight; an empty hand has no decision', () => {
    const given = cards({}, { hand: [{ name: 'Blunder', strength: -9 }], noCard: 1 }, { initiative: 'attacker' });
    const found = findEquilibriumSync(given, CARDS);
    expect(getDecision(found, 'attacker')).toBeUndefined();
    expect(round(getDecision(found, 'defender')?.policy)).toEqual({ Blunder: 0.5, none: 0.5 });
  });

  it('each air token is a decision with the probability of its weight', () => {
    const airTokens = [
      { name: 'A', weight: 0.25 },
      { name: 'B', weight: 0.5 },
    ];
    const hand = [{ name: 'X', weight: 3 }, { name: 'Y' }];
    const found = findEquilibriumSync(cards({ hand, airTokens }, {}), CARDS);
    expect(round(getDecision(found, 'attacker')?.policy)).toEqual({ X: 0.75, Y: 0.25 });
    const tokens = found.strategies.filter(({ decision }) => decision === 'air');
    expect(new Set(tokens.map(({ player }) => player))).toEqual(new Set(['attacker']));
    expect(new Set(tokens.map(({ policy }) => policy['air:play']))).toEqual(new Set([0.25, 0.5]));
    const mud = findEquilibriumSync(cards({ hand, airTokens }, {}, { weather: 'mud' }), CARDS);
    expect(mud.strategies.some(({ decision }) => decision === 'air')).toBe(false);
  });
});

/**
 * Creates a battle in which the defender chooses its strong card with probability 1/3. Bombing costs the attacker one
 * point and kills with probability 1/2: it is free against the strong card, and loses the battle otherwise.
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

/** Cards of the island by name. */
const [ASSAULT, BARRAGE, STAND, DIG] = ['Assault', 'Barrage', 'Stand fast', 'Dig in'] as const;

const island = await loadScenario('scenarios/strength-cards-island.yaml');

/** Creates a policy from a choice of cards and the probabilities of air token actions. */
const choose = (
  card: (actions: readonly string[]) => string,
  air: (actions: readonly string[]) => Record<string, number>,
): PolicyFunction => {
  return ({ decision, actions }) => (decision === 'card' ? { [card(actions)]: 1 } : air(actions));
};

describe('air tokens', () => {
  it('are chosen when both cards are visible: value 5/6 instead of 2/3', () => {
    const found = findEquilibriumSync(bombs(), CARDS);
    expect(getPlayer(found, 'defender').guaranteed).toBeCloseTo(-5 / 6, 14);
    expect(found.policyValue).toBeCloseTo(2 / 3, 14);
  });

  it('are part of the exploitability, next to cards', () => {
    const found = findEquilibriumSync(bombs(0.25), CARDS);
    // The defender chooses its strong card, and the attacker bombs.
    expect(found.value).toBeCloseTo(0.5, 12);
    expect(getMixture(found, 'defender')).toEqual({ 'Stand fast': 1 });
    expect(getPlayer(found, 'attacker').exploitability).toBeCloseTo(0.5 - 0.125, 12);
    expect(sumLosses(found, 'attacker', 'card')).toBeCloseTo(0, 12);
    expect(getPlayer(found, 'defender').exploitability).toBeCloseTo(5 / 6 - 0.5, 12);
    expect(sumLosses(found, 'defender', 'card')).toBeCloseTo(5 / 6 - 0.5, 12);
    expect(getPlayer(found, 'attacker').losses).toMatchObject([
      { decision: 'air', visits: 1, loss: expect.closeTo(0.375, 12) as number },
    ]);
  });

  it('are mixed for each pair of cards on the island', () => {
    const found = findEquilibriumSync(island, CARDS);
    for (const [pair, hold, enemyHold] of [
      [[ASSAULT, STAND], 6 / 7, 1 / 3],
      [[ASSAULT, DIG], 6 / 7, 1 / 6],
      [[BARRAGE, STAND], 0, 1],
    ] as const) {
      expect(getDecision(found, 'attacker', pair)?.equilibrium['air:hold'] ?? 0).toBeCloseTo(hold, 12);
      expect(getDecision(found, 'attacker', pair)?.equilibrium['air:play'] ?? 0).toBeCloseTo(1 - hold, 12);
      expect(getDecision(found, 'defender', pair)?.equilibrium['air:hold'] ?? 0).toBeCloseTo(enemyHold, 12);
    }
    // The values of the pairs of cards are 1 and 1/6, -106/81 and 74/63 by hand; both players mix between them.
    const [a, b, c, d] = [1, 1 / 6, -106 / 81, 74 / 63] as const;
    expect(found.value).toBeCloseTo((a * d - b * c) / (a - b - c + d), 12);
    expect(getDecision(found, 'attacker')?.equilibrium['card:Assault']).toBeCloseTo((d - c) / (a - b - c + d), 12);
    expect(getDecision(found, 'defender')?.equilibrium['card:Stand fast']).toBeCloseTo((d - b) / (a - b - c + d), 12);
    for (const side of ['attacker', 'defender']) {
      expect(sumLosses(found, side, 'card')).toBeGreaterThan(0.1);
      expect(sumLosses(found, side, 'air')).toBeGreaterThan(0.1);
    }
  });

  it('have the values 1 and 1/6, -106/81 and 74/63 on the island', () => {
    for (const [attacker, defender, value] of [
      [ASSAULT, STAND, 1],
      [ASSAULT, DIG, 1 / 6],
      [BARRAGE, STAND, -106 / 81],
      [BARRAGE, DIG, 74 / 63],
    ] as const) {
      // With one card for each player, only the decisions about air tokens remain.
      const side = (of: 'attacker' | 'defender', card: string) => {
        const army = (island as unknown as Record<typeof of, { hand: { name: string }[] }>)[of];
        return { ...army, hand: army.hand.filter(({ name }) => name === card) };
      };
      const { dice: own } = island as unknown as { dice: object };
      const fixed = validateScenario({
        system: 'strength-cards',
        dice: own,
        attacker: side('attacker', attacker),
        defender: side('defender', defender),
      });
      expect(findEquilibriumSync(fixed, CARDS).value).toBeCloseTo(value, 11);
    }
  });
});

/** Creates the policy of a player in an equilibrium. */
function createEquilibriumPolicy(
  found: Equilibrium,
  player: string,
  isUsed: (point: string) => boolean,
): PolicyFunction {
  const toName = (point: string, observation: object): string => `${point} ${JSON.stringify(observation)}`;
  const known = new Map(
    found.strategies
      .filter((each) => each.player === player)
      .map(({ decision, observation, equilibrium, policy }) => [
        toName(decision, observation),
        isUsed(decision) ? equilibrium : policy,
      ]),
  );
  return ({ decision, observation, actions: [first = ''] }) =>
    known.get(toName(decision, observation)) ?? { [first]: 1 };
}

const playUniformly: PolicyFunction = ({ actions }) =>
  Object.fromEntries(actions.map((action) => [action, 1 / actions.length]));

describe('a given policy', () => {
  it('replaces the policy of the scenario', async () => {
    const attacker: PolicyFunction = (question) =>
      question.decision === 'card' ? { 'card:Assault': 0.25, 'card:Barrage': 0.75 } : playUniformly(question);
    const found = findEquilibriumSync(island, { ...CARDS, policies: { attacker } });
    const { elapsedSeconds: _, ...awaited } = await findEquilibrium(island, { ...CARDS, policies: { attacker } });
    expect(found).toMatchObject(awaited);
    const before = findEquilibriumSync(island, CARDS);
    expect(found.value).toBe(before.value);
    expect(round(getDecision(found, 'attacker')?.policy)).toEqual({ Assault: 0.25, Barrage: 0.75 });
    expect(round(getDecision(found, 'attacker', [BARRAGE, STAND])?.policy)).toEqual({ hold: 0.5, play: 0.5 });
    expect(sumLosses(found, 'attacker', 'card')).toBeGreaterThan(sumLosses(before, 'attacker', 'card'));
    expect(getPlayer(found, 'defender').exploitability).toBe(getPlayer(before, 'defender').exploitability);
  });

  it('has the results of equal weights if it is uniform', () => {
    const uniform = { attacker: playUniformly, defender: playUniformly };
    const [given, own] = [
      findEquilibriumSync(island, { ...CARDS, policies: uniform }),
      findEquilibriumSync(island, CARDS),
    ];
    expect({ ...given, elapsedSeconds: 0 }).toMatchObject({ value: own.value, policyValue: own.policyValue });
    expect(given.players).toEqual(own.players);
  });

  it('has no exploitability if it is the equilibrium of cards and tokens', () => {
    const found = findEquilibriumSync(island, CARDS);
    const createPolicies = (isUsed: (point: string) => boolean) => ({
      attacker: createEquilibriumPolicy(found, 'attacker', isUsed),
      defender: createEquilibriumPolicy(found, 'defender', isUsed),
    });
    const whole = findEquilibriumSync(island, { ...CARDS, policies: createPolicies(() => true) });
    expect(whole.policyValue).toBeCloseTo(found.value, 12);
    for (const { exploitability } of whole.players) expect(exploitability).toBeCloseTo(0, 12);
    // Only the cards of the equilibrium, with the tokens of the weights, are still exploitable.
    const half = findEquilibriumSync(island, { ...CARDS, policies: createPolicies((point) => point === 'card') });
    expect(sumLosses(half, 'attacker', 'card')).toBeCloseTo(0, 12);
    expect(getPlayer(half, 'attacker').exploitability).toBeGreaterThan(0.1);
  });

  it.each<[name: string, policies: Record<string, PolicyFunction>, message: string]>([
    [
      'a sum',
      { attacker: () => ({ 'card:Fire': 0.9 }) },
      'policies.attacker: expected probabilities whose sum is 1, found [0, 0.9]',
    ],
    [
      'none',
      { defender: () => ({}) },
      'policies.defender: expected probabilities whose sum is 1, found [0, 0] at card',
    ],
    [
      'a negative probability',
      { defender: () => ({ 'card:Stand': 1.5, 'card:Shield': -0.5 }) },
      'policies.defender: expected probabilities whose sum is 1, found [1.5, -0.5]',
    ],
    [
      'an illegal action',
      { attacker: () => ({ 'card:Shield': 1 }) },
      'policies.attacker: expected legal actions: card:Assault, card:Fire, found "card:Shield"',
    ],
    ['an unknown player', { attackers: () => ({}) }, 'did you mean attacker'],
  ])('is rejected: %s', (_, policies, message) => {
    expect(() => findEquilibriumSync(pennies(), { ...CARDS, policies })).toThrow(message);
    expect(() => findEquilibriumSync(pennies(), { ...CARDS, policies })).toThrow(InputError);
  });
});

/** Computes the expected reward of the attacker with the exact solver. */
function computeExpected(scenario: Scenario, reward: keyof typeof REWARDS): number {
  const { outcomes, metrics } = solveSync(scenario).summary;
  const mean = (name: string): number => metrics.find((metric) => metric.name === name)?.mean ?? Number.NaN;
  if (reward === 'win') return 2 * (outcomes[0]?.p ?? Number.NaN) - 1;
  return reward === 'capture' ? mean('captured') : mean('hp.attacker') - mean('hp.defender');
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

/** Creates a scenario in which each player has one card and a fixed choice for its token. */
function pin(attacker: string, ownAir: boolean, defender: string, enemyAir: boolean): Scenario {
  const side = (given: typeof rich.attacker | typeof rich.defender, card: string, air: boolean) => ({
    ...given,
    hand: given.hand.filter(({ name }) => name === card),
    noCard: 0,
    airTokens: given.airTokens.map((token) => ({ ...token, weight: Number(air) })),
  });
  return cards(side(rich.attacker, attacker, ownAir), side(rich.defender, defender, enemyAir), options);
}

describe('rewards', () => {
  const names = ['win', 'hp', 'capture'] as const;

  it.each(some(names))('%s: the value of pure policies equals the exact answer', (name) => {
    const scenario = cards(rich.attacker, rich.defender, options);
    const reward = REWARDS[name];
    let cells = 0;
    for (const own of ['Push', 'Fire']) {
      for (const enemy of ['Dig in', 'none']) {
        for (const [ownAir, enemyAir] of [
          [false, false],
          [false, true],
          [true, false],
          [true, true],
        ] as const) {
          const policies = {
            attacker: choose(
              () => `card:${own}`,
              () => ({ [ownAir ? 'air:play' : 'air:hold']: 1 }),
            ),
            defender: choose(
              () => `card:${enemy}`,
              () => ({ [enemyAir ? 'air:play' : 'air:hold']: 1 }),
            ),
          };
          const found = findEquilibriumSync(scenario, { reward, decisions: ['card', 'air'], policies });
          expect(found.policyValue).toBeCloseTo(computeExpected(pin(own, ownAir, enemy, enemyAir), name), 12);
          cells++;
        }
      }
    }
    expect(cells).toBe(16);
  });

  it.each(names)('%s: the value of the scenario policies equals the exact answer', async (name) => {
    for (const file of ['land', 'bluff', 'pocket', 'fortress', 'fleet', 'island']) {
      const given = await loadScenario(`scenarios/strength-cards-${file}.yaml`);
      const found = findEquilibriumSync(given, { reward: REWARDS[name], decisions: ['card', 'air'] });
      expect(found.policyValue).toBeCloseTo(computeExpected(given, name), 12);
      expect(found.interval[1] - found.interval[0]).toBeLessThan(1e-9);
      for (const { equilibrium } of found.strategies)
        expect(Object.values(equilibrium).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      for (const { exploitability } of found.players) expect(exploitability).toBeGreaterThanOrEqual(0);
    }
  });

  it('have outcomes with probabilities of at most 1, although sums are rounded', async () => {
    const load = async (name: string) => await loadScenario(`scenarios/strength-cards-${name}.yaml`);
    for (const name of ['land', 'pocket'])
      expect(
        findEquilibriumSync(await load(name), { reward: 'hp' }).outcomes.map(({ equilibrium }) => equilibrium),
      ).toContain(1);
    expect(findBestResponseSync(await load('fleet')).outcomes.map(({ bestResponse }) => bestResponse)).toContain(1);
  });

  it('cannot overflow', () => {
    for (const table of [{ metrics: { 'hp.attacker': 1e308 } }, { outcomes: { attacker: -1e308 } }, { steps: 2e18 }]) {
      const reward = { attacker: table };
      const message =
        /reward\.attacker\.\S+: expected a number from -1e18 to 1e18, found -?(1e\+308|2000000000000000000)$/;
      expect(() => findEquilibriumSync(pennies(), { reward })).toThrow(message);
      expect(() => findBestResponseSync(pennies(), { reward })).toThrow(message);
      expect(() => createEnvSpec([{ scenario: pennies() }], { reward })).toThrow(message);
    }
    const { value } = findEquilibriumSync(pennies(), { reward: { attacker: { metrics: { 'hp.attacker': 1e18 } } } });
    expect(Math.fround(value)).toBeGreaterThanOrEqual(1e17);
  });

  it('of a table for one player give the other player the negative', () => {
    const both = { ...HP, defender: { metrics: { 'hp.attacker': -1, 'hp.defender': 1 } } };
    expect(findEquilibriumSync(pennies(), { ...CARDS, reward: both }).value).toBeCloseTo(2, 12);
    const same = { ...HP, defender: { metrics: { 'hp.attacker': 1, 'hp.defender': 1 } } };
    expect(() => findEquilibriumSync(pennies(), { ...CARDS, reward: same })).toThrow(
      'reward: expected rewards of the second player that are the negative of those of the first, found "hp.attacker"',
    );
  });
});

describe('a game that cannot be solved', () => {
  it('needs too many steps', () => {
    expect(() => findEquilibriumSync(pennies(), { budget: 1 })).toThrow(BudgetError);
    expect(() => findEquilibriumSync(cards(rich.attacker, rich.defender, options), { budget: 20 })).toThrow(
      'the equilibrium needs more than the budget of 20 steps',
    );
    expect(() => findEquilibriumSync(pennies(), { budget: 0 })).toThrow(
      'budget: expected an integer 1..64000000, found 0',
    );
  });

  it('has three players, one reward for both, private information, or no environment', async () => {
    const brawl = await loadScenario('scenarios/attrition-brawl.yaml');
    expect(() => findEquilibriumSync(brawl)).toThrow('system: expected a system with two players, found 3: watch');
    const open = await loadScenario('scenarios/token-conflict-open.yaml');
    expect(() => findEquilibriumSync(open)).toThrow(
      'the negative of those of the first, found "barbarians" has rewards whose sum is not 0 in "win"',
    );
    const load = async (name: string) => {
      const systems = await loadSystems([`./examples/systems/${name}.mjs`]);
      return loadScenario(`examples/systems/${name}-even.yaml`, { systems });
    };
    const cardsInHand = await load('hand');
    expect(() => findEquilibriumSync(cardsInHand)).toThrow(
      'equilibrium of hand (scenario "An even hand"): expected draws and choices that both players know before the next decision, except for ' +
        'simultaneous choices, found blue.archer, blue.pike hidden from red',
    );
    const volley = await load('volley');
    expect(() => findEquilibriumSync(volley)).toThrow('expected a system that declares `environment`');
  });

  it('has an unknown reward or decision', () => {
    expect(() => findEquilibriumSync(pennies(), { reward: 'glory' })).toThrow(/reward: expected .*found "glory"/);
    expect(() => findEquilibriumSync(pennies(), { decisions: ['cards'] })).toThrow(/decisions.*: expected .*"cards"/);
    expect(() => findEquilibriumSync(pennies(), { payoff: 'win' } as never)).toThrow(InputError);
  });

  it.runIf(DEPTH > 1)('is not a game with 64 cards and two tokens for each player', () => {
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
    const { interval, decisionStates } = findEquilibriumSync(cards(side, side), CARDS);
    expect(interval[1] - interval[0]).toBeLessThan(1e-8);
    expect(decisionStates).toBeGreaterThan(200);
  });
});
