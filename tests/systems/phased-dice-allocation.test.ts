/** Phased dice, one rule per test: placement of hits, and the reserve. */
import { describe, expect, it } from 'vitest';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { decide, type Fight, fight, mute, roll } from './phased-dice-fight.ts';

interface Given {
  readonly types?: object;
  readonly target?: unknown;
  readonly losses?: string;
  readonly decisions?: readonly ScriptEntry[];
}

/** Runs one barrage: `hits` hits of one gun on the units. */
function barrage(hits: number, units: Record<string, number>, { types, target, losses, decisions }: Given = {}): Fight {
  const input = {
    maxRounds: 1,
    unitTypes: { gun: { class: 'artillery', era: 1, dice: hits }, ...types },
    attacker: { units: { gun: 1 }, ...(target === undefined ? {} : { target }) },
    defender: { units, ...(losses === undefined ? {} : { losses }) },
  };
  return fight(input, [roll(hits, hits), ...(decisions ?? [])]);
}

/** Returns the number of remaining units of each of the types. */
const left = ({ metrics }: Fight, ...types: string[]): (number | undefined)[] =>
  types.map((type) => metrics[`left.defender.${type}`]);

const reserve = (battle: Fight): boolean => battle.reported.includes('reserve');

const types = {
  mortar: mute('artillery', 2),
  scout: mute('cavalry', 1),
  lancer: mute('cavalry', 3),
  guard: mute('infantry', 2),
  giant: mute('infantry', 5),
};

describe('the placement of hits', () => {
  it('removes a unit with exactly its hits or not at all', () => {
    const battle = barrage(4, { lancer: 2 }, { types });
    expect(left(battle, 'lancer')).toEqual([1]);
    expect(reserve(battle)).toBe(true);
    expect(reserve(barrage(3, { lancer: 2 }, { types }))).toBe(false);
  });

  it('starts with the named class and continues with all others if nothing fits', () => {
    const battle = barrage(6, { mortar: 1, lancer: 1, guard: 1 }, { types, target: ['cavalry'] });
    expect(left(battle, 'mortar', 'lancer', 'guard')).toEqual([0, 0, 1]);
    expect(battle.requested[0]).toBe('attacker target [artillery cavalry infantry] cavalry');
    expect(battle.requested[1]).toBe('defender losses [mortar guard] mortar');
  });

  it('uses other classes if no unit of the named class fits', () => {
    expect(
      left(
        barrage(4, { giant: 1, lancer: 1, mortar: 1 }, { types, target: ['infantry'] }),
        'giant',
        'lancer',
        'mortar',
      ),
    ).toEqual([1, 1, 0]);
  });

  it('removes fitting units of the named class even if others do not fit', () => {
    const battle = barrage(4, { giant: 1, guard: 3, mortar: 1 }, { types, target: ['infantry'] });
    expect(left(battle, 'giant', 'guard', 'mortar')).toEqual([1, 1, 1]);
  });

  it('continues while any unit fits', () => {
    const battle = barrage(9, { lancer: 2, scout: 1, guard: 1 }, { types, target: ['cavalry'], losses: 'highest-era' });
    // Two lancers, then the scout, then the guard.
    expect([battle.outcome, reserve(battle)]).toEqual(['attacker', false]);
  });

  it('lets the owner choose unit by unit among those that fit', () => {
    const decisions = [decide('cavalry'), decide('lancer')];
    const battle = barrage(5, { lancer: 1, scout: 3, guard: 1 }, { types, decisions });
    expect(battle.requested.slice(0, 2)).toEqual([
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
    expect(battle.reported.filter((id) => id === 'reserve')).toHaveLength(1);
  });

  it('remains while no hit occurs', () => {
    expect(left(twice({ lancer: 2 }, [roll(2, 2)], [roll(2, 0)]), 'lancer')).toEqual([2]);
  });

  it('counts in the target decision of the enemy', () => {
    // Two hits fit neither unit; the third hit, with two in reserve, fits the lancer.
    const unitTypes = {
      gun: { class: 'artillery', era: 2 },
      lancer: mute('cavalry', 3, { dice: 9 }),
      giant: mute('infantry', 9, { dice: 1 }),
    };
    const battle = fight(
      { unitTypes, attacker: { units: { gun: 9 } }, defender: { units: { lancer: 1, giant: 1 } }, maxRounds: 2 },
      [roll(18, 2), roll(9, 0), roll(1, 0), roll(18, 1), roll(1, 0)],
    );
    expect(battle.requested[0]).toBe('attacker target [cavalry infantry] cavalry');
    expect(left(battle, 'lancer')).toEqual([0]);
  });

  it('continues to the next phase and the next class', () => {
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

  it('is separate for each side', () => {
    const unitTypes = { gun: { class: 'artillery', era: 1, hits: 2 } };
    const { metrics } = fight(
      { unitTypes, maxRounds: 2, attacker: { units: { gun: 2 } }, defender: { units: { gun: 2 } } },
      [roll(2, 1), roll(2, 0), roll(2, 1), roll(2, 1)],
    );
    expect(metrics).toMatchObject({ 'left.attacker': 2, 'left.defender': 1 });
  });
});
