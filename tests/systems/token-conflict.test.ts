/** Token conflict, one rule per test: rounds of token removal. */
import { describe, expect, it } from 'vitest';
import { fight, left, open } from './token-conflict-fight.ts';

describe('a conflict', () => {
  it.each([
    [0, [2, 0]],
    [1, [2, 0]],
    [2, [2, 0]],
    [3, [2, 1]],
    [4, [3, 1]],
    [5, [3, 2]],
  ])('of 7 against 6 at limit %i leaves %j', (limit, expected) => {
    expect(left(fight(open(limit, { assyria: 7, egypt: 6 })), 'assyria', 'egypt')).toEqual(expected);
  });

  it.each([0, 1, 2])('of 4, 3 and 2 at limit %i leaves the strongest 2', (limit) => {
    const ended = fight(open(limit, { a: 4, b: 3, c: 2 }));
    expect(left(ended, 'a', 'b', 'c')).toEqual([2, 0, 0]);
    expect(ended.outcome).toBe('a');
  });

  it.each([0, 1])('of 3, 3 and 2 at limit %i leaves nobody', (limit) => {
    const ended = fight(open(limit, { a: 3, b: 3, c: 2 }));
    expect(left(ended, 'a', 'b', 'c')).toEqual([0, 0, 0]);
    expect(ended).toMatchObject({ outcome: 'empty', metrics: { rounds: 3, 'lost.a': 3, 'lost.b': 3, 'lost.c': 2 } });
    expect(ended.reported).toContain('end.none');
  });

  it('of 3 against 3 at limit 1 passes the limit at once and leaves nobody', () => {
    expect(left(fight(open(1, { a: 3, b: 3 })), 'a', 'b')).toEqual([0, 0]);
  });

  it('of three equal players removes tokens at the same time', () => {
    const ended = fight(open(2, { a: 2, b: 2, c: 2 }));
    expect(ended.story).toEqual(['round', 'tie', 'a 1', 'b 1', 'c 1', 'round', 'tie', 'a 0', 'b 0', 'c 0']);
    expect(ended.reported.filter((id) => id === 'order.tie')).toHaveLength(2);
    expect(ended.outcome).toBe('empty');
  });

  it('of three equal players can end below the limit', () => {
    const ended = fight(open(4, { a: 2, b: 2, c: 2 }));
    expect(ended).toMatchObject({ outcome: 'coexist', metrics: { rounds: 1, 'left.a': 1, 'left.b': 1, 'left.c': 1 } });
  });

  it('removes tokens from the fewest to the most, recounted in each round', () => {
    // 5 and 4 of round 1 both become smaller; nobody is skipped.
    const ended = fight(open(3, { a: 5, b: 2, c: 4 }));
    expect(ended.story).toEqual(['round', 'b 1', 'c 3', 'a 4', 'round', 'b 0', 'c 2', 'a 3', 'round', 'c 1', 'a 2']);
    expect(ended).toMatchObject({ outcome: 'coexist', metrics: { rounds: 3, 'left.a': 2, 'left.c': 1 } });
  });

  it('checks its end after each group, within the round', () => {
    const ended = fight(open(5, { a: 4, b: 2 }));
    expect(ended.story).toEqual(['round', 'b 1']);
    expect(ended).toMatchObject({ outcome: 'coexist', metrics: { rounds: 1, 'left.a': 4, 'left.b': 1 } });
    expect(ended.reported).toEqual(['conflict.limit', 'round', 'lose.token', 'end.limit']);
  });

  it('does not end between players who act at the same time', () => {
    expect(left(fight(open(5, { a: 3, b: 3 })), 'a', 'b')).toEqual([2, 2]);
  });

  it('lets the last player remain above the limit', () => {
    const ended = fight(open(0, { a: 9, b: 1 }));
    expect(ended).toMatchObject({ outcome: 'a', metrics: { rounds: 1, 'left.a': 9 } });
    expect(ended.reported).toContain('end.one');
  });

  it.each([
    ['within the limit', 5, { a: 3, b: 2 }, 'coexist'],
    ['of one player above the limit', 1, { a: 3, b: 0 }, 'a'],
    ['without tokens', 1, { a: 0 }, 'empty'],
    ['without players', 1, {}, 'empty'],
  ])('does not start: %s', (_, limit, tokens, outcome) => {
    const ended = fight(open(limit, tokens));
    expect(ended).toMatchObject({ outcome, reported: ['conflict.none'], metrics: { rounds: 0 } });
  });

  it('treats barbarians as a player', () => {
    const ended = fight(open(2, { barbarians: 3, egypt: 2 }));
    expect(ended).toMatchObject({ outcome: 'barbarians', metrics: { 'left.barbarians': 2, 'lost.barbarians': 1 } });
  });
});

describe('Metalworking', () => {
  const smith = { advances: ['metalworking'] };

  it('acts last at any count', () => {
    const ended = fight(open(0, { a: 2, b: 3 }, { a: smith }));
    expect(ended.story).toEqual(['round', 'b 2', 'a 1', 'round', 'b 1', 'a 0']);
    expect(fight(open(0, { a: 3, b: 3 }, { a: smith })).outcome).toBe('a');
  });

  it('of both players has no effect: the fewer first, equals together', () => {
    const both = { a: smith, b: smith };
    expect(fight(open(0, { a: 2, b: 2 }, both)).outcome).toBe('empty');
    const ended = fight(open(0, { a: 2, b: 3 }, both));
    expect(ended).toMatchObject({ outcome: 'b', metrics: { 'left.b': 2 } });
    expect(ended.reported).not.toContain('order.metalworking');
  });

  it('orders its holders among themselves after the others', () => {
    const ended = fight(open(0, { a: 3, b: 1, c: 2, d: 3 }, { a: smith, b: smith }));
    expect(ended.story.slice(0, 5)).toEqual(['round', 'c 1', 'd 2', 'b 0', 'a 2']);
  });

  it('breaks a tie with a player without it', () => {
    expect(fight(open(5, { a: 3, b: 3 }, { a: smith })).story).toEqual(['round', 'b 2']);
  });
});

describe('ships and adjacent tokens', () => {
  const fleet = (fields: object = {}) => ({ a: { advances: ['navalWarfare'], ships: { Delta: 2 }, ...fields } });
  const both = { advances: ['navalWarfare', 'advancedMilitary'], ships: { Delta: 1 }, adjacent: { Delta: 1 } };

  it('are given up instead of tokens', () => {
    const ended = fight(open(0, { a: 2, b: 3 }, fleet()));
    expect(ended.story).toEqual(['round', 'a 1', 'b 2', 'round', 'tie', 'a 0', 'b 1', 'round', 'b 0']);
    expect(ended).toMatchObject({ outcome: 'a', metrics: { 'left.a': 2, 'lost.a': 0, 'pool.a': 2, 'lost.b': 3 } });
  });

  it('do not count for the order or the end', () => {
    expect(fight(open(3, { a: 1, b: 2 }, fleet())).reported).toEqual(['conflict.none']);
    expect(fight(open(0, { a: 1, b: 2 }, fleet())).story.slice(0, 3)).toEqual(['round', 'a 1', 'b 1']);
  });

  it('are given up ships first', () => {
    const ended = fight(open(0, { a: 1, b: 4 }, { a: both }));
    expect(ended.reported.filter((id) => id.startsWith('lose'))).toEqual([
      'lose.ship',
      'lose.token',
      'lose.adjacent',
      'lose.token',
      'lose.token',
    ]);
    expect(ended).toMatchObject({ outcome: 'b', metrics: { 'pool.a': 2, 'lost.a': 1, 'left.b': 2 } });
  });

  it('with tokens-first save only the last token', () => {
    const ended = fight(open(0, { a: 2, b: 5 }, fleet({ sacrifice: 'tokens-first' })));
    expect(ended.reported.filter((id) => id.startsWith('lose'))).toEqual([
      'lose.token',
      'lose.token',
      'lose.ship',
      'lose.token',
      'lose.ship',
      'lose.token',
      'lose.token',
    ]);
    expect(ended).toMatchObject({ outcome: 'b', metrics: { 'pool.a': 2, 'lost.a': 2, 'left.b': 2 } });
  });

  it('are a decision while any are left', () => {
    const script = [{ decide: 'token' }, { decide: 'pool' }];
    const ended = fight(open(0, { a: 4, b: 3 }, fleet()), script);
    expect(ended.requested).toEqual(['a sacrifice token', 'a sacrifice pool']);
    expect(ended.metrics).toMatchObject({ 'pool.a': 1, 'lost.a': 1, 'left.a': 3 });
  });

  it('have no effect without the advance or in another area', () => {
    expect(fight(open(0, { a: 1, b: 2 }, fleet({ advances: ['agriculture'] }))).outcome).toBe('b');
    const elsewhere = {
      areas: [
        { name: 'Delta', limit: 0, tokens: { a: 1, b: 2 } },
        { name: 'Nubia', limit: 0, tokens: {} },
      ],
      players: { a: { advances: ['advancedMilitary'], adjacent: { Nubia: 9 } } },
    };
    expect(fight(elsewhere)).toMatchObject({ outcome: 'b + empty', metrics: { 'pool.a': 0 } });
  });
});

describe('initial counts', () => {
  it('are drawn one by one in the order of the file', () => {
    const ended = fight(open(99, { a: [3, 6], b: 3, c: { 5: 1, 2: 2, 9: 0 } }), [{ pick: 3 }, { pick: 0 }]);
    expect(left(ended, 'a', 'b', 'c')).toEqual([6, 3, 2]);
  });

  it('are not drawn if they cannot vary', () => {
    expect(left(fight(open(99, { a: [4, 4], b: { 2: 5, 3: 0 } })), 'a', 'b')).toEqual([4, 2]);
  });
});
