/**
 * Tests of `hit-wound-save` against printed figures, and against an independent program that rolls one die at a time.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { runScript } from '../../src/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH, some } from '../depth.ts';
import { Asked, exact, expectPlayed } from './asked.ts';

const ID = 'hit-wound-save';
let requested: Asked;
beforeAll(async () => {
  requested = await Asked.load(ID);
});

type Again = 'none' | 'ones' | 'failures';
interface Weapon {
  bearers?: number;
  attacks?: number | string;
  skill?: number;
  strength?: number;
  wound?: number;
  pierce?: number;
  damage?: number | string;
  rerollHits?: Again;
  rerollWounds?: Again;
  sustained?: number;
  lethal?: boolean;
  devastating?: boolean;
}
interface Unit {
  models?: number;
  wounds?: number;
  toughness?: number;
  save?: number;
  invulnerable?: number;
  feelNoPain?: number;
  weapons?: Weapon[];
}

/** Creates one phase of shooting: weapons of `models` at a target. */
const phase = (weapons: Weapon[], defender: Unit, models = 1): Scenario =>
  requested.open({ attacker: { models, weapons }, defender, maxRounds: 1 });

describe('printed figures', () => {
  // B4cchus/wh40k-hitscalc, Mathammer-Truncation.ipynb: 8 shots, hit 1/3 + 1/6 x 1/3, wound 2/3, unsaved 2/3, d6, 6
  // wounds. It prints a naive mean of 4.839506172839506, of which 1.2 are lost. Recomputed: 3.6126205900553 and
  // .39587923.
  test('arc rifles: damage beyond the wounds of a model is lost', async () => {
    const { outcomes, means } = exact(await requested.file('arc-rifles'));
    expect(means['wounds.defender']).toBeCloseTo(3.6126205900553, 12);
    expect(outcomes['attacker']).toBeCloseTo(0.39587923, 8);
    expect(means['killed.defender']).toBeCloseTo(0.39587923, 8);
    expect((means['wounds.defender'] ?? 0) + (means['lost.defender'] ?? 0)).toBeCloseTo(4.839506172839506, 12);
    expect(means['lost.defender']).toBeCloseTo(1.2, 1);
  });

  // B4cchus/wh40k-hitscalc, Mathhammer-Intro.ipynb: ten lasguns at ten models of the same kind, 1/2 x 1/2 x 2/3 each.
  // It prints a mean of 1.7, "about 47 %" for at most one wound, and "around 62 %" for at least two with rerolled ones
  // (7/12 for 1/2). Both differ by one percentage point, since they were read from a chart of whole percents: (5/6)^10
  // + 10 (1/6) (5/6)^9 = 0.4845 and 1 - (29/36)^10 - 10 (7/36) (29/36)^9 = 0.6072.
  test('lasguns: a mean of 1.7, and 48 % and 61 % instead of the printed 47 % and 62 %', () => {
    const guard = { models: 10, toughness: 3, save: 5 };
    const plain = exact(phase([{ strength: 3 }], guard, 10));
    expect(plain.means['wounds.defender']).toBeCloseTo(1.7, 1);
    expect(1 - plain.atLeast('wounds.defender', 2)).toBeCloseTo((5 / 6) ** 10 + (10 / 6) * (5 / 6) ** 9, 12);
    const aimed = exact(phase([{ strength: 3, rerollHits: 'ones' }], guard, 10));
    expect(1 - aimed.atLeast('wounds.defender', 2)).toBeCloseTo((29 / 36) ** 10 + (70 / 36) * (29 / 36) ** 9, 12);
  });

  // daed/mathhammer, README: 20 bolters at marines, 100 000 simulated battles. Tolerance: 5 standard errors.
  test('bolters: the counts of another program', () => {
    const counts = [9489, 23_751, 28_360, 20_966, 11_213, 4466, 1339, 338, 68, 10];
    const { is } = exact(phase([{ attacks: 20, skill: 3 }], { models: 20, save: 3 }));
    for (const [k, found] of counts.entries()) {
      const p = is('wounds.defender', k);
      expect(Math.abs(found / 1e5 - p), String(k)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 1e5));
    }
  });

  // loganmj/WarhammerCombatMathLibrary, UnitTests/CombatMath_Test.cs: P(at least k failed saves).
  test.each<[string, Weapon, Unit, number[]]>([
    [
      'an invulnerable save of 4 is better than 2 worsened by 2',
      { attacks: 8, skill: 2, strength: 6, pierce: 2 },
      { models: 10, toughness: 5, save: 2, invulnerable: 4 },
      [1, 0.926, 0.6982, 0.3916, 0.1558, 0.0424, 0.0075, 0.0008, 0],
    ],
    [
      'devastating: a 6 to wound is not saved',
      { attacks: 9, skill: 3, strength: 12, devastating: true },
      { models: 10, save: 3 },
      [1, 0.9329, 0.7214, 0.4253, 0.1834, 0.0565, 0.0121, 0.0017, 0.0001, 0],
    ],
  ])('%s', (_, weapon, target, printed) => {
    const { atLeast } = exact(phase([weapon], target));
    for (const [k, p] of printed.entries()) expect(atLeast('wounds.defender', k)).toBeCloseTo(p, 4);
  });

  // GetMeanDamage of the same tests, which also counts damage beyond the wounds of the models.
  test.each<[Weapon, number, Unit, number]>([
    [{ attacks: 8, skill: 2, strength: 6, pierce: 2, damage: 3 }, 1, { models: 10, wounds: 2, save: 3 }, 8.8889],
    [{ attacks: 2, skill: 3, pierce: 1 }, 10, { models: 10, wounds: 2, save: 3 }, 3.3333],
    [{ attacks: 9, skill: 3, strength: 12, damage: 3, devastating: true }, 1, { models: 10, wounds: 2, save: 3 }, 7],
    [{ attacks: 8, skill: 3, strength: 14, pierce: 2, damage: 'd6+1' }, 1, { models: 10, wounds: 2, save: 3 }, 13.3333],
    [{ attacks: 2, strength: 9, pierce: 4, damage: 'd6' }, 4, { models: 10, wounds: 2, save: 3 }, 11.6667],
  ])('mean damage of %j', (weapon, models, target, printed) => {
    const { means } = exact(phase([weapon], target, models));
    expect((means['wounds.defender'] ?? 0) + (means['lost.defender'] ?? 0)).toBeCloseTo(printed, 4);
  });

  // 2d4chan, MathHammer: the 216 method, and feel no pain on 6: a wound of 6 damage is ignored with probability
  // 1/46656.
  test('64 of 216 rolls wound, and a wound of 6 damage is ignored with (1/6)^6', () => {
    expect(exact(phase([{ skill: 3, wound: 3 }], { save: 5 })).outcomes['attacker']).toBeCloseTo(64 / 216, 14);
    const { is } = exact(phase([{ skill: 1, wound: 2, damage: 6 }], { wounds: 9, feelNoPain: 6 }));
    expect(is('wounds.defender', 0)).toBeCloseTo(1 / 6 + 5 / 6 / 46_656, 14);
  });
});

test.each([
  [8, 4, 5],
  [7, 4, 4],
  [5, 4, 4],
  [4, 4, 3],
  [3, 4, 2],
  [5, 8, 2],
  [4, 8, 1],
  [2, 8, 1],
])('strength %i against toughness %i wounds with %i of 6 faces', (strength, toughness, wins) => {
  expect(exact(phase([{ skill: 1, strength }], { toughness })).outcomes['attacker']).toBeCloseTo(wins / 6, 14);
});

test('attacks that hit without dice have no effects of a 6', () => {
  const { is } = exact(phase([{ skill: 1, sustained: 1, lethal: true }], { models: 2 }));
  expect([is('wounds.defender', 1), is('wounds.defender', 2)]).toEqual([0.5, 0]);
});

// Independent program: computes battles attack by attack, die by die, with a table of [wounds left, damage lost].

type Table = Map<string, number>;
type Ways = readonly (readonly [value: number, p: number])[];

const D6: Ways = [1, 2, 3, 4, 5, 6].map((face) => [face, 1 / 6]);

/** Returns the distribution of faces after rerolls. */
function faces(again: Again, target: number): Ways {
  const isBad = (face: number): boolean => (again === 'ones' ? face === 1 : again === 'failures' && face < target);
  return D6.map(([face]) => [face, (isBad(face) ? 0 : 1 / 6) + D6.filter(([first]) => isBad(first)).length / 36]);
}

/** Returns the distribution of a number or of dice. */
function amounts(text: number | string): Ways {
  const [, dice = '', sides = 0, more = 0] = /^(\d?)d(\d)\+?(\d?)$/.exec(String(text)) ?? [];
  if (sides === 0) return [[Number(text), 1]];
  let ways: Ways = [[Number(more), 1]];
  for (let k = 0; k < Number(dice === '' ? 1 : dice); k++)
    ways = ways.flatMap(([value, p]) =>
      Array.from({ length: Number(sides) }, (_, f): [number, number] => [value + f + 1, p / Number(sides)]),
    );
  return ways;
}

const needs = (s: number, t: number): number => (s >= 2 * t ? 2 : s > t ? 3 : s === t ? 4 : 2 * s <= t ? 6 : 5);

/** Replaces each entry of a table by a table of its results. */
function spread(table: Table, ways: (left: number, lost: number) => Table): Table {
  const all: Table = new Map();
  for (const [key, p] of table) {
    const [left = 0, lost = 0] = key.split(' ').map(Number);
    for (const [after, q] of ways(left, lost)) all.set(after, (all.get(after) ?? 0) + p * q);
  }
  return all;
}

const mixed = (parts: readonly (readonly [Table, number])[]): Table => {
  const all: Table = new Map();
  for (const [table, weight] of parts) for (const [key, p] of table) all.set(key, (all.get(key) ?? 0) + p * weight);
  return all;
};

/** Applies damage point by point: each point may be ignored, and points beyond the wounds of one model are lost. */
function wounded(table: Table, weapon: Weapon, { wounds = 1, feelNoPain = 7 }: Unit): Table {
  const felt = D6.filter(([face]) => face < feelNoPain).length / 6;
  return spread(table, (left, lost) => {
    const floor = left === 0 ? 0 : wounds * (Math.ceil(left / wounds) - 1);
    const point = (at: Table): Table =>
      spread(at, (l, m) => {
        const hurt = l > floor ? `${String(l - 1)} ${String(m)}` : `${String(l)} ${String(m + 1)}`;
        return new Map([[`${String(l)} ${String(m)}`, 1 - felt], ...(felt > 0 ? ([[hurt, felt]] as const) : [])]);
      });
    return mixed(
      amounts(weapon.damage ?? 1).map(([points, p]) => {
        let at: Table = new Map([[`${String(left)} ${String(lost)}`, 1]]);
        for (let k = 0; k < points; k++) at = point(at);
        return [at, p] as const;
      }),
    );
  });
}

function saved(table: Table, weapon: Weapon, target: Unit): Table {
  const save = Math.min((target.save ?? 7) + (weapon.pierce ?? 0), target.invulnerable ?? 7);
  const unsaved = D6.filter(([face]) => face < save).length / 6;
  return mixed([
    [table, 1 - unsaved],
    [wounded(table, weapon, target), unsaved],
  ]);
}

function hit(table: Table, weapon: Weapon, target: Unit): Table {
  const least = weapon.wound ?? needs(weapon.strength ?? 4, target.toughness ?? 4);
  return mixed(
    faces(weapon.rerollWounds ?? 'none', least).map(([face, p]) => {
      if (face < least) return [table, p];
      return [(weapon.devastating === true && face === 6 ? wounded : saved)(table, weapon, target), p];
    }),
  );
}

function attack(table: Table, weapon: Weapon, target: Unit): Table {
  const skill = weapon.skill ?? 4;
  if (skill === 1) return hit(table, weapon, target);
  return mixed(
    faces(weapon.rerollHits ?? 'none', skill).map(([face, p]) => {
      if (face < skill) return [table, p];
      if (face < 6) return [hit(table, weapon, target), p];
      let after = weapon.lethal === true ? saved(table, weapon, target) : hit(table, weapon, target);
      for (let k = 0; k < (weapon.sustained ?? 0); k++) after = hit(after, weapon, target);
      return [after, p];
    }),
  );
}

/** Computes the wounds that remain of `left` after the attacks of a unit with `standing` models. */
function volley(weapons: readonly Weapon[], models: number, standing: number, left: number, target: Unit): Table {
  // The models by weapon, in the order in which they fall.
  const borne = weapons.flatMap(({ bearers = 0 }, k) => Array.from({ length: bearers }, () => k));
  const alive = [...Array.from({ length: models - borne.length }, () => -1), ...borne].slice(models - standing);
  let table: Table = new Map([[`${String(left)} 0`, 1]]);
  for (const [k, weapon] of weapons.entries()) {
    const bearers = weapon.bearers === undefined ? standing : alive.filter((each) => each === k).length;
    // A unit that has fallen is not attacked by later weapons.
    const before = table;
    const down = new Map([...before].filter(([key]) => k > 0 && key.startsWith('0 ')));
    table = new Map([...before].filter(([key]) => !down.has(key)));
    for (let m = 0; m < bearers; m++) {
      const start = table;
      table = mixed(
        amounts(weapon.attacks ?? 1).map(([n, p]) => {
          let at = start;
          for (let a = 0; a < n; a++) at = attack(at, weapon, target);
          return [at, p] as const;
        }),
      );
    }
    table = mixed([
      [table, 1],
      [down, 1],
    ]);
  }
  return table;
}

/** Computes P(attacker wins a fight to the end) with a table of the wounds of both sides, round by round. */
function fought(attacker: Required<Pick<Unit, 'models' | 'weapons'>> & Unit, defender: typeof attacker): number {
  const total = ({ models, wounds = 1 }: typeof attacker): number => models * wounds;
  const known = new Map<string, Table>();
  const strike = (side: 'a' | 'd', mine: number, theirs: number): Table => {
    const [own, target] = side === 'a' ? [attacker, defender] : [defender, attacker];
    const key = `${side} ${String(mine)} ${String(theirs)}`;
    const table =
      known.get(key) ?? volley(own.weapons, own.models, Math.ceil(mine / (own.wounds ?? 1)), theirs, target);
    known.set(key, table);
    return table;
  };
  let states: Table = new Map([[`${String(total(attacker))} ${String(total(defender))}`, 1]]);
  let won = 0;
  for (let round = 0; round < 400; round++) {
    const next: Table = new Map();
    for (const [key, p] of states) {
      const [mine = 0, theirs = 0] = key.split(' ').map(Number);
      for (const [struck, q] of strike('a', mine, theirs)) {
        const left = Number(struck.split(' ')[0]);
        if (left === 0) won += p * q;
        else
          for (const [back, r] of strike('d', left, mine)) {
            const mineLeft = Number(back.split(' ')[0]);
            const after = `${String(mineLeft)} ${String(left)}`;
            if (mineLeft > 0) next.set(after, (next.get(after) ?? 0) + p * q * r);
          }
      }
    }
    states = next;
  }
  return won;
}

describe('exact answers equal an independent program', () => {
  test.each<[string, Weapon[], Unit, number]>([
    ['rerolls of failures', [{ attacks: 3, rerollHits: 'failures', rerollWounds: 'ones' }], { models: 4, save: 5 }, 1],
    ['sixes add two hits', [{ attacks: 3, skill: 5, sustained: 2 }], { models: 9, save: 5 }, 1],
    ['sixes wound', [{ attacks: 3, strength: 3, lethal: true }], { models: 3, toughness: 8, save: 4 }, 1],
    [
      'all that a 6 can do, and failures again',
      [{ attacks: 3, sustained: 1, lethal: true, devastating: true, rerollHits: 'failures', rerollWounds: 'failures' }],
      { models: 6, save: 3, toughness: 6 },
      1,
    ],
    ['dice of attacks and damage', [{ attacks: 'd3', skill: 3, damage: 'd3+1' }], { models: 3, wounds: 3, save: 6 }, 2],
    [
      'two dice of damage, pain not felt',
      [{ attacks: 2, damage: '2d3', pierce: 1 }],
      { models: 2, wounds: 4, save: 3, feelNoPain: 5 },
      1,
    ],
    [
      'all attacks hit',
      [{ attacks: 2, skill: 1, strength: 8, damage: 'd6' }],
      { models: 3, wounds: 2, invulnerable: 5 },
      2,
    ],
    [
      'two weapons of one unit',
      [
        { bearers: 2, attacks: 2, strength: 5, damage: 'd3' },
        { bearers: 1, wound: 2, damage: 3 },
      ],
      { models: 2, wounds: 2, save: 5 },
      3,
    ],
  ])('for a phase with %s', (_, weapons, target, models) => {
    const answer = exact(phase(weapons, target, models));
    const all = (target.models ?? 1) * (target.wounds ?? 1);
    const table = volley(weapons, models, models, all, target);
    const sum = (when: (left: number, lost: number) => boolean): number =>
      [...table].reduce((p, [key, q]) => p + (when(...(key.split(' ').map(Number) as [number, number])) ? q : 0), 0);
    expect(sum(() => true)).toBeCloseTo(1, 12);
    for (let wounds = 0; wounds <= all; wounds++)
      expect(answer.is('wounds.defender', wounds)).toBeCloseTo(
        sum((left) => left === all - wounds),
        12,
      );
    for (let lost = 0; lost <= 12; lost++)
      expect(answer.is('lost.defender', lost)).toBeCloseTo(
        sum((_left, found) => found === lost),
        12,
      );
    for (let killed = 0; killed <= (target.models ?? 1); killed++)
      expect(answer.is('killed.defender', killed)).toBeCloseTo(
        sum((left) => (target.models ?? 1) - Math.ceil(left / (target.wounds ?? 1)) === killed),
        12,
      );
  });

  test('for a fight to the end, with several weapons per unit', async () => {
    const attacker = {
      models: 3,
      save: 5,
      weapons: [
        { bearers: 1, attacks: 'd3', rerollHits: 'ones' as const },
        { bearers: 1, attacks: 2, damage: 2 },
      ],
    };
    const defender = {
      models: 2,
      wounds: 2,
      save: 4,
      weapons: [{ attacks: 2, strength: 8, pierce: 1 }, { bearers: 1 }],
    };
    const scenario = requested.open({ attacker, defender });
    const { outcomes, means } = exact(scenario);
    expect(outcomes['attacker']).toBeCloseTo(fought(attacker, defender), 10);
    expect((outcomes['attacker'] ?? 0) + (outcomes['defender'] ?? 0)).toBeCloseTo(1, 10);
    expect(means).not.toHaveProperty('lost.defender');
    await expectPlayed(scenario);
  });

  test.runIf(DEPTH > 1)('for the fight of the examples', async () => {
    const { attacker, defender } = (await requested.file('fight')) as unknown as {
      attacker: Parameters<typeof fought>[0];
      defender: Parameters<typeof fought>[0];
    };
    expect(exact(await requested.file('fight')).outcomes['attacker']).toBeCloseTo(fought(attacker, defender), 10);
  });
});

describe('the system', () => {
  test('simulates its example scenarios in agreement with the exact answers', async () => {
    expect(Asked.files(ID)).toEqual(['arc-rifles', 'fight', 'lasguns', 'volley']);
    for (const name of some(Asked.files(ID))) await expectPlayed(await requested.file(name));
  });

  test.runIf(DEPTH > 1)('passes the conformance checks', async () => {
    const findings = await conform(requested.systems.system(ID), { quick: true });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });

  test.runIf(DEPTH > 1)('supports the maximum number of hits', () => {
    const target = { models: 2, wounds: 2, feelNoPain: 6 };
    const { means } = exact(phase([{ attacks: 27, sustained: 3, skill: 6, wound: 6, damage: '2d6' }], target));
    const total = 27 * (1 / 6) * 4 * (1 / 6) * 7 * (5 / 6);
    expect((means['wounds.defender'] ?? 0) + (means['lost.defender'] ?? 0)).toBeCloseTo(total, 2);
    expect(exact(phase([{ attacks: 3, sustained: 4 }], target, 20)).outcomes['attacker']).toBeGreaterThan(0.999);
  });

  test('simulates a battle with given dice: a 6 wounds at once, excess damage is lost', () => {
    const scenario = phase([{ attacks: 4, lethal: true, sustained: 1, damage: 'd6' }], {
      models: 2,
      wounds: 3,
      save: 5,
    });
    // One 6 and one other hit: two hits to wound, of which one wounds. Of this wound and the lethal hit one is saved.
    const script = [{ sample: 1 }, { sample: 1 }, { sample: 1 }, { sample: 1 }, { sample: 3 }, { sample: 2 }];
    const { outcome, metrics } = runScript(scenario, script);
    expect(outcome).toBe('undecided');
    expect(metrics).toMatchObject({ 'killed.defender': 1, 'wounds.defender': 3, 'lost.defender': 2 });
  });

  test('shows each roll in a replay', async () => {
    expect(requested.formatLines(await requested.file('volley'), 1).slice(1, 9)).toEqual([
      'The attacker makes 18 attacks with weapon 1 of 9 models.',
      '13 hits to wound.',
      '4 wounds to save.',
      'The defender saves 4 of 4 on 3+.',
      'The attacker makes 3 attacks with weapon 2 of 1 model.',
      '3 hits to wound, 1 wound at once.',
      '2 wounds to save.',
      'The defender saves 2 of 2 on 4+.',
    ]);
    expect(requested.formatLines(await requested.file('volley'), 7)).toContain(
      'The defender loses 3 wounds and 1 model.',
    );
  });

  test.each<[object, string]>([
    [{ attacker: {}, defender: {} }, 'attacker.weapons: expected'],
    [{ attacker: { weapons: [{ damage: 'd8' }] }, defender: {} }, 'attacker.weapons[0].damage: expected'],
    [
      { attacker: { models: 2, weapons: [{ bearers: 2 }, { bearers: 1 }] }, defender: {} },
      'attacker.models: expected models for all 3 bearers of weapons, found 2',
    ],
    // The weights of distributions are limited: 36 dice of 6^12 each way.
    [
      { attacker: { weapons: [{ attacks: 30, sustained: 3, damage: '2d6' }] }, defender: { feelNoPain: 6 } },
      'attacker.weapons[0].attacks: expected at most 110 hits of all bearers, found 120',
    ],
    [
      { attacker: { models: 13, weapons: [{ attacks: '4d6' }] }, defender: {} },
      'attacker.weapons[0].attacks: expected at most 300 hits of all bearers, found 312',
    ],
  ])('rejects %j', (fields, message) => {
    expect(() => requested.open(fields)).toThrow(message);
  });
});
