/**
 * Tests of `symbol-dice` against printed figures, and against an independent program that puts both units on a line and
 * rolls every sequence of faces.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { runScript } from '../../src/index.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH, some } from '../depth.ts';
import { Asked, exact, expectPlayed } from './asked.ts';

const ID = 'symbol-dice';
let requested: Asked;
beforeAll(async () => {
  requested = await Asked.load(ID);
});

type Kind = 'infantry' | 'armour' | 'artillery';

describe('printed figures', () => {
  // quantifyingstrategy.com, "What's the toughest unit in Memoir '44?" (2020-05-25), without flags: number of dice
  // until the last figure is hit. It prints 7, 8 and 11; its errata (2021-05-31) print 8, 9 and 12. The errata are
  // right: f figures take f/p dice.
  test.each<[Kind, number, number, number]>([
    ['infantry', 4, 1 / 2, 8],
    ['armour', 3, 1 / 3, 9],
    ['artillery', 2, 1 / 6, 12],
  ])('%s of %i figures', async (kind, figures, p, printed) => {
    const { attacker, defender, distance } = (await requested.file('toughest')) as unknown as Record<string, object>;
    const { means, atLeast } = exact(requested.open({ attacker, defender: { ...defender, kind, figures }, distance }));
    expect(means['rounds']).toBeCloseTo(printed, 8);
    expect(means['rounds']).toBeCloseTo(figures / p, 8);
    // Each figure takes at least one die.
    expect(1 - atLeast('rounds', figures + 1)).toBeCloseTo(p ** figures, 12);
  });
});

/** Returns all sequences of faces of a number of dice. */
const sequences = (dice: number): string[][] =>
  dice === 0
    ? [[]]
    : sequences(dice - 1).flatMap((before) =>
        ['infantry', 'infantry', 'armour', 'grenade', 'flag', 'star'].map((face) => [...before, face]),
      );

const share = (dice: number, when: (faces: string[]) => boolean): number =>
  sequences(dice).filter(when).length / 6 ** dice;

const of = (faces: string[], ...wanted: string[]): number => faces.filter((face) => wanted.includes(face)).length;

describe('one attack', () => {
  const hold = { policy: 'hold' };
  const once = (attacker: object, defender: object, more: object = {}) =>
    exact(requested.open({ attacker, defender: { ...hold, ...defender }, maxRounds: 1, ...more }));

  test.each<[Kind, number, number]>([
    ...[3, 2, 1, 0].map((dice, k): [Kind, number, number] => ['infantry', k + 1, dice]),
    ...[3, 3, 3, 0].map((dice, k): [Kind, number, number] => ['armour', k + 1, dice]),
    ...[3, 3, 2, 2, 1, 1].map((dice, k): [Kind, number, number] => ['artillery', k + 1, dice]),
  ])('%s at distance %i rolls %i dice', (kind, distance, dice) => {
    // Out of range a unit advances, and fires from there unless it is artillery.
    const rolled = dice === 0 ? { infantry: 1, armour: 3, artillery: 0 }[kind] : dice;
    const { is } = once({ kind }, { figures: 6, ignores: 4, kind: 'armour' }, { distance });
    for (let hits = 0; hits <= 3; hits++)
      expect(is('figures.defender', 6 - hits)).toBeCloseTo(
        share(rolled, (faces) => of(faces, 'armour', 'grenade') === hits),
        14,
      );
  });

  test.each([
    ['open', 'infantry', 3, 0],
    ['hill', 'infantry', 2, 0],
    ['hill', 'armour', 2, 0],
    ['woods', 'infantry', 2, 0],
    ['woods', 'armour', 1, 0],
    ['town', 'infantry', 2, 0],
    ['town', 'armour', 1, 0],
    ['sandbags', 'infantry', 2, 1],
    ['sandbags', 'armour', 2, 1],
    ['bunker', 'infantry', 2, 1],
    ['bunker', 'armour', 1, 1],
    ['bunker', 'artillery', 3, 1],
  ] as const)('%s: %s rolls %i dice, and %i flags are ignored', (terrain, kind, dice, ignored) => {
    const { is } = once({ kind }, { terrain, room: 2 });
    for (let back = 0; back <= 2; back++)
      expect(is('distance', 1 + back)).toBeCloseTo(
        share(
          dice,
          (faces) =>
            of(faces, 'infantry', 'grenade') < 4 && Math.min(2, Math.max(0, of(faces, 'flag') - ignored)) === back,
        ),
        14,
      );
  });

  test('flags without room to retreat cost figures, and support ignores the first flag', () => {
    const { is, means } = once({}, { room: 1, ignores: 1 });
    const lost = (faces: string[]): number => of(faces, 'infantry', 'grenade') + Math.max(0, of(faces, 'flag') - 2);
    for (let k = 0; k <= 3; k++)
      expect(is('figures.defender', 4 - k)).toBeCloseTo(
        share(3, (faces) => lost(faces) === k),
        14,
      );
    expect(means['distance']).toBeCloseTo(1 + share(3, (faces) => of(faces, 'flag') >= 2), 14);
  });

  test('a unit that has fallen does not retreat, and extra dice do not extend the range', () => {
    const { is, atLeast } = once({}, { figures: 1 });
    const falls = (faces: string[]): boolean => of(faces, 'infantry', 'grenade') > 0;
    expect(is('figures.defender', 0)).toBeCloseTo(share(3, falls), 14);
    expect(atLeast('distance', 2)).toBeCloseTo(
      share(3, (faces) => !falls(faces) && of(faces, 'flag') > 0),
      14,
    );
    expect(once({ extra: 2 }, {}, { distance: 4 }).atLeast('distance', 4)).toBeLessThan(1);
  });

  test.each([
    ['nothing', 'artillery', ['grenade']],
    ['hit', 'armour', ['armour', 'grenade', 'star']],
    ['artillery', 'artillery', ['grenade', 'star']],
    ['artillery', 'infantry', ['infantry', 'grenade']],
  ] as const)('the star rule is %s, against %s', (star, kind, symbols) => {
    const { is } = once({ extra: 1 }, { kind, room: 4 }, { star });
    for (let hits = 0; hits <= 3; hits++)
      expect(is('figures.defender', 4 - hits)).toBeCloseTo(
        share(4, (faces) => of(faces, ...symbols) === hits),
        14,
      );
  });
});

// Independent program: armor at `x` of a line that ends behind both units, infantry at `y` on a hill until it moves.

interface Place {
  readonly x: number;
  readonly y: number;
  readonly armour: number;
  readonly infantry: number;
  readonly hill: boolean;
}

const END = 3 + 3 + 2;

type Ends = readonly (readonly [Place, number])[];

const nameOf = (place: Place): string => JSON.stringify(Object.values(place));

/** Computes the results of a shot, each position once. */
function shot(place: Place, by: 'armour' | 'infantry'): Ends {
  const ends = new Map<string, [Place, number]>();
  for (const [after, p] of shots(place, by)) ends.set(nameOf(after), [after, (ends.get(nameOf(after))?.[1] ?? 0) + p]);
  return [...ends.values()];
}

/** Computes the result of each sequence of faces. */
function shots(place: Place, by: 'armour' | 'infantry'): Ends {
  const gap = place.y - place.x;
  const dice = by === 'armour' ? (gap > 3 ? 0 : place.hill ? 2 : 3) : Math.max(0, 4 - gap);
  return sequences(dice).map((faces) => {
    const flags = of(faces, 'flag');
    if (by === 'armour') {
      const left = Math.max(0, place.infantry - of(faces, 'infantry', 'grenade'));
      const back = Math.min(flags, END - place.y);
      const infantry = Math.max(0, left - (flags - back));
      return [{ ...place, infantry, y: place.y + back, hill: place.hill && back === 0 }, 6 ** -dice] as const;
    }
    const left = Math.max(0, place.armour - of(faces, 'armour', 'grenade'));
    const back = Math.min(flags, place.x);
    return [{ ...place, armour: Math.max(0, left - (flags - back)), x: place.x - back }, 6 ** -dice] as const;
  });
}

/**
 * Computes the value of the turn of armor: 1 for a victory, -1 for a defeat. Infantry fires if it can, otherwise it
 * advances.
 * @param best whether armor has the best order, instead of the first one
 */
function payoff(best: boolean): number {
  const start: Place = { x: 3, y: 6, armour: 3, infantry: 4, hill: true };
  const orders = (place: Place): Ends[] => {
    const { x, y } = place;
    const close = { ...place, x: y - Math.max(1, y - x - 3) };
    const ways: Ends[] = [];
    if (y - x > 1) ways.push(shot(close, 'armour'));
    ways.push(shot(place, 'armour'));
    if (x > 0) ways.push([[{ ...place, x: Math.max(0, x - 3) }, 1]]);
    ways.push([[place, 1]]);
    return best ? ways : ways.slice(0, 1);
  };
  const reply = (place: Place): Ends => {
    if (place.y - place.x <= 3) return shot(place, 'infantry');
    return shot({ ...place, y: place.y - 1, hill: false }, 'infantry');
  };
  const known = new Map<string, number>();
  const values = new Map<string, { place: Place; orders: [Ends, Ends[]][] }>();
  // All positions of armor at its turn, with their results.
  const pending = [start];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (values.has(nameOf(place))) continue;
    const follow = orders(place).map((ends): [Ends, Ends[]] => [
      ends,
      ends.map(([after]) => (after.infantry === 0 ? [] : reply(after))),
    ]);
    values.set(nameOf(place), { place, orders: follow });
    known.set(nameOf(place), 0);
    for (const [, replies] of follow) for (const [after] of replies.flat()) if (after.armour > 0) pending.push(after);
  }
  const valued = ([ends, replies]: [Ends, Ends[]]): number =>
    ends.reduce(
      (sum, [, p], k) =>
        sum +
        p *
          ((replies[k] ?? []).length === 0
            ? 1
            : (replies[k] ?? []).reduce(
                (all, [at, q]) => all + q * (at.armour === 0 ? -1 : (known.get(nameOf(at)) ?? 0)),
                0,
              )),
      0,
    );
  for (let sweep = 0; sweep < 60; sweep++)
    for (const [name, { orders: follow }] of values) known.set(name, Math.max(...follow.map(valued)));
  return known.get(nameOf(start)) ?? Number.NaN;
}

describe('the battle for the hill', () => {
  test('has the exact answer of the independent program', async () => {
    const { outcomes } = exact(await requested.file('hill'));
    expect((outcomes['attacker'] ?? 0) - (outcomes['defender'] ?? 0)).toBeCloseTo(payoff(false), 9);
  });

  test.runIf(DEPTH > 1)('has the best response of the independent program: armor stays out of reach', async () => {
    const {
      value,
      policyValue: given,
      warning,
    } = findBestResponseSync(await requested.file('hill'), { agent: 'attacker' });
    expect(value).toBeCloseTo(payoff(true), 8);
    expect(value).toBeGreaterThan(given + 0.7);
    expect(warning).toBeUndefined();
  });
});

describe('the system', () => {
  test('simulates its example scenarios in agreement with the exact answers', async () => {
    expect(Asked.files(ID)).toEqual(['bunker', 'hill', 'toughest']);
    for (const name of some(Asked.files(ID))) await expectPlayed(await requested.file(name));
  });

  test.runIf(DEPTH > 1)('passes the conformance checks, including the check for secrets', async () => {
    const findings = await conform(requested.systems.system(ID), { quick: true });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.some(({ check, checked }) => check === 'secrets' && checked)).toBe(true);
  });

  test('removes a retreating unit from its terrain, and advances artillery without firing', () => {
    const attacker = { kind: 'artillery', figures: 2 };
    const scenario = requested.open({
      attacker,
      defender: { terrain: 'bunker', policy: 'hold', room: 6 },
      maxRounds: 3,
      distance: 2,
    });
    // Two flags, of which the bunker ignores one. Then, in the open, both count.
    const script = [
      ...[{ decide: 'fire' }, { roll: [5, 5, 6] }, { decide: 'hold' }],
      ...[{ decide: 'fire' }, { roll: [5, 5] }, { decide: 'hold' }],
      ...[{ decide: 'advance' }, { decide: 'hold' }],
    ];
    const { outcome, metrics } = runScript(scenario, script);
    expect(outcome).toBe('undecided');
    expect(metrics).toMatchObject({ distance: 4, 'figures.defender': 4 });
  });

  test('moves a weakened unit beyond its own range, where it holds', () => {
    // One die each. Infantry that was hit moves back to a distance at which it has no dice, and artillery continues to
    // fire.
    const attacker = { figures: 2, backAt: 1, extra: -2, ignores: 4 };
    const defender = { kind: 'artillery', extra: -2, ignores: 4 };
    const ended = (maxRounds: number) => exact(requested.open({ attacker, defender, maxRounds }));
    for (const [k, p] of [0, 1 / 2, 3 / 4].entries()) expect(ended(k + 1).is('distance', 2)).toBeCloseTo(p, 14);
    // In the third round it holds at distance 2, where artillery hits it again.
    expect(ended(3).outcomes['defender']).toBeCloseTo(1 / 2, 14);
  });

  test('shows symbols in a replay', async () => {
    const lines = requested.formatLines(await requested.file('hill'), 3);
    expect(lines.slice(1, 5)).toEqual([
      'The attacker advances: 1 hex away.',
      'The attacker rolls star, infantry: the defender loses 1 figure.',
      'The defender rolls flag, armour, infantry: the attacker loses 1 figure.',
      'The attacker retreats 1 hex.',
    ]);
    expect(lines).toContain('The defender retreats 1 hex.');
  });

  test.each<[object, string]>([
    [{ attacker: { figures: 2, backAt: 2 }, defender: {} }, 'attacker.backAt: expected less than figures, 2, found 2'],
    [
      { attacker: { policy: 'hold' }, defender: { policy: 'hold' } },
      'attacker.policy: expected fire or close against a unit that holds',
    ],
    [{ attacker: { kind: 'cavalry' }, defender: {} }, 'attacker.kind: expected'],
  ])('rejects %j', (fields, message) => {
    expect(() => requested.open(fields)).toThrow(message);
  });
});
