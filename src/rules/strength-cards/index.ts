import type { KernelSystem } from '../system.ts';
import { encode } from './encode.ts';
import { examples } from './examples.ts';
import { cards } from './game.ts';
import { model } from './model.ts';
import { LOSSES } from './policies.ts';
import { rollout } from './rollout.ts';
import { rules } from './rules.ts';
import { INVENTED, type StrengthCards, schema } from './schema.ts';

export const strengthCards: KernelSystem<StrengthCards> = {
  id: 'strength-cards',
  title: 'Strength and cards',
  about:
    'Strength, a secret card and air support decide who wins; custom six-sided dice decide the losses. One battle, no ' +
    `rounds. ${INVENTED}`,
  schema,
  decisions: [
    {
      point: 'card',
      who: 'both sides, secretly',
      about: 'the card that is played',
      policies: ['by the weights of the cards and noCard'],
    },
    {
      point: 'air',
      who: 'both sides, secretly, for each air token when both cards are seen',
      about: 'to play the token or to hold it',
      policies: ['by the weight of the token'],
    },
    {
      point: 'losses',
      who: 'the side that was hit, for each point while several units live and not all must fall',
      about: 'the unit that takes the next point of damage',
      policies: LOSSES,
    },
  ],
  rules,
  counts: { hp: 'hit points', lost: 'units' },
  rollout,
  cards,
  examples,
  model,
  encode,
};
