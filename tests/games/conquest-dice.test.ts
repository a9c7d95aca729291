/** Tests of conquest-dice against published odds and an independent recursion. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { runScript, simulate, solveSync } from '../../src/index.ts';
import { formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH, some } from '../depth.ts';
import { Asked, exact } from './asked.ts';

let requested: Asked;

beforeAll(async () => {
  requested = await Asked.load('conquest-dice');
});

const open = (fields: object): Scenario => requested.open(fields);

interface Answer {
  readonly p: Readonly<Record<string, number>>;
  readonly mean: Readonly<Record<string, number>>;
}

function answer(fields: object): Answer {
  const { outcomes: p, means: mean } = exact(open(fields));
  return { p, mean };
}

/** Counts the combinations of dice, die by die, in which the defender loses 0, 1, 2, ... armies. */
function ways(
  attack: readonly [dice: number, sides: number],
  defence: readonly [dice: number, sides: number],
): number[] {
  const all = ([dice, sides]: readonly [number, number]): number[][] =>
    Array.from({ length: sides ** dice }, (_, code) =>
      Array.from({ length: dice }, (__, k) => (Math.floor(code / sides ** k) % sides) + 1).sort((a, b) => b - a),
    );
  const counts = new Array<number>(Math.min(attack[0], defence[0]) + 1).fill(0);
  const theirs = all(defence);
  for (const mine of all(attack)) {
    for (const other of theirs) {
      let lost = 0;
      for (let k = 0; k < counts.length - 1; k++) if ((mine[k] ?? 0) > (other[k] ?? 0)) lost++;
      counts[lost] = (counts[lost] ?? 0) + 1;
    }
  }
  return counts;
}

describe('one roll', () => {
  // Counts by the armies that the defender loses: 0, 1, 2, 3. Three against two dice are in Osborne 2003, table 2.
  test.each([
    [1, 1, [21, 15]],
    [2, 1, [91, 125]],
    [3, 1, [441, 855]],
    [1, 2, [161, 55]],
    [2, 2, [581, 420, 295]],
    [3, 2, [2275, 2611, 2890]],
    [1, 3, [1071, 225]],
    [3, 3, [17_871, 12_348, 10_017, 6420]],
  ])('%i against %i dice', (attacker, defender, expected) => {
    const { metrics } = solveSync(open({ attacker, defender, defenceDice: 3, maxRounds: 1 })).summary;
    const left = metrics.find(({ name }) => name === 'armies.defender');
    const total = expected.reduce((sum, each) => sum + each, 0);
    const pairs = expected.length - 1;
    const mean = defender - expected.reduce((sum, each, lost) => sum + each * lost, 0) / total;
    expect(total).toBe(6 ** (Math.min(3, attacker) + defender));
    expect(ways([attacker, 6], [defender, 6])).toEqual(expected);
    expect(left?.mean).toBeCloseTo(mean, 13);
    if (defender === pairs)
      expect(answer({ attacker, defender, defenceDice: 3, maxRounds: 1 }).p['attacker']).toBeCloseTo(
        (expected[pairs] ?? 0) / total,
        14,
      );
  });

  test('an eight-sided die against a six-sided one', () => {
    const distribution = answer({ attacker: 1, defender: 1, attackSides: 8, maxRounds: 1 }).p;
    expect(distribution['attacker']).toBeCloseTo((7 + 6 + 5 + 4 + 3 + 2) / 48, 14);
    const other = answer({ attacker: 1, defender: 1, defenceSides: 8, maxRounds: 1 }).p;
    expect(other['attacker']).toBeCloseTo((5 + 4 + 3 + 2 + 1) / 48, 14);
  });
});

describe('J. Osborne, Markov Chains for the RISK Board Game Revisited, 2003', () => {
  test.each([
    [1, 1, '0.417'],
    [2, 5, '0.049'],
    [5, 3, '0.769'],
    [5, 5, '0.506'],
    [8, 10, '0.380'],
    [10, 10, '0.568'],
  ])('table 3: %i armies against %i', (attacker, defender, printed) => {
    expect(answer({ attacker, defender }).p['attacker']?.toFixed(3)).toBe(printed);
  });

  test('the example scenario has the printed probability', async () => {
    const scenario = await requested.file('osborne');
    expect(solveSync(scenario).summary.outcomes[0]?.p.toFixed(3)).toBe('0.568');
  });

  test.runIf(DEPTH > 1)('the minimum number of attacking armies that win 99 of 100 attacks', () => {
    const least = Array.from({ length: 11 }, (_, k) => {
      let attacker = k + 2;
      while ((answer({ attacker, defender: k + 1 }).p['attacker'] ?? 0) < 0.99) attacker++;
      return attacker;
    });
    expect(least).toEqual([5, 9, 12, 14, 15, 17, 19, 20, 22, 23, 24]);
  });
});

interface Plan {
  readonly attacker: number;
  readonly defender: number;
  readonly defenceDice?: number;
  readonly attackSides?: number;
  readonly defenceSides?: number;
  readonly beyond?: readonly { readonly armies: number; readonly defenceDice?: number }[];
  readonly withdrawAt?: number;
  readonly withdrawOutnumbered?: boolean;
  readonly withdrawAfter?: number;
}

/** Computes the results of an attack by recursion over single dice. */
function expected(plan: Plan): { won: number; lost: number; withdrawn: number; left: number; taken: number } {
  const territories = [{ armies: plan.defender, defenceDice: plan.defenceDice ?? 2 }, ...(plan.beyond ?? [])];
  const known = new Map<string, number[]>();
  const tables = new Map<string, number[]>();
  const table = (mine: number, theirs: number): number[] => {
    const name = `${String(mine)} ${String(theirs)}`;
    const made = tables.get(name) ?? ways([mine, plan.attackSides ?? 6], [theirs, plan.defenceSides ?? 6]);
    tables.set(name, made);
    return made;
  };
  /**
   * Returns the probabilities of won, lost and withdrawn, and the mean armies of the attacker and territories, before
   * or after a roll.
   */
  const at = (a: number, place: number, d: number, rounds: number, isAfter: boolean): number[] => {
    if (d === 0 && place === territories.length - 1) return [1, 0, 0, a, place + 1];
    if (d === 0) return at(a - 1, place + 1, territories[place + 1]?.armies ?? 0, rounds, true);
    if (a === 0) return [0, 1, 0, 0, place];
    const isEnough = rounds === plan.withdrawAfter || a <= (plan.withdrawAt ?? 0);
    if (isAfter && (isEnough || (plan.withdrawOutnumbered === true && d > a))) return [0, 0, 1, a, place];
    const name = [a, place, d, rounds].join();
    const before = known.get(name);
    if (before !== undefined) return before;
    const distribution = table(Math.min(3, a), Math.min(territories[place]?.defenceDice ?? 2, d));
    const all = distribution.reduce((sum, each) => sum + each, 0);
    const sums = [0, 0, 0, 0, 0];
    for (const [won, weight] of distribution.entries()) {
      const after = at(a - (distribution.length - 1 - won), place, d - won, rounds + 1, true);
      for (const [k, share] of after.entries()) sums[k] = (sums[k] ?? 0) + (weight / all) * share;
    }
    known.set(name, sums);
    return sums;
  };
  const [won = 0, lost = 0, withdrawn = 0, left = 0, taken = 0] = at(plan.attacker, 0, plan.defender, 0, false);
  return { won, lost, withdrawn, left, taken };
}

const CHAIN = [{ armies: 2 }, { armies: 3 }];

describe('exact answers', () => {
  test.each<[string, Plan]>([
    ['a chain', { attacker: 12, defender: 3, beyond: CHAIN }],
    ['a chain that is too long', { attacker: 3, defender: 1, beyond: [{ armies: 1 }, { armies: 1 }, { armies: 1 }] }],
    ['a chain with a capital at its end', { attacker: 9, defender: 2, beyond: [{ armies: 4, defenceDice: 3 }] }],
    ['a capital', { attacker: 10, defender: 10, defenceDice: 3 }],
    ['a capital first', { attacker: 8, defender: 3, defenceDice: 3, beyond: [{ armies: 3 }] }],
    ['eight-sided dice of the attacker', { attacker: 6, defender: 6, attackSides: 8 }],
    ['eight-sided dice of the defender', { attacker: 6, defender: 6, defenceSides: 8, defenceDice: 3 }],
    ['withdrawal with few armies', { attacker: 9, defender: 4, beyond: CHAIN, withdrawAt: 3 }],
    ['withdrawal when outnumbered', { attacker: 12, defender: 3, beyond: CHAIN, withdrawOutnumbered: true }],
    ['withdrawal when outnumbered, in one territory', { attacker: 6, defender: 5, withdrawOutnumbered: true }],
    ['withdrawal after rounds', { attacker: 12, defender: 3, beyond: CHAIN, withdrawAfter: 4 }],
    [
      'all at once',
      { attacker: 12, defender: 6, beyond: CHAIN, withdrawAfter: 5, withdrawOutnumbered: true, withdrawAt: 2 },
    ],
  ])('equal an independent recursion: %s', (_, plan) => {
    const { won, lost, withdrawn, left, taken } = expected(plan);
    const { p, mean } = answer(plan);
    expect(p['attacker']).toBeCloseTo(won, 12);
    expect(p['defender']).toBeCloseTo(lost, 12);
    expect(p['withdrawn']).toBeCloseTo(withdrawn, 12);
    expect(mean['armies.attacker']).toBeCloseTo(left, 11);
    if (plan.beyond !== undefined) expect(mean['territories']).toBeCloseTo(taken, 11);
    else expect(mean['territories']).toBeUndefined();
  });

  test('count the remaining defenders of all territories', () => {
    const { p, mean } = answer({ attacker: 1, defender: 1, beyond: [{ armies: 5 }] });
    // The army that takes the first territory stays there.
    expect(p).toMatchObject({ attacker: 0, defender: 1 });
    expect(mean['territories']).toBeCloseTo(15 / 36, 14);
    expect(mean['armies.defender']).toBeCloseTo(5 + 21 / 36, 14);
  });
});

describe('battles', () => {
  test.each(some(['osborne', 'chain', 'capital']))(
    '%s: simulated frequencies are within five standard errors of the exact answer',
    async (name) => {
      const scenario = await requested.file(name);
      const { summary } = await simulate(scenario, { battles: 100_000, seed: 5 });
      const exact = solveSync(scenario).summary;
      for (const [k, { p }] of exact.outcomes.entries())
        expect(Math.abs((summary.outcomes[k]?.p ?? 1) - p)).toBeLessThanOrEqual(
          5 * Math.sqrt((p * (1 - p)) / 100_000) + 1e-9,
        );
    },
  );

  test('use three dice on each side for a capital', () => {
    const scenario = open({ attacker: 4, defender: 3, defenceDice: 3, dice: 'faces', withdrawAfter: 1 });
    const { outcome, metrics } = runScript(scenario, [{ roll: [6, 4, 2] }, { roll: [5, 4, 1] }]);
    expect(outcome).toBe('withdrawn');
    expect(metrics).toMatchObject({ 'armies.attacker': 3, 'armies.defender': 1 });
  });

  test('have replays that report the fall of a territory', async () => {
    const scenario = await requested.file('chain');
    const { events } = replay(scenario, { battle: 3 });
    const reported = formatReplayLines(events, requested.systems.system('conquest-dice'), {
      width: 200,
      paint: PLAIN_PAINT,
    }).join('\n');
    expect(reported).toContain('the attacker loses 0, the defender 1');
    expect(reported).toContain('Territory 1 falls. One army stays there, 11 armies can go on.');
  });
});

describe('environments', () => {
  test.each([
    [4, 1, [1]],
    [7, 3, [2, 1]],
    [5, 4, []],
  ])(
    'have the best response of an independent recursion: %i armies against %i, then %j',
    (attacker, defender, beyond) => {
      const all = [defender, ...beyond];
      /** Computes the value: 1 for a victory, -1 for a defeat, 0 for a withdrawal, which is possible after a roll. */
      const payoff = (a: number, place: number, d: number, isAfter: boolean): number => {
        if (d === 0) return place === all.length - 1 ? 1 : payoff(a - 1, place + 1, all[place + 1] ?? 0, true);
        if (a === 0) return -1;
        const distribution = ways([Math.min(3, a), 6], [Math.min(2, d), 6]);
        const total = distribution.reduce((sum, each) => sum + each, 0);
        const on = distribution.map(
          (weight, won) => (weight / total) * payoff(a - (distribution.length - 1 - won), place, d - won, true),
        );
        const value = on.reduce((sum, each) => sum + each, 0);
        return isAfter ? Math.max(0, value) : value;
      };
      const scenario = open({ attacker, defender, beyond: beyond.map((armies) => ({ armies })) });
      const { value, policyValue: given } = findBestResponseSync(scenario);
      expect(value).toBeCloseTo(payoff(attacker, 0, defender, false), 12);
      expect(value).toBeGreaterThan(given);
    },
  );

  test.runIf(DEPTH > 1)('pass the conformance checks', { timeout: 120_000 }, async () => {
    const findings = await conform(requested.systems.system('conquest-dice'), { quick: true });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });
});

test('docs/reference/games/conquest-dice.md contains the numbers that the commands print', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/games/conquest-dice.md'), 'utf8');
  const chain = solveSync(await requested.file('chain')).summary;
  for (const { p } of chain.outcomes.slice(0, 3)) expect(page).toContain((p * 100).toFixed(7));
});

test.each([
  [{ attacker: 3, defender: 2, defenceDice: 4 }, 'defenceDice: expected an integer 1..3, found 4'],
  [{ attacker: 3, defender: 2, attackSides: 1 }, 'attackSides: expected an integer 2..12, found 1'],
  [{ attacker: 3, defender: 2, beyond: [{ armies: 0 }] }, 'beyond[0].armies: expected an integer 1..1000, found 0'],
  [{ attacker: 3, defender: 2, beyond: [{ amries: 1 }] }, 'did you mean armies?'],
])('invalid fields are rejected: %o', (fields, message) => {
  expect(() => open(fields)).toThrow(message);
});
