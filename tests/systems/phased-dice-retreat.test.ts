/** Phased dice, one rule per test: retreat. */
import { describe, expect, it } from 'vitest';
import { clash, decide, fight, idle, roll } from './phased-dice-fight.ts';

describe('retreat', () => {
  const weak = { rifleman: 1 };
  const miss = [roll(3, 0), roll(3, 0)];

  it('is requested at the end of every round, only from the attacker', () => {
    const { requested: options, outcome } = fight(clash(weak, weak, { maxRounds: 2 }), [
      ...miss,
      ...miss,
      decide('retreat'),
    ]);
    expect(options).toEqual(['attacker retreat [stay retreat] stay', 'attacker retreat [stay retreat] retreat']);
    expect(outcome).toBe('retreat');
  });

  it('keeps all remaining units, including aircraft', () => {
    const units = { biplane: 1, rifleman: 2 };
    const attacker = { units, retreat: { afterRounds: 2 }, retreatTo: 'neutral' };
    const second = [roll(6, 0), roll(3, 3)];
    const { outcome, metrics, reported } = fight(clash(attacker, weak, { maxRounds: 9 }), [
      roll(1, 0),
      roll(6, 0),
      roll(3, 0),
      ...second,
    ]);
    expect([outcome, reported.slice(-2)]).toEqual(['retreat', ['losses', 'retreat']]);
    expect(metrics).toMatchObject({
      rounds: 2,
      'left.attacker': 2,
      'left.attacker.biplane': 1,
      'left.attacker.rifleman': 1,
    });
  });

  it('takes precedence over a stalemate by maxRounds or without dice', () => {
    const attacker = { units: weak, retreat: { afterRounds: 1 } };
    expect(fight(clash(attacker, weak, { maxRounds: 1 }), miss).outcome).toBe('retreat');
    const carts = { units: { cart: 1, biplane: 1 }, retreat: { afterRounds: 1 } };
    expect(fight(clash(carts, { cart: 1 }, { ...idle, maxRounds: 9 }), [roll(1, 0)]).outcome).toBe('retreat');
  });

  it('destroys the army if retreatTo is none', () => {
    const attacker = { units: { rifleman: 1, biplane: 2 }, retreat: { afterRounds: 1 }, retreatTo: 'none' };
    const { outcome, metrics } = fight(clash(attacker, weak), [roll(2, 0), ...miss]);
    expect(outcome).toBe('defender');
    expect(metrics).toMatchObject({ 'left.attacker': 0, 'left.attacker.biplane': 0, 'left.defender': 1 });
  });

  it('does not occur if a phase has ended the battle', () => {
    const attacker = { units: weak, retreat: { afterRounds: 1 } };
    expect(fight(clash(attacker, weak), [roll(3, 0), roll(3, 3)]).outcome).toBe('defender');
    const gunners = { units: { cannon: 1 }, retreat: { afterRounds: 1 } };
    expect(fight(clash(gunners, { rifleman: 1 }), [roll(3, 3)]).outcome).toBe('attacker');
  });

  it.each([
    ['below the ratio', 1, 'retreat'],
    ['not at the ratio itself', 0.5, 'stalemate'],
    ['just above it', 0.500001, 'retreat'],
    ['never by a ratio of 0', 0, 'stalemate'],
  ])('whenWeaker: %s', (_, whenWeaker, outcome) => {
    // 3 dice at 3 against 6 dice at 3; aircraft do not count.
    const attacker = { units: { rifleman: 1, biplane: 1 }, retreat: { whenWeaker } };
    expect(fight(clash(attacker, { rifleman: 2 }), [roll(1, 0), roll(3, 0), roll(6, 0)]).outcome).toBe(outcome);
  });

  it('whenWeaker compares without rounding', () => {
    // 7 dice against 25 at 0.28: in floating point 0.28 x 25 is more than 7.
    const attacker = { units: { catapult: 7 }, retreat: { whenWeaker: 0.28 } };
    expect(fight(clash(attacker, { catapult: 25 }), [roll(7, 0), roll(25, 0)]).outcome).toBe('stalemate');
  });

  it('whenWeaker includes the site in values up to 6, over all ground classes', () => {
    // A knight 2 x 1 and a cannon 3 x 2, the spearman being hit, against a guard 1 x 6 and catapults 2 x 1.
    const unitTypes = { guard: { class: 'infantry', era: 1, bonus: 9 } };
    const attacker = { units: { knight: 1, cannon: 1, spearman: 1 }, retreat: { whenWeaker: 1 } };
    const input = clash(attacker, { guard: 1, catapult: 2 }, { unitTypes, site: 'settlement' });
    const script = [roll(3, 0), roll(2, 0), roll(2, 0), roll(1, 0), { faces: [6] }];
    expect(fight(input, script).outcome).toBe('stalemate');
    const wall = { ...input, site: 'great-wall' };
    expect(fight(wall, script).outcome).toBe('retreat');
  });

  it('whenWeaker counts fleets at sea', () => {
    const attacker = { units: { jet: 3, galley: 1 }, retreat: { whenWeaker: 1 } };
    const input = { mode: 'fleet', maxRounds: 1, attacker, defender: { units: { galley: 2 } } };
    expect(fight(input, [roll(9, 0), roll(1, 0), roll(2, 0)]).outcome).toBe('retreat');
  });
});
