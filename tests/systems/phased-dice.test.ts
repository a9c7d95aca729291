/** Phased dice, one rule per test: rounds, phases, final states, and fleets. */
import { describe, expect, it } from 'vitest';
import { clash, decide, fight, idle, roll } from './phased-dice-fight.ts';

describe('rounds and phases', () => {
  it('have the order air (first round only), artillery, cavalry, infantry, with attackers first', () => {
    const units = { spearman: 9, chariot: 9, catapult: 9, biplane: 1 };
    const one = [roll(1, 0), roll(1, 0), roll(9, 0), roll(9, 0), roll(9, 0), roll(9, 0), roll(9, 0), roll(9, 0)];
    const { pools, metrics, outcome } = fight(clash(units, units, { maxRounds: 2 }), [...one, ...one.slice(2)]);
    const ground = ['9@1', '9@1', '9@2', '9@2', '9@3', '9@3'];
    expect(pools).toEqual(['1@2', '1@2', ...ground, ...ground]);
    expect([outcome, metrics['rounds']]).toEqual(['stalemate', 2]);
  });

  it('give every roll a separate stream position by round, phase and side', () => {
    const attacker = { units: { biplane: 1, catapult: 1, chariot: 1, spearman: 1 } };
    const defender = { units: { jet: 1, spearman: 1 } };
    const round = [roll(1, 0), roll(1, 0), roll(1, 0), roll(1, 0)];
    const { places } = fight({ maxRounds: 2, attacker, defender }, [roll(1, 0), roll(3, 0), ...round, ...round]);
    const lots = [8, 9, 10, 12, 14, 15, 18, 20, 22, 23];
    expect(places).toEqual(lots.map((lot) => lot * 1024));
  });

  it('skip a phase without units, and roll only for a side with units', () => {
    const { pools } = fight(clash({ knight: 2 }, { spearman: 5 }), [roll(4, 0), roll(5, 0)]);
    expect(pools).toEqual(['4@2', '5@3']);
  });

  it('let destroyed units roll in the phase in which they fall, but not later', () => {
    const units = { knight: 1, spearman: 1 };
    const script = [roll(2, 2), roll(2, 2), decide('cavalry'), decide('cavalry'), roll(1, 0), roll(1, 0)];
    const { metrics } = fight(clash(units, units), script);
    expect(metrics).toMatchObject({ 'left.attacker': 1, 'left.defender': 1 });
    const { pools } = fight(clash(units, { catapult: 2, spearman: 1 }), [
      roll(2, 2),
      decide('cavalry'),
      roll(1, 0),
      roll(1, 0),
    ]);
    expect(pools).toEqual(['2@1', '1@3', '1@3']);
  });

  it('end at once when a side has no units left', () => {
    const { outcome, metrics, pools } = fight(clash({ cannon: 1, rifleman: 1 }, { rifleman: 1 }), [roll(3, 3)]);
    expect([outcome, metrics['rounds'], pools.length]).toEqual(['attacker', 1, 1]);
    expect(fight(clash({ spearman: 1 }, { cannon: 1, rifleman: 1 }), [roll(3, 1)]).outcome).toBe('defender');
  });

  it('end as mutual if both sides lose their last unit in one phase', () => {
    const {
      outcome,
      metrics,
      reported: shown,
    } = fight(clash({ spearman: 1 }, { spearman: 1 }), [roll(1, 1), roll(1, 1)]);
    expect([outcome, shown.at(-1)]).toEqual(['mutual', 'end.mutual']);
    expect(metrics).toMatchObject({ 'left.attacker': 0, 'left.defender': 0 });
  });

  it('do not begin if nobody can roll a die', () => {
    const { outcome, metrics, reported: shown } = fight(clash({ cart: 1 }, { cart: 2 }, { ...idle, maxRounds: 9 }), []);
    expect([outcome, metrics['rounds'], metrics['left.defender.cart']]).toEqual(['stalemate', 0, 2]);
    expect(shown).toEqual(['end.no-dice']);
    const flown = fight(clash({ cart: 1, biplane: 1 }, { cart: 1 }, { ...idle, maxRounds: 9 }), [roll(1, 0)]);
    expect([flown.outcome, flown.metrics['rounds']]).toEqual(['stalemate', 1]);
  });

  it('stop at maxRounds with the current units', () => {
    const { outcome, metrics } = fight(clash({ rifleman: 2 }, { rifleman: 1 }, { maxRounds: 2 }), [
      roll(6, 1),
      roll(3, 0),
      roll(6, 0),
      roll(3, 3),
    ]);
    expect(outcome).toBe('stalemate');
    expect(metrics).toMatchObject({ rounds: 2, 'left.attacker.rifleman': 1, 'left.defender.rifleman': 1 });
  });
});

describe('rules reported before the first round', () => {
  it.each([
    [{}, []],
    [{ site: 'settlement' }, ['site.settlement']],
    [{ site: 'great-wall' }, ['site.great-wall']],
    [{ airStrength: 'literal' }, ['air.literal']],
    [{ airStrength: 'tier', site: 'open' }, []],
  ])('with options %j', (options, expected) => {
    const { reported: shown } = fight(clash({ spearman: 1 }, { spearman: 1 }, options), [roll(1, 0), roll(1, 0)]);
    expect(shown.slice(0, shown.indexOf('round'))).toEqual(expected);
  });
});

describe('fleets', () => {
  it('fight after the air phase; no class is named, and the owner places hits', () => {
    const input = {
      mode: 'fleet',
      maxRounds: 2,
      attacker: { units: { biplane: 1, frigate: 1 } },
      defender: { units: { galley: 1, caravel: 2 }, losses: 'highest-era' },
    };
    const { pools, requested, metrics } = fight(input, [roll(1, 0), roll(3, 2), roll(5, 0), roll(3, 0), roll(3, 0)]);
    expect(pools).toEqual(['1@2', '3@2', '5@2', '3@2', '3@2']);
    const stay = 'attacker retreat [stay retreat] stay';
    expect(requested).toEqual(['defender losses [galley caravel] caravel', stay, stay]);
    expect(metrics).toMatchObject({ 'left.defender.galley': 1, 'left.defender.caravel': 1 });
  });
});
