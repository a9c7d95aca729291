/** Phased dice: values and dice of units, and rejected scenarios. */
import { describe, expect, it } from 'vitest';
import { unitTable } from '../../src/rules/phased-dice/army.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import { clash, fight, idle, roll, scenario } from './phased-dice-fight.ts';

const one = { spearman: 1 };

/** Returns the pools of the attacker in the only phase in which it has units; nothing hits. */
function attack(units: object, dice: readonly number[], options: object = {}): string | undefined {
  const air = Object.keys(units).some((name) => ['biplane', 'monoplane', 'jet', 'stealth'].includes(name));
  const input = {
    maxRounds: 1,
    airOnly: 'stalemate',
    unitTypes: { log: { class: 'cavalry', era: 1, dice: 0 } },
    ...options,
    attacker: { units: air ? { ...units, log: 1 } : units },
    defender: { units: { log: 1 } },
  };
  return fight(
    input,
    dice.map((each) => roll(each, 0)),
  ).pools[0];
}

describe('the unit table', () => {
  it('has the types of the rules in their order', () => {
    const row = ({ name, class: of, era, bonus }: (typeof unitTable)[number]) =>
      `${name} ${of} ${String(era)} ${String(bonus)}`;
    expect(unitTable.map(row)).toEqual([
      ...['catapult artillery 1 0', 'trebuchet artillery 2 0', 'cannon artillery 3 1', 'howitzer artillery 4 1'],
      ...['chariot cavalry 1 0', 'knight cavalry 2 0', 'dragoon cavalry 3 0', 'tank cavalry 4 0'],
      ...['spearman infantry 1 0', 'pikeman infantry 2 0', 'rifleman infantry 3 0', 'mechanized-infantry infantry 4 2'],
      ...['biplane air 1 0', 'monoplane air 2 0', 'jet air 3 0', 'stealth air 4 0'],
      ...['galley fleet 1 0', 'caravel fleet 2 0', 'frigate fleet 3 0', 'battleship fleet 4 0'],
    ]);
  });

  it('marks the types whose figures are placeholders', () => {
    expect(unitTable.flatMap(({ placeholder, name }) => (placeholder ? [name] : [])).join(' ')).toBe(
      'howitzer chariot tank pikeman galley caravel frigate battleship',
    );
  });
});

describe('dice and values', () => {
  it('are era and class value plus bonus, in the order of the table', () => {
    expect(attack({ howitzer: 1, trebuchet: 2, cannon: 1, catapult: 1 }, [5, 7])).toBe('5@1 7@2');
    expect(attack({ tank: 1, chariot: 2, dragoon: 1, knight: 1 }, [11])).toBe('11@2');
    expect(attack({ 'mechanized-infantry': 1, rifleman: 2, spearman: 1, pikeman: 1 }, [9, 4])).toBe('9@3 4@5');
  });

  it('equal the examples of the rules for catapults, knights, spearmen and a cannon', () => {
    const units = { catapult: 3, knight: 2, spearman: 4 };
    const script = [roll(3, 0), roll(4, 0), roll(4, 0)];
    const { pools } = fight({ maxRounds: 1, ...idle, attacker: { units }, defender: { units: { cart: 1 } } }, script);
    expect(pools).toEqual(['3@1', '4@2', '4@3']);
    expect(attack({ cannon: 1 }, [3])).toBe('3@2');
    expect(attack({ 'mechanized-infantry': 1 }, [4])).toBe('4@5');
  });

  it('of aircraft are strength and 1 + strength, plus bonus', () => {
    expect(attack({ biplane: 1, monoplane: 1, jet: 1, stealth: 1 }, [1, 2, 3, 4])).toBe('1@2 2@3 3@4 4@5');
    const units = { stealth: 1, biplane: 1, jet: 1, monoplane: 2 };
    const unitTypes = { log: { class: 'cavalry', era: 1, dice: 0 }, stealth: { bonus: -1 } };
    expect(attack(units, [1, 4, 7], { unitTypes })).toBe('1@2 4@3 7@4');
  });

  it('of built-in aircraft are 1 higher with option airStrength literal', () => {
    const literal = { airStrength: 'literal' };
    const units = { biplane: 1, monoplane: 1, jet: 1, stealth: 1 };
    expect(attack(units, [2, 3, 4, 5], literal)).toBe('2@3 3@4 4@5 5@6');
    expect(attack(units, [1, 2, 3, 4], { airStrength: 'tier' })).toBe('1@2 2@3 3@4 4@5');
    // The hits of units rise too: one biplane takes two.
    const log = { log: { class: 'cavalry', era: 1, dice: 0, hits: 9 } };
    const input = clash({ jet: 1, log: 1 }, { biplane: 2, log: 1 }, { ...literal, unitTypes: log });
    const { metrics } = fight(input, [roll(4, 3), roll(4, 0)]);
    expect(metrics['left.defender.biplane']).toBe(1);
  });

  it('against a settlement are 1 lower, at least 1, except for artillery', () => {
    const site = { site: 'settlement' };
    expect(attack({ catapult: 1, cannon: 1 }, [1, 3], site)).toBe('1@1 3@2');
    expect(attack({ knight: 1 }, [2], site)).toBe('2@1');
    expect(attack({ spearman: 1, 'mechanized-infantry': 1 }, [1, 4], site)).toBe('1@2 4@4');
    expect(attack({ biplane: 1, stealth: 1 }, [1, 4], site)).toBe('1@1 4@4');
  });

  it('against the Great Wall are 2 lower, for artillery 1 lower, at least 1', () => {
    const site = { site: 'great-wall' };
    expect(attack({ catapult: 1, cannon: 1 }, [4], site)).toBe('4@1');
    expect(attack({ knight: 1 }, [2], site)).toBe('2@1');
    expect(attack({ spearman: 1, 'mechanized-infantry': 1 }, [1, 4], site)).toBe('1@1 4@3');
    expect(attack({ biplane: 1, stealth: 1 }, [1, 4], site)).toBe('1@1 4@3');
  });

  it('of the defender do not depend on the site', () => {
    const units = { cannon: 1, knight: 1, spearman: 1, biplane: 1 };
    const script = [roll(1, 0), roll(3, 0), roll(2, 0), roll(1, 0), roll(1, 0)];
    const { pools } = fight(
      { maxRounds: 1, site: 'great-wall', attacker: { units: one }, defender: { units } },
      script,
    );
    expect(pools).toEqual(['1@2', '3@2', '2@2', '1@1', '1@3']);
  });

  it('of 6 or more always hit', () => {
    const unitTypes = {
      guard: { class: 'infantry', era: 1, bonus: 3 },
      titan: { class: 'infantry', era: 2, bonus: 9 },
    };
    const { outcome, pools } = fight(
      { unitTypes, attacker: { units: { guard: 1, titan: 1 } }, defender: { units: { spearman: 3 } } },
      [{ faces: [6] }, { faces: [6, 6] }, { faces: [6, 6, 6] }],
    );
    expect(pools[0]).toBe('1@6 2@12');
    expect(outcome).toBe('attacker');
  });

  it('include the bonus before the penalty and the minimum of 1', () => {
    const unitTypes = {
      militia: { class: 'infantry', era: 1, bonus: -20 },
      log: { class: 'cavalry', era: 1, dice: 0 },
    };
    expect(attack({ militia: 2 }, [2], { unitTypes })).toBe('2@1');
    expect(
      attack({ catapult: 1 }, [1], { unitTypes: { catapult: { bonus: 1 }, log: unitTypes.log }, site: 'great-wall' }),
    ).toBe('1@1');
  });

  it('of fleets are 2 plus bonus', () => {
    const { pools } = fight(
      {
        mode: 'fleet',
        maxRounds: 1,
        attacker: { units: { galley: 2, battleship: 1 } },
        defender: { units: { frigate: 1 } },
        unitTypes: { frigate: { bonus: 1 } },
      },
      [roll(6, 0), roll(3, 0)],
    );
    expect(pools).toEqual(['6@2', '3@3']);
  });
});

describe('unitTypes', () => {
  const log = { class: 'cavalry', era: 1, dice: 0 };

  it('derives dice and hits from the era of a type unless they are set', () => {
    expect(attack({ knight: 1 }, [4], { unitTypes: { knight: { era: 4 }, log } })).toBe('4@2');
    expect(attack({ knight: 1 }, [5], { unitTypes: { knight: { dice: 5 }, log } })).toBe('5@2');
    const left = (knight: object) => {
      const defender = { units: { knight: 1, log: 1 }, losses: 'highest-era' };
      const input = {
        unitTypes: { knight, log: { ...log, hits: 9 } },
        maxRounds: 1,
        attacker: { units: { cannon: 1 } },
        defender,
      };
      return fight(input, [roll(3, 3)]).metrics['left.defender.knight'];
    };
    expect(left({ era: 3, dice: 0 })).toBe(0);
    expect(left({ era: 4, dice: 0 })).toBe(1);
    expect(left({ era: 4, dice: 0, hits: 3 })).toBe(0);
  });

  it('adds types after the table, in the order of the file', () => {
    const unitTypes = { zouave: { class: 'infantry', era: 1 }, archer: { class: 'infantry', era: 1, bonus: 1 }, log };
    const units = { archer: 1, spearman: 1, zouave: 1 };
    expect(attack(units, [2, 1], { unitTypes })).toBe('2@3 1@4');
    const model = phasedDice.model(scenario({ unitTypes, attacker: { units }, defender: { units: one } }));
    expect(model.metrics.map(({ name }) => name)).toEqual([
      'rounds',
      'left.attacker',
      'left.defender',
      'left.attacker.spearman',
      'left.attacker.zouave',
      'left.attacker.archer',
      'left.defender.spearman',
    ]);
  });

  it('can move a type into another class', () => {
    expect(attack({ spearman: 1 }, [1], { unitTypes: { spearman: { class: 'artillery', bonus: 2 }, log } })).toBe(
      '1@3',
    );
  });

  it('keeps its values with airStrength literal, which raises only eras of the table', () => {
    const given = { biplane: { dice: 5 }, jet: { era: 3 }, kite: { class: 'air', era: 4 }, log };
    const units = { biplane: 1, jet: 1, kite: 1 };
    expect(attack(units, [5, 3, 4], { airStrength: 'literal', unitTypes: given })).toBe('5@3 3@4 4@5');
    expect(attack(units, [5, 3, 4], { unitTypes: given })).toBe('5@2 3@4 4@5');
    // A type of the table that is moved from or to the air still counts as a type of the table.
    const moved = { jet: { class: 'infantry' }, chariot: { class: 'air' }, log };
    expect(attack({ jet: 1 }, [4], { airStrength: 'literal', unitTypes: moved, airOnly: 'defeated' })).toBe('4@3');
    expect(attack({ chariot: 1, log: 1 }, [1], { airStrength: 'literal', unitTypes: moved })).toBe('1@2');
  });
});

describe('rejected scenarios', () => {
  const good = { attacker: { units: { cannon: 1 } }, defender: { units: one } };
  const fleets = { mode: 'fleet', attacker: { units: { galley: 1 } }, defender: { units: { galley: 1 } } };

  /** Returns the paths of all issues. */
  function rejection(input: object): string[] {
    const result = phasedDice.schema.safeParse({ system: 'phased-dice', mode: 'ground', ...good, ...input });
    return result.error?.issues.map(({ path }) => path.join('.')) ?? [];
  }

  const attackers = (units: object, options: object = {}) => ({ attacker: { units, ...options } });

  it('do not include valid scenarios', () => {
    expect(rejection({})).toEqual([]);
    expect(rejection({ ...fleets, ...attackers({ galley: 1, jet: 1 }, { target: 'most-dice' }) })).toEqual([]);
    expect(rejection({ unitTypes: { kite: { class: 'air', era: 1 } }, airStrength: 'tier' })).toEqual([]);
    expect(rejection(attackers({ cannon: 1, knight: 0 }, { retreat: { whenWeaker: 0.35 }, target: [] }))).toEqual([]);
  });

  it.each([
    ['attacker.units', attackers({})],
    ['attacker.units', attackers({ cannon: 0 })],
    ['attacker.units.canon', attackers({ canon: 1 })],
    ['attacker.units.constructor', attackers({ constructor: 1 })],
    ['attacker.units.cannon', attackers({ cannon: -1 })],
    ['attacker.units.cannon', attackers({ cannon: 0.5 })],
    ['attacker.units.galley', attackers({ cannon: 1, galley: 1 })],
    ['attacker.units.cannon', { ...fleets, ...attackers({ galley: 1, cannon: 1 }) }],
    ['defender.units.rifleman', { ...fleets, defender: { units: { rifleman: 1 } } }],
    ['', { ...fleets, site: 'open' }],
    ['unitTypes.ram', { unitTypes: { ram: { era: 1 } } }],
    ['unitTypes.ram', { unitTypes: { ram: { class: 'artillery' } } }],
    ['unitTypes.mutual', { unitTypes: { mutual: { class: 'artillery', era: 1 } } }],
    ['unitTypes.ram.class', { unitTypes: { ram: { class: 'siege', era: 1 } } }],
    ['unitTypes.cannon.hits', { unitTypes: { cannon: { hits: 0 } } }],
    ['unitTypes.kite.era', { unitTypes: { kite: { class: 'air', era: 0 } } }],
    ['attacker.target', attackers({ cannon: 1 }, { target: ['air'] })],
    ['attacker.target', attackers({ cannon: 1 }, { target: ['cavalry', 'cavalry'] })],
    ['attacker.retreat.afterRounds', attackers({ cannon: 1 }, { retreat: { afterRounds: 0 } })],
    ['attacker.retreat.whenWeaker', attackers({ cannon: 1 }, { retreat: { whenWeaker: -1 } })],
    ['attacker.retreat.whenWeaker', attackers({ cannon: 1 }, { retreat: { whenWeaker: 1e-7 } })],
    ['defender', { defender: { units: one, retreat: 'never' } }],
    // More dice than the stream positions of a phase.
    ['attacker.units', { ...attackers({ cannon: 1000 }), unitTypes: { cannon: { dice: 66 } } }],
  ])('%s: %j', (path, input) => {
    expect(rejection(input)).toEqual([path]);
  });

  it('do not include the largest number of dice for a phase', () => {
    const unitTypes = { cannon: { dice: 64 }, trebuchet: { dice: 64 } };
    expect(rejection({ ...attackers({ cannon: 1000, trebuchet: 24 }), unitTypes })).toEqual([]);
    expect(rejection({ ...attackers({ cannon: 1000, trebuchet: 25 }), unitTypes })).toEqual(['attacker.units']);
  });
});
