/** Strength and cards: schema of scenarios, and the sample set. */
import { describe, expect, it } from 'vitest';
import { computeFacesDistribution } from '../../src/core/chance/dice-tables.ts';
import { InputError } from '../../src/core/errors.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
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

/** Returns the error messages for a scenario. */
function rejection(scenario: object): string[] {
  try {
    validateScenario(scenario, { source: 'it' });
  } catch (error) {
    if (error instanceof InputError) return error.errors.map(({ message }) => message);
    throw error;
  }
  return [];
}

describe('a scenario', () => {
  it('gets all default values', () => {
    const side = { support: [], orderBonus: 0, hand: [], noCard: 0, airTokens: [], losses: 'kill-cheapest' };
    const units = [{ ...unit, acrossRiver: false, exhausted: false }];
    expect(validateScenario(input())).toEqual({
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

  const sixteen = { ...unit, die: new Array<string>(16).fill('sample-1') };
  const units = (fields: object) => input({ units: [{ ...unit, ...fields }] });
  const support = (fields: object) => input({ support: [{ attack: 1, ...fields }] });
  const absorb = (...order: unknown[]) => input({ absorb: order });
  const faces = (...blue: number[]) => input({}, { dice: { blue } });
  const KNOWN = 'sample-1, sample-2, sample-3, sample-4, sample-5, sample-6, sample-7, sample-8';
  const DIE = `expected one of the dice ${KNOWN}, found`;
  const NAME = 'expected a name of 1 to 64 characters without blanks at its ends';
  const OWN = 'because the unit is not in the sample set, found nothing';
  const PLACE =
    'expected one of symbols, fortification, units, a mapping with symbols, a mapping with fortification or a mapping with units';
  const EACH = 'expected each of symbols, fortification, units, found no fortification';

  it.each<[string, object]>([
    [`attacker.units[0].die: ${DIE} "blue"`, units({ die: 'blue' })],
    [
      `attacker.hand[0].dice[1]: expected one of the dice blue, ${KNOWN}, found "red"`,
      input({ hand: [{ dice: ['sample-1', 'red'] }] }, { dice: { blue: [0, 0, 0, 0, 0, 1] } }),
    ],
    [`attacker.airTokens[0].dice[0]: ${DIE} "red"`, input({ airTokens: [{ dice: ['red'] }] })],
    [`attacker.support[0].die: ${DIE} "red"`, support({ defense: 1, die: 'red' })],
    [`attacker.units[0].die[1]: ${DIE} "blue"`, units({ die: ['sample-1', 'blue'] })],
    [`attacker.support[0].die[0]: ${DIE} "red"`, support({ defense: 1, die: ['red'] })],
    [`attacker.units[0].die: ${NAME} or a list of at most 16, found 6`, units({ die: 6 })],
    [`attacker.units[0].die[1]: ${NAME}, found 6`, units({ die: ['sample-1', 6] })],
    [
      `attacker.units[0].die: ${NAME} or a list of at most 16, found a list of 17`,
      units({ die: new Array(17).fill('sample-1') }),
    ],
    [
      'attacker.units: expected units that roll at most 32 dice together, found 33 dice',
      input({ units: [sixteen, sixteen, { sample: 'infantry-1' }] }),
    ],
    [
      `attacker.units[0].die: expected the name of a die, or a list of names, ${OWN}`,
      input({ units: [{ attack: 1, defense: 1, hp: 1 }] }),
    ],
    ['attacker.retreatTo: expected one of origin, none, found "friendly"', input({ retreatTo: 'friendly' })],
    [`attacker.absorb: ${EACH}`, absorb('units', 'units', 'symbols')],
    [`absorb: ${EACH}`, input({}, { absorb: ['units', 'units', 'symbols'] })],
    ['attacker.absorb: expected a list of 3', absorb('units')],
    ['absorb: expected a list of 3', input({}, { absorb: ['units', 'symbols'] })],
    [
      'attacker.absorb: expected a place of units without a limit, found none',
      absorb('symbols', 'fortification', { units: 1 }, { units: 2 }),
    ],
    [
      'attacker.absorb[1].fortification: expected an integer 1..1000000, found 0',
      absorb('symbols', { fortification: 0 }, 'units'),
    ],
    [`attacker.absorb[1]: ${PLACE}`, absorb('symbols', { fortification: 1, units: 1 }, 'units')],
    [`attacker.absorb[1]: ${PLACE}`, absorb('symbols', {}, 'fortification', 'units')],
    // Property that every object inherits.
    [`attacker.units[0].die: ${DIE} "constructor"`, units({ die: 'constructor' })],
    ['dice.blue: expected a list of 6, found a list of 5', faces(0, 0, 0, 0, 1)],
    ['dice.blue[5]: expected an integer 0..100, found -1', faces(0, 0, 0, 0, 1, -1)],
    ['attacker.units: expected a list of 1 to 32, found an empty list', input({ units: [] })],
    [`attacker.units[0].hp: expected an integer 1..1000, ${OWN}`, units({ hp: undefined })],
    [`attacker.support[0].defense: expected an integer -1000..1000, ${OWN}`, support({})],
    [
      'attacker.hand: expected a card with a weight above 0, or noCard above 0, found none',
      input({ hand: [{ weight: 0 }] }),
    ],
    ['attacker.airTokens[0].weight: expected a number 0..1, found 1.5', input({ airTokens: [{ weight: 1.5 }] })],
    ['attacker.fortification: expected ', input({ fortification: 1 })],
    ['attacker.orderBonus: expected an integer -1000..1000, found 0.5', input({ orderBonus: 0.5 })],
    ['attacker.hand[0].name: expected ', input({ hand: [{ name: 'none' }] })],
    ['attacker.units[0].sample: expected one ', input({ units: [{ sample: 'tank-1' }] })],
  ])('is rejected with %s', (message, scenario) => {
    const messages = rejection(scenario);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.startsWith(`it ${message}`), messages[0]).toBe(true);
  });

  it('may have 32 dice on each side, and exhausted units with more', () => {
    const units = [sixteen, sixteen, { ...unit, die: [] }, { ...sixteen, exhausted: true }];
    expect(rejection(input({ units }, { defender: { units } }))).toEqual([]);
  });

  it('may have only cards of weight 0 if noCard has a weight', () => {
    expect(rejection(input({ hand: [{ weight: 0 }], noCard: 1 }))).toEqual([]);
  });
});

describe('the sample set', () => {
  it('has six kinds of units with three levels, eight dice, twelve cards, three tokens', () => {
    const kinds = new Set(Object.keys(sampleUnits).map((name) => name.replace(/-[123]$/, '')));
    expect([kinds.size, Object.keys(sampleUnits).length]).toEqual([6, 18]);
    expect([sampleDice, sampleCards, sampleTokens].map((set) => Object.keys(set).length)).toEqual([8, 12, 3]);
  });

  it('is described as invented wherever it is shown', () => {
    expect(strengthCards.about).toMatch(/sample set are invented/);
    const { properties } = strengthCards.schema.toJSONSchema({ io: 'input' });
    const shown = JSON.stringify(properties);
    for (const name of [...Object.keys(sampleUnits), ...Object.keys(sampleCards), ...Object.keys(sampleTokens)]) {
      expect(shown).toContain(`${name} (`);
    }
    expect(shown.match(/sample set are invented/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('orders dice from weak to strong, and units by level', () => {
    const dice = Object.values(sampleDice);
    for (const [d, die] of dice.entries()) {
      const weaker = dice[d - 1];
      if (weaker === undefined) continue;
      expect(die.every((face, f) => face >= (weaker[f] ?? 0))).toBe(true);
      expect(computeFacesDistribution([die])).not.toEqual(computeFacesDistribution([weaker]));
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

  it('provides the fields that a scenario omits', () => {
    const attacker = {
      units: [{ sample: 'armour-2' }, { sample: 'infantry-1', attack: 9, hp: 7, exhausted: true }],
      support: [{ sample: 'artillery-2' }],
      hand: [{ sample: 'ambush', strength: 2 }],
      airTokens: [{ sample: 'ground-attack', dice: [] }],
    };
    const { metrics, reported } = fight({ attacker, defender: { units: [{ sample: 'garrison-1' }] } }, [
      { faces: [1, 2] },
      { faces: [0] },
    ]);
    expect(metrics).toMatchObject({ margin: 4 + 3 + 2 + 2 + 2 - 2, 'damage.attacker': 3, 'hp.attacker': 9 });
    expect(reported).toContain('Attacker plays ambush: strength +2.');
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
