/** Tests of space-fleets against published odds and an independent recursion. */
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
  requested = await Asked.load('space-fleets');
});

const open = (fields: object): Scenario => requested.open(fields);

type Numbers = Readonly<Record<string, number>>;

const ended = (scenario: Scenario): Numbers => exact(scenario).outcomes;

const reported = (scenario: Scenario, battle: number): string =>
  formatReplayLines(replay(scenario, { battle }).events, requested.systems.system('space-fleets'), {
    width: 300,
    paint: PLAIN_PAINT,
  }).join('\n');

describe('published odds', () => {
  test('two dreadnoughts against two', async () => {
    // An independent program with rational numbers.
    const p = ended(await requested.file('dreadnoughts'));
    expect(p['attacker']).toBeCloseTo(0.4379189365, 10);
    expect(p['mutual']).toBeCloseTo(0.1241621269, 10);
    expect(p['defender']).toBeCloseTo(0.4379189365, 10);
  });

  // core/index.test.ts of ti4calc (github.com/pgsandstrom/ti4calc) at commit 02ee4f0c: results of 10 000 battles each,
  // with tolerances of a few percent.
  test.each([
    ['two cruisers a side', { cruiser: 2 }, { cruiser: 2 }, 0.443, 0.113, 0.443],
    [
      'upgraded infantry against mechs',
      { carrier: 1, infantry: 2, upgraded: ['infantry'] },
      { mech: 2 },
      0.033,
      0.017,
      0.949,
    ],
    ['bombardment', { dreadnought: 3, infantry: 3 }, { infantry: 3 }, 0.904, 0.014, 0.081],
    ['a planetary shield', { dreadnought: 3, infantry: 3 }, { infantry: 3, pds: 1 }, 0.316, 0.037, 0.646],
  ])('%s', (_, attacker, defender, mine, mutual, theirs) => {
    const p = ended(open({ attacker, defender }));
    expect(Math.abs((p['attacker'] ?? 0) - mine)).toBeLessThan(0.002);
    expect(Math.abs((p['mutual'] ?? 0) - mutual)).toBeLessThan(0.002);
    expect(Math.abs((p['defender'] ?? 0) - theirs)).toBeLessThan(0.002);
  });
});

/** Combat value, upgraded combat value, number of dice. */
const UNITS: Readonly<Record<string, readonly [number, number, number]>> = {
  ...{ fighter: [9, 8, 1], destroyer: [9, 8, 1], cruiser: [7, 6, 1], carrier: [9, 9, 1], dreadnought: [5, 5, 1] },
  ...{ warSun: [3, 3, 3], flagship: [5, 5, 2], infantry: [8, 7, 1], mech: [6, 6, 1] },
};
/** Default order of losses. `!` marks a unit that has sustained damage. */
const ORDER = [
  ...['warSun', 'flagship', 'dreadnought', 'fighter', 'destroyer', 'cruiser', 'carrier', 'dreadnought!', 'flagship!'],
  ...['warSun!', 'mech', 'infantry', 'mech!'],
];
const isTroop = (unit: string): boolean => /^(?:infantry|mech)/.test(unit);
const sustains = (unit: string): boolean => ['warSun', 'flagship', 'dreadnought', 'mech'].includes(unit);

interface Side {
  readonly units: Readonly<Record<string, number>>;
  readonly pds: number;
  readonly upgraded: readonly string[];
  readonly bonus: number;
}

type Fleets = readonly [attacker: readonly string[], defender: readonly string[], landed: boolean, gone: boolean];

/** Computes the probabilities of outcomes by an independent implementation of the rules. */
function recomputed([mine, theirs]: readonly [Side, Side], retreatAt: number): Numbers {
  const sides = [mine, theirs] as const;
  const sorted = (units: readonly string[]): string[] => units.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const lose = (units: readonly string[], hits: number, can: (unit: string) => boolean): readonly string[] => {
    let left = [...units];
    for (let k = 0; k < hits; k++) {
      const hit = left.findIndex(can);
      if (hit < 0) break;
      const [unit = ''] = left.splice(hit, 1);
      if (sustains(unit)) left = sorted([...left, `${unit}!`]);
    }
    return left;
  };
  const face = (value: number): number => Math.min(1, (11 - value) / 10);
  const many = (count: number, value: number): Die[] => new Array<Die>(count).fill(['', face(value)]);
  /** Fires with both sides at once, each at the units that it can hit. */
  const both = (fleets: Fleets, dice: readonly [Die[], Die[]], can: (unit: string) => boolean): Law<Fleets> =>
    hitsOf(dice[0]).flatMap(([p, a]) =>
      hitsOf(dice[1]).map(([q, b]): readonly [number, Fleets] => [
        p * q,
        [lose(fleets[0], b[''] ?? 0, can), lose(fleets[1], a[''] ?? 0, can), fleets[2], fleets[3]],
      ]),
    );
  const then = (distribution: Law<Fleets>, next: (fleets: Fleets) => Law<Fleets>): Law<Fleets> =>
    distribution.flatMap(([p, fleets]) => next(fleets).map(([q, after]): readonly [number, Fleets] => [p * q, after]));
  const gun = (side: Side): number => (side.upgraded.includes('pds') ? 5 : 6);
  const barrage = (units: readonly string[], side: Side): Die[] => {
    const destroyers = units.filter((unit) => unit === 'destroyer').length;
    return side.upgraded.includes('destroyer') ? many(3 * destroyers, 6) : many(2 * destroyers, 9);
  };
  const fires = (units: readonly string[], side: Side, troops: boolean): Die[] =>
    units
      .filter((unit) => isTroop(unit) === troops)
      .flatMap((unit) => {
        const type = unit.replace('!', '');
        const [combat, upgraded, dice] = UNITS[type] ?? [11, 11, 0];
        return many(dice, (side.upgraded.includes(type) ? upgraded : combat) - side.bonus);
      });
  const isClear = ([a, d]: Fleets): boolean =>
    !d.some((u) => !isTroop(u)) && a.some((u) => !isTroop(u)) && a.some(isTroop);
  const invasion = (fleets: Fleets): Law<Fleets> => {
    if (fleets[2] || !isClear(fleets)) return [[1, fleets]];
    const suns = fleets[0].filter((unit) => unit.startsWith('warSun')).length;
    const dreadnoughts = fleets[0].filter((unit) => unit.startsWith('dreadnought')).length;
    const bombs = theirs.pds > 0 && suns === 0 ? [] : [...many(dreadnoughts, 5), ...many(3 * suns, 3)];
    return both([fleets[0], fleets[1], true, false], [bombs, many(theirs.pds, gun(theirs))], isTroop);
  };
  const over = ([a, d, landed, gone]: Fleets): string | undefined => {
    const [own, foe] = [a.filter((u) => isTroop(u) === landed), d.filter((u) => isTroop(u) === landed)];
    if (own.length > 0 && foe.length > 0) return gone ? 'retreated' : undefined;
    if (own.length > 0) return landed || !a.some(isTroop) ? 'attacker' : undefined;
    return d.length > 0 ? 'defender' : 'mutual';
  };
  const combat = (fleets: Fleets): Law<Fleets> => {
    const [a, d, landed] = fleets;
    const dice = [fires(a, mine, landed), fires(d, theirs, landed)] as const;
    const can = (unit: string): boolean => isTroop(unit) === landed;
    const leaves = !landed && a.filter((u) => !isTroop(u)).length <= retreatAt;
    return over(fleets) === undefined ? both([a, d, landed, leaves], [dice[0], dice[1]], can) : [[1, fleets]];
  };
  const round = (fleets: Fleets): Law<Fleets> => then(invasion(fleets), combat);
  const start = sides.map(({ units }) =>
    sorted(Object.entries(units).flatMap(([unit, n]) => new Array<string>(n).fill(unit))),
  );
  const first: Fleets = [start[0] ?? [], start[1] ?? [], false, false];
  const guns = both(first, [many(mine.pds, gun(mine)), many(theirs.pds, gun(theirs))], (unit) => !isTroop(unit));
  const opened = then(guns, (f) => both(f, [barrage(f[0], mine), barrage(f[1], theirs)], (unit) => unit === 'fighter'));
  const ends: Record<string, number> = {};
  for (const [p, fleets] of opened)
    for (const [end, q] of Object.entries(endsOf(fleets, over, round))) ends[end] = (ends[end] ?? 0) + p * q;
  return ends;
}

describe('exact answers', () => {
  const next = numbers(3);
  const one = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const side = (types: readonly string[]): Side => ({
    units: Object.fromEntries(types.map((type) => [type, next(3) === 0 ? 1 : next(2)])),
    ...{ pds: next(2), bonus: one([0, 0, 1, -1]) },
    upgraded: ['fighter', 'destroyer', 'cruiser', 'infantry', 'pds'].filter(() => next(3) === 0),
  });
  const ships = ['fighter', 'destroyer', 'cruiser', 'carrier', 'dreadnought', 'warSun', 'flagship'];
  const battles = Array.from({ length: 30 }, (_, k): { sides: readonly [Side, Side]; retreatAt: number } => ({
    sides:
      k % 2 === 0
        ? [side(ships), side(ships)]
        : [side([...ships, 'infantry', 'mech']), side(['fighter', 'infantry', 'mech'])],
    retreatAt: one([0, 0, 2]),
  }));

  test.each(DEPTH > 1 ? some(battles) : battles.slice(1, 4))(
    'equal an independent recursion: %j',
    ({ sides, retreatAt }) => {
      const [attacker, defender] = sides.map(({ units, ...rest }) => ({ ...units, ...rest }));
      const expected = recomputed(sides, retreatAt);
      const p = ended(open({ attacker, defender, retreatAt }));
      for (const end of ['attacker', 'defender', 'mutual', 'retreated'])
        expect(p[end], end).toBeCloseTo(expected[end] ?? 0, 11);
    },
  );

  test.runIf(DEPTH > 1)('of these battles cover all outcomes', () => {
    const ends = new Set(battles.flatMap(({ sides, retreatAt }) => Object.keys(recomputed(sides, retreatAt))));
    expect([...ends].sort()).toEqual(['attacker', 'defender', 'mutual', 'retreated']);
  });
});

describe('rules', () => {
  const round = (attacker: object, defender: object): Numbers => ended(open({ attacker, defender, maxRounds: 1 }));

  test('a war sun fires through a planetary shield', () => {
    const p = round({ warSun: 1, infantry: 1 }, { infantry: 1, pds: 1 });
    const bombed = 1 - 0.2 ** 3;
    // The war sun sustains a hit of space cannon. Of the shots at landing units, half hit.
    expect(p['attacker']).toBeCloseTo(bombed * 0.5 + 0.2 ** 3 * 0.5 * 0.3 * 0.7, 14);
  });

  test('anti-fighter barrage hits only fighters', () => {
    expect(round({ destroyer: 1, upgraded: ['destroyer'] }, { fighter: 1 })['attacker']).toBeCloseTo(
      1 - 0.5 ** 3 + 0.5 ** 3 * 0.3 * 0.8,
      14,
    );
  });

  test('a replay shows dice, losses and decisions', async () => {
    const invasion = await requested.file('invasion');
    expect(reported(invasion, 4)).toMatchInlineSnapshot(`
      "Round 1.
        The attacker loses warSun first.  [instead of fighter, destroyer or carrier]
        Space cannon of the defender at ships; hits: 2. The attacker has 3 fighter, 1 destroyer, 1 carrier, 1 damagedWarSun, 1 mech, 3 infantry left.  [hits of 2d10 at 5+: 2]
        Anti-fighter barrage of the attacker at fighters; hits: 0. The defender has 4 fighter, 2 destroyer, 1 cruiser, 3 infantry left.  [hits of 2d10 at 9+: 0]
        Anti-fighter barrage of the defender at fighters; hits: 5. The attacker has 1 destroyer, 1 carrier, 1 damagedWarSun, 1 mech, 3 infantry left.  [hits of 6d10 at 6+: 5]
        The attacker means to stay.  [instead of retreat]
        The defender loses fighter first.  [instead of destroyer or cruiser]
        Combat of the attacker at ships; hits: 3. The defender has 1 fighter, 2 destroyer, 1 cruiser, 3 infantry left.  [hits of 3d10 at 3+, 2d10 at 9+: 3]
        The attacker loses destroyer first.  [instead of carrier or damagedWarSun]
        Combat of the defender at ships; hits: 0. The attacker has 1 destroyer, 1 carrier, 1 damagedWarSun, 1 mech, 3 infantry left.  [hits of 4d10 at 9+, 2d10 at 8+, 1d10 at 7+: 0]

      Round 2.
        The attacker means to stay.  [instead of retreat]
        The defender loses fighter first.  [instead of destroyer or cruiser]
        Combat of the attacker at ships; hits: 1. The defender has 2 destroyer, 1 cruiser, 3 infantry left.  [hits of 3d10 at 3+, 2d10 at 9+: 1]
        The attacker loses destroyer first.  [instead of carrier or damagedWarSun]
        Combat of the defender at ships; hits: 0. The attacker has 1 destroyer, 1 carrier, 1 damagedWarSun, 1 mech, 3 infantry left.  [hits of 1d10 at 9+, 2d10 at 8+, 1d10 at 7+: 0]

      Round 3.
        The attacker means to stay.  [instead of retreat]
        The defender loses destroyer first.  [instead of cruiser]
        Combat of the attacker at ships; hits: 3. The defender has 3 infantry left.  [hits of 3d10 at 3+, 2d10 at 9+: 3]
        The attacker loses destroyer first.  [instead of carrier or damagedWarSun]
        Combat of the defender at ships; hits: 2. The attacker has 1 damagedWarSun, 1 mech, 3 infantry left.  [hits of 2d10 at 8+, 1d10 at 7+: 2]

      Round 4.
        Bombardment of the attacker at troops; hits: 3. The defender has nothing left.  [hits of 3d10 at 3+: 3]
        The attacker loses mech first.  [instead of infantry]
        Space cannon of the defender at troops; hits: 2. The attacker has 1 damagedWarSun, 2 infantry, 1 damagedMech left.  [hits of 2d10 at 5+: 2]"
    `);
  });

  test('an unknown upgrade is rejected', () => {
    expect(() => open({ attacker: { upgraded: ['warSun'] }, defender: {} })).toThrow('attacker.upgraded[0]');
  });
});

test('the best response retreats from a superior enemy, without a warning', () => {
  const found = findBestResponseSync(open({ attacker: { cruiser: 1, fighter: 1 }, defender: { dreadnought: 1 } }), {
    agent: 'attacker',
  });
  expect(found.value).toBeGreaterThan(found.policyValue);
  expect(found.warning).toBeUndefined();
});

test.each(some(['dreadnoughts', 'invasion', 'raid']))(
  'simulated battles agree with the exact answer: %s',
  async (name) => {
    const scenario = await requested.file(name);
    const p = ended(scenario);
    const run = { battles: 200_000, seed: 2 };
    const { summary } = await simulate(scenario, run);
    for (const { name: end, count } of summary.outcomes) {
      const q = p[end] ?? 0;
      expect(Math.abs(count - run.battles * q), end).toBeLessThanOrEqual(
        5 * Math.sqrt(run.battles * q * (1 - q)) + 1e-6,
      );
    }
  },
);

test('automaton and reference rules have the same digest', async () => {
  const fields = {
    attacker: { dreadnought: 1, fighter: 1, infantry: 1 },
    defender: { destroyer: 1, infantry: 1, pds: 1 },
  };
  const run = { battles: 500, seed: 3 };
  const fast = await simulate(open(fields), { ...run, engine: 'automaton' });
  const slow = await simulate(open(fields), { ...run, engine: 'reference' });
  expect(fast.digest).toBe(slow.digest);
});

test.runIf(DEPTH > 1)('space-fleets passes the conformance checks', { timeout: 60_000 }, async () => {
  const findings = await conform(requested.systems.system('space-fleets'), { quick: true });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(findings.some(({ check, checked }) => check === 'secrets' && checked)).toBe(true);
});
