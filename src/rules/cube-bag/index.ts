import type { Example, KernelSystem } from '../system.ts';
import { BONUSES } from './army.ts';
import { encode } from './encode.ts';
import { createEnvironment } from './environment.ts';
import { createModel } from './model.ts';
import { EXTRA_DRAWS, REDRAWS } from './policies.ts';
import { rules } from './rules.ts';
import { type CubeBag, schema } from './schema.ts';

import { createUnitTypes } from './units.ts';

// Small scenarios of every stage, as in a file.

const examples: readonly Example[] = [
  {
    name: 'spearmen against horses',
    scenario: {
      system: 'cube-bag',
      attacker: { armies: [{ units: { spearman: 3 } }] },
      defender: { armies: [{ units: { cavalryman: 2 } }], extraDraw: 'if-behind' },
    },
  },
  {
    name: 'a small siege',
    scenario: {
      system: 'cube-bag',
      fortification: 'wall',
      garrisonBonus: 1,
      attacker: {
        armies: [{ units: { catapult: 2, swordsman: 2 } }],
        technologies: { trainedArmy: 1 },
        removal: ['infantry', 'wall'],
      },
      defender: {
        armies: [{ units: { archer: 2, peasant: 1 } }],
        structures: [{ type: 'wall' }, { type: 'city', marks: 1 }],
        recoveries: 1,
      },
    },
  },
  {
    name: 'a counterattack',
    scenario: {
      system: 'cube-bag',
      fortification: 'palisade',
      priority: [['palisade'], ['military'], ['building', 'peasant']],
      attacker: {
        armies: [
          { units: { spearman: 2 }, conversionFactors: -1 },
          { units: { catapult: 1, swordsman: 1 }, conversionFactors: 1 },
        ],
        structures: [{ type: 'building' }],
        corpsBonus: 'none',
      },
      defender: {
        armies: [{ units: { archer: 1, peasant: 1 } }, { units: { cavalryman: 1 }, hex: 'field' }],
        structures: [{ type: 'palisade' }],
        conversions: 1,
        convert: [2],
      },
    },
  },
  {
    name: 'a skirmish, cube by cube',
    scenario: {
      system: 'cube-bag',
      drawing: 'cube-by-cube',
      attacker: {
        armies: [{ units: { catapult: 1, spearman: 2 }, distance: 2, bonus: 'greatest', modifiers: { courage: 2 } }],
        draw: { until: { own: 1, enemy: 2 } },
      },
      defender: {
        armies: [{ units: { archer: 2, cavalryman: 1 }, distance: 1 }],
        structures: [{ type: 'building' }],
        extraDraw: { until: { own: 1, drawn: 4 } },
      },
    },
  },
  {
    name: 'galleys off the coast',
    scenario: {
      system: 'cube-bag',
      target: 'water',
      failedCheckCubes: 'discard',
      attacker: { armies: [{ units: { archer: 2, swordsman: 1 } }], draw: 2 },
      defender: { armies: [{ units: { galley: 2 } }], conversions: 1, conversionFactors: -1, extraDraw: 'max' },
    },
  },
];

export const cubeBag: KernelSystem<CubeBag> = {
  id: 'cube-bag',
  title: 'Cubes from a bag',
  about: 'Both sides put cubes into one bag; cubes drawn without replacement are the damage to each.',
  schema,
  decisions: [
    {
      point: 'bonus',
      who: 'a side with an army that has a strength bonus to count, before the bag is filled',
      about: 'the bonus that the army counts, by amount and colour, or none',
      policies: [...BONUSES, 'the name of a type'],
    },
    {
      point: 'army',
      who: 'a side that tries to convert a unit, if an enemy army has conversionFactors',
      about: 'the enemy army from which it takes the unit',
      policies: ['easiest', 'a list of numbers of armies'],
    },
    {
      point: 'conversion',
      who: 'a side that has passed the check of a conversion',
      about: 'the enemy unit that it converts',
      policies: ['by removal: a list of types, classes, structures'],
    },
    {
      point: 'draw',
      who: 'the attacker',
      about: 'how many cubes to draw, 1 to its courage; with drawing: cube-by-cube after each whether to continue',
      policies: ['max', 'a number', 'until: cubes at which it stops'],
    },
    {
      point: 'extraDraw',
      who: 'the defender, if the attacker has drawn fewer cubes than the courage of the defender',
      about: 'how many cubes to draw further, up to its courage',
      policies: [...EXTRA_DRAWS, 'until: cubes at which it stops'],
    },
    {
      point: 'redraw',
      who: 'a side with trainedArmy, after all drawing',
      about: 'how many drawn cubes to put back and draw anew',
      policies: REDRAWS,
    },
    {
      point: 'removal',
      who: 'the side that deals damage',
      about: 'the enemy object that falls next, or takes the marks',
      policies: ['a list of types, classes, structures'],
    },
  ],
  rules,
  counts: { drawn: 'cubes' },
  environment: createEnvironment,
  tabled: {
    values(scenario) {
      const types = createUnitTypes(scenario.unitTypes, scenario.unitSet);
      const armies = [...scenario.attacker.armies, ...scenario.defender.armies].flatMap(({ units }) =>
        Object.entries(units),
      );
      const names = new Set(armies.flatMap(([name, count = 0]) => (count > 0 ? [name] : [])));
      return [...names].flatMap((name) =>
        (['hp', 'strength'] as const).map(
          (figure) => [`unitTypes.${name}.${figure}`, types.get(name)?.[figure] ?? 1] as const,
        ),
      );
    },
    others: 'unit types that no side has; range and bonus',
  },
  examples,
  model: createModel,
  encode,
  battlesPerStep: 30,
};
