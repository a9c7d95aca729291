import type { Example, KernelSystem } from '../system.ts';
import { encode } from './encode.ts';
import { createEnvironment } from './environment.ts';
import { createModel } from './model.ts';
import { LOSSES } from './policies.ts';
import { rules } from './rules.ts';
import { INVENTED, type StrengthCards, schema } from './schema.ts';

// Small scenarios, as in a file. All figures are invented.

const examples: readonly Example[] = [
  {
    name: 'a corps across a river',
    scenario: {
      system: 'strength-cards',
      river: 'open',
      dice: { green: [0, 0, 1, 1, 1, 2] },
      attacker: {
        units: [{ name: 'Corps', attack: 5, defense: 4, hp: 3, die: 'green', acrossRiver: true }],
        orderBonus: 2,
      },
      defender: { units: [{ name: 'Corps', attack: 3, defense: 4, hp: 2, die: 'green' }] },
    },
  },
  {
    name: 'cards and air support of the sample set',
    scenario: {
      system: 'strength-cards',
      initiative: 'attacker',
      attacker: {
        units: [{ sample: 'armour-2' }, { sample: 'infantry-2', die: ['sample-2', 'sample-3'] }],
        support: [{ sample: 'artillery-2' }],
        hand: [{ sample: 'assault', weight: 2 }, { sample: 'feint' }, { sample: 'probe' }],
        airTokens: [{ sample: 'bomber', weight: 0.5 }],
      },
      defender: {
        units: [{ sample: 'infantry-3' }, { sample: 'garrison-1' }],
        fortification: 2,
        hand: [{ sample: 'dig-in' }, { sample: 'ambush' }],
        airTokens: [{ sample: 'fighter' }],
        losses: 'spread',
        absorb: ['fortification', 'units', 'symbols'],
        retreatTo: 'none',
        portFleets: 1,
      },
    },
  },
  {
    name: 'a fleet action',
    scenario: {
      system: 'strength-cards',
      theatre: 'naval',
      attacker: {
        units: [{ sample: 'fleet-2' }, { sample: 'fleet-1' }],
        hand: [{ sample: 'counterattack' }],
        noCard: 1,
        retreatTo: 'none',
      },
      defender: { units: [{ sample: 'fleet-3' }], losses: 'save-strongest' },
    },
  },
];

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
  environment: createEnvironment,
  examples,
  model: createModel,
  encode,
  battlesPerStep: 50,
};
