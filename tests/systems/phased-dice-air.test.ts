/** Phased dice, one rule a test: aircraft. */
import { describe, expect, it } from 'vitest';
import { clash, decide, fight, idle, roll } from './phased-dice-fight.ts';

const stay = 'attacker retreat [stay retreat] stay';

describe('aircraft', () => {
  it('are hit first, and shield the others while any of them lives', () => {
    const { metrics, told, asked } = fight(
      clash({ stealth: 1, cart: 1 }, { monoplane: 2, knight: 4 }, { ...idle, airOnly: 'stalemate' }),
      [roll(4, 3), roll(4, 0), roll(8, 0)],
    );
    expect(metrics).toMatchObject({ 'left.defender.monoplane': 1, 'left.defender.knight': 4 });
    expect(asked).toEqual([stay]);
    expect(told).toEqual(['round', 'roll', 'roll', 'air.first', 'losses', 'reserve', 'roll']);
  });

  it('leave the rest to the others in the same phase once none of them lives; no class is named', () => {
    const { metrics, asked, told } = fight(
      clash({ units: { stealth: 1, spearman: 1 } }, { units: { biplane: 1, knight: 1, spearman: 2 } }),
      [roll(4, 4), roll(1, 0), decide('knight'), roll(1, 0), roll(1, 0)],
    );
    expect(asked[0]).toBe('defender losses [knight spearman] knight');
    expect(told.slice(3, 6)).toEqual(['air.first', 'air.through', 'losses']);
    expect(metrics).toMatchObject({
      'left.defender.biplane': 0,
      'left.defender.knight': 0,
      'left.defender.spearman': 1,
    });
  });

  it('let hits through at once where there are none', () => {
    const { metrics, told } = fight(clash({ monoplane: 1, cart: 1 }, { cart: 3 }, idle), [roll(2, 2)]);
    expect(metrics['left.defender.cart']).toBe(1);
    expect(told).not.toContain('air.first');
  });

  it('are not hit outside the air phase, and never roll again', () => {
    const { metrics, pools } = fight(clash({ biplane: 1, cannon: 2 }, { biplane: 1, knight: 1 }, { maxRounds: 9 }), [
      roll(1, 0),
      roll(1, 0),
      roll(6, 0),
      roll(2, 0),
      roll(6, 6),
    ]);
    expect(pools).toEqual(['1@2', '1@2', '6@2', '2@2', '6@2']);
    expect(metrics).toMatchObject({ rounds: 2, 'left.defender.biplane': 1, 'left.defender.knight': 0 });
  });
});

describe('what living aircraft cannot take', () => {
  it('is placed on the ground one phase later, although nobody fights in it', () => {
    const { outcome, metrics, told, asked, pools } = fight(
      clash({ monoplane: 1, spearman: 1 }, { jet: 1, spearman: 3, cart: 1 }, idle),
      [roll(2, 2), roll(3, 0), roll(1, 0), roll(1, 0)],
    );
    expect(outcome).toBe('stalemate');
    expect(metrics).toMatchObject({ 'left.defender.jet': 1, 'left.defender.spearman': 1, 'left.defender.cart': 1 });
    expect(told.slice(3, 7)).toEqual(['air.first', 'reserve', 'reserve.placed', 'losses']);
    // The owner chooses freely, no class being named.
    expect(asked.slice(0, 2)).toEqual([
      'defender losses [spearman cart] spearman',
      'defender losses [spearman cart] spearman',
    ]);
    expect(pools).toEqual(['2@3', '3@4', '1@3', '1@3']);
  });

  it('is placed with the hits of that phase, on the class that is named, if the side is hit', () => {
    const types = { unitTypes: { gun: { class: 'artillery', era: 1 }, pike: { class: 'infantry', era: 2, dice: 0 } } };
    const attacker = { units: { biplane: 1, gun: 1 }, target: ['infantry'] };
    const { metrics, asked, told } = fight(clash(attacker, { jet: 1, pike: 1, chariot: 1 }, types), [
      roll(1, 1),
      roll(3, 0),
      roll(1, 1),
      roll(1, 0),
    ]);
    expect(asked[0]).toBe('attacker target [cavalry infantry] infantry');
    expect(told).not.toContain('reserve.placed');
    expect(metrics).toMatchObject({ 'left.defender.pike': 0, 'left.defender.chariot': 1 });
  });

  it('is placed freely by a side that is not hit in a phase in which it hits the enemy', () => {
    const { told, asked, metrics } = fight(
      clash({ biplane: 1, knight: 1, spearman: 1 }, { jet: 1, catapult: 1, knight: 1, spearman: 1 }),
      [roll(1, 1), roll(3, 0), roll(1, 1), decide('cavalry'), decide('spearman'), roll(2, 0), roll(2, 0)],
    );
    // The spearman of the attacker falls to the catapult's hit; that of the defender to the biplane's of the phase before.
    expect(asked.slice(0, 2)).toEqual([
      'defender target [cavalry infantry] cavalry',
      'defender losses [catapult spearman] spearman',
    ]);
    expect(told.slice(6, 11)).toEqual(['target', 'losses', 'reserve.placed', 'losses', 'roll']);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 0, 'left.defender.spearman': 0 });
  });

  it('is placed by both sides in one phase', () => {
    const units = { jet: 1, spearman: 2 };
    const { metrics, outcome, told } = fight(clash(units, units), [roll(3, 1), roll(3, 2), roll(1, 1)]);
    expect([outcome, told.filter((id) => id === 'reserve.placed').length]).toEqual(['defender', 2]);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 0, 'left.defender.spearman': 1 });
  });

  it('stays in reserve while it fells nothing', () => {
    const { metrics, told } = fight(clash({ monoplane: 1, spearman: 1 }, { jet: 1, rifleman: 1 }), [
      roll(2, 2),
      roll(3, 0),
      roll(1, 1),
      roll(3, 0),
    ]);
    expect(metrics['left.defender.rifleman']).toBe(0);
    expect(told).not.toContain('reserve.placed');
  });

  it('falls on ships at sea', () => {
    const sides = { attacker: { units: { monoplane: 1, galley: 1 } }, defender: { units: { jet: 1, caravel: 2 } } };
    const { told, metrics, pools } = fight({ mode: 'fleet', maxRounds: 1, ...sides }, [
      roll(2, 2),
      roll(3, 0),
      roll(1, 0),
      roll(4, 0),
    ]);
    expect(told).toContain('reserve.placed');
    expect(pools).toEqual(['2@3', '3@4', '1@2', '4@2']);
    expect(metrics['left.defender.caravel']).toBe(1);
  });

  it('is lost when the air phase has ended the battle', () => {
    // Two hits wait for the attacker's spearmen, but the defender has nothing but its jet.
    const { outcome, metrics, told } = fight(clash({ stealth: 1, spearman: 2 }, { jet: 1 }), [roll(4, 0), roll(3, 3)]);
    expect([outcome, told.at(-2), told.at(-1)]).toEqual(['attacker', 'reserve', 'end.air-only']);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 2, 'left.defender.jet': 1 });
    // One hit waits for the defender's spearman, but the attacker has nothing left.
    const lost = fight(clash({ biplane: 1 }, { jet: 1, spearman: 1 }), [roll(1, 1), roll(3, 1)]);
    expect([lost.outcome, lost.metrics['left.defender.spearman']]).toEqual(['defender', 1]);
  });
});

describe('a defender with nothing but aircraft', () => {
  it('is beaten at once while the attacker has ground units, its aircraft left', () => {
    const { outcome, metrics, told } = fight(clash({ rifleman: 4 }, { stealth: 2 }), [roll(8, 8)]);
    expect([outcome, told.at(-1)]).toEqual(['attacker', 'end.air-only']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.defender': 2, 'left.attacker.rifleman': 2 });
  });

  it('is beaten even if the air phase was not fired', () => {
    const { outcome, metrics, pools } = fight(clash({ spearman: 1 }, { balloon: 1 }, idle), []);
    expect([outcome, metrics['rounds'], metrics['left.defender.balloon'], pools]).toEqual(['attacker', 1, 1, []]);
  });

  it('is beaten after any later phase, before the attacker is asked to retreat', () => {
    const attacker = { units: { cannon: 1, rifleman: 1 }, retreat: { afterRounds: 1 } };
    const { outcome, told, asked } = fight(clash(attacker, { biplane: 1, knight: 1 }), [roll(1, 0), roll(3, 3)]);
    expect([outcome, told.at(-1), asked.length]).toEqual(['attacker', 'end.air-only', 1]);
  });

  it('is beaten by fleets at sea', () => {
    const sides = { attacker: { units: { galley: 2 } }, defender: { units: { jet: 1 } } };
    expect(fight({ mode: 'fleet', ...sides }, [roll(3, 1)]).outcome).toBe('attacker');
  });

  it('makes a stalemate at once by option airOnly', () => {
    const { outcome, told, metrics } = fight(clash({ rifleman: 1 }, { jet: 1 }, { airOnly: 'stalemate' }), [
      roll(3, 0),
    ]);
    expect([outcome, told.at(-1)]).toEqual(['stalemate', 'end.air-only.stalemate']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.rifleman': 1, 'left.defender.jet': 1 });
  });
});

describe('an attacker with nothing but aircraft', () => {
  const raid = (options: object = {}) => clash({ units: { jet: 2 }, ...options }, { rifleman: 1, catapult: 1 });
  const misses = [roll(6, 0), roll(1, 1), roll(3, 3)];

  it('goes on to the retreat phase, in which it is beaten by the policy never; hits find nothing until then', () => {
    const { outcome, metrics, told, asked, pools } = fight(raid(), misses);
    expect([outcome, pools]).toEqual(['defender', ['6@4', '1@1', '3@3']]);
    expect(asked).toEqual([stay]);
    expect(told.slice(2)).toEqual(['roll', 'air.missed', 'roll', 'air.missed', 'end.air-only']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.jet': 2, 'left.defender': 2 });
  });

  it.each([
    ['afterRounds, however many', { afterRounds: 5 }],
    ['whenWeaker', { whenWeaker: 0.1 }],
    ['whenWeaker of 0', { whenWeaker: 0 }],
  ])('goes home by the policy %s', (_, retreat) => {
    const { outcome, metrics, told } = fight(raid({ retreat }), misses);
    expect([outcome, told.slice(-2)]).toEqual(['retreat', ['air.home', 'retreat']]);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.jet': 2, 'left.defender': 2 });
  });

  it('is destroyed if there is nowhere to go', () => {
    const { outcome, metrics, told } = fight(raid({ retreat: { afterRounds: 5 }, retreatTo: 'none' }), misses);
    expect([outcome, told.slice(-3)]).toEqual(['defender', ['air.home', 'retreat.destroyed', 'end.destroyed']]);
    expect(metrics).toMatchObject({ 'left.attacker': 0, 'left.defender': 2 });
  });

  it('is a matter of the agent, whatever the policy: by staying it is beaten, by retreating it goes home', () => {
    expect(fight(raid({ retreat: { afterRounds: 1 } }), [...misses, decide('stay')]).outcome).toBe('defender');
    expect(fight(raid(), [...misses, decide('retreat')]).outcome).toBe('retreat');
  });

  it('makes a stalemate by option airOnly if it stays', () => {
    const stalemate = (options: object = {}) => fight({ ...raid(options), airOnly: 'stalemate' }, misses);
    expect([stalemate().outcome, stalemate().told.at(-1)]).toEqual(['stalemate', 'end.air-only.stalemate']);
    expect(stalemate({ retreat: { afterRounds: 1 } }).outcome).toBe('retreat');
  });

  it('is what becomes of it in a later round too', () => {
    const attacker = { units: { biplane: 1, knight: 1 }, retreat: { afterRounds: 3 } };
    const { outcome, metrics, asked } = fight(clash(attacker, { rifleman: 1 }, { maxRounds: 9 }), [
      ...[roll(1, 0), roll(2, 0), roll(3, 0)],
      ...[roll(2, 0), roll(3, 2)],
    ]);
    expect([outcome, metrics['rounds'], metrics['left.attacker.biplane']]).toEqual(['retreat', 2, 1]);
    expect(asked.at(-1)).toBe('attacker retreat [stay retreat] retreat');
  });

  it('wins by destroying everything in the air phase', () => {
    expect(fight(clash({ stealth: 1 }, { rifleman: 1 }), [roll(4, 3)]).outcome).toBe('attacker');
  });

  it('is beaten at sea as well', () => {
    const sides = { attacker: { units: { jet: 1 } }, defender: { units: { galley: 2 } } };
    const { outcome, told } = fight({ mode: 'fleet', ...sides }, [roll(3, 1), roll(1, 1)]);
    expect([outcome, told.includes('air.missed')]).toEqual(['defender', true]);
  });

  it('can see the defender lose its last ground unit to what waited in reserve', () => {
    const { outcome, told } = fight(
      clash({ units: { jet: 1 }, retreat: { afterRounds: 1 } }, { jet: 1, spearman: 1 }),
      [roll(3, 1), roll(3, 0)],
    );
    expect([outcome, told.at(-1)]).toEqual(['stalemate', 'end.air-both']);
  });
});

describe('two sides with nothing but aircraft', () => {
  it('make a stalemate at once, whatever option and policy', () => {
    const attacker = { units: { jet: 1 }, retreat: { afterRounds: 1 } };
    const { outcome, metrics, told, asked } = fight(clash(attacker, { biplane: 2 }), [roll(3, 1), roll(2, 1)]);
    expect([outcome, told.at(-1), asked]).toEqual(['stalemate', 'end.air-both', []]);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker': 1, 'left.defender.biplane': 1 });
  });

  it('can lose all of them, one or both', () => {
    expect(fight(clash({ jet: 1 }, { biplane: 1 }), [roll(3, 1), roll(1, 0)]).outcome).toBe('attacker');
    expect(fight(clash({ biplane: 1 }, { biplane: 1 }), [roll(1, 1), roll(1, 1)]).outcome).toBe('mutual');
  });

  it('come of a phase in which both lose their last ground unit', () => {
    const units = { biplane: 1, spearman: 1 };
    const { outcome, told } = fight(clash(units, units), [roll(1, 0), roll(1, 0), roll(1, 1), roll(1, 1)]);
    expect([outcome, told.at(-1)]).toEqual(['stalemate', 'end.air-both']);
  });

  it('do not come of a loss that leaves nothing', () => {
    const script = [roll(1, 0), roll(1, 1), roll(1, 1)];
    expect(fight(clash({ biplane: 1, spearman: 1 }, { spearman: 1 }), script).outcome).toBe('attacker');
  });
});
