/** Strength and cards, one rule per test: damage, losses, retreat and advance. */
import { describe, expect, it } from 'vitest';
import { clash, faces, fight, unit } from './strength-cards-fight.ts';

/** Returns a hand of one card that rolls a die for damage. */
const hand = (die: string) => [{ name: 'Fire', dice: [die] }];
const idle = (fields: object = {}) => unit({ exhausted: true, ...fields });

/** Runs a battle in which the defender takes the damage of the dice `any` and `many`. */
function struck(damage: [number, number], defender: object, options: object = {}) {
  const attacker = { hand: [{ name: 'Fire', dice: ['any', 'many'] }] };
  return fight(clash(attacker, defender, options), [faces(...damage)]);
}

describe('damage', () => {
  const defender = { units: [idle({ hp: 4 })], fortification: 2, hand: [{ hpSymbols: 3 }] };

  it('is absorbed by symbols, then fortification, then units; the rest is lost', () => {
    const after = [
      [0, 0],
      [2, 0],
      [4, 0],
      [1, 5],
      [3, 6],
      [5, 20],
    ].map(([a = 0, b = 0]) => {
      const { metrics: m } = struck([a, b], defender);
      return [m['damage.attacker'], m['absorbed.defender'], m['fortification'], m['hp.defender']];
    });
    expect(after).toEqual([
      [0, 0, 2, 4],
      [2, 2, 2, 4],
      [4, 4, 1, 4],
      [6, 6, 0, 3],
      [9, 9, 0, 0],
      [25, 9, 0, 0],
    ]);
  });

  it.each([
    [['symbols', 'fortification', 'units'], 1, 4],
    [['symbols', 'units', 'fortification'], 2, 3],
    [['fortification', 'symbols', 'units'], 0, 4],
    [['fortification', 'units', 'symbols'], 0, 2],
    [['units', 'symbols', 'fortification'], 2, 0],
    [['units', 'fortification', 'symbols'], 2, 0],
  ])('in the order %j leaves %i levels and %i hp of 4', (absorb, levels, hp) => {
    const { metrics } = struck([4, 0], defender, { absorb });
    expect(metrics).toMatchObject({ fortification: levels, 'hp.defender': hp, 'absorbed.defender': 4 });
  });

  it.each<[orders: { attacker?: string[]; defender?: string[] }, hp: [number, number], levels: number]>([
    [{}, [2, 2], 2],
    [{ defender: ['units', 'symbols', 'fortification'] }, [2, 0], 2],
    [{ attacker: ['units', 'symbols', 'fortification'] }, [0, 2], 2],
    [{ attacker: ['fortification', 'symbols', 'units'], defender: ['fortification', 'units', 'symbols'] }, [2, 2], 0],
  ])('prefers the absorb order of the side to the order of the scenario: %j', (orders, hp, levels) => {
    const side = (absorb: string[] | undefined) => ({
      units: [idle({ hp: 4 })],
      hand: [{ name: 'Both', dice: ['any'], hpSymbols: 2 }],
      ...(absorb && { absorb }),
    });
    const defender = { ...side(orders.defender), fortification: 2 };
    const battle = clash(side(orders.attacker), defender, { absorb: ['symbols', 'units', 'fortification'] });
    const { metrics } = fight(battle, [faces(4), faces(4)]);
    expect([metrics['hp.attacker'], metrics['hp.defender']]).toEqual(hp);
    expect(metrics['fortification']).toBe(levels);
  });

  const ONE_LEVEL_FIRST = ['symbols', { fortification: 1 }, 'units', 'fortification'];
  it.each<[order: unknown[], rolled: [number, number], levels: number, hp: number, absorbed: number]>([
    // One of two levels, then the unit, then the other level.
    [ONE_LEVEL_FIRST, [5, 0], 1, 3, 5],
    [ONE_LEVEL_FIRST, [3, 5], 1, 0, 8],
    [ONE_LEVEL_FIRST, [4, 5], 0, 0, 9],
    [ONE_LEVEL_FIRST, [5, 5], 0, 0, 9],
    // Absorbers beyond a limit remain unused, and such levels of fortification are kept.
    [['symbols', { fortification: 1 }, 'units'], [5, 5], 1, 0, 8],
    [[{ symbols: 1 }, 'units', { fortification: 5 }], [5, 5], 0, 0, 7],
    // Several entries for units.
    [[{ units: 1 }, 'symbols', { units: 2 }, 'fortification', 'units'], [0, 6], 2, 1, 6],
  ])('in the order %j with limits, %j leaves %i levels and %i hp of 4', (absorb, rolled, levels, hp, absorbed) => {
    const { metrics } = struck(rolled, defender, { absorb });
    expect(metrics).toMatchObject({ fortification: levels, 'hp.defender': hp, 'absorbed.defender': absorbed });
  });

  it('to units with several entries is reported once, at the first entry', () => {
    const { reported: shown } = struck([5, 0], defender, {
      absorb: [{ units: 1 }, { fortification: 1 }, 'units', 'symbols'],
    });
    expect(shown.filter((text) => /absorbs?|units take/.test(text))).toEqual([
      'Defender: units take 4: Corps 4 -> 0 hp.',
      'Defender: fortification absorbs 1 and loses 1 level.',
    ]);
  });

  it('continues with the next absorber', () => {
    const { metrics } = struck([0, 6], defender, { absorb: ['units', 'fortification', 'symbols'] });
    expect(metrics).toMatchObject({ fortification: 0, 'hp.defender': 0, 'lost.defender': 1, 'absorbed.defender': 6 });
  });

  it('to the attacker is absorbed by symbols, but never by fortification', () => {
    const attacker = { units: [idle({ hp: 9 })], hand: [{ hpSymbols: 1 }] };
    const { metrics } = fight(clash(attacker, { hand: hand('many'), fortification: 5 }), [faces(5)]);
    expect(metrics).toMatchObject({ 'hp.attacker': 5, 'absorbed.attacker': 5, fortification: 5 });
  });

  it('that removes levels keeps their strength for this battle', () => {
    const attacker = { units: [idle()], orderBonus: 2, hand: hand('any') };
    const { outcome, metrics } = fight(clash(attacker, { fortification: 3 }), [faces(3)]);
    expect([outcome, metrics['margin'], metrics['fortification']]).toEqual(['defender', -1, 0]);
  });

  it('is taken by exhausted units like by others', () => {
    const { metrics } = struck([3, 0], { units: [idle({ hp: 2 }), idle({ hp: 9 })] });
    expect(metrics).toMatchObject({ 'lost.defender': 1, 'hp.defender': 8 });
  });

  it('is taken by the defender first', () => {
    const both = { hand: hand('any') };
    const { reported: shown } = fight(clash(both, both), [faces(2), faces(3)]);
    expect(shown.filter((text) => text.includes('take'))).toEqual([
      'Defender: units take 2: Corps 4 -> 2 hp.',
      'Attacker: units take 3: Corps 4 -> 1 hp.',
    ]);
  });
});

describe('losses', () => {
  const units = [
    idle({ name: 'A', hp: 3, attack: 1, defense: 4 }),
    idle({ name: 'B', hp: 2, attack: 9, defense: 3 }),
    idle({ name: 'C', hp: 2, attack: 9, defense: 2 }),
    idle({ name: 'D', hp: 4, attack: 1, defense: 2 }),
    idle({ name: 'E', hp: 2, attack: 8, defense: 2 }),
  ];
  const wounds = (shown: readonly string[]) => shown.find((text) => text.includes('units take'))?.replace(/^.*: /, '');
  const defending = (damage: [number, number], losses?: string) =>
    struck(damage, { units, ...(losses === undefined ? {} : { losses }) });

  it('with kill-cheapest order units by printed hp, then strength, then position', () => {
    expect(wounds(defending([3, 0]).reported)).toBe('C 2 -> 0, E 2 -> 1 hp.');
    expect(wounds(defending([2, 5]).reported)).toBe('A 3 -> 2, B 2 -> 0, C 2 -> 0, E 2 -> 0 hp.');
    expect(defending([2, 5]).metrics['lost.defender']).toBe(3);
    expect(wounds(defending([5, 5], 'kill-cheapest').reported)).toBe(
      'A 3 -> 0, B 2 -> 0, C 2 -> 0, D 4 -> 3, E 2 -> 0 hp.',
    );
  });

  it('with save-strongest order units by strength, then hp, then position', () => {
    expect(wounds(defending([3, 0], 'save-strongest').reported)).toBe('C 2 -> 0, E 2 -> 1 hp.');
    expect(wounds(defending([1, 5], 'save-strongest').reported)).toBe('C 2 -> 0, D 4 -> 2, E 2 -> 0 hp.');
    expect(wounds(defending([3, 7], 'save-strongest').reported)).toBe('B 2 -> 0, C 2 -> 0, D 4 -> 0, E 2 -> 0 hp.');
  });

  it('with spread take each point from the first unit with most hp', () => {
    expect(wounds(defending([1, 0], 'spread').reported)).toBe('D 4 -> 3 hp.');
    expect(wounds(defending([3, 0], 'spread').reported)).toBe('A 3 -> 2, D 4 -> 2 hp.');
    expect(wounds(defending([4, 0], 'spread').reported)).toBe('A 3 -> 1, D 4 -> 2 hp.');
    expect(wounds(defending([3, 5], 'spread').reported)).toBe('A 3 -> 1, B 2 -> 1, C 2 -> 1, D 4 -> 1, E 2 -> 1 hp.');
  });

  it('of an attacker use printed attack values, even if halved or exhausted', () => {
    const attackers = [
      unit({ name: 'Far', attack: 5, hp: 2, acrossRiver: true }),
      unit({ name: 'Near', attack: 4, hp: 2 }),
      idle({ name: 'Spent', attack: 6, hp: 2 }),
    ];
    const { reported: shown } = fight(clash({ units: attackers }, { hand: hand('any') }, { river: 'open' }), [
      faces(0, 0),
      faces(3),
    ]);
    expect(wounds(shown)).toBe('Far 2 -> 1, Near 2 -> 0 hp.');
  });

  it('are decided point by point while several units live and some survive', () => {
    const two = [idle({ name: 'A', hp: 2 }), idle({ name: 'B', hp: 2 })];
    const defender = { units: two };
    const script = [faces(3), { decide: 'B' }, { decide: 'A' }, { decide: 'B' }];
    const { requested, reported: shown } = fight(clash({ hand: hand('any') }, defender), script);
    expect(requested).toEqual(['defender losses [A, B] B', 'defender losses [A, B] A', 'defender losses [A, B] B']);
    expect(wounds(shown)).toBe('A 2 -> 1, B 2 -> 0 hp.');
    expect(fight(clash({ hand: hand('any') }, defender), [faces(4)]).requested).toEqual([]);
    expect(fight(clash({ hand: hand('any') }, { units: two.slice(1) }), [faces(1)]).requested).toEqual([]);
  });
});

describe('retreat', () => {
  const strong = { orderBonus: 5 };

  it('of a defeated attacker leads to its origin; the defender keeps everything', () => {
    const { outcome, metrics, reported: shown } = fight(clash({}, { ...strong, fortification: 2, portFleets: 3 }));
    expect(outcome).toBe('defender');
    expect(metrics).toMatchObject({
      'hp.attacker': 4,
      captured: 0,
      fortification: 2,
      portFleetsLost: 0,
      eliminated: 0,
    });
    expect(shown.slice(-2)).toEqual([
      'Attacker retreats to its origin: 1 unit, now exhausted.',
      'The area stays the defender’s.',
    ]);
  });

  it('of a defeated defender leads to a friendly area', () => {
    const { outcome, metrics, rules } = fight(clash(strong, {}));
    expect(outcome).toBe('attacker');
    expect(metrics).toMatchObject({ 'hp.defender': 4, eliminated: 0, captured: 1, 'lost.defender': 0 });
    expect(rules).toContain('retreat.defender');
  });

  it('of a defender without an area eliminates all survivors, who are not counted as lost', () => {
    const defender = { units: [idle({ hp: 1 }), idle({ hp: 5 }), idle({ hp: 5 })], retreatTo: 'none' };
    const { metrics } = fight(clash({ ...strong, hand: hand('any') }, defender), [faces(2)]);
    expect(metrics).toMatchObject({ 'lost.defender': 1, eliminated: 2, 'hp.defender': 0, 'absorbed.defender': 2 });
  });

  it('of an attacker without an area eliminates all survivors too', () => {
    const attacker = { units: [idle({ hp: 1 }), idle({ hp: 5 }), idle({ hp: 5 })], retreatTo: 'none' };
    const { outcome, metrics, rules } = fight(clash(attacker, { ...strong, hand: hand('any') }), [faces(2)]);
    expect(outcome).toBe('defender');
    expect(metrics).toMatchObject({
      'lost.attacker': 1,
      eliminated: 2,
      'hp.attacker': 0,
      'absorbed.attacker': 2,
      'hp.defender': 4,
      captured: 0,
    });
    expect(rules).toContain('retreat.eliminated');
    const origin = fight(clash({ ...attacker, retreatTo: 'origin' }, { ...strong, hand: hand('any') }), [faces(2)]);
    expect(origin.metrics).toMatchObject({ 'lost.attacker': 1, eliminated: 0, 'hp.attacker': 9 });
    expect(origin.rules).toContain('retreat.attacker');
  });

  it.each([
    ['origin', 4, 0],
    ['none', 0, 1],
  ])('of an attacker occurs even if the winning defender has no survivors: %s', (retreatTo, hp, eliminated) => {
    const { outcome, metrics } = fight(clash({ hand: hand('any'), retreatTo }, strong), [faces(5)]);
    expect(outcome).toBe('defender');
    expect(metrics).toMatchObject({ 'hp.attacker': hp, eliminated, 'hp.defender': 0, 'lost.defender': 1, captured: 0 });
  });

  it('with retreatTo none does not affect an attacker who wins or has no survivors', () => {
    const won = fight(clash({ ...strong, retreatTo: 'none' }, {}));
    expect(won.metrics).toMatchObject({ eliminated: 0, 'hp.attacker': 4, captured: 1 });
    const gone = fight(clash({ retreatTo: 'none' }, { ...strong, hand: hand('any') }), [faces(4)]);
    expect(gone.metrics).toMatchObject({ eliminated: 0, 'lost.attacker': 1, 'hp.attacker': 0 });
    expect(gone.rules).toContain('retreat.nobody');
  });

  it('with retreatTo none on both sides affects only the loser', () => {
    const both = [{ retreatTo: 'none' }, { retreatTo: 'none' }] as const;
    expect(fight(clash({ ...both[0], ...strong }, both[1])).metrics).toMatchObject({
      eliminated: 1,
      'hp.attacker': 4,
      'hp.defender': 0,
    });
    expect(fight(clash(both[0], { ...both[1], ...strong })).metrics).toMatchObject({
      eliminated: 1,
      'hp.attacker': 0,
      'hp.defender': 4,
    });
  });

  it('with retreatTo none does not affect a defender who wins or has no survivors', () => {
    const won = fight(clash({}, { ...strong, retreatTo: 'none' }));
    expect(won.metrics).toMatchObject({ eliminated: 0, 'hp.defender': 4 });
    const gone = fight(clash({ ...strong, hand: hand('any') }, { retreatTo: 'none' }), [faces(4)]);
    expect(gone.metrics).toMatchObject({ eliminated: 0, 'lost.defender': 1 });
    expect(gone.rules).toContain('retreat.nobody');
  });

  it.each([
    ['friendly', 4, 0],
    ['none', 0, 1],
  ])('of a defender occurs even if the winning attacker has no survivors: %s', (retreatTo, hp, eliminated) => {
    const defender = { hand: hand('any'), retreatTo, fortification: 1, portFleets: 2 };
    const { outcome, metrics } = fight(clash(strong, defender), [faces(4)]);
    expect(outcome).toBe('attacker');
    expect(metrics).toMatchObject({
      'hp.attacker': 0,
      'hp.defender': hp,
      eliminated,
      captured: 0,
      fortification: 1,
      portFleetsLost: 0,
    });
  });

  it('of an attacker occurs by default if the winning defender has no survivors', () => {
    const { outcome, metrics, rules } = fight(clash({ hand: hand('any') }, strong), [faces(5)]);
    expect(outcome).toBe('defender');
    expect(metrics).toMatchObject({ 'hp.attacker': 4, 'hp.defender': 0, captured: 0 });
    expect(rules).toContain('retreat.attacker');
  });
});

describe('advance', () => {
  it('captures the area, removes its fortification and destroys the fleets in its port', () => {
    const attacker = { orderBonus: 9, hand: hand('any') };
    const { metrics, reported: shown } = fight(clash(attacker, { fortification: 3, portFleets: 2 }), [faces(1)]);
    expect(metrics).toMatchObject({ captured: 1, fortification: 0, portFleetsLost: 2, 'absorbed.defender': 1 });
    expect(shown.slice(-3)).toEqual([
      'Attacker advances and captures the area.',
      '2 levels of fortification removed.',
      '2 fleets in the port destroyed.',
    ]);
  });

  it('requires at least one survivor', () => {
    const units = [idle({ hp: 1 }), idle({ hp: 1 })];
    const with1 = fight(clash({ units, orderBonus: 5 }, { hand: hand('any') }), [faces(1)]);
    expect(with1.metrics).toMatchObject({ captured: 1, 'hp.attacker': 1, 'lost.attacker': 1 });
    const with0 = fight(clash({ units, orderBonus: 5 }, { hand: hand('any') }), [faces(2)]);
    expect(with0.metrics).toMatchObject({ captured: 0, 'lost.attacker': 2 });
    expect(with0.rules).toContain('advance.nobody');
  });
});
