/** Token conflict: several areas that share stocks and hands, and what a scenario may hold. */
import { describe, expect, it } from 'vitest';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { InputError } from '../../src/core/errors.ts';
import { playBattle } from '../../src/rules/battle.ts';
import { checkScenario } from '../../src/rules/scenario/index.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { COUNTERS_MAX } from '../../src/rules/token-conflict/schema.ts';
import { fight, left, open, scenario } from './token-conflict-fight.ts';

const city = (name: string, owner: string, tokens: object, limit = 99) => ({ name, limit, city: owner, tokens });

describe('several areas', () => {
  it('have their outcomes joined in the order of the file', () => {
    const areas = [
      { name: 'Delta', limit: 2, tokens: { a: 2, b: 3 } },
      city('Thebes', 'c', { a: 6 }),
      { name: 'Nubia', limit: 9, tokens: { a: 1, b: 1 } },
    ];
    const ended = fight({ areas });
    expect(ended.outcome).toBe('b + repelled + coexist');
    expect(ended.metrics).toMatchObject({ rounds: 2, 'left.a': 1, 'left.b': 3, 'lost.a': 8, 'lost.b': 1 });
  });

  it('fight all their conflicts before the first attack', () => {
    // The tokens that c loses in the second area are in his stock when his city falls in the first.
    const areas = [city('Thebes', 'c', { a: 7 }), { name: 'Delta', limit: 0, tokens: { c: 4, b: 5 } }];
    expect(left(fight({ areas }), 'a', 'c')).toEqual([7, 4]);
  });

  it('have attacks on pirate cities first, then by rank, then in the order of the file', () => {
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

  it('share the stock: a later city gets what an earlier one has left', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Memphis', 'c', { b: 7 }), city('Sais', 'c', { b: 7 })];
    const ended = fight({ areas, players: { c: { stock: 8, hand: 2 } } });
    expect(ended.told.filter((id) => /^(city|card)/.test(id))).toEqual([
      'city.tokens',
      'card',
      'city.short',
      'card',
      'city.short',
      'card.none',
    ]);
    expect(ended.metrics).toMatchObject({ 'left.c': 8, 'cards.a': 1, 'cards.b': 1 });
  });

  it('share the treasury’s source', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Memphis', 'c', { a: 7 })];
    expect(fight({ areas, players: { a: { stock: 4 } } }).metrics['treasury.a']).toBe(4);
  });

  it('pass cards on: what was drawn can be drawn again', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Ashur', 'a', { c: 7 })];
    const ended = fight({ areas, players: { c: { hand: 1, rank: 1 }, a: { rank: 2 } } });
    expect(ended.metrics).toMatchObject({ 'cards.a': 1, 'cards.c': 1 });
  });

  it('have a treasury that empties the stock of a city that is attacked later', () => {
    const areas = [city('Thebes', 'c', { a: 7 }), city('Ashur', 'a', { c: 7 })];
    const players = { a: { stock: 7, rank: 2 }, c: { rank: 1 } };
    expect(fight({ areas, players }).metrics).toMatchObject({ 'treasury.a': 3, 'left.a': 7 + 4 });
  });
});

describe('places in the stream', () => {
  it('are those of the counts in the file, numbers too', () => {
    const drawn = (first: unknown, seed: number) => {
      const areas = [
        { name: 'Delta', limit: 99, tokens: { a: first, b: [0, 100] } },
        city('Thebes', 'c', { b: { 1: 1, 2: 1, 3: 1 } }),
        { name: 'Nubia', limit: 99, tokens: { d: [0, 1000] } },
      ];
      const model = tokenConflict.model(scenario({ areas }));
      const [, , b, , d, ...others] = playBattle(model, new Sampled(Stream.of(7n, seed))).metrics;
      return { b, d, others: others.length };
    };
    for (let seed = 0; seed < 20; seed++) expect(drawn([3, 5], seed)).toEqual(drawn(3, seed));
    const model = tokenConflict.model(scenario(open(99, { a: 1, b: [0, 1000] })));
    const word = Stream.of(7n, 3);
    word.seek(1);
    const [, , b] = playBattle(model, new Sampled(Stream.of(7n, 3))).metrics;
    expect(b).toBe(Math.floor((word.word() / 2 ** 32) * 1001));
  });
});

describe('outcomes', () => {
  const outcomes = (input: object) => tokenConflict.model(scenario(input)).outcomes;

  it('are all that an area can have', () => {
    expect(outcomes(open(2, { a: 3, b: [0, 2], c: 0 }))).toEqual(['a', 'b', 'coexist', 'empty']);
    expect(outcomes({ areas: [city('Thebes', 'c', {})] })).toEqual(['city-destroyed', 'repelled']);
  });

  it('of several areas are all combinations, the last changing first', () => {
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

  it('of many areas are those that the counts allow', () => {
    const areas = Array.from({ length: 13 }, (_, k) =>
      city(`City ${String(k)}`, 'c', { a: k < 2 ? [6, 7] : 7, b: [2, 3] }),
    );
    expect(outcomes({ areas })).toEqual([Array.from({ length: 13 }, () => 'repelled').join(' + ')]);
    const some = areas.map((area, k) => (k < 2 ? { ...area, tokens: { a: [6, 7] } } : area));
    expect(outcomes({ areas: some })).toHaveLength(4);
  });

  it('keep all that decisions allow', () => {
    const areas = Array.from({ length: 12 }, (_, k) => city(`City ${String(k)}`, 'c', { a: 7 }));
    const delta = { name: 'Delta', limit: 0, tokens: { a: 2, b: 1 } };
    const players = { a: { advances: ['navalWarfare'], ships: { Delta: 1 } } };
    expect(outcomes({ areas: [...areas, delta], players })).toHaveLength(4);
  });
});

describe('a scenario is refused', () => {
  const refused = (input: object): string => {
    try {
      checkScenario({ system: 'token-conflict', ...input });
    } catch (error) {
      if (error instanceof Error) return error.message;
    }
    return 'accepted';
  };
  const tokens = (given: object) => open(2, given);

  it.each([
    ['without areas', { areas: [] }, 'areas: expected'],
    ['with two areas of a name', { areas: [city('X', 'c', {}), city('X', 'c', {})] }, 'a name that no other area has'],
    ['with a city of the barbarians', { areas: [city('X', 'barbarians', {})] }, 'pirates for a city of the barbarians'],
    ['with tokens of pirates', tokens({ pirates: 3 }), 'a name other than pirates'],
    ['with a player who is called as an outcome', tokens({ coexist: 3 }), 'coexist'],
    ['with a player who is called as the outcome of a city', tokens({ repelled: 3 }), 'city-destroyed, repelled'],
    ['with a name that joins', tokens({ 'a + b': 3 }), 'joins outcomes'],
    ['with a range upside down', tokens({ a: [4, 3] }), 'with least <= most, found [4, 3]'],
    ['with a range of one number', tokens({ a: [4] }), 'areas[0].tokens.a'],
    ['with half a token', tokens({ a: 1.5 }), 'areas[0].tokens.a'],
    ['with too many tokens', tokens({ a: 1001 }), 'areas[0].tokens.a'],
    ['with weights of nothing', tokens({ a: { 4: 0 } }), 'at least one weight above 0'],
    ['without weights', tokens({ a: {} }), 'at least one weight above 0'],
    ['with a negative weight', tokens({ a: { 4: -1, 5: 2 } }), 'areas[0].tokens.a'],
    ['with weights of no count', tokens({ a: { many: 1 } }), 'a number of tokens 0..1000'],
    ['with an unknown advance', open(2, {}, { a: { advances: ['pottery'] } }), 'pottery'],
    [
      'with an advance twice',
      open(2, {}, { a: { advances: ['engineering', 'engineering'] } }),
      'players.a.advances[1]: expected advances that are all different, found "engineering" again',
    ],
    ['with ships nowhere', open(2, {}, { a: { ships: { Nile: 1 } } }), 'one of the areas Delta'],
    ['with adjacent tokens nowhere', open(2, {}, { a: { adjacent: { Nile: 1 } } }), 'one of the areas Delta'],
    ['with barbarians who have more than tokens', open(2, {}, { barbarians: { hand: 1 } }), 'nothing but tokens'],
    ['with an unknown field', { ...tokens({}), limit: 3 }, 'an unknown field'],
    ['with an engineeringCity of 5', { ...tokens({}), engineeringCity: 5 }, '6..7'],
    ['with a city for nothing', { ...tokens({}), needed: 0 }, '1..1000'],
    ['with a fall to too many tokens', { ...tokens({}), cityTokens: 1001 }, '0..1000'],
    ['with half a treasury', { ...tokens({}), treasury: 1.5 }, '0..1000'],
    [
      'with an unknown order of cities',
      open(2, {}, { a: { cityOrder: 'weakest' } }),
      'one of file, weakest-attack-first, strongest-attack-first or a list of at most 64',
    ],
    ['with an order of no city', open(2, {}, { a: { cityOrder: ['Delta'] } }), 'no list: a has no city, found "Delta"'],
    [
      'with an order of a city of others',
      { areas: [city('X', 'a', {}), city('Y', 'b', {})], players: { a: { cityOrder: ['X', 'Y'] } } },
      'players.a.cityOrder[1]: expected one of the cities of a: X, found "Y"',
    ],
    [
      'with a city twice in an order',
      { areas: [city('X', 'a', {}), city('Y', 'a', {})], players: { a: { cityOrder: ['Y', 'Y'] } } },
      'players.a.cityOrder[1]: expected each city once, found "Y" again',
    ],
    [
      'with barbarians who order their cities',
      open(2, {}, { barbarians: { cityOrder: 'weakest-attack-first' } }),
      'players.barbarians.cityOrder: expected no cityOrder: barbarians have nothing but tokens',
    ],
    ['without a limit', { areas: [{ name: 'X', tokens: {} }] }, 'limit'],
  ])('%s', (_, input, words) => {
    expect(refused(input)).toContain(words);
    expect(refused(input)).toMatch(/expected .+, found /);
  });

  it('with more outcomes than a kernel counts', () => {
    const areas = Array.from({ length: 13 }, (_, k) => city(`City ${String(k)}`, 'c', { a: [6, 7] }));
    expect(refused({ areas })).toContain('4096 outcomes in all, found 8192');
    expect(refused({ areas: areas.slice(1) })).toBe('accepted');
  });

  it('with more counters than a kernel holds', () => {
    const areas = Array.from({ length: 12 }, (_, k) => city(`City ${String(k)}`, 'c', { a: [0, 1000] }));
    expect(refused({ areas })).toContain(`${String(COUNTERS_MAX)} counters`);
  });

  it('with more players than a kernel has room for', () => {
    const crowd = Object.fromEntries(Array.from({ length: 65 }, (_, k) => [`p${String(k)}`, 1]));
    expect(refused(open(0, crowd))).toContain('64 players in all, found 65');
    const { p64: _, ...fitting } = crowd;
    expect(refused(open(0, fitting))).toBe('accepted');
  });

  it('with more players in areas than a kernel has room for', () => {
    const crowd = Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`p${String(k)}`, 1]));
    const areas = Array.from({ length: 17 }, (_, k) => ({ name: `Area ${String(k)}`, limit: 0, tokens: crowd }));
    expect(refused({ areas })).toContain('1024 players in areas');
    expect(refused({ areas: areas.slice(1) })).toBe('accepted');
  });

  it('and says where', () => {
    expect(() => checkScenario({ system: 'token-conflict', ...open(2, { a: [4, 3] }) })).toThrow(InputError);
  });
});

describe('a scenario is accepted', () => {
  it('with names that objects have', () => {
    const ended = fight(open(0, { constructor: 2, toString: 1 }, { constructor: { stock: 1 } }));
    expect(ended.outcome).toBe('constructor');
  });

  it('with barbarians who have nothing', () => {
    expect(fight(open(0, { barbarians: 2 }, { barbarians: {} })).outcome).toBe('barbarians');
  });
});
