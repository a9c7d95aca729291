import type { KernelSystem } from '../system.ts';
import { BONUSES } from './army.ts';
import { encode } from './encode.ts';
import { examples } from './examples.ts';
import { model } from './model.ts';
import { EXTRA_DRAWS, REDRAWS } from './policies.ts';
import { rollout } from './rollout.ts';
import { rules } from './rules.ts';
import { type CubeBag, schema } from './schema.ts';

export const cubeBag: KernelSystem<CubeBag> = {
  id: 'cube-bag',
  title: 'Cubes from a bag',
  about: 'Both sides put cubes into one bag; what is drawn from it without replacement is the damage to each.',
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
      about: 'how many cubes to draw, 1 to its courage; with drawing: cube-by-cube after each whether to go on',
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
  rollout,
  examples,
  model,
  encode,
};
