/** Token conflict, one rule per test: attacks on cities. */
import { describe, expect, it } from 'vitest';
import { fight, left, siege } from './token-conflict-fight.ts';

const rich = { stock: 20, hand: 3 };
const engineer = { advances: ['engineering'] };

describe('a city attack', () => {
  it.each([
    [0, [2, 0]],
    [1, [2, 0]],
    [2, [2, 0]],
    [3, [2, 1]],
    [4, [3, 1]],
    [5, [3, 2]],
  ])('with 7 tokens at limit %i leaves %j of attacker and fallen city', (limit, expected) => {
    const ended = fight(siege({ assyria: 7 }, { egypt: rich }, { limit }));
    expect(left(ended, 'assyria', 'egypt')).toEqual(expected);
    expect(ended.outcome).toBe('city-destroyed');
  });

  it('with fewer than 7 tokens fails and loses them all', () => {
    const ended = fight(siege({ assyria: 6 }, { egypt: rich }));
    expect(ended).toMatchObject({
      outcome: 'repelled',
      metrics: { rounds: 0, 'left.assyria': 0, 'lost.assyria': 6, 'left.egypt': 0, 'cards.assyria': 0 },
    });
  });

  it('does not replace the lost tokens by ships', () => {
    const player = { advances: ['navalWarfare'], ships: { Thebes: 9 } };
    expect(fight(siege({ assyria: 6 }, { assyria: player })).metrics).toMatchObject({
      'lost.assyria': 6,
      'pool.assyria': 0,
    });
  });

  it.each([
    ['the owner alone', { egypt: 9 }],
    ['nobody', {}],
  ])('does not occur with %s in the area', (_, tokens) => {
    const ended = fight(siege(tokens, { egypt: rich }));
    expect(ended).toMatchObject({
      outcome: 'repelled',
      reported: ['conflict.none', 'attack.none'],
      metrics: { rounds: 0 },
    });
  });

  it('follows a conflict with the owner at any limit', () => {
    const ended = fight(siege({ assyria: 9, egypt: 3 }, { egypt: rich }, { limit: 99 }));
    expect(ended.metrics).toMatchObject({
      rounds: 3,
      'left.assyria': 7,
      'left.egypt': 6,
      'lost.egypt': 3,
      'lost.assyria': 2,
    });
    expect(ended.reported).toContain('conflict.city');
    expect(ended.outcome).toBe('city-destroyed');
  });

  it('fails if the conflict leaves too few tokens', () => {
    const ended = fight(siege({ assyria: 8, egypt: 3 }, { egypt: rich }));
    expect(ended).toMatchObject({ outcome: 'repelled', metrics: { 'lost.assyria': 8, 'lost.egypt': 3 } });
  });

  it('is made by the only remaining attacker', () => {
    const ended = fight(siege({ assyria: 9, rome: 3, egypt: 1 }, { egypt: rich }, { limit: 99 }));
    expect(ended.outcome).toBe('city-destroyed');
    expect(left(ended, 'assyria', 'rome', 'egypt')).toEqual([7, 0, 6]);
  });

  it('does not occur if the conflict leaves only the owner or nobody', () => {
    expect(fight(siege({ assyria: 3, egypt: 4 })).metrics).toMatchObject({ 'left.egypt': 2, 'lost.assyria': 3 });
    const nobody = fight(siege({ assyria: 7, rome: 7 }));
    expect(nobody).toMatchObject({ outcome: 'repelled', metrics: { rounds: 7, 'lost.assyria': 7, 'lost.rome': 7 } });
    expect(nobody.reported.slice(-2)).toEqual(['end.none', 'attack.none']);
  });

  it('is followed by a conflict in which Metalworking and ships count', () => {
    const players = {
      egypt: { ...rich, advances: ['metalworking'] },
      assyria: { advances: ['navalWarfare'], ships: { Thebes: 1 } },
    };
    // Assyria first in each of 6 rounds: the ship, then 5 tokens.
    const ended = fight(siege({ assyria: 7 }, players));
    expect(left(ended, 'assyria', 'egypt')).toEqual([2, 0]);
    expect(ended.metrics).toMatchObject({ rounds: 6, 'pool.assyria': 1, 'lost.assyria': 5, 'lost.egypt': 6 });
  });
});

describe('the stock of the owner', () => {
  it.each([
    [6, 6],
    [4, 4],
    [0, 0],
  ])('of %i gives %i tokens', (stock, tokens) => {
    const ended = fight(siege({ assyria: 7 }, { egypt: { stock } }, { limit: 99 }));
    expect(left(ended, 'assyria', 'egypt')).toEqual([7, tokens]);
    expect(ended.reported.includes('city.short')).toBe(tokens < 6);
  });

  it('includes tokens lost before', () => {
    // Two tokens fall before the city does, and return as part of it.
    const ended = fight(siege({ assyria: 9, egypt: 2 }, { egypt: { stock: 3 } }, { limit: 99 }));
    expect(left(ended, 'assyria', 'egypt')).toEqual([8, 5]);
  });

  it('includes lost adjacent tokens but no ships', () => {
    const fields = { advances: ['navalWarfare', 'advancedMilitary'], ships: { Thebes: 2 }, adjacent: { Thebes: 3 } };
    const players = { egypt: fields };
    // Six rounds: 2 ships, 3 adjacent tokens and the only token, of which 4 are in the stock.
    const ended = fight(siege({ assyria: 13, egypt: 1 }, players, { limit: 99 }));
    expect(ended.metrics).toMatchObject({
      rounds: 6,
      'pool.egypt': 5,
      'lost.egypt': 1,
      'left.assyria': 8,
      'left.egypt': 4,
    });
  });
});

describe('Engineering', () => {
  it.each([
    ['attacker', 6, 'city-destroyed', 5, ['engineering.attacker']],
    ['attacker', 5, 'repelled', 0, ['engineering.attacker']],
    ['defender', 8, 'city-destroyed', 7, ['engineering.defender']],
    ['defender', 7, 'repelled', 0, ['engineering.defender']],
    ['both', 7, 'city-destroyed', 6, ['engineering.void']],
    ['both', 6, 'repelled', 0, ['engineering.void']],
    ['neither', 7, 'city-destroyed', 6, []],
    ['neither', 6, 'repelled', 0, []],
  ])('of %s, with %i attacking tokens: %s, %i tokens from the city', (who, tokens, outcome, city, rules) => {
    const players = {
      assyria: who === 'attacker' || who === 'both' ? engineer : {},
      egypt: { ...rich, ...(who === 'defender' || who === 'both' ? engineer : {}) },
    };
    const ended = fight(siege({ assyria: tokens }, players, { limit: 99 }));
    expect(ended).toMatchObject({ outcome, metrics: { 'left.egypt': city } });
    expect(ended.reported.filter((id) => id.startsWith('engineering'))).toEqual(rules);
  });

  it('makes the city 6 tokens with engineeringCity 6', () => {
    const players = { egypt: { ...rich, ...engineer } };
    expect(fight(siege({ assyria: 8 }, players, { limit: 99, engineeringCity: 6 })).metrics['left.egypt']).toBe(6);
  });

  it('works against pirates', () => {
    const ended = fight(siege({ assyria: 6 }, { assyria: engineer }, { limit: 99, city: 'pirates' }));
    expect(ended).toMatchObject({ outcome: 'city-destroyed', metrics: { 'left.barbarians': 5 } });
  });
});

describe('the reward of a successful attack', () => {
  it('is one card and 3 tokens of the stock', () => {
    const ended = fight(siege({ assyria: 7 }, { egypt: rich, assyria: { stock: 9 } }));
    expect(ended.metrics).toMatchObject({ 'cards.assyria': 1, 'treasury.assyria': 3 });
    expect(ended.requested).toEqual(['assyria takeCard take', 'assyria takeTreasury take']);
  });

  it('has no card from an empty hand, and at most the tokens in stock', () => {
    const ended = fight(siege({ assyria: 7 }, { egypt: { stock: 2 } }));
    expect(ended.metrics).toMatchObject({ 'lost.assyria': 1, 'cards.assyria': 0, 'treasury.assyria': 1 });
    expect(ended.reported).toContain('card.none');
    expect(fight(siege({ assyria: 7 })).reported).toContain('treasury.none');
  });

  it('is given even if the tokens of the city win', () => {
    const players = { egypt: { stock: 9, hand: 1, advances: ['engineering', 'metalworking'] } };
    const ended = fight(siege({ assyria: 8 }, players));
    expect(left(ended, 'assyria', 'egypt')).toEqual([1, 0]);
    const weak = fight(
      siege({ assyria: 7 }, { egypt: { ...players.egypt, advances: ['navalWarfare'], ships: { Thebes: 9 } } }),
    );
    expect(left(weak, 'assyria', 'egypt')).toEqual([0, 6]);
    expect(weak).toMatchObject({ outcome: 'city-destroyed', metrics: { 'cards.assyria': 1, 'treasury.assyria': 3 } });
  });

  it('follows the policies takeCard and takeTreasury', () => {
    const players = { egypt: rich, assyria: { stock: 9, takeCard: false, takeTreasury: false } };
    const ended = fight(siege({ assyria: 7 }, players));
    expect(ended.metrics).toMatchObject({ 'cards.assyria': 0, 'treasury.assyria': 0 });
    expect(ended.reported.slice(-2)).toEqual(['card.left', 'treasury.left']);
  });

  it('follows the decisions of the player', () => {
    const script = [{ decide: 'leave' }, { decide: 'take' }];
    const ended = fight(siege({ assyria: 7 }, { egypt: rich }), script);
    expect(ended.metrics).toMatchObject({ 'cards.assyria': 0, 'treasury.assyria': 3 });
  });

  it('is nothing for barbarians', () => {
    const ended = fight(siege({ barbarians: 9 }, { egypt: rich }));
    expect(ended).toMatchObject({
      outcome: 'city-destroyed',
      metrics: { 'left.barbarians': 4, 'cards.barbarians': 0, 'treasury.barbarians': 0 },
      requested: [],
    });
    expect(ended.reported.at(-1)).toBe('reward.barbarians');
  });
});

describe('a pirate city', () => {
  const pirates = { city: 'pirates' };

  it('becomes 6 barbarians without a stock, and gives no card', () => {
    const ended = fight(siege({ assyria: 7 }, { assyria: { stock: 1 } }, { ...pirates, limit: 99 }));
    expect(ended).toMatchObject({
      outcome: 'city-destroyed',
      metrics: { 'left.barbarians': 6, 'cards.assyria': 0, 'treasury.assyria': 1 },
    });
    expect(ended.reported).toEqual(expect.arrayContaining(['city.pirates', 'card.pirates', 'pirates.stay']));
  });

  it('loses its survivors with pirateSurvivors remove, without counting them as lost', () => {
    const ended = fight(siege({ assyria: 7 }, {}, { ...pirates, limit: 4, pirateSurvivors: 'remove' }));
    expect(ended.metrics).toMatchObject({ 'left.assyria': 3, 'left.barbarians': 0, 'lost.barbarians': 5 });
    expect(ended.reported).toContain('pirates.remove');
  });

  it('has no survivors to remove when all are lost', () => {
    const ended = fight(siege({ assyria: 7 }, {}, { ...pirates, pirateSurvivors: 'remove' }));
    expect(ended.metrics).toMatchObject({ 'left.assyria': 2, 'lost.barbarians': 6 });
    expect(ended.reported).not.toContain('pirates.remove');
  });

  it('is defended by barbarians in the area, who remain after a failed attack', () => {
    const ended = fight(siege({ assyria: 7, barbarians: 2 }, {}, { ...pirates, pirateSurvivors: 'remove' }));
    expect(ended).toMatchObject({ outcome: 'repelled', metrics: { 'lost.assyria': 7, 'lost.barbarians': 2 } });
    const alone = fight(siege({ barbarians: 2 }, {}, { ...pirates, pirateSurvivors: 'remove' }));
    expect(alone).toMatchObject({ outcome: 'repelled', metrics: { 'left.barbarians': 2 } });
  });
});
