/** Strength and cards, one rule per test: strength, cards, air support and the winner. */
import { describe, expect, it } from 'vitest';
import { clash, faces, fight, unit } from './strength-cards-fight.ts';

const zero = faces(0);
const idleUnit = (fields: object) => unit({ exhausted: true, ...fields });

/** Returns the margin of units against units that all roll 0. */
function margin(attackers: object[], defenders: object[], options: object = {}, sides: [object, object] = [{}, {}]) {
  const input = {
    ...options,
    attacker: { units: attackers.map(unit), ...sides[0] },
    defender: { units: defenders.map(unit), ...sides[1] },
  };
  return fight(input, [faces(...attackers.map(() => 0)), faces(...defenders.map(() => 0))]).metrics['margin'];
}

describe('strength', () => {
  it('is attack for attacking units and defense for defending units', () => {
    expect(margin([{ attack: 5, defense: 9 }, { attack: 2 }], [{ attack: 9, defense: 4 }])).toBe(3);
  });

  it('includes support with the same values', () => {
    const support = [{ attack: 2, defense: 30 }];
    expect(margin([{}], [{}], {}, [{ support }, {}])).toBe(2);
    expect(margin([{}], [{}], {}, [{}, { support }])).toBe(-30);
  });

  it('includes the order bonus and, for the defender, each level of fortification', () => {
    expect(margin([{}], [{}], {}, [{ orderBonus: 4 }, { orderBonus: 1, fortification: 2 }])).toBe(1);
    expect(margin([{}], [{}], {}, [{ orderBonus: -4 }, {}])).toBe(-4);
  });

  it.each([
    ['open', 1.5 - 3],
    ['frozen', 0],
    ['none', 0],
  ])('of an attacking unit is halved only across an open river: %s', (river, found) => {
    expect(margin([{ acrossRiver: true }], [{}], { river })).toBe(found);
  });

  it('is not halved for a defending unit in the area', () => {
    expect(margin([{}], [{ acrossRiver: true }], { river: 'open' })).toBe(0);
  });

  it('is halved for supporting units across the river, and not for others', () => {
    const support = [
      { attack: 5, defense: 7, acrossRiver: true },
      { attack: 1, defense: 1 },
    ];
    expect(margin([{}], [{}], { river: 'open' }, [{ support }, {}])).toBe(3.5);
    expect(margin([{}], [{}], { river: 'open' }, [{}, { support }])).toBe(-4.5);
  });

  it('has exact halves, two of which add up to one, and one of which decides', () => {
    const half = { attack: 3, acrossRiver: true };
    expect(margin([half, half], [{}], { river: 'open' })).toBe(0);
    const options = { river: 'open', initiative: 'defender' };
    const { outcome, metrics } = fight(
      { ...options, attacker: { units: [unit({ attack: 7, acrossRiver: true })] }, defender: { units: [unit()] } },
      [zero, zero],
    );
    expect([outcome, metrics['margin']]).toEqual(['attacker', 0.5]);
  });

  it('is halved exactly below zero too', () => {
    expect(margin([{ attack: -3, acrossRiver: true }], [{ defense: 0 }], { river: 'open' })).toBe(-1.5);
  });

  it('of exhausted units is 0, in support too', () => {
    const exhausted = { attack: 5, defense: 5, exhausted: true };
    expect(fight(clash({ units: [unit(exhausted)] }, {})).metrics['margin']).toBe(0);
    expect(margin([{}], [{}], {}, [{ support: [exhausted] }, { support: [exhausted, exhausted] }])).toBe(0);
    const { reported } = fight(clash({ support: [{ ...exhausted, acrossRiver: true }] }, {}, { river: 'open' }));
    expect(reported.filter((text) => text.includes('Unit'))).toEqual([
      'Attacker: Unit is exhausted; it counts nothing and rolls nothing.',
    ]);
  });
});

describe('cards', () => {
  const card = (strength: number, fields: object = {}) => ({ name: `Card ${String(strength)}`, strength, ...fields });

  it('are drawn by the weights of the hand and noCard', () => {
    const hand = [card(3, { weight: 2 }), card(5), card(9, { weight: 0 })];
    const { picks, metrics, requested } = fight(clash({ hand, noCard: 0.5 }, {}), [{ pick: 1 }]);
    expect(picks).toEqual([[2, 1, 0, 0.5]]);
    expect(metrics['margin']).toBe(5);
    expect(requested).toEqual(['attacker card [Card 3, Card 5, Card 9, none] Card 5']);
    const none = fight(clash({ hand, noCard: 0.5 }, {}), [{ pick: 3 }]);
    expect([none.metrics['margin'], none.reported]).toEqual([0, expect.arrayContaining(['Attacker plays no card.'])]);
  });

  it('need no draw if only one has a weight or the hand is empty', () => {
    const { picks, metrics, rules } = fight(clash({ hand: [card(3), card(5, { weight: 0 })] }, { noCard: 3 }));
    expect([picks, metrics['margin']]).toEqual([[], 3]);
    expect(rules.filter((id) => id.startsWith('card'))).toEqual(['card.played', 'card.none']);
  });

  it('are always used unless noCard has a weight', () => {
    expect(fight(clash({ hand: [card(3), card(5)] }, {}), [{ pick: 0 }]).picks).toEqual([[1, 1]]);
  });

  it('can be chosen by a player, including cards of weight 0', () => {
    const hand = [card(3), card(9, { weight: 0 })];
    expect(fight(clash({ hand }, {}), [{ decide: 'Card 9' }]).metrics['margin']).toBe(9);
  });

  it('of the same name are numbered', () => {
    const { requested } = fight(clash({ hand: [card(3), card(3), card(3)] }, {}), [{ decide: 'Card 3 #2' }]);
    expect(requested).toEqual(['attacker card [Card 3, Card 3 #2, Card 3 #3] Card 3 #2']);
  });

  it('add their strength and change the strength of the enemy', () => {
    const hand = [card(2, { enemyStrength: -3 })];
    expect(fight(clash({ hand }, {})).metrics['margin']).toBe(5);
    expect(fight(clash({}, { hand })).metrics['margin']).toBe(-5);
    const { metrics, reported } = fight(clash({ hand }, { hand: [card(1, { enemyStrength: 4 })] }));
    expect(metrics['margin']).toBe(2 + 3 - 1 + 4);
    expect(reported.slice(-9, -5)).toEqual([
      'Attacker plays Card 2: strength +2.',
      'Card 2 changes the strength of Defender by -3.',
      'Defender plays Card 1: strength +1.',
      'Card 1 changes the strength of Attacker by +4.',
    ]);
  });
});

describe('air support', () => {
  const airTokens = [
    { name: 'Fighter', strength: 2, weight: 0.25 },
    { name: 'Bomber', strength: 3 },
    { name: 'Scout', strength: 9, weight: 0 },
  ];

  it('is decided for each token by its probability, without a draw for 0 and 1', () => {
    const simulated = fight(clash({ airTokens }, { airTokens }), [{ pick: 1 }, { pick: 0 }]);
    expect(simulated.picks).toEqual([
      [0.75, 0.25],
      [0.75, 0.25],
    ]);
    expect(simulated.metrics['margin']).toBe(2);
    expect(simulated.requested.slice(0, 3)).toEqual([
      'attacker air [none, Fighter] Fighter',
      'attacker air [none, Bomber] Bomber',
      'attacker air [none, Scout] none',
    ]);
  });

  it.each([
    [{ theatre: 'naval' }, 'air.naval'],
    [{ weather: 'mud' }, 'air.mud'],
  ])('is skipped with %j', (options, rule) => {
    const { metrics, rules, requested } = fight(clash({ airTokens }, {}, options));
    expect([metrics['margin'], metrics['damage.attacker'], requested]).toEqual([0, 0, []]);
    expect(rules).toContain(rule);
  });

  it('is the same in snow as in clear weather', () => {
    const bomber = { strength: 3, dice: ['d3'] };
    const { metrics } = fight(clash({ airTokens: [bomber] }, {}, { weather: 'snow' }), [faces(3)]);
    expect([metrics['margin'], metrics['damage.attacker']]).toEqual([3, 3]);
  });
});

describe('the winner', () => {
  it.each([
    [4, 3, 'attacker'],
    [3, 4, 'defender'],
    [-3, -4, 'attacker'],
    [-4, -3, 'defender'],
  ])('with totals %i and %i is the side with the higher total: %s', (own, enemy, winner) => {
    for (const initiative of ['attacker', 'defender']) {
      expect(fight(clash({ orderBonus: own }, { orderBonus: enemy }, { initiative })).outcome).toBe(winner);
    }
  });

  it.each([0, 5, -7])('with equal totals of %i is the side with the initiative', (total) => {
    const tie = (initiative: object) => fight(clash({ orderBonus: total }, { orderBonus: total }, initiative));
    expect(tie({ initiative: 'attacker' }).outcome).toBe('attacker');
    expect(tie({ initiative: 'defender' }).outcome).toBe('defender');
    expect(tie({}).outcome).toBe('defender');
    expect(tie({}).rules).toContain('win.initiative');
  });
});

describe('dice', () => {
  it('are rolled for ready units, the card and tokens, but never for support', () => {
    const attacker = {
      units: [unit({ die: 'd1' }), unit({ die: 'any' }), unit({ die: 'd9', exhausted: true })],
      support: [{ attack: 1, defense: 1, hp: 3, die: 'd9' }],
      hand: [{ dice: ['d3', 'd3'] }],
      airTokens: [{ dice: ['many'] }, { dice: ['d9'], weight: 0 }],
    };
    const { lots, metrics } = fight(clash(attacker, { units: [unit({ hp: 90, exhausted: true })] }), [
      faces(3, 3, 1, 4, 20),
    ]);
    expect(lots).toEqual([5]);
    expect(metrics).toMatchObject({ 'damage.attacker': 31, 'damage.defender': 0, 'hp.defender': 59 });
  });

  it('of a unit are one, or a list with an entry per die', () => {
    const attacker = { units: [unit({ die: ['d1', 'any', 'any'] }), unit({ die: 'd3' }), unit({ die: [] })] };
    const { lots, metrics } = fight(clash(attacker, { units: [idleUnit({ hp: 90 })] }), [faces(1, 4, 2, 3)]);
    expect(lots).toEqual([4]);
    expect(metrics['damage.attacker']).toBe(10);
  });

  it('of an exhausted unit are not rolled', () => {
    const attacker = { units: [idleUnit({ die: 'd3' }), idleUnit({ die: ['d3', 'd9'] })] };
    const { lots, rules } = fight(clash(attacker, {}));
    expect(lots).toEqual([]);
    expect(rules.filter((id) => id === 'dice.none')).toHaveLength(2);
  });

  it('are not rolled if no unit, card or token has any', () => {
    const { lots, rules, metrics } = fight(clash({ units: [unit({ die: [] })] }, {}));
    expect([lots, metrics['damage.attacker'], metrics['margin']]).toEqual([[], 0, 3]);
    expect(rules.filter((id) => id === 'dice.none')).toHaveLength(2);
  });

  it('of the sample set can be replaced by a list', () => {
    const attacker = { units: [{ sample: 'infantry-1', die: ['d1', 'd3'] }] };
    const { metrics } = fight(clash(attacker, {}), [faces(1, 3)]);
    expect(metrics['damage.attacker']).toBe(4);
  });

  it('of both sides are rolled before any damage is taken', () => {
    const attacker = { units: [unit({ die: 'd9', hp: 1 })] };
    const defender = { units: [unit({ die: 'd9', hp: 1 })] };
    const { metrics } = fight(clash(attacker, defender), [faces(9), faces(9)]);
    expect(metrics).toMatchObject({ 'lost.attacker': 1, 'lost.defender': 1, 'damage.defender': 9 });
  });
});
