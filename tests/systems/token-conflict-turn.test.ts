/** Token conflict: several areas that share stocks and hands, and the schema of scenarios. */
import { describe, expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { InputError } from '../../src/core/errors.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { COUNTERS_MAX } from '../../src/rules/token-conflict/schema.ts';
import { fight, left, open, scenario } from './token-conflict-fight.ts';

const city = (name: string, owner: string, tokens: object, limit = 99) => ({ name, limit, city: owner, tokens });

describe('several areas', () => {
  it('join their outcomes in the order of the file', () => {
    const areas = [
      { name: 'Delta', limit: 2, tokens: { a: 2, b: 3 } },
      city('Thebes', 'c', { a: 6 }),
      { name: 'Nubia', limit: 9, tokens: { a: 1, b: 1 } },
    ];
    const ended = fight({ areas });
    expect(ended.outcome).toBe('b + repelled + coexist');
    expect(ended.metrics).toMatchObject({ rounds: 2, 'left.a': 1, 'left.b': 3, 'lost.a': 8, 'lost.b': 1 });
  });

  it('complete all conflicts before the first attack', () => {
    // The tokens that c loses in the second area are in its stock when its city falls in the first.
    const areas = [city('Thebes', 'c', { a: 7 }), { name: 'Delta', limit: 0, tokens: { c: 4, b: 5 } }];
    expect(left(fight({ areas }), 'a', 'c')).toEqual([7, 4]);
  });

  it('have attacks on pirate cities first, then by rank, then by file', () => {
    const areas = [
      city('First', 'nobody', { a: 7 }),
      city('Second', 'late', { a: 7 }),
      city('Third', 'early', { a: 7 }),
      city('Fourth', 'late', { a: 7 }),
      city('Fifth', 'pirates', { a: 7 }),
      city('Sixth', 'nobody', { a: 7 }),
      city('Seventh', 'pirates', { a: 1 }),
    ];
    const ended = fight({ areas, players: { late: { rank: 2 }, early: { rank: 1 } } });
    expect(ended.story).toEqual([
      'attack.succeeds Fifth',
      'attack.fails Seventh',
      'attack.succeeds Third',
      'attack.order Second',
      'attack.succeeds Second',
      'attack.succeeds Fourth',
      'attack.order First',
      'attack.succeeds First',
      'attack.succeeds Sixth',
    ]);
  });

  it('share the stock: a later city gets the rest', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Memphis', 'c', { b: 7 }), city('Sais', 'c', { b: 7 })];
    const ended = fight({ areas, players: { c: { stock: 8, hand: 2 } } });
    expect(ended.reported.filter((id) => /^(city|card)/.test(id))).toEqual([
      'city.tokens',
      'card',
      'city.short',
      'card',
      'city.short',
      'card.none',
    ]);
    expect(ended.metrics).toMatchObject({ 'left.c': 8, 'cards.a': 1, 'cards.b': 1 });
  });

  it('share the stock that the treasury takes from', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Memphis', 'c', { a: 7 })];
    expect(fight({ areas, players: { a: { stock: 4 } } }).metrics['treasury.a']).toBe(4);
  });

  it('pass cards on: a drawn card can be drawn again', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Ashur', 'a', { c: 7 })];
    const ended = fight({ areas, players: { c: { hand: 1, rank: 1 }, a: { rank: 2 } } });
    expect(ended.metrics).toMatchObject({ 'cards.a': 1, 'cards.c': 1 });
  });

  it('empty the stock of a city that is attacked later by treasury', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Ashur', 'a', { c: 7 })];
    const players = { a: { stock: 7, rank: 2 }, c: { rank: 1 } };
    expect(fight({ areas, players }).metrics).toMatchObject({ 'treasury.a': 3, 'left.a': 7 + 4 });
  });
});

describe('stream positions', () => {
  it('follow the counts in the file, including fixed numbers', () => {
    const drawn = (first: unknown, seed: number) => {
      const areas = [
        { name: 'Delta', limit: 99, tokens: { a: first, b: [0, 100] } },
        city('Thebes', 'c', { b: { 1: 1, 2: 1, 3: 1 } }),
        { name: 'Nubia', limit: 99, tokens: { d: [0, 1000] } },
      ];
      const model = tokenConflict.model(scenario({ areas }));
      const [, , b, , d, ...others] = playBattle(model, new SampledChance(Stream.forBattle(7n, seed))).metrics;
      return { b, d, others: others.length };
    };
    for (let seed = 0; seed < 20; seed++) expect(drawn([3, 5], seed)).toEqual(drawn(3, seed));
    const model = tokenConflict.model(scenario(open(99, { a: 1, b: [0, 1000] })));
    const word = Stream.forBattle(7n, 3);
    word.seek(1);
    const [, , b] = playBattle(model, new SampledChance(Stream.forBattle(7n, 3))).metrics;
    expect(b).toBe(Math.floor((word.word() / 2 ** 32) * 1001));
  });
});

describe('outcomes', () => {
  const outcomes = (input: object) => tokenConflict.model(scenario(input)).outcomes;

  it('include all possible results of an area', () => {
    expect(outcomes(open(2, { a: 3, b: [0, 2], c: 0 }))).toEqual(['a', 'b', 'coexist', 'empty']);
    expect(outcomes({ areas: [city('Thebes', 'c', {})] })).toEqual(['city-destroyed', 'repelled']);
  });

  it('of several areas are all combinations, with the last area changing first', () => {
    const two = { areas: [city('Thebes', 'c', {}), { name: 'Delta', limit: 1, tokens: { a: 1 } }] };
    expect(outcomes(two)).toEqual([
      'city-destroyed + a',
      'city-destroyed + coexist',
      'city-destroyed + empty',
      'repelled + a',
      'repelled + coexist',
      'repelled + empty',
    ]);
  });

  it('of many areas include only results that the counts allow', () => {
    const areas = Array.from({ length: 13 }, (_, k) =>
      city(`City ${String(k)}`, 'c', { a: k < 2 ? [6, 7] : 7, b: [2, 3] }),
    );
    expect(outcomes({ areas })).toEqual([Array.from({ length: 13 }, () => 'repelled').join(' + ')]);
    const some = areas.map((area, k) => (k < 2 ? { ...area, tokens: { a: [6, 7] } } : area));
    expect(outcomes({ areas: some })).toHaveLength(4);
  });

  it('include all results that decisions allow', () => {
    const areas = Array.from({ length: 12 }, (_, k) => city(`City ${String(k)}`, 'c', { a: 7 }));
    const delta = { name: 'Delta', limit: 0, tokens: { a: 2, b: 1 } };
    const players = { a: { advances: ['navalWarfare'], ships: { Delta: 1 } } };
    expect(outcomes({ areas: [...areas, delta], players })).toHaveLength(4);
  });
});

describe('rejected scenarios', () => {
  const rejection = (input: object): string => {
    try {
      validateScenario({ system: 'token-conflict', ...input });
    } catch (error) {
      if (error instanceof Error) return error.message;
    }
    return 'accepted';
  };
  const tokens = (given: object) => open(2, given);

  const player = (fields: object) => open(2, {}, { a: fields });
  const option = (fields: object) => ({ ...tokens({}), ...fields });
  const cities = (owner: string, cityOrder: unknown) => ({
    areas: [city('X', 'a', {}), city('Y', owner, {})],
    players: { a: { cityOrder } },
  });
  const barbarians = (fields: object) => open(2, {}, { barbarians: fields });

  it.each([
    ['areas: expected', { areas: [] }],
    ['a name that no other area has', { areas: [city('X', 'c', {}), city('X', 'c', {})] }],
    ['pirates for a city of the barbarians', { areas: [city('X', 'barbarians', {})] }],
    ['a name other than pirates', tokens({ pirates: 3 })],
    ['coexist', tokens({ coexist: 3 })],
    ['city-destroyed, repelled', tokens({ repelled: 3 })],
    ['joins outcomes', tokens({ 'a + b': 3 })],
    ['with least <= most, found [4, 3]', tokens({ a: [4, 3] })],
    ['areas[0].tokens.a', tokens({ a: [4] })],
    ['areas[0].tokens.a', tokens({ a: 1.5 })],
    ['areas[0].tokens.a', tokens({ a: 1001 })],
    ['areas[0].tokens.a', tokens({ a: { 4: -1, 5: 2 } })],
    ['at least one weight above 0', tokens({ a: { 4: 0 } })],
    ['at least one weight above 0', tokens({ a: {} })],
    ['a number of tokens 0..1000', tokens({ a: { many: 1 } })],
    ['pottery', player({ advances: ['pottery'] })],
    [
      'players.a.advances[1]: expected advances that are all different, found "engineering" again',
      player({ advances: ['engineering', 'engineering'] }),
    ],
    ['one of the areas Delta', player({ ships: { Nile: 1 } })],
    ['one of the areas Delta', player({ adjacent: { Nile: 1 } })],
    ['only tokens', barbarians({ hand: 1 })],
    [
      'players.barbarians.cityOrder: expected no cityOrder: barbarians have only tokens',
      barbarians({ cityOrder: 'weakest-attack-first' }),
    ],
    ['an unknown field', option({ limit: 3 })],
    ['6..7', option({ engineeringCity: 5 })],
    ['1..1000', option({ needed: 0 })],
    ['0..1000', option({ cityTokens: 1001 })],
    ['0..1000', option({ treasury: 1.5 })],
    [
      'one of file, weakest-attack-first, strongest-attack-first or a list of at most 64',
      player({ cityOrder: 'weakest' }),
    ],
    ['no list: a has no city, found "Delta"', player({ cityOrder: ['Delta'] })],
    ['players.a.cityOrder[1]: expected one of the cities of a: X, found "Y"', cities('b', ['X', 'Y'])],
    ['players.a.cityOrder[1]: expected each city once, found "Y" again', cities('a', ['Y', 'Y'])],
    ['limit', { areas: [{ name: 'X', tokens: {} }] }],
  ])('%s: %j', (words, input) => {
    expect(rejection(input)).toContain(words);
    expect(rejection(input)).toMatch(/expected .+, found /);
  });

  it('have more outcomes than a kernel counts', () => {
    const areas = Array.from({ length: 13 }, (_, k) => city(`City ${String(k)}`, 'c', { a: [6, 7] }));
    expect(rejection({ areas })).toContain('4096 outcomes in total, found 8192');
    expect(rejection({ areas: areas.slice(1) })).toBe('accepted');
  });

  it('have more counters than a kernel holds', () => {
    const areas = Array.from({ length: 12 }, (_, k) => city(`City ${String(k)}`, 'c', { a: [0, 1000] }));
    expect(rejection({ areas })).toContain(`${String(COUNTERS_MAX)} counters`);
  });

  it('have more players than a kernel supports', () => {
    const crowd = Object.fromEntries(Array.from({ length: 65 }, (_, k) => [`p${String(k)}`, 1]));
    expect(rejection(open(0, crowd))).toContain('64 players in total, found 65');
    const { p64: _, ...fitting } = crowd;
    expect(rejection(open(0, fitting))).toBe('accepted');
  });

  it('have more players in areas than a kernel supports', () => {
    const crowd = Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`p${String(k)}`, 1]));
    const areas = Array.from({ length: 17 }, (_, k) => ({ name: `Area ${String(k)}`, limit: 0, tokens: crowd }));
    expect(rejection({ areas })).toContain('1024 players in areas');
    expect(rejection({ areas: areas.slice(1) })).toBe('accepted');
  });

  it('throw an InputError', () => {
    expect(() => validateScenario({ system: 'token-conflict', ...open(2, { a: [4, 3] }) })).toThrow(InputError);
  });
});

describe('accepted scenarios', () => {
  it('contain names of object properties', () => {
    const ended = fight(open(0, { constructor: 2, toString: 1 }, { constructor: { stock: 1 } }));
    expect(ended.outcome).toBe('constructor');
  });

  it('contain barbarians without fields', () => {
    expect(fight(open(0, { barbarians: 2 }, { barbarians: {} })).outcome).toBe('barbarians');
  });
});
