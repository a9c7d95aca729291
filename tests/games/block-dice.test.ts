/** Tests of block-dice against the examples of a rule book, a closed form, and an independent recursion. */
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
import { Asked, exact as answered } from './asked.ts';

let requested: Asked;

beforeAll(async () => {
  requested = await Asked.load('block-dice');
});

const SIDES = ['defender', 'attacker'] as const;
type Side = (typeof SIDES)[number];
type Order = 'poorest' | 'slowest' | 'swiftest';

interface Army {
  readonly blocks: readonly { readonly rating: string; readonly steps: number }[];
  readonly retreatAt?: number;
  readonly losses?: Order;
}

interface Plan extends Readonly<Record<Side, Army>> {
  readonly hits?: 'strongest' | 'owner';
  readonly maxRounds?: number;
}

/** Creates blocks with their steps from a text such as `A3x4 C2x1`. */
const army = (text: string, more: Omit<Army, 'blocks'> = {}): Army => ({
  blocks: text.split(' ').map((each) => ({ rating: each.slice(0, 2), steps: Number(each.slice(3)) })),
  ...more,
});

const open = (plan: Plan): Scenario => requested.open(plan);

const exact = (plan: Plan): Record<string, number> => answered(open(plan)).outcomes;

describe('examples of Hammer of the Scots 4.0', () => {
  test('5.31: noble B2 and knight B3 fire before the infantry, each time the defender first', async () => {
    const scenario = await requested.file('knight');
    const { events } = replay(scenario, { battle: 0 });
    const reported = formatReplayLines(events, requested.systems.system('block-dice'), {
      width: 200,
      paint: PLAIN_PAINT,
    });
    const volleys = reported.flatMap((line) => /([A-D]) blocks of the (\w+):/.exec(line)?.slice(1).join(' ') ?? []);
    expect(volleys.slice(0, 4)).toEqual(['B defender', 'B attacker', 'C defender', 'C attacker']);
    expect(reported[1]).toMatch(/^ {2}B blocks of the defender: \d of 3 dice hit\. {2}\[3 dice, hit on 1-2: /);
  });

  test('5.4: three dice of a knight, 2, 4 and 5, score one hit', () => {
    const plan = { attacker: army('B3x3'), defender: army('C2x4'), maxRounds: 1 };
    const { outcome, metrics } = runScript(open(plan), [{ faces: [2, 4, 5] }, { faces: [3, 4, 5] }]);
    expect(outcome).toBe('held');
    expect(metrics).toEqual({ rounds: 1, 'steps.attacker': 3, 'steps.defender': 3 });
  });

  test('5.41: two blocks of four steps take one of three hits each, either takes the third', () => {
    const plan = { attacker: army('A4x4'), defender: army('B2x4 C3x4'), maxRounds: 1 };
    const rest = { B2x2: [{ faces: [5, 5] }, { faces: [4, 4, 4] }], C3x2: [{ faces: [5, 5, 5] }, { faces: [4, 4] }] };
    // The later dice show which block has two steps left.
    const hits = { faces: [1, 2, 4, 5] };
    for (const [order, script] of [
      ['poorest', rest.B2x2],
      ['slowest', rest.C3x2],
    ] as const) {
      const simulation = runScript(open(plan), [hits, { decide: order }, ...script]);
      expect(simulation.metrics).toMatchObject({ 'steps.attacker': 4, 'steps.defender': 5 });
    }
  });
});

test('a fight of two blocks with one step each equals the closed form', () => {
  const [mine, theirs] = [3 / 6, 2 / 6];
  const plan = { attacker: army('B3x1'), defender: army('B2x1') };
  expect(exact(plan)['defender']).toBeCloseTo(theirs / (1 - (1 - mine) * (1 - theirs)), 13);
  // With another letter, the attacker fires first.
  const first = exact({ attacker: army('A3x1'), defender: army('B2x1') });
  expect(first['attacker']).toBeCloseTo(mine / (1 - (1 - mine) * (1 - theirs)), 13);
  const once = exact({ ...plan, maxRounds: 1 });
  expect(once['held']).toBeCloseTo((1 - mine) * (1 - theirs), 14);
});

const ENDS = ['attacker', 'defender', 'withdrawn', 'abandoned', 'held'] as const;
const PAY: Readonly<Record<string, number>> = {
  attacker: 1,
  defender: -1,
  withdrawn: -0.5,
  abandoned: 0.5,
  held: -0.5,
};

interface Unit {
  readonly letter: number;
  readonly fire: number;
}

/**
 * Computes the probabilities of all outcomes, die by die, or with `best` the value for a side with optimal decisions.
 * It identifies blocks by their positions in the scenario, without an order among them.
 */
function recursion(plan: Plan, best?: Side): number[] {
  const units = Object.fromEntries(
    SIDES.map((side) => [
      side,
      plan[side].blocks.map(({ rating }): Unit => ({ letter: rating.charCodeAt(0), fire: Number(rating[1]) })),
    ]),
  ) as Record<Side, Unit[]>;
  const rounds = plan.maxRounds ?? 0;
  const turns = [65, 66, 67, 68].flatMap((letter) => SIDES.map((side) => ({ letter, side })));
  const known = new Map<string, number[]>();
  const end = (name: (typeof ENDS)[number]): number[] =>
    best === undefined
      ? ENDS.map((each) => Number(each === name))
      : [(PAY[name] ?? 0) * (best === 'attacker' ? 1 : -1)];
  const add = (sums: number[], weight: number, more: number[]): number[] =>
    more.map((each, k) => (sums[k] ?? 0) + weight * each);
  const chosen = (side: Side, own: () => number[], all: (() => number[])[]): number[] =>
    side === best ? [Math.max(...all.map((each) => each()[0] ?? 0))] : own();

  /** Returns the worst block by an order. Ties occur only between equal blocks. */
  const victim = (side: Side, left: readonly number[], order: Order): number => {
    let found = -1;
    for (const [k, steps] of left.entries()) {
      if (steps === 0 || (plan.hits !== 'owner' && steps < Math.max(...left))) continue;
      const [a, b] = [units[side][k], units[side][found]];
      if (a === undefined) continue;
      const bySpeed = b === undefined ? 0 : a.letter - b.letter;
      const byFire = b === undefined ? 0 : a.fire - b.fire;
      const isWorse =
        b === undefined ||
        (order === 'poorest' && (byFire < 0 || (byFire === 0 && bySpeed > 0))) ||
        (order === 'slowest' && (bySpeed > 0 || (bySpeed === 0 && byFire < 0))) ||
        (order === 'swiftest' && (bySpeed < 0 || (bySpeed === 0 && byFire < 0))) ||
        (byFire === 0 && bySpeed === 0 && steps > (left[found] ?? 0));
      if (isWorse) found = k;
    }
    return found;
  };
  const after = (side: Side, left: readonly number[], hits: number, order: Order): number[] => {
    const kept = [...left];
    for (let k = 0; k < hits; k++) {
      const hit = victim(side, kept, order);
      if (hit >= 0) kept[hit] = (kept[hit] ?? 0) - 1;
    }
    return kept;
  };
  const total = (left: readonly number[]): number => left.reduce((sum, each) => sum + each, 0);

  const at = (left: Readonly<Record<Side, readonly number[]>>, turn: number, round: number): number[] => {
    if (total(left.defender) === 0) return end('attacker');
    if (total(left.attacker) === 0) return end('defender');
    if (round === rounds) return end('held');
    const name = `${left.attacker.join()}/${left.defender.join()}/${String(turn)}/${String(round)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const value = turn === turns.length ? retreats(left, round) : volley(left, turn, round);
    known.set(name, value);
    return value;
  };
  const retreats = (left: Readonly<Record<Side, readonly number[]>>, round: number): number[] => {
    const stays = (side: Side): boolean => total(left[side]) > (plan[side].retreatAt ?? 0);
    const on = (): number[] => at(left, 0, round + 1);
    const goes = (): number[] => end('withdrawn');
    const attacker = (): number[] => chosen('attacker', () => (stays('attacker') ? on() : goes()), [on, goes]);
    const gone = (): number[] => end('abandoned');
    return chosen('defender', () => (stays('defender') ? attacker() : gone()), [attacker, gone]);
  };
  const volley = (left: Readonly<Record<Side, readonly number[]>>, turn: number, round: number): number[] => {
    const { letter, side } = turns[turn] ?? { letter: 0, side: 'defender' };
    const enemy = side === 'defender' ? 'attacker' : 'defender';
    // One die at a time.
    let distribution = [1];
    for (const [k, unit] of units[side].entries())
      for (let die = 0; unit.letter === letter && die < (left[side][k] ?? 0); die++)
        distribution = [...distribution, 0].map(
          (p, hits) => p * (1 - unit.fire / 6) + (distribution[hits - 1] ?? 0) * (unit.fire / 6),
        );
    let sums: number[] = [];
    for (const [hits, p] of distribution.entries()) {
      const by = (order: Order) => (): number[] =>
        at({ ...left, [enemy]: after(enemy, left[enemy], hits, order) }, turn + 1, round);
      const orders = (['poorest', 'slowest', 'swiftest'] as const).map(by);
      sums = add(sums, p, chosen(enemy, by(plan[enemy].losses ?? 'poorest'), orders));
    }
    return sums;
  };
  return at(
    {
      attacker: plan.attacker.blocks.map(({ steps }) => steps),
      defender: plan.defender.blocks.map(({ steps }) => steps),
    },
    0,
    0,
  );
}

const KNIGHT = { attacker: army('B3x3 C2x3'), defender: army('B2x3 C2x3') };
const MIXED = { attacker: army('C3x2 A2x3 B3x4'), defender: army('C2x4 B3x2 C2x3') };

describe('exact answers', () => {
  test.each<[string, Plan]>([
    ['the printed armies, three rounds', { ...KNIGHT, maxRounds: 3 }],
    ['the printed armies, thirty rounds', { ...KNIGHT, maxRounds: 30 }],
    ['three blocks each', { ...MIXED, maxRounds: 5 }],
    ['owners choose', { ...MIXED, hits: 'owner', maxRounds: 4 }],
    ...(['poorest', 'slowest', 'swiftest'] as const).map((losses): [string, Plan] => [
      `the ${losses} blocks are hit`,
      { attacker: { ...MIXED.attacker, losses }, defender: { ...MIXED.defender, losses }, maxRounds: 3 },
    ]),
    [
      'both retreat',
      { attacker: army('A2x3 D4x4', { retreatAt: 3 }), defender: army('B3x3 C2x4', { retreatAt: 2 }), maxRounds: 6 },
    ],
  ])('equal an independent recursion: %s', (_, plan) => {
    const distribution = exact(plan);
    for (const [k, p] of recursion(plan).entries()) expect(distribution[ENDS[k] ?? '']).toBeCloseTo(p, 12);
  });

  test.each<[string, Plan]>([
    ['the printed armies', { ...KNIGHT, maxRounds: 3 }],
    ['owners choose', { attacker: army('A2x2 B4x2'), defender: army('B3x2 C2x3'), hits: 'owner', maxRounds: 3 }],
  ])('equal an independent recursion for the best response of each side: %s', (_, plan) => {
    for (const agent of SIDES) {
      const { value, policyValue: given, warning } = findBestResponseSync(open(plan), { agent });
      expect(value).toBeCloseTo(recursion(plan, agent)[0] ?? Number.NaN, 12);
      expect(value).toBeGreaterThan(given);
      expect(warning).toBeUndefined();
    }
  });
});

test.runIf(DEPTH > 1)('docs/reference/games/block-dice.md contains the numbers that the commands print', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/games/block-dice.md'), 'utf8');
  const knight = await requested.file('knight');
  for (const { p } of solveSync(knight).summary.outcomes.filter((each) => each.p > 0))
    expect(page).toContain((p * 100).toFixed(7));
  const legions = await requested.file('legions');
  const { value, policyValue: given } = findBestResponseSync(legions, { agent: 'attacker', decisions: ['losses'] });
  expect(page).toContain(`Best response: ${value.toFixed(6)} (decides losses)\nOwn policy:    ${given.toFixed(6)}`);
});

test('observations contain the blocks by rating, the hits, and the letter that fired', () => {
  const { corrections } = findBestResponseSync(open({ ...KNIGHT, maxRounds: 3 }), {
    agent: 'attacker',
    decisions: ['losses'],
  });
  expect(corrections.length).toBeGreaterThan(5);
  for (const { observation: sees } of corrections) {
    expect(Object.keys(sees).slice(0, 4)).toEqual(['defender.1.B2', 'defender.2.C2', 'attacker.1.B3', 'attacker.2.C2']);
    // The noble and the infantry of the defender fire as B and as C.
    expect([2, 3]).toContain(sees['fired']);
    expect(sees['hits']).toBeGreaterThan(0);
  }
});

test.each(['strongest', 'owner'] as const)(
  'the strongest of equal blocks is hit, without additional states: %s',
  (hits) => {
    const { events } = replay(open({ attacker: army('A2x2 A2x4'), defender: army('A6x1'), hits }), { battle: 0 });
    const reported = formatReplayLines(events, requested.systems.system('block-dice'), {
      width: 200,
      paint: PLAIN_PAINT,
    });
    expect(reported.map((line) => line.trim())).toContain('The attacker has A2 2, A2 3.');
    // The number of states is the same as with one number of steps per side. A state is the turn, the steps of both
    // sides, and pending hits.
    const seen = new Set<string>();
    const walk = (turn: number, a: number, d: number, pending: number): void => {
      const name = [turn, a, d, pending].join();
      if (seen.has(name)) return;
      seen.add(name);
      if (a === 0 || d === 0) return;
      const next = (turn + 1) % 6;
      if (turn === 1) walk(next, a - pending, d, 0);
      else if (turn === 3) walk(next, a, d - pending, 0);
      else for (let k = 0; k <= (turn > 3 ? 0 : Math.min(a, d)); k++) walk(next, a, d, k);
    };
    walk(0, 12, 11, 0);
    const plan = { attacker: army('A2x4 A2x4 A2x4'), defender: army('A2x3 A2x4 A2x4'), hits };
    expect(solveSync(open(plan)).states).toBe(seen.size);
  },
);

test('the order of blocks in a scenario does not change the result', () => {
  const turned = { attacker: army('B3x4 C3x2 A2x3'), defender: army('C2x3 C2x4 B3x2') };
  expect(exact({ ...turned, maxRounds: 3 })).toEqual(exact({ ...MIXED, maxRounds: 3 }));
});

test.each(some(Asked.files('block-dice')))(
  '%s: simulated frequencies are within five standard errors of the exact answer',
  async (name) => {
    const scenario = await requested.file(name);
    const { summary } = await simulate(scenario, { battles: 100_000, seed: 5 });
    for (const [k, { p }] of solveSync(scenario).summary.outcomes.entries())
      expect(Math.abs((summary.outcomes[k]?.p ?? 1) - p)).toBeLessThanOrEqual(
        5 * Math.sqrt((p * (1 - p)) / 100_000) + 1e-9,
      );
  },
);

test.runIf(DEPTH > 1)(
  'block-dice passes the conformance checks, including the check for secrets',
  { timeout: 120_000 },
  async () => {
    const findings = await conform(requested.systems.system('block-dice'), { quick: true });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.some(({ check, checked }) => check === 'secrets' && checked)).toBe(true);
  },
);

test.each([
  ['E3x2', 'attacker.blocks[0].rating: expected a letter A..D and a firepower 1..6, such as B3, found "E3"'],
  ['B3x5', 'attacker.blocks[0].steps: expected an integer 1..4, found 5'],
])('invalid blocks are rejected: %s', (text, message) => {
  expect(() => open({ attacker: army(text), defender: army('B2x2') })).toThrow(message);
});
