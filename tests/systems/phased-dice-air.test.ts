/** Phased dice, one rule per test: aircraft. */
import { describe, expect, it } from 'vitest';
import { clash, decide, fight, idle, roll } from './phased-dice-fight.ts';

const stay = 'attacker retreat [stay retreat] stay';

describe('aircraft', () => {
  it('are hit first and shield other units while any aircraft remains', () => {
    const { metrics, reported, requested } = fight(
      clash({ stealth: 1, cart: 1 }, { monoplane: 2, knight: 4 }, { ...idle, airOnly: 'stalemate' }),
      [roll(4, 3), roll(4, 0), roll(8, 0)],
    );
    expect(metrics).toMatchObject({ 'left.defender.monoplane': 1, 'left.defender.knight': 4 });
    expect(requested).toEqual([stay]);
    expect(reported).toEqual(['round', 'roll', 'roll', 'air.first', 'losses', 'reserve', 'roll']);
  });

  it('leave remaining hits to other units in the same phase, with no named class', () => {
    const { metrics, requested, reported } = fight(
      clash({ units: { stealth: 1, spearman: 1 } }, { units: { biplane: 1, knight: 1, spearman: 2 } }),
      [roll(4, 4), roll(1, 0), decide('knight'), roll(1, 0), roll(1, 0)],
    );
    expect(requested[0]).toBe('defender losses [knight spearman] knight');
    expect(reported.slice(3, 6)).toEqual(['air.first', 'air.through', 'losses']);
    expect(metrics).toMatchObject({
      'left.defender.biplane': 0,
      'left.defender.knight': 0,
      'left.defender.spearman': 1,
    });
  });

  it('do not delay hits on a side that has none', () => {
    const { metrics, reported } = fight(clash({ monoplane: 1, cart: 1 }, { cart: 3 }, idle), [roll(2, 2)]);
    expect(metrics['left.defender.cart']).toBe(1);
    expect(reported).not.toContain('air.first');
  });

  it('are not hit outside the air phase, and roll only once', () => {
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

describe('hits that aircraft cannot take', () => {
  it('are placed on ground units one phase later, even if nobody fights in it', () => {
    const { outcome, metrics, reported, requested, pools } = fight(
      clash({ monoplane: 1, spearman: 1 }, { jet: 1, spearman: 3, cart: 1 }, idle),
      [roll(2, 2), roll(3, 0), roll(1, 0), roll(1, 0)],
    );
    expect(outcome).toBe('stalemate');
    expect(metrics).toMatchObject({ 'left.defender.jet': 1, 'left.defender.spearman': 1, 'left.defender.cart': 1 });
    expect(reported.slice(3, 7)).toEqual(['air.first', 'reserve', 'reserve.placed', 'losses']);
    // The owner chooses freely because no class is named.
    expect(requested.slice(0, 2)).toEqual([
      'defender losses [spearman cart] spearman',
      'defender losses [spearman cart] spearman',
    ]);
    expect(pools).toEqual(['2@3', '3@4', '1@3', '1@3']);
  });

  it('are added to the hits of that phase on the named class', () => {
    const types = { unitTypes: { gun: { class: 'artillery', era: 1 }, pike: { class: 'infantry', era: 2, dice: 0 } } };
    const attacker = { units: { biplane: 1, gun: 1 }, target: ['infantry'] };
    const { metrics, requested, reported } = fight(clash(attacker, { jet: 1, pike: 1, chariot: 1 }, types), [
      roll(1, 1),
      roll(3, 0),
      roll(1, 1),
      roll(1, 0),
    ]);
    expect(requested[0]).toBe('attacker target [cavalry infantry] infantry');
    expect(reported).not.toContain('reserve.placed');
    expect(metrics).toMatchObject({ 'left.defender.pike': 0, 'left.defender.chariot': 1 });
  });

  it('are placed freely by a side that is not hit in that phase', () => {
    const { reported, requested, metrics } = fight(
      clash({ biplane: 1, knight: 1, spearman: 1 }, { jet: 1, catapult: 1, knight: 1, spearman: 1 }),
      [roll(1, 1), roll(3, 0), roll(1, 1), decide('cavalry'), decide('spearman'), roll(2, 0), roll(2, 0)],
    );
    // The attacker's spearman falls to the catapult's hit; the defender's to the hit of the biplane in the phase
    // before.
    expect(requested.slice(0, 2)).toEqual([
      'defender target [cavalry infantry] cavalry',
      'defender losses [catapult spearman] spearman',
    ]);
    expect(reported.slice(6, 11)).toEqual(['target', 'losses', 'reserve.placed', 'losses', 'roll']);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 0, 'left.defender.spearman': 0 });
  });

  it('are placed by both sides in one phase', () => {
    const units = { jet: 1, spearman: 2 };
    const { metrics, outcome, reported } = fight(clash(units, units), [roll(3, 1), roll(3, 2), roll(1, 1)]);
    expect([outcome, reported.filter((id) => id === 'reserve.placed').length]).toEqual(['defender', 2]);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 0, 'left.defender.spearman': 1 });
  });

  it('remain in reserve while they destroy nothing', () => {
    const { metrics, reported } = fight(clash({ monoplane: 1, spearman: 1 }, { jet: 1, rifleman: 1 }), [
      roll(2, 2),
      roll(3, 0),
      roll(1, 1),
      roll(3, 0),
    ]);
    expect(metrics['left.defender.rifleman']).toBe(0);
    expect(reported).not.toContain('reserve.placed');
  });

  it('are placed on ships at sea', () => {
    const sides = { attacker: { units: { monoplane: 1, galley: 1 } }, defender: { units: { jet: 1, caravel: 2 } } };
    const { reported, metrics, pools } = fight({ mode: 'fleet', maxRounds: 1, ...sides }, [
      roll(2, 2),
      roll(3, 0),
      roll(1, 0),
      roll(4, 0),
    ]);
    expect(reported).toContain('reserve.placed');
    expect(pools).toEqual(['2@3', '3@4', '1@2', '4@2']);
    expect(metrics['left.defender.caravel']).toBe(1);
  });

  it('are lost if the air phase ends the battle', () => {
    // Two hits wait for the attacker's spearmen, but the defender has only its jet.
    const { outcome, metrics, reported } = fight(clash({ stealth: 1, spearman: 2 }, { jet: 1 }), [
      roll(4, 0),
      roll(3, 3),
    ]);
    expect([outcome, reported.at(-2), reported.at(-1)]).toEqual(['attacker', 'reserve', 'end.air-only']);
    expect(metrics).toMatchObject({ 'left.attacker.spearman': 2, 'left.defender.jet': 1 });
    // One hit waits for the defender's spearman, but the attacker has nothing left.
    const lost = fight(clash({ biplane: 1 }, { jet: 1, spearman: 1 }), [roll(1, 1), roll(3, 1)]);
    expect([lost.outcome, lost.metrics['left.defender.spearman']]).toEqual(['defender', 1]);
  });
});

describe('a defender with only aircraft', () => {
  it('loses at once if the attacker has ground units, and keeps its aircraft', () => {
    const { outcome, metrics, reported } = fight(clash({ rifleman: 4 }, { stealth: 2 }), [roll(8, 8)]);
    expect([outcome, reported.at(-1)]).toEqual(['attacker', 'end.air-only']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.defender': 2, 'left.attacker.rifleman': 2 });
  });

  it('loses even without rolls in the air phase', () => {
    const { outcome, metrics, pools } = fight(clash({ spearman: 1 }, { balloon: 1 }, idle), []);
    expect([outcome, metrics['rounds'], metrics['left.defender.balloon'], pools]).toEqual(['attacker', 1, 1, []]);
  });

  it('loses after any later phase, before the retreat decision of the attacker', () => {
    const attacker = { units: { cannon: 1, rifleman: 1 }, retreat: { afterRounds: 1 } };
    const { outcome, reported, requested } = fight(clash(attacker, { biplane: 1, knight: 1 }), [
      roll(1, 0),
      roll(3, 3),
    ]);
    expect([outcome, reported.at(-1), requested.length]).toEqual(['attacker', 'end.air-only', 1]);
  });

  it('loses to fleets at sea', () => {
    const sides = { attacker: { units: { galley: 2 } }, defender: { units: { jet: 1 } } };
    expect(fight({ mode: 'fleet', ...sides }, [roll(3, 1)]).outcome).toBe('attacker');
  });

  it('causes a stalemate at once with option airOnly stalemate', () => {
    const { outcome, reported, metrics } = fight(clash({ rifleman: 1 }, { jet: 1 }, { airOnly: 'stalemate' }), [
      roll(3, 0),
    ]);
    expect([outcome, reported.at(-1)]).toEqual(['stalemate', 'end.air-only.stalemate']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.rifleman': 1, 'left.defender.jet': 1 });
  });
});

describe('an attacker with only aircraft', () => {
  const raid = (options: object = {}) => clash({ units: { jet: 2 }, ...options }, { rifleman: 1, catapult: 1 });
  const misses = [roll(6, 0), roll(1, 1), roll(3, 3)];

  it('remains until the retreat phase and loses with policy never', () => {
    const { outcome, metrics, reported, requested, pools } = fight(raid(), misses);
    expect([outcome, pools]).toEqual(['defender', ['6@4', '1@1', '3@3']]);
    expect(requested).toEqual([stay]);
    expect(reported.slice(2)).toEqual(['roll', 'air.missed', 'roll', 'air.missed', 'end.air-only']);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.jet': 2, 'left.defender': 2 });
  });

  it.each([
    ['afterRounds, however many', { afterRounds: 5 }],
    ['whenWeaker', { whenWeaker: 0.1 }],
    ['whenWeaker of 0', { whenWeaker: 0 }],
  ])('retreats with policy %s', (_, retreat) => {
    const { outcome, metrics, reported } = fight(raid({ retreat }), misses);
    expect([outcome, reported.slice(-2)]).toEqual(['retreat', ['air.home', 'retreat']]);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker.jet': 2, 'left.defender': 2 });
  });

  it('is destroyed if retreatTo is none', () => {
    const { outcome, metrics, reported } = fight(raid({ retreat: { afterRounds: 5 }, retreatTo: 'none' }), misses);
    expect([outcome, reported.slice(-3)]).toEqual(['defender', ['air.home', 'retreat.destroyed', 'end.destroyed']]);
    expect(metrics).toMatchObject({ 'left.attacker': 0, 'left.defender': 2 });
  });

  it('stays or retreats by decision of the agent with any policy', () => {
    expect(fight(raid({ retreat: { afterRounds: 1 } }), [...misses, decide('stay')]).outcome).toBe('defender');
    expect(fight(raid(), [...misses, decide('retreat')]).outcome).toBe('retreat');
  });

  it('causes a stalemate with option airOnly stalemate if it stays', () => {
    const stalemate = (options: object = {}) => fight({ ...raid(options), airOnly: 'stalemate' }, misses);
    expect([stalemate().outcome, stalemate().reported.at(-1)]).toEqual(['stalemate', 'end.air-only.stalemate']);
    expect(stalemate({ retreat: { afterRounds: 1 } }).outcome).toBe('retreat');
  });

  it('retreats in a later round too', () => {
    const attacker = { units: { biplane: 1, knight: 1 }, retreat: { afterRounds: 3 } };
    const { outcome, metrics, requested } = fight(clash(attacker, { rifleman: 1 }, { maxRounds: 9 }), [
      ...[roll(1, 0), roll(2, 0), roll(3, 0)],
      ...[roll(2, 0), roll(3, 2)],
    ]);
    expect([outcome, metrics['rounds'], metrics['left.attacker.biplane']]).toEqual(['retreat', 2, 1]);
    expect(requested.at(-1)).toBe('attacker retreat [stay retreat] retreat');
  });

  it('wins by destroying everything in the air phase', () => {
    expect(fight(clash({ stealth: 1 }, { rifleman: 1 }), [roll(4, 3)]).outcome).toBe('attacker');
  });

  it('loses at sea too', () => {
    const sides = { attacker: { units: { jet: 1 } }, defender: { units: { galley: 2 } } };
    const { outcome, reported } = fight({ mode: 'fleet', ...sides }, [roll(3, 1), roll(1, 1)]);
    expect([outcome, reported.includes('air.missed')]).toEqual(['defender', true]);
  });

  it("causes a stalemate if hits in reserve destroy the defender's last ground unit", () => {
    const { outcome, reported } = fight(
      clash({ units: { jet: 1 }, retreat: { afterRounds: 1 } }, { jet: 1, spearman: 1 }),
      [roll(3, 1), roll(3, 0)],
    );
    expect([outcome, reported.at(-1)]).toEqual(['stalemate', 'end.air-both']);
  });
});

describe('two sides with only aircraft', () => {
  it('end in a stalemate at once, with any option and policy', () => {
    const attacker = { units: { jet: 1 }, retreat: { afterRounds: 1 } };
    const { outcome, metrics, reported, requested } = fight(clash(attacker, { biplane: 2 }), [roll(3, 1), roll(2, 1)]);
    expect([outcome, reported.at(-1), requested]).toEqual(['stalemate', 'end.air-both', []]);
    expect(metrics).toMatchObject({ rounds: 1, 'left.attacker': 1, 'left.defender.biplane': 1 });
  });

  it('can lose all aircraft, on one side or both', () => {
    expect(fight(clash({ jet: 1 }, { biplane: 1 }), [roll(3, 1), roll(1, 0)]).outcome).toBe('attacker');
    expect(fight(clash({ biplane: 1 }, { biplane: 1 }), [roll(1, 1), roll(1, 1)]).outcome).toBe('mutual');
  });

  it('end in a stalemate after both lose their last ground unit in one phase', () => {
    const units = { biplane: 1, spearman: 1 };
    const { outcome, reported } = fight(clash(units, units), [roll(1, 0), roll(1, 0), roll(1, 1), roll(1, 1)]);
    expect([outcome, reported.at(-1)]).toEqual(['stalemate', 'end.air-both']);
  });

  it('cause no stalemate if one side has no units left', () => {
    const script = [roll(1, 0), roll(1, 1), roll(1, 1)];
    expect(fight(clash({ biplane: 1, spearman: 1 }, { spearman: 1 }), script).outcome).toBe('attacker');
  });
});
