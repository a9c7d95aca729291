/** Distributions of mass battles: the kernel compared with the chain, brute force and simulated battles. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { solveSync, solveWithBudget } from '../../src/analysis/solve.ts';
import { createBudget } from '../../src/engines/exact/budget.ts';
import type { ExactDistribution } from '../../src/engines/kernel/chain-solver.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import type { Attrition } from '../../src/rules/attrition/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { sampleScenarios } from '../arbitraries.ts';
import { expectAgreement } from '../conformance/exact.ts';
import { DEPTH, some } from '../depth.ts';
import { direct, mass } from '../systems/attrition-fight.ts';
import { expectAnchors } from './anchors.ts';
import { bruteForce, type End, type Fray } from './brute-mass.ts';
import { getBudgetError, within } from './budgets.ts';
import { compared, inKernel } from './compared.ts';

/** Budget of chains in these tests. */
const CHAIN = { steps: 400_000, moves: 20_000_000 };

const SEED = 20_261_122;

/** Generates random small fights with all options. */
function smallFights(dice: readonly string[], count: number): Attrition[] {
  const members = fc.integer({ min: 2, max: count });
  const fighter = fc.record({
    hp: fc.integer({ min: 1, max: 5 }),
    party: fc.constantFrom('a', 'b', 'c', 'd'),
    attack: fc.option(fc.integer({ min: -1, max: 3 }), { freq: 5 }),
    defense: fc.integer({ min: -1, max: 2 }),
    tags: fc.subarray(['x', 'y']),
    prey: fc.subarray(['x', 'y', 'z']),
  });
  const options = fc.record({
    dice: fc.constantFrom(...dice),
    preyDamage: fc.integer({ min: 0, max: 3 }),
    massDivisor: fc.constantFrom('n', 'n-1'),
    massRounding: fc.constantFrom('floor', 'nearest'),
    maxRounds: fc.constantFrom(1, 2, 5, 1000),
  });
  const fights = members.chain((n) => fc.tuple(fc.array(fighter, { minLength: n, maxLength: n }), options));
  const several = fights.filter(([fighters]) => new Set(fighters.map(({ party }) => party)).size > 1);
  return fc.sample(several, { numRuns: 20 * DEPTH, seed: SEED }).map(([fighters, rest]) => mass(fighters, rest));
}

describe('kernel of mass combat', () => {
  test.each([
    ['two and three, three faces', ['1d3', '2d2'], 3, 18 * DEPTH],
    ['up to five, two faces', ['1d2'], 5, 16 * DEPTH],
  ])('equals the chain for small fights of %s', { timeout: 120_000 }, (_, dice, count, least) => {
    const fights = smallFights(dice, count);
    expect(fights.filter((fight) => compared(fight, CHAIN)).length).toBeGreaterThanOrEqual(least);
  });

  test.each(
    some([
      ['rows of more than a block', '1d4', { hp: 3 }, { hp: 2 }, { hp: 21 }],
      ['dice of many sums', '1d6', { hp: 7 }, { hp: 6, attack: 3 }, { hp: 2, defense: 2 }],
      ['the first has the most', '1d4', { hp: 23 }, { hp: 2 }, { hp: 1 }],
      ['blows that kill at once', '1d4', { hp: 5, attack: 40 }, { hp: 4 }, { hp: 3 }],
      ['blows that rarely hurt', '1d6', { hp: 2, attack: -2 }, { hp: 2, attack: -2 }, { hp: 2, attack: null }],
      ['a stalemate at once', '1d4', { defense: 9 }, { defense: 9 }, { defense: 9 }],
      ['one blow after another', '1d2', { hp: 60, attack: 5 }, { hp: 50, attack: 4 }, { hp: 40, attack: null }],
      ['coins', '1d2', { hp: 9, attack: 4 }, { hp: 9, attack: 5 }, { hp: 9, attack: 6 }],
    ]),
  )('equals the chain for %s', { timeout: 60_000 }, (_: unknown, dice: string, ...fighters: object[]) => {
    expect(compared(mass(fighters, { dice }), { steps: 4_000_000, moves: 400_000_000 })).toBe(true);
  });

  test('returns the outcomes of direct combat for two combatants', () => {
    const [fight, same] = [solveSync(mass([{ hp: 30 }, {}])), solveSync(direct({ hp: 30 }, {}))];
    expectAnchors(fight.summary, fight.truncated);
    for (const [o, p] of same.distribution.outcomes.entries())
      expect(Math.abs((fight.distribution.outcomes[o] ?? 0) - p)).toBeLessThan(1e-13);
  });

  test('equals the chain for the shipped scenario attrition-brawl', async () => {
    expect(compared(await loadScenario('scenarios/attrition-brawl.yaml'))).toBe(true);
  });

  test('equals the chain for two parties with two members each', () => {
    const fight = [
      { party: 'a', hp: 6 },
      { party: 'a', hp: 3, attack: null },
      { party: 'b', hp: 5 },
      { party: 'b', hp: 4 },
    ];
    expect(compared(mass(fight, { dice: '1d3' }), { steps: 2_000_000, moves: 100_000_000 })).toBe(true);
  });
});

type Fighter = Fray['fighters'][number];

const fighter = (party: number, hp: number, attack: number | null, defense: number, ...prey: number[]): Fighter => ({
  ...{ party, hp, attack, defense, prey },
});

/** Fights that are small enough for brute force. */
const FRAYS: [string, Fray][] = [
  [
    'three, divided by two, rounded down',
    {
      fighters: [fighter(0, 2, 3, 0, 0, 0, 0), fighter(1, 1, 1, 1, 2, 0, 0), fighter(2, 3, 2, 0, 0, 2, 0)],
      ...{ faces: 2, rounds: 3, allCount: false, nearest: false },
    },
  ],
  [
    'three, divided by three, to the nearest, one unarmed, two allied',
    {
      fighters: [fighter(0, 3, 3, 0, 0, 0, 1), fighter(1, 2, null, 0, 0, 0, 0), fighter(1, 2, 2, 1, 0, 0, 0)],
      ...{ faces: 3, rounds: 2, allCount: true, nearest: true },
    },
  ],
  [
    'four, two of them allied',
    {
      fighters: [
        ...[fighter(0, 2, 3, 0, 0, 0, 1, 0), fighter(1, 1, 2, 0, 0, 0, 0, 0)],
        ...[fighter(0, 1, null, 1, 0, 0, 0, 0), fighter(2, 2, 4, 0, 0, 0, 0, 0)],
      ],
      ...{ faces: 2, rounds: 2, allCount: false, nearest: true },
    },
  ],
];

function scenarioOf({ fighters, faces, rounds, allCount, nearest }: Fray): Attrition {
  const bonus = Math.max(...fighters.flatMap(({ prey }) => prey));
  const members = fighters.map(({ party, prey, ...rest }, c) => ({
    ...rest,
    party: `p${String(party)}`,
    tags: [`t${String(c)}`],
    prey: prey.flatMap((more, t) => (more > 0 ? [`t${String(t)}`] : [])),
  }));
  const options = { massDivisor: allCount ? 'n' : 'n-1', massRounding: nearest ? 'nearest' : 'floor' };
  return mass(members, { dice: `1d${String(faces)}`, maxRounds: rounds, preyDamage: bonus, ...options });
}

/** Returns probabilities by `outcome;metric;value`, and by `outcome;` for outcomes. */
function lawOf(exactDistribution: ExactDistribution['distribution']): Map<string, number> {
  const rows = [...exactDistribution.outcomes.entries()].flatMap(([o, p]): [string, number][] => [
    [`${String(o)};`, p],
    ...exactDistribution.metrics.flatMap((_, m) =>
      listValueCounts(exactDistribution, m, o).map(([value, mass]): [string, number] => [
        `${String(o)};${String(m)};${String(value)}`,
        mass,
      ]),
    ),
  ]);
  return new Map(rows.filter(([, p]) => p > 0));
}

function bruteLaw({ fighters }: Fray, ends: readonly End[]): Map<string, number> {
  const parties = [...new Set(fighters.map(({ party }) => party))];
  const count = new Map<string, number>();
  for (const { parties: alive, round, hp, ways } of ends) {
    const outcome =
      alive.length === 0 ? parties.length : alive.length === 1 ? parties.indexOf(alive[0] ?? 0) : parties.length + 1;
    const survivors = parties.map(
      (party) => fighters.filter((fighter, c) => fighter.party === party && hp[c] !== 0).length,
    );
    const names = [round, ...hp, ...survivors].map((value, m) => `${String(m)};${String(value)}`);
    for (const name of ['', ...names]) {
      const key = `${String(outcome)};${name}`;
      count.set(key, (count.get(key) ?? 0) + ways);
    }
  }
  return new Map([...count].map(([key, ways]) => [key, ways / (ends[0]?.total ?? 1)]));
}

describe('exact answer for mass combat equals brute force', () => {
  test.each(DEPTH === 1 ? FRAYS.slice(0, 1) : FRAYS)('for %s', (_, fray) => {
    const known = lawOf(solveSync(scenarioOf(fray)).distribution);
    const due = bruteLaw(fray, bruteForce(fray));
    expect([...known.keys()].sort()).toEqual([...due.keys()].sort());
    for (const [key, p] of due) expect(Math.abs((known.get(key) ?? 0) - p), key).toBeLessThan(1e-12);
  });
});

describe('exact answer for mass combat', () => {
  const bands = (sizes: readonly number[], dice: string): Attrition =>
    mass(
      sizes.map((hp) => ({ hp })),
      { dice },
    );
  const ALLIED = [{ party: 'a', hp: 8 }, { party: 'a', hp: 7 }, { hp: 8 }, { hp: 6 }];

  const FIGHTS: [string, Attrition][] = [
    ['three war bands, 2d6', bands([7, 8, 9], '2d6')],
    ['four, two of them allied, 2d6', mass(ALLIED, { dice: '2d6' })],
    ['three of 30 hit points, 3d10', bands([30, 30, 30], '3d10')],
  ];

  // The last fight takes seconds.
  test.each(FIGHTS.slice(0, DEPTH > 1 ? 3 : 1))(
    'agrees with simulated battles of %s',
    { timeout: 60_000 },
    async (_, fight) => {
      const exact = solveSync(fight);
      expect(exact.distribution.outcomes.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      expect(exact.truncated).toBeLessThan(1e-15);
      await expectAgreement(fight, exact);
    },
  );

  test.runIf(DEPTH > 1)('agrees with simulated battles of generated scenarios', { timeout: 120_000 }, async () => {
    let agreed = 0;
    for (const fight of sampleScenarios(attrition, 'mass', 5 * DEPTH, SEED)) {
      const exact = within(() => solveWithBudget(fight, createBudget(200_000)));
      if (exact === undefined) continue;
      await expectAgreement(fight, exact);
      agreed++;
    }
    expect(agreed).toBeGreaterThanOrEqual(DEPTH);
  });

  test('does not depend on the order of combatants', () => {
    const [one, other] = [bands([7, 9, 8], '2d6'), bands([8, 7, 9], '2d6')].map(
      (fight) => solveSync(fight).distribution.outcomes,
    );
    expect(one?.[0]).toBeCloseTo(other?.[1] ?? 0, 13);
    expect(one?.[1]).toBeCloseTo(other?.[2] ?? 0, 13);
  });
});

describe('BudgetError for mass combat', () => {
  const rejected = (fight: Attrition, steps: number) =>
    getBudgetError(() => solveWithBudget(fight, createBudget(steps)));
  const equal = (count: number, hp: number): Attrition => mass(Array.from({ length: count }, () => ({ hp })));

  test('reports more combinations of attack rolls than the budgeted steps', () => {
    const error = rejected(equal(3, 30), 19_000);
    expect(error.message).toMatch(
      /^the exact answer needs more than the budget of 19 000 steps: about 30 000 states and 20 000 steps or more are expected, about 1 second and \d+ MB$/,
    );
    expect(error.suggested).toBe(152_000);
  });

  test('reports too many moves before the computation', () => {
    const error = rejected(equal(3, 100), 4_000_000);
    expect(error.message).toMatch(
      /^the exact answer needs more than the budget of 4 000 000 steps: about 1 000 000 states and [0-9 ]+ steps or more are expected, about \d+ minutes? and \d+ MB$/,
    );
    expect(error.suggested).toBeGreaterThan(50_000_000);
  });

  test('suggests a sufficient budget for the moves', () => {
    const fighters = [
      { hp: 4, party: 'a', attack: 1, defense: 2 },
      { hp: 6, party: 'b', attack: 4, defense: 1 },
      { hp: 7, party: 'c', attack: 0, defense: 3 },
      { hp: 9, party: 'a', attack: 3, defense: 1 },
    ];
    const fight = mass(fighters, { dice: '2d6', massDivisor: 'n' });
    expect(solveWithBudget(fight, createBudget(rejected(fight, 8200).suggested ?? 0)).truncated).toBeLessThan(1e-15);
  });

  test.runIf(DEPTH > 1)('reports too many moves during the computation', () => {
    // The fight takes four times the minimum of moves. The message reports six times the minimum, in steps of 500.
    const [, reported = ''] = /([0-9 ]+) steps or more/.exec(rejected(equal(3, 30), 20_000).message) ?? [];
    const moves = (1.5 * 500 * Number(reported.replaceAll(' ', ''))) / 6;
    expect(() => solveWithBudget(equal(3, 30), { steps: 20_000, moves })).toThrow('steps or more are expected');
    expect(solveWithBudget(equal(3, 30), { steps: 20_000, moves: 6 * moves }).truncated).toBeLessThan(1e-15);
  });

  test('reports the memory limit without a suggested budget', () => {
    for (const fight of [equal(3, 1000), equal(3, 100_000), equal(20, 3), equal(16, 2)]) {
      const error = rejected(fight, 1e10);
      expect(error.message).toMatch(/exceeds its memory limit: .* states$/);
      expect(error.suggested).toBeUndefined();
    }
  });

  test('does not change later results of the solver', () => {
    const small = mass([{ hp: 3 }, { hp: 2 }, { hp: 2 }], { dice: '1d4' });
    const before = inKernel(small);
    rejected(equal(3, 100), 4_000_000);
    rejected(equal(3, 1000), 4_000_000);
    expect(inKernel(small)).toEqual(before);
  });
});
