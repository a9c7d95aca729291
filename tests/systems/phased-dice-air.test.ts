/** Phased dice, one rule a test: aircraft. */
import { describe, expect, it } from 'vitest';
import { clash, decide, fight, idle, roll } from './phased-dice-fight.ts';

describe('aircraft', () => {
  it('are hit first, and shield the others while any of them lives', () => {
    const { metrics, told, asked } = fight(
      clash({ stealth: 1 }, { monoplane: 2, spearman: 4 }, { airOnly: 'stalemate' }),
      [roll(5, 5), roll(6, 0)],
    );
    expect(metrics).toMatchObject({ 'left.defender.monoplane': 1, 'left.defender.spearman': 4 });
    expect(asked).toEqual([]);
    expect(told).toEqual(['round', 'roll', 'roll', 'air.first', 'losses', 'reserve', 'end.air-only.stalemate']);
  });

  it('leave the rest to the others in the same phase once none of them lives; no class is named', () => {
    const { metrics, asked } = fight(
      clash({ units: { stealth: 1, spearman: 1 } }, { units: { biplane: 1, knight: 1, spearman: 2 } }),
      [roll(5, 5), roll(2, 0), decide('knight'), roll(1, 0), roll(1, 0)],
    );
    expect(asked[0]).toBe('defender losses [knight spearman] knight');
    expect(metrics).toMatchObject({
      'left.defender.biplane': 0,
      'left.defender.knight': 0,
      'left.defender.spearman': 1,
    });
  });

  it('let hits through at once where there are none', () => {
    const { metrics, told } = fight(clash({ biplane: 1, cart: 1 }, { cart: 3 }, idle), [roll(2, 2)]);
    expect(metrics['left.defender.cart']).toBe(1);
    expect(told).not.toContain('air.first');
  });

  it('leave in reserve what living ones cannot take; the next hit places it on the ground', () => {
    const { metrics } = fight(clash({ jet: 1, spearman: 1 }, { zeppelin: 1, rifleman: 2 }, idle), [
      roll(4, 4),
      roll(1, 1),
      roll(6, 0),
    ]);
    expect(metrics).toMatchObject({ 'left.defender.zeppelin': 1, 'left.defender.rifleman': 1 });
  });

  it('are not hit outside the air phase, and never roll again', () => {
    const { metrics, pools } = fight(clash({ biplane: 1, cannon: 2 }, { biplane: 1, knight: 1 }, { maxRounds: 9 }), [
      roll(2, 0),
      roll(2, 0),
      roll(6, 0),
      roll(2, 0),
      roll(6, 6),
    ]);
    expect(pools).toEqual(['2@3', '2@3', '6@2', '2@2', '6@2']);
    expect(metrics).toMatchObject({ rounds: 2, 'left.defender.biplane': 1, 'left.defender.knight': 0 });
  });

  it('place nothing on a side that took no hit, whatever its reserve', () => {
    // Three hits wait for the jet's fourth; no hit follows, so the spearmen live.
    const { metrics } = fight(clash({ monoplane: 1, spearman: 1 }, { jet: 1, spearman: 3 }), [
      roll(3, 3),
      roll(4, 0),
      roll(1, 0),
      roll(3, 0),
    ]);
    expect(metrics).toMatchObject({ 'left.defender.jet': 1, 'left.defender.spearman': 3 });
  });
});

describe('a side with nothing but aircraft', () => {
  it('is beaten after the air phase while the enemy has ground units, its aircraft left', () => {
    const { outcome, metrics, pools } = fight(clash({ stealth: 2 }, { rifleman: 4 }), [roll(10, 10)]);
    expect([outcome, pools.length]).toEqual(['defender', 1]);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker': 2, 'left.attacker.stealth': 2, 'left.defender': 1 });
  });

  it('wins by destroying everything in the air phase', () => {
    expect(fight(clash({ stealth: 1 }, { rifleman: 1 }), [roll(5, 3)]).outcome).toBe('attacker');
  });

  it('is beaten even if the air phase was not fired', () => {
    const { outcome, metrics, pools } = fight(clash({ spearman: 1 }, { balloon: 1 }, idle), []);
    expect([outcome, metrics['rounds'], metrics['left.defender.balloon'], pools]).toEqual(['attacker', 1, 1, []]);
  });

  it('is beaten after any later phase', () => {
    const { outcome, told } = fight(clash({ biplane: 1, knight: 1 }, { cannon: 1, rifleman: 1 }), [
      roll(2, 0),
      roll(3, 3),
    ]);
    expect([outcome, told.at(-1)]).toEqual(['defender', 'end.air-only']);
  });

  it('is beaten at sea as well', () => {
    const input = { mode: 'fleet', maxRounds: 1, attacker: { units: { jet: 1 } }, defender: { units: { galley: 2 } } };
    expect(fight(input, [roll(4, 1)]).outcome).toBe('defender');
  });

  it('makes a stalemate by option airOnly', () => {
    const { outcome, metrics } = fight(clash({ jet: 1 }, { rifleman: 1 }, { airOnly: 'stalemate', maxRounds: 9 }), [
      roll(4, 0),
    ]);
    expect([outcome, metrics['rounds'], metrics['left.defender.rifleman']]).toEqual(['stalemate', 1, 1]);
  });

  it('makes a stalemate against another such side, whatever the option', () => {
    const { outcome, metrics } = fight(clash({ jet: 1 }, { biplane: 2 }, { maxRounds: 9 }), [roll(4, 2), roll(4, 3)]);
    expect([outcome, metrics['rounds'], metrics['left.defender.biplane']]).toEqual(['stalemate', 1, 1]);
  });

  it('wins against nothing, and both can fall together', () => {
    expect(fight(clash({ jet: 1 }, { biplane: 1 }), [roll(4, 2), roll(2, 0)]).outcome).toBe('attacker');
    expect(fight(clash({ biplane: 1 }, { biplane: 1 }), [roll(2, 2), roll(2, 2)]).outcome).toBe('mutual');
  });

  it('outlives an enemy that loses its last ground unit with it', () => {
    const script = [roll(2, 0), roll(1, 1), roll(1, 1)];
    expect(fight(clash({ biplane: 1, spearman: 1 }, { spearman: 1 }), script).outcome).toBe('attacker');
  });
});
