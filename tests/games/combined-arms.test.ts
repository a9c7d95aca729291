/** Tests of combined-arms against published odds and an independent recursion. */
import { beforeAll, describe, expect, test } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { simulate } from '../../src/index.ts';
import { formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH, some } from '../depth.ts';
import { Asked, exact } from './asked.ts';
import { type Die, endsOf, hitsOf, type Law, numbers } from './chain.ts';

let requested: Asked;

beforeAll(async () => {
  requested = await Asked.load('combined-arms');
});

const open = (fields: object): Scenario => requested.open(fields);

type Numbers = Readonly<Record<string, number>>;

/** Returns the probabilities of outcomes and the means of metrics. */
function answer(scenario: Scenario): { p: Numbers; mean: Numbers } {
  const { outcomes: p, means: mean } = exact(scenario);
  return { p, mean };
}

const reported = (scenario: Scenario, battle: number): string =>
  formatReplayLines(replay(scenario, { battle }).events, requested.systems.system('combined-arms'), {
    width: 300,
    paint: PLAIN_PAINT,
  }).join('\n');

describe('published odds', () => {
  test('4 infantry, 2 artillery, 2 tank, 2 fighters against a gun, 4 infantry, 2 tank, 2 fighters', async () => {
    // aacalc2 (github.com/mshih01/aacalc2), 1942 online. An independent program with rational numbers computes the same
    // digits.
    const { p, mean } = answer(await requested.file('land'));
    expect(p['attacker']).toBeCloseTo(0.47291302803174, 13);
    expect(p['defender']).toBeCloseTo(0.49312370561287, 13);
    expect(mean['taken']).toBeCloseTo(0.32886293886729, 13);
  });

  test('two submarines against a fighter and a destroyer can end in a standoff', async () => {
    const { p } = answer(await requested.file('convoy'));
    expect(p['attacker']).toBe(0);
    expect(p['defender']).toBeCloseTo(834 / 1679, 13);
    expect((p['mutual'] ?? 0) + (p['standoff'] ?? 0)).toBeCloseTo(845 / 1679, 13);
  });

  test('a bomber against a battleship of two hits', () => {
    const { p } = answer(open({ place: 'sea', attacker: { bomber: 1 }, defender: { battleship: 1 } }));
    expect(p['attacker']).toBeCloseTo(1 / 16, 13);
    expect(p['defender']).toBeCloseTo(13 / 16, 13);
    expect(p['mutual']).toBeCloseTo(2 / 16, 13);
  });

  test.runIf(DEPTH > 1)('ten submarines and ten battleships on each side', () => {
    // src/external.test.ts of aacalc2 at commit 17f0392e, which ignores events with a probability below 1e-12. Its
    // tolerance is 1e-6.
    const fleet = { submarine: 10, battleship: 10, losses: ['battleship', 'submarine'] };
    const { p, mean } = answer(open({ place: 'sea', attacker: fleet, defender: fleet }));
    expect(p['attacker']).toBeCloseTo(0.785045644306524, 6);
    expect(p['defender']).toBeCloseTo(0.2015387892399474, 6);
    expect(260 - (mean['value.attacker'] ?? 0)).toBeCloseTo(145.51832967936105, 4);
    expect(260 - (mean['value.defender'] ?? 0)).toBeCloseTo(242.3648995989333, 4);
  });
});

test.runIf(DEPTH > 1)('the nine armies that cost 24 have a saddle point', () => {
  // Costs: infantry 3, artillery 4, tank 6. An independent program computed the saddle point and its value.
  const armies = Array.from(
    { length: 9 * 7 * 5 },
    (_, k) => [k % 9, Math.floor(k / 9) % 7, Math.floor(k / 63)] as const,
  )
    .filter(([infantry, artillery, tank]) => 3 * infantry + 4 * artillery + 6 * tank === 24)
    .map(([infantry, artillery, tank]) => ({ infantry, artillery, tank }));
  expect(armies).toHaveLength(9);
  const payoff = (attacker: object, defender: object): number => {
    const { p } = answer(open({ attacker, defender }));
    return (p['attacker'] ?? 0) - (p['defender'] ?? 0);
  };
  const [mine, theirs] = [
    { infantry: 4, artillery: 3, tank: 0 },
    { infantry: 8, artillery: 0, tank: 0 },
  ];
  const value = payoff(mine, theirs);
  expect(value).toBeCloseTo(-0.483205139, 9);
  expect(Math.max(...armies.map((army) => payoff(army, theirs)))).toBe(value);
  expect(Math.min(...armies.map((army) => payoff(mine, army)))).toBe(value);
});

/** Attack and defense values, in sixths. */
const VALUES: Readonly<Record<string, readonly [attack: number, defence: number]>> = {
  ...{ infantry: [1, 2], artillery: [2, 2], gun: [0, 0], tank: [3, 3], fighter: [3, 4], bomber: [4, 1] },
  ...{ submarine: [2, 1], destroyer: [2, 2], cruiser: [3, 3], carrier: [1, 2], battleship: [4, 4], damaged: [4, 4] },
};
/** Default order of losses. */
const ORDER = 'battleship gun infantry artillery tank submarine destroyer fighter bomber cruiser carrier damaged'.split(
  ' ',
);
const LAND = ['infantry', 'artillery', 'gun', 'tank'];
const AIR = ['fighter', 'bomber'];

interface Fields {
  readonly place: string;
  readonly attacker: Readonly<Record<string, number | string[]>>;
  readonly defender: Readonly<Record<string, number | string[]>>;
  readonly keepLand?: boolean;
  readonly gunDice?: number;
  readonly bombardment?: string;
  readonly luck?: string;
  readonly retreatAt?: number;
}

type Sides = readonly [attacker: readonly string[], defender: readonly string[], first: boolean, went: boolean];

/**
 * Computes the probabilities of outcomes by an independent implementation of the rules. A victory of the attacker is
 * split by whether it has taken the land.
 */
function recomputed(fields: Fields): Numbers {
  const isSea = fields.place === 'sea';
  const orders = [fields.attacker, fields.defender].map(({ losses = [] }) => [...(losses as string[]), ...ORDER]);
  const sorted = (units: readonly string[], side: number): string[] =>
    units.toSorted((a, b) => (orders[side]?.indexOf(a) ?? 0) - (orders[side]?.indexOf(b) ?? 0));
  const all = [fields.attacker, fields.defender].map((side) =>
    Object.entries(side).flatMap(([type, n]) => (typeof n === 'number' ? new Array<string>(n).fill(type) : [])),
  );
  const shells = isSea ? [] : (all[0] ?? []).filter((type) => !LAND.includes(type) && !AIR.includes(type));
  const armies = all.map((units, s) => sorted(isSea ? units : units.filter((u) => [...LAND, ...AIR].includes(u)), s));

  const lose = (units: readonly string[], side: number, hits: Numbers): readonly string[] => {
    let left = [...units];
    for (const at of ['aircraft', 'ships', 'surface', 'all'])
      for (let k = 0; k < (hits[at] ?? 0); k++) {
        const can = (u: string): boolean =>
          at === 'aircraft' ? AIR.includes(u) : at === 'ships' ? !AIR.includes(u) : at === 'all' || u !== 'submarine';
        const last = side === 0 && fields.keepLand === true && left.filter((u) => LAND.includes(u)).length === 1;
        let hit = left.findIndex((u) => can(u) && !(last && LAND.includes(u)));
        if (hit < 0) hit = left.findIndex(can);
        if (hit < 0) break;
        const [type] = left.splice(hit, 1);
        if (type === 'battleship') left = sorted([...left, 'damaged'], side);
      }
    return left;
  };

  const dice = (sides: Sides, side: 0 | 1, early: boolean): Die[] => {
    const [own, foe] = side === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]];
    const sneaks = !foe.includes('destroyer');
    const now = own.filter((u) => early === (u === 'submarine' && sneaks));
    if (side === 0 && sides[2] && early === (fields.bombardment === 'unanswered')) now.push(...shells);
    let helped = side === 0 ? now.filter((u) => u === 'artillery').length : 0;
    const found = now.map((u): Die => {
      const more = u === 'infantry' && helped-- > 0 ? 1 : 0;
      const at =
        u === 'submarine' ? 'ships' : AIR.includes(u) && isSea && !own.includes('destroyer') ? 'surface' : 'all';
      return [at, ((VALUES[u]?.[side] ?? 0) + more) / 6];
    });
    const guns = (fields.gunDice ?? 3) * own.filter((u) => u === 'gun').length;
    const targets = foe.filter((u) => AIR.includes(u)).length;
    if (side === 1 && sides[2] && early)
      for (let k = 0; k < Math.min(guns, targets); k++) found.push(['aircraft', 1 / 6]);
    if (fields.luck !== 'low') return found.filter(([, p]) => p > 0);
    return ['aircraft', 'ships', 'surface', 'all'].flatMap((at) => {
      const sixths = Math.round(found.reduce((sum, [where, p]) => sum + (where === at ? 6 * p : 0), 0));
      return [...new Array<Die>(Math.floor(sixths / 6)).fill([at, 1]), [at, (sixths % 6) / 6] as const];
    });
  };

  const part = (sides: Sides, early: boolean): Law<Sides> =>
    hitsOf(dice(sides, 0, early)).flatMap(([p, mine]) =>
      hitsOf(dice(sides, 1, early)).map(([q, theirs]): readonly [number, Sides] => [
        p * q,
        [lose(sides[0], 0, theirs), lose(sides[1], 1, mine), sides[2], false],
      ]),
    );
  const round = (sides: Sides): Law<Sides> =>
    part(sides, true).flatMap(([p, between]) => {
      const isOver = between[0].length === 0 || between[1].length === 0;
      const after: Law<Sides> = isOver ? [[1, between]] : part(between, false);
      return after.map(([q, [mine, theirs]]): readonly [number, Sides] => [
        p * q,
        [mine, theirs, false, mine.length <= (fields.retreatAt ?? 0)],
      ]);
    });
  const harms = (sides: Sides, side: 0 | 1): boolean =>
    [true, false].some((early) =>
      dice(sides, side, early).some(
        ([at, p]) =>
          p > 0 && lose(sides[side === 0 ? 1 : 0], 1 - side, { [at]: 1 }).join() !== sides[side === 0 ? 1 : 0].join(),
      ),
    );
  const over = (sides: Sides): string | undefined => {
    const [mine, theirs, first, finished] = sides;
    if (mine.length === 0) return theirs.length === 0 ? 'mutual' : 'defender';
    if (theirs.length === 0) return mine.some((u) => LAND.includes(u)) ? 'taken' : 'attacker';
    if (first) return undefined;
    return harms(sides, 0) || harms(sides, 1) ? (finished ? 'retreated' : undefined) : 'standoff';
  };
  return endsOf<Sides>([armies[0] ?? [], armies[1] ?? [], true, false], over, round);
}

describe('exact answers', () => {
  const next = numbers(7);
  const upTo = (types: readonly string[], most: number): Record<string, number> =>
    Object.fromEntries(types.map((type) => [type, next(most + 1)]));
  const one = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const battles = Array.from({ length: 40 }, (_, k): Fields => {
    const rules = {
      ...{ keepLand: one([true, false]), gunDice: one([1, 3]), retreatAt: one([0, 0, 2]) },
      ...{ bombardment: one(['answered', 'unanswered']), luck: one(['dice', 'dice', 'low']) },
    };
    if (k % 2 === 0) {
      const attacker = {
        ...upTo(['infantry', 'artillery', 'fighter', 'cruiser'], 2),
        ...upTo(['tank', 'battleship'], 1),
      };
      const defender = { ...upTo(['infantry', 'fighter'], 2), ...upTo(['gun', 'artillery', 'bomber'], 1) };
      return { place: 'land', ...rules, attacker: { ...attacker, infantry: 1 }, defender: { ...defender, tank: 1 } };
    }
    const fleet = ['submarine', 'destroyer', 'fighter', 'battleship', 'cruiser', 'damaged'];
    const losses = one([[], ['fighter', 'damaged'], ['submarine']]);
    return {
      place: 'sea',
      ...rules,
      attacker: { ...upTo(fleet, 1), bomber: 1, losses },
      defender: { ...upTo(fleet, 1), submarine: 1 },
    };
  });

  test.each(some(battles))('equal an independent recursion: %o', (fields) => {
    const expected = recomputed(fields);
    const { p, mean } = answer(open(fields));
    expect(p['attacker']).toBeCloseTo((expected['attacker'] ?? 0) + (expected['taken'] ?? 0), 11);
    expect(mean['taken']).toBeCloseTo(expected['taken'] ?? 0, 11);
    for (const end of ['defender', 'mutual', 'standoff', 'retreated'])
      expect(p[end], end).toBeCloseTo(expected[end] ?? 0, 11);
  });

  test.runIf(DEPTH > 1)('of these battles cover all outcomes', () => {
    const ends = new Set(battles.flatMap((fields) => Object.keys(recomputed(fields))));
    expect([...ends].sort()).toEqual(['attacker', 'defender', 'mutual', 'retreated', 'standoff', 'taken']);
  });
});

describe('rules', () => {
  test('artillery supports infantry, and both sides fire at once', () => {
    const fields = { attacker: { infantry: 1, artillery: 1 }, defender: { infantry: 1 } };
    // A supported infantry hits with 2.
    expect(answer(open({ ...fields, maxRounds: 1 })).p['attacker']).toBeCloseTo(5 / 9, 14);
    expect(answer(open({ ...fields, attacker: { infantry: 2 }, maxRounds: 1 })).p['attacker']).toBeCloseTo(11 / 36, 14);
  });

  test('the attacker retreats at the round limit', () => {
    const { p } = answer(open({ attacker: { infantry: 1 }, defender: { infantry: 1 }, maxRounds: 1 }));
    expect(p['retreated']).toBeCloseTo((5 / 6) * (2 / 3), 14);
  });

  test('units that cannot take part are rejected with their field', () => {
    expect(() => open({ attacker: { submarine: 1 }, defender: { infantry: 1 } })).toThrow(
      'attacker.submarine: expected 0, for none of the attacker takes part in a land battle, found 1',
    );
    expect(() => open({ place: 'sea', attacker: { fighter: 1 }, defender: { gun: 2 } })).toThrow('defender.gun');
    expect(() => open({ attacker: { infantry: 1 }, defender: { cruiser: 1 } })).toThrow('defender.cruiser');
    expect(() => open({ attacker: { infantry: 1, gun: 1 }, defender: { infantry: 1 } })).toThrow('attacker.gun');
    expect(() => open({ attacker: { infantry: 1, losses: ['armour'] }, defender: {} })).toThrow('attacker.losses[0]');
  });

  test('guns are lost first, since they cannot fire again, then the cheapest units', () => {
    const attacker = { infantry: 4, tank: 2, fighter: 1 };
    const odds = (losses: string[]) =>
      answer(open({ attacker, defender: { infantry: 5, gun: 1, losses } })).p['attacker'];
    expect(odds([])).toBeCloseTo(0.78868, 5);
    expect(odds(['gun', 'infantry'])).toBe(odds([]));
    expect(odds(['infantry'])).toBeCloseTo(0.89956, 5);
  });

  test.each([
    ['submarines against aircraft', { submarine: 2, fighter: 1 }, { fighter: 2, bomber: 1 }],
    ['aircraft against submarines', { fighter: 2 }, { submarine: 1, fighter: 1 }],
  ])('a unit that the enemy cannot hit at sea is not lost: %s', (_, attacker, defender) => {
    const means = (losses: string[]) =>
      answer(
        open({ place: 'sea', attacker: { ...attacker, losses }, defender: { ...defender, losses }, maxRounds: 50 }),
      );
    const [first, last] = [means(['submarine', 'fighter']), means(['fighter', 'bomber', 'submarine'])];
    for (const of of ['units.attacker', 'units.defender'])
      expect(first.mean[of]).toBeCloseTo(last.mean[of] ?? Number.NaN, 12);
    const safe = 'submarine' in attacker ? 'attacker' : 'defender';
    expect(first.mean[`units.${safe}`]).toBeGreaterThanOrEqual(safe === 'attacker' ? 2 : 1);
  });

  test('a replay shows dice, losses and decisions', async () => {
    const land = await requested.file('land');
    expect(reported(land, 3)).toMatchInlineSnapshot(`
      "Round 1.
        The defender fires at aircraft; hits: 1. The attacker has 4 infantry, 2 artillery, 2 tank, 1 fighter left.  [2 dice, hit on 1: 1* 3]
        The defender loses gun first.  [instead of infantry, tank or fighter]
        The attacker fires; hits: 4. The defender has 1 infantry, 2 tank, 2 fighter left.  [2 dice, hit on 1: 2 3; 4 dice, hit on 1-2: 4 6 2* 3; 3 dice, hit on 1-3: 1* 2* 1*]
        The attacker loses infantry first.  [instead of artillery, tank or fighter]
        The defender fires; hits: 2. The attacker has 2 infantry, 2 artillery, 2 tank, 1 fighter left.  [4 dice, hit on 1-2: 3 4 5 3; 2 dice, hit on 1-3: 5 2*; 2 dice, hit on 1-4: 1* 5]
        The attacker presses on (could retreat).

      Round 2.
        The defender loses infantry first.  [instead of tank or fighter]
        The attacker fires; hits: 0. The defender has 1 infantry, 2 tank, 2 fighter left.  [4 dice, hit on 1-2: 5 5 5 6; 3 dice, hit on 1-3: 5 6 5]
        The attacker loses infantry first.  [instead of artillery, tank or fighter]
        The defender fires; hits: 4. The attacker has 2 tank, 1 fighter left.  [1 die, hit on 1-2: 1*; 2 dice, hit on 1-3: 4 3*; 2 dice, hit on 1-4: 1* 2*]
        The attacker presses on (could retreat).

      Round 3.
        The defender loses infantry first.  [instead of tank or fighter]
        The attacker fires; hits: 0. The defender has 1 infantry, 2 tank, 2 fighter left.  [3 dice, hit on 1-3: 6 5 6]
        The attacker loses tank first.  [instead of fighter]
        The defender fires; hits: 1. The attacker has 1 tank, 1 fighter left.  [1 die, hit on 1-2: 5; 2 dice, hit on 1-3: 5 4; 2 dice, hit on 1-4: 1* 5]
        The attacker presses on (could retreat).

      Round 4.
        The defender loses infantry first.  [instead of tank or fighter]
        The attacker fires; hits: 1. The defender has 2 tank, 2 fighter left.  [2 dice, hit on 1-3: 2* 4]
        The attacker loses tank first.  [instead of fighter]
        The defender fires; hits: 3. The attacker has nothing left.  [1 die, hit on 1-2: 6; 2 dice, hit on 1-3: 2* 4; 2 dice, hit on 1-4: 4* 4*]"
    `);
  });
});

describe('the best response of the attacker', () => {
  const thin = { attacker: { infantry: 1, fighter: 1 }, defender: { infantry: 1 } };

  test('loses the fighter first if the reward is the land', () => {
    const given = answer(open(thin)).mean['taken'] ?? 0;
    const best = answer(open({ ...thin, attacker: { ...thin.attacker, losses: ['fighter'] } })).mean['taken'] ?? 0;
    const kept = answer(open({ ...thin, keepLand: true })).mean['taken'];
    expect(kept).toBeCloseTo(best, 13);
    const found = findBestResponseSync(open(thin), { agent: 'attacker', reward: 'taken' });
    expect(found.policyValue).toBeCloseTo(given, 9);
    expect(found.value).toBeCloseTo(best, 9);
    expect(best - given).toBeGreaterThan(0.1);
    expect(found.warning).toBeUndefined();
  });

  test('retreats from a likely defeat', () => {
    const found = findBestResponseSync(open({ attacker: { infantry: 2 }, defender: { tank: 2 } }), {
      agent: 'attacker',
    });
    expect(found.policyValue).toBeLessThan(-0.5);
    expect(found.value).toBeGreaterThan(found.policyValue + 0.1);
  });
});

test.each(some(['land', 'convoy', 'landing']))('simulated battles agree with the exact answer: %s', async (name) => {
  const scenario = await requested.file(name);
  const { p } = answer(scenario);
  const run = { battles: 200_000, seed: 2 };
  const { summary } = await simulate(scenario, run);
  for (const { name: end, count } of summary.outcomes) {
    const q = p[end] ?? 0;
    expect(Math.abs(count - run.battles * q), end).toBeLessThanOrEqual(5 * Math.sqrt(run.battles * q * (1 - q)) + 1e-6);
  }
});

test('automaton and reference rules have the same digest', async () => {
  const fields = { attacker: { infantry: 2, fighter: 1, cruiser: 1 }, defender: { infantry: 1, gun: 1, fighter: 1 } };
  const run = { battles: 500, seed: 3 };
  const fast = await simulate(open(fields), { ...run, engine: 'automaton' });
  const slow = await simulate(open(fields), { ...run, engine: 'reference' });
  expect(fast.digest).toBe(slow.digest);
});

test.runIf(DEPTH > 1)('combined-arms passes the conformance checks', { timeout: 60_000 }, async () => {
  const findings = await conform(requested.systems.system('combined-arms'), { quick: true });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(findings.some(({ check, checked }) => check === 'secrets' && checked)).toBe(true);
});
