/** Strength and cards: a battle for each rule, and the sentences of the rule in a replay. */
import { describe, expect, it } from 'vitest';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import type { Rule } from '../../src/rules/system.ts';
import { clash, faces, fight, unit } from './strength-cards-fight.ts';

const idle = (fields: object = {}) => unit({ exhausted: true, ...fields });
const fire = [{ name: 'Fire', dice: ['any'] }];
const strong = { orderBonus: 5 };

const across = (river: string) => clash({ units: [unit({ die: [], acrossRiver: true })] }, {}, { river });

/** By rule: a battle in which it applies, its script, and its sentences. */
const CASES: Readonly<Record<string, readonly [battle: object, script: readonly ScriptEntry[], ...told: string[]]>> = {
  strength: [
    clash({ units: [unit({ die: [] })], support: [{ attack: 2, defense: 0 }], orderBonus: -1 }, { fortification: 2 }),
    [],
    'Attacker has a strength of 4: units 3, support +2, order -1.',
    'Defender has a strength of 2: units 0, fortification +2.',
  ],
  'strength.river': [across('open'), [], 'Attacker: Corps is across the river and counts 1.5 of 3.'],
  'strength.frozen': [across('frozen'), [], 'Attacker: Corps crosses the frozen river at its full 3.'],
  'strength.exhausted': [
    clash({ units: [unit({ die: [] }), idle({ name: 'Spent' })] }, { units: [unit({ die: [] })] }),
    [],
    'Attacker: Spent is exhausted; it counts nothing and rolls nothing.',
  ],
  'card.played': [
    clash({ hand: [{ name: 'Rush', strength: 2 }] }, { hand: [{ name: 'Dig in', strength: -1, hpSymbols: 1 }] }),
    [],
    'Attacker plays Rush: strength +2.',
    'Defender plays Dig in: strength -1, 1 HP symbol.',
  ],
  'card.none': [clash({}, {}), [], 'Attacker plays no card.', 'Defender plays no card.'],
  'card.enemy': [
    clash({ hand: [{ name: 'Feint', enemyStrength: -2 }] }, {}),
    [],
    'Feint changes the strength of Defender by -2.',
  ],
  'air.played': [
    clash({}, { airTokens: [{ name: 'Fighter', strength: 1 }] }),
    [],
    'Defender plays the air token Fighter: strength +1.',
  ],
  'air.held': [
    clash({}, { airTokens: [{ name: 'Fighter', weight: 0 }] }),
    [],
    'Defender holds back the air token Fighter.',
  ],
  'air.naval': [clash({ airTokens: [{}] }, {}, { theatre: 'naval' }), [], 'There is no air support at sea.'],
  'air.mud': [clash({ airTokens: [{}] }, {}, { weather: 'mud' }), [], 'There is no air support over mud.'],
  win: [clash(strong, {}), [], 'Attacker wins by 5.'],
  'win.initiative': [clash({}, {}), [], 'Both are equally strong: Defender wins by initiative.'],
  dice: [clash({ hand: fire }, {}), [faces(1)], 'Attacker rolls 1 damage.'],
  'dice.none': [
    clash({ units: [unit({ die: [] })] }, {}),
    [],
    ...['Attacker has no dice to roll.', 'Defender has no dice to roll.'],
  ],
  'absorb.symbols': [clash({ hand: fire }, { hand: [{ hpSymbols: 2 }] }), [faces(3)], 'Defender: HP symbols absorb 2.'],
  'absorb.fortification': [
    clash({ hand: fire }, { fortification: 2 }),
    [faces(5)],
    'Defender: fortification absorbs 2 and loses 2 levels.',
  ],
  'absorb.units': [
    clash({ hand: fire }, { hand: fire }),
    [faces(2), faces(1)],
    ...['Defender: units take 2: Corps 4 -> 2 hp.', 'Attacker: units take 1: Corps 4 -> 3 hp.'],
  ],
  lost: [clash({ hand: fire }, {}), [faces(4)], 'Defender loses Corps.'],
  excess: [clash({ hand: fire }, {}), [faces(5)], 'Defender: 1 damage has nothing left to hit.'],
  'retreat.attacker': [clash({}, strong), [], 'Attacker retreats to its origin: 1 unit, now exhausted.'],
  'retreat.defender': [clash(strong, {}), [], 'Defender retreats to a friendly area: 1 unit, now exhausted.'],
  'retreat.eliminated': [
    clash({ units: [idle(), idle()], retreatTo: 'none' }, strong),
    [],
    'Attacker has no area to retreat to: 2 units eliminated.',
  ],
  'retreat.nobody': [clash({ hand: fire, ...strong }, {}), [faces(4)], 'Defender has nobody left to retreat.'],
  hold: [clash({}, strong), [], 'The area stays the defender’s.'],
  advance: [clash(strong, {}), [], 'Attacker advances and captures the area.'],
  'advance.nobody': [
    clash(strong, { hand: fire }),
    [faces(4)],
    'Attacker has nobody left to advance: the area stays the defender’s.',
  ],
  'advance.fortification': [clash(strong, { fortification: 1 }), [], '1 level of fortification removed.'],
  'advance.fleets': [clash(strong, { portFleets: 2 }), [], '2 fleets in the port destroyed.'],
};

describe('the sentences of the replay', () => {
  it.each(Object.entries(CASES))('for rule %s are complete', (id, [battle, script, ...sentences]) => {
    const { rules, reported } = fight(battle, script);
    expect(reported.filter((_, r) => rules[r] === id)).toEqual(sentences);
  });

  it('are tested for every rule', () => {
    expect(Object.keys(CASES)).toEqual(Object.keys(strengthCards.rules));
  });
});

describe('the source of a rule', () => {
  it('is a step of the text, one of its headings, or marked as outside', () => {
    const rules = Object.entries<Rule>(strengthCards.rules);
    const own = rules.filter(([, { outside }]) => outside === true);
    const known = /^Battles: (Step [1-7]\b|Exhausted status effects)/;
    for (const [id, { source, outside }] of rules) if (outside !== true) expect(source, id).toMatch(known);
    expect(own.map(([id]) => id)).toEqual(['card.none', 'excess', 'advance.nobody']);
  });
});
