/** Strength and cards: what a scenario may hold, and the sample set. */
import { describe, expect, it } from 'vitest';
import { facesLaw } from '../../src/core/chance/laws.ts';
import { InputError, InputErrors } from '../../src/core/errors.ts';
import { checkScenario } from '../../src/rules/scenario/index.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import {
  type StrengthCards,
  sampleCards,
  sampleDice,
  sampleTokens,
  sampleUnits,
} from '../../src/rules/strength-cards/schema.ts';
import { fight } from './strength-cards-fight.ts';

const unit = { name: 'Corps', attack: 1, defense: 1, hp: 1, die: 'sample-1' };

const input = (attacker: object = {}, options: object = {}) => ({
  system: 'strength-cards',
  attacker: { units: [unit], ...attacker },
  defender: { units: [unit] },
  ...options,
});

/** The messages with which a scenario is refused. */
function refused(scenario: object): string[] {
  try {
    checkScenario(scenario, 'it');
  } catch (error) {
    if (error instanceof InputErrors) return error.errors.map(({ message }) => message);
    if (error instanceof InputError) return [error.message];
    throw error;
  }
  return [];
}

describe('a scenario', () => {
  it('is complete with its defaults', () => {
    const side = { support: [], orderBonus: 0, hand: [], noCard: 0, airTokens: [], losses: 'kill-cheapest' };
    const units = [{ ...unit, acrossRiver: false, exhausted: false }];
    expect(checkScenario(input())).toEqual({
      system: 'strength-cards',
      theatre: 'land',
      weather: 'clear',
      river: 'none',
      initiative: 'defender',
      absorb: ['symbols', 'fortification', 'units'],
      dice: {},
      attacker: { units, ...side, retreatTo: 'origin' },
      defender: { units, ...side, fortification: 0, retreatTo: 'friendly', portFleets: 0 },
    });
  });

  const known = 'sample-1, sample-2, sample-3, sample-4, sample-5, sample-6, sample-7, sample-8';
  it.each<[string, object, string]>([
    [
      'a die of a unit that there is not',
      input({ units: [{ ...unit, die: 'blue' }] }),
      `attacker.units[0].die: expected one of the dice ${known}, found "blue"`,
    ],
    [
      'a die of a card',
      input({ hand: [{ dice: ['sample-1', 'red'] }] }, { dice: { blue: [0, 0, 0, 0, 0, 1] } }),
      `attacker.hand[0].dice[1]: expected one of the dice blue, ${known}, found "red"`,
    ],
    [
      'a die of a token',
      input({ airTokens: [{ dice: ['red'] }] }),
      `attacker.airTokens[0].dice[0]: expected one of the dice ${known}, found "red"`,
    ],
    [
      'a die of a supporting unit',
      input({ support: [{ attack: 1, defense: 1, die: 'red' }] }),
      `attacker.support[0].die: expected one of the dice ${known}, found "red"`,
    ],
    [
      'a die of a list',
      input({ units: [{ ...unit, die: ['sample-1', 'blue'] }] }),
      `attacker.units[0].die[1]: expected one of the dice ${known}, found "blue"`,
    ],
    [
      'a die of a list of a supporting unit',
      input({ support: [{ attack: 1, defense: 1, die: ['red'] }] }),
      `attacker.support[0].die[0]: expected one of the dice ${known}, found "red"`,
    ],
    [
      'a number in the place of a die',
      input({ units: [{ ...unit, die: 6 }] }),
      'attacker.units[0].die: expected a name of 1 to 64 characters without blanks at its ends or a list of at most 16, found 6',
    ],
    [
      'a number in a list of dice',
      input({ units: [{ ...unit, die: ['sample-1', 6] }] }),
      'attacker.units[0].die[1]: expected a name of 1 to 64 characters without blanks at its ends, found 6',
    ],
    [
      'too many dice of a unit',
      input({ units: [{ ...unit, die: new Array(17).fill('sample-1') }] }),
      'attacker.units[0].die: expected a name of 1 to 64 characters without blanks at its ends or a list of at most 16, found a list of 17',
    ],
    [
      'too many dice of all units',
      input({
        units: [
          { ...unit, die: new Array(16).fill('sample-1') },
          { ...unit, die: new Array(16).fill('sample-1') },
          { sample: 'infantry-1' },
        ],
      }),
      'attacker.units: expected units that roll at most 32 dice together, found 33 dice',
    ],
    [
      'a unit without dice',
      input({ units: [{ attack: 1, defense: 1, hp: 1 }] }),
      'attacker.units[0].die: expected the name of a die, or a list of names, for the unit is none of the sample set, found nothing',
    ],
    [
      'a retreat that there is not',
      input({ retreatTo: 'friendly' }),
      'attacker.retreatTo: expected one of origin, none, found "friendly"',
    ],
    [
      'an absorber left out for a side',
      input({ absorb: ['units', 'units', 'symbols'] }),
      'attacker.absorb: expected each of symbols, fortification, units, found no fortification',
    ],
    ['an order that is too short', input({ absorb: ['units'] }), 'attacker.absorb: expected a list of 3'],
    [
      'units with limits alone',
      input({ absorb: ['symbols', 'fortification', { units: 1 }, { units: 2 }] }),
      'attacker.absorb: expected a place of units without a limit, found none',
    ],
    [
      'a limit of 0',
      input({ absorb: ['symbols', { fortification: 0 }, 'units'] }),
      'attacker.absorb[1].fortification: expected an integer 1..1000000, found 0',
    ],
    [
      'two words at one place',
      input({ absorb: ['symbols', { fortification: 1, units: 1 }, 'units'] }),
      'attacker.absorb[1]: expected one of symbols, fortification, units, a mapping with symbols, a mapping with fortification or a mapping with units',
    ],
    [
      'a place without a word',
      input({ absorb: ['symbols', {}, 'fortification', 'units'] }),
      'attacker.absorb[1]: expected one of symbols, fortification, units, a mapping with symbols, a mapping with fortification or a mapping with units',
    ],
    [
      'a die whose name an object has by nature',
      input({ units: [{ ...unit, die: 'constructor' }] }),
      `attacker.units[0].die: expected one of the dice ${known}, found "constructor"`,
    ],
    [
      'a die of five faces',
      input({}, { dice: { blue: [0, 0, 0, 0, 1] } }),
      'dice.blue: expected a list of 6, found a list of 5',
    ],
    [
      'a face below 0',
      input({}, { dice: { blue: [0, 0, 0, 0, 1, -1] } }),
      'dice.blue[5]: expected an integer 0..100, found -1',
    ],
    ['no units', input({ units: [] }), 'attacker.units: expected a list of 1 to 32, found an empty list'],
    [
      'a unit without hit points',
      input({ units: [{ attack: 1, defense: 1, die: 'sample-1' }] }),
      'attacker.units[0].hp: expected an integer 1..1000, for the unit is none of the sample set, found nothing',
    ],
    [
      'support without strength',
      input({ support: [{ attack: 1 }] }),
      'attacker.support[0].defense: expected an integer -1000..1000, for the unit is none of the sample set, found nothing',
    ],
    [
      'a hand without weight',
      input({ hand: [{ weight: 0 }] }),
      'attacker.hand: expected a card with a weight above 0, or noCard above 0, found none',
    ],
    [
      'a probability above 1',
      input({ airTokens: [{ weight: 1.5 }] }),
      'attacker.airTokens[0].weight: expected a number 0..1, found 1.5',
    ],
    ['fortification of the attacker', input({ fortification: 1 }), 'attacker.fortification: expected '],
    ['half a strength', input({ orderBonus: 0.5 }), 'attacker.orderBonus: expected an integer -1000..1000, found 0.5'],
    [
      'an absorber left out beside one that comes twice',
      input({}, { absorb: ['units', 'units', 'symbols'] }),
      'absorb: expected each of symbols, fortification, units, found no fortification',
    ],
    ['an absorber left out', input({}, { absorb: ['units', 'symbols'] }), 'absorb: expected a list of 3'],
    ['a name of an outcome', input({ hand: [{ name: 'none' }] }), 'attacker.hand[0].name: expected '],
    ['a sample that there is not', input({ units: [{ sample: 'tank-1' }] }), 'attacker.units[0].sample: expected one '],
  ])('is refused for %s', (_what, scenario, message) => {
    const messages = refused(scenario);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.startsWith(`it ${message}`), messages[0]).toBe(true);
  });

  it('may have 32 dice on each side, and exhausted units with more', () => {
    const dice = new Array<string>(16).fill('sample-1');
    const units = [
      { ...unit, die: dice },
      { ...unit, die: dice },
      { ...unit, die: [] },
      { ...unit, die: dice, exhausted: true },
    ];
    expect(refused(input({ units }, { defender: { units } }))).toEqual([]);
  });

  it('may leave all weights of a hand at 0 if no card has one', () => {
    expect(refused(input({ hand: [{ weight: 0 }], noCard: 1 }))).toEqual([]);
  });
});

describe('the sample set', () => {
  it('has six kinds of units of three levels, eight dice, twelve cards, three tokens', () => {
    const kinds = new Set(Object.keys(sampleUnits).map((name) => name.replace(/-[123]$/, '')));
    expect([kinds.size, Object.keys(sampleUnits).length]).toEqual([6, 18]);
    expect([sampleDice, sampleCards, sampleTokens].map((set) => Object.keys(set).length)).toEqual([8, 12, 3]);
  });

  it('says wherever it is shown that it is invented', () => {
    expect(strengthCards.about).toMatch(/sample set are invented/);
    const { properties } = strengthCards.schema.toJSONSchema({ io: 'input' });
    const shown = JSON.stringify(properties);
    for (const name of [...Object.keys(sampleUnits), ...Object.keys(sampleCards), ...Object.keys(sampleTokens)]) {
      expect(shown).toContain(`${name} (`);
    }
    expect(shown.match(/sample set are invented/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('has dice from weak to strong, and units that rise with their level', () => {
    const dice = Object.values(sampleDice);
    for (const [d, die] of dice.entries()) {
      const weaker = dice[d - 1];
      if (weaker === undefined) continue;
      expect(die.every((face, f) => face >= (weaker[f] ?? 0))).toBe(true);
      expect(facesLaw([die])).not.toEqual(facesLaw([weaker]));
    }
    for (const [name, unitOf] of Object.entries(sampleUnits)) {
      const level = Number(name.at(-1));
      const lower = sampleUnits[name.replace(/.$/, String(level - 1))];
      expect(sampleDice[unitOf.die]).toBeDefined();
      if (lower === undefined) continue;
      const figures = (of: typeof unitOf) => [of.attack, of.defense, of.hp, Number(of.die.at(-1))];
      expect(
        figures(unitOf).every((figure, f) => figure >= (figures(lower)[f] ?? 0)),
        name,
      ).toBe(true);
    }
  });

  it('gives what a scenario does not', () => {
    const attacker = {
      units: [{ sample: 'armour-2' }, { sample: 'infantry-1', attack: 9, hp: 7, exhausted: true }],
      support: [{ sample: 'artillery-2' }],
      hand: [{ sample: 'ambush', strength: 2 }],
      airTokens: [{ sample: 'ground-attack', dice: [] }],
    };
    const { metrics, told } = fight({ attacker, defender: { units: [{ sample: 'garrison-1' }] } }, [
      { faces: [1, 2] },
      { faces: [0] },
    ]);
    expect(metrics).toMatchObject({ margin: 4 + 3 + 2 + 2 + 2 - 2, 'damage.attacker': 3, 'hp.attacker': 9 });
    expect(told).toContain('Attacker plays ambush: strength +2.');
  });

  it('has dice that a scenario can replace', () => {
    const dice = { 'sample-6': [9, 9, 9, 9, 9, 9] };
    const sides = { attacker: { units: [{ sample: 'armour-2' }] }, defender: { units: [{ sample: 'garrison-1' }] } };
    expect(fight({ dice, ...sides }, [{ faces: [9] }, { faces: [1] }]).metrics['damage.attacker']).toBe(9);
  });

  it('is used by an example', () => {
    const complete = strengthCards.examples.map(({ scenario }) => strengthCards.schema.parse(scenario));
    expect(complete.some(({ attacker }: StrengthCards) => attacker.units.some(({ sample }) => sample))).toBe(true);
  });
});
