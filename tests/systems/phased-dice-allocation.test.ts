/** Phased dice, one rule a test: how hits are placed, and the reserve. */
import { describe, expect, it } from 'vitest';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { decide, type Fight, fight, mute, roll } from './phased-dice-fight.ts';

interface Given {
  readonly types?: object;
  readonly target?: unknown;
  readonly losses?: string;
  readonly decisions?: readonly ScriptEntry[];
}

/** One barrage: so many hits of one gun on these units. */
function barrage(hits: number, units: Record<string, number>, { types, target, losses, decisions }: Given = {}): Fight {
  const input = {
    maxRounds: 1,
    unitTypes: { gun: { class: 'artillery', era: 1, dice: hits }, ...types },
    attacker: { units: { gun: 1 }, ...(target === undefined ? {} : { target }) },
    defender: { units, ...(losses === undefined ? {} : { losses }) },
  };
  return fight(input, [roll(hits, hits), ...(decisions ?? [])]);
}

/** Units left of those types, in the order of `types`. */
const left = ({ metrics }: Fight, ...types: string[]): (number | undefined)[] =>
  types.map((type) => metrics[`left.defender.${type}`]);

const reserve = (battle: Fight): boolean => battle.told.includes('reserve');

const types = {
  mortar: mute('artillery', 2),
  scout: mute('cavalry', 1),
  lancer: mute('cavalry', 3),
  guard: mute('infantry', 2),
  giant: mute('infantry', 5),
};

describe('placing hits', () => {
  it('a unit takes exactly its hits or none', () => {
    const battle = barrage(4, { lancer: 2 }, { types });
    expect(left(battle, 'lancer')).toEqual([1]);
    expect(reserve(battle)).toBe(true);
    expect(reserve(barrage(3, { lancer: 2 }, { types }))).toBe(false);
  });

  it('starts with the named class, and goes on to all others only when nothing of it fits', () => {
    const battle = barrage(6, { mortar: 1, lancer: 1, guard: 1 }, { types, target: ['cavalry'] });
    expect(left(battle, 'mortar', 'lancer', 'guard')).toEqual([0, 0, 1]);
    expect(battle.asked[0]).toBe('attacker target [artillery cavalry infantry] cavalry');
    expect(battle.asked[1]).toBe('defender losses [mortar guard] mortar');
  });

  it('falls on other classes when no unit of the named one fits', () => {
    expect(
      left(
        barrage(4, { giant: 1, lancer: 1, mortar: 1 }, { types, target: ['infantry'] }),
        'giant',
        'lancer',
        'mortar',
      ),
    ).toEqual([1, 1, 0]);
  });

  it('removes units of the named class that fit although others of it do not', () => {
    const battle = barrage(4, { giant: 1, guard: 3, mortar: 1 }, { types, target: ['infantry'] });
    expect(left(battle, 'giant', 'guard', 'mortar')).toEqual([1, 1, 1]);
  });

  it('may not stop while any unit fits', () => {
    const battle = barrage(9, { lancer: 2, scout: 1, guard: 1 }, { types, target: ['cavalry'], losses: 'highest-era' });
    // Two lancers, then the scout, then the guard.
    expect([battle.outcome, reserve(battle)]).toEqual(['attacker', false]);
  });

  it('lets the owner decide unit by unit among those that fit', () => {
    const decisions = [decide('cavalry'), decide('lancer')];
    const battle = barrage(5, { lancer: 1, scout: 3, guard: 1 }, { types, decisions });
    expect(battle.asked.slice(0, 2)).toEqual([
      'attacker target [cavalry infantry] cavalry',
      'defender losses [scout lancer] lancer',
    ]);
    expect(left(battle, 'lancer', 'scout', 'guard')).toEqual([0, 1, 1]);
  });
});

describe('the reserve', () => {
  const twice = (units: object, first: ScriptEntry[], second: ScriptEntry[], options: object = {}) =>
    fight(
      {
        unitTypes: { gun: { class: 'artillery', era: 2 }, ...types },
        attacker: { units: { gun: 1 } },
        defender: { units },
        maxRounds: 2,
        ...options,
      },
      [...first, ...second],
    );

  it('is kept over rounds and placed with the next hit', () => {
    const battle = twice({ lancer: 2 }, [roll(2, 2)], [roll(2, 1)]);
    expect(left(battle, 'lancer')).toEqual([1]);
    expect(battle.told.filter((id) => id === 'reserve')).toHaveLength(1);
  });

  it('waits while no hit comes', () => {
    expect(left(twice({ lancer: 2 }, [roll(2, 2)], [roll(2, 0)]), 'lancer')).toEqual([2]);
  });

  it('counts for what the enemy names', () => {
    // Two hits alone name the mortar; with two in reserve the lancer is worth more.
    const unitTypes = {
      gun: { class: 'artillery', era: 2 },
      lancer: mute('cavalry', 3, { dice: 9 }),
      giant: mute('infantry', 9, { dice: 1 }),
    };
    const battle = fight(
      { unitTypes, attacker: { units: { gun: 9 } }, defender: { units: { lancer: 1, giant: 1 } }, maxRounds: 2 },
      [roll(18, 2), roll(9, 0), roll(1, 0), roll(18, 1), roll(1, 0)],
    );
    expect(battle.asked[0]).toBe('attacker target [cavalry infantry] cavalry');
    expect(left(battle, 'lancer')).toEqual([0]);
  });

  it('passes from one phase to the next, and from class to class', () => {
    const unitTypes = { gun: { class: 'artillery', era: 1 }, rider: { class: 'cavalry', era: 2 }, ...types };
    const battle = fight(
      {
        unitTypes,
        maxRounds: 1,
        attacker: { units: { gun: 1, rider: 1 } },
        defender: { units: { lancer: 1, giant: 1 } },
      },
      [roll(1, 1), roll(2, 2)],
    );
    expect(left(battle, 'lancer', 'giant')).toEqual([0, 1]);
  });

  it('is a side’s own', () => {
    const unitTypes = { gun: { class: 'artillery', era: 1, hits: 2 } };
    const { metrics } = fight(
      { unitTypes, maxRounds: 2, attacker: { units: { gun: 2 } }, defender: { units: { gun: 2 } } },
      [roll(2, 1), roll(2, 0), roll(2, 1), roll(2, 1)],
    );
    expect(metrics).toMatchObject({ 'left.attacker': 2, 'left.defender': 1 });
  });
});
