import type { Example, KernelSystem } from '../system.ts';
import { encode } from './encode.ts';
import { createEnvironment } from './environment.ts';
import type { TokenConflict } from './fields.ts';
import { createModel } from './model.ts';
import { CITY_ORDERS, SACRIFICES } from './policies.ts';
import { rules } from './rules.ts';
import { schema } from './schema.ts';

// Small scenarios, as in a file.

const examples: readonly Example[] = [
  {
    name: 'three players in a delta',
    scenario: {
      system: 'token-conflict',
      areas: [{ name: 'Delta', limit: 2, tokens: { egypt: [2, 6], assyria: { 3: 1, 5: 2 }, barbarians: 2 } }],
      players: { egypt: { advances: ['metalworking'] }, assyria: { advances: ['navalWarfare'], ships: { Delta: 1 } } },
    },
  },
  {
    name: 'a pirate city and a city with an engineer',
    scenario: {
      system: 'token-conflict',
      areas: [
        { name: 'Thebes', limit: 3, city: 'egypt', tokens: { assyria: [6, 9], egypt: [0, 1] } },
        { name: 'Rhodes', limit: 1, city: 'pirates', tokens: { egypt: [5, 8] } },
      ],
      players: {
        egypt: { stock: 4, hand: 2, rank: 1, advances: ['engineering'] },
        assyria: { advances: ['advancedMilitary'], adjacent: { Thebes: 2 }, sacrifice: 'tokens-first' },
      },
      pirateSurvivors: 'remove',
    },
  },
  {
    name: 'two cities, the second attacked first',
    scenario: {
      system: 'token-conflict',
      areas: [
        { name: 'Memphis', limit: 0, city: 'egypt', tokens: { assyria: [6, 8] } },
        { name: 'Sais', limit: 9, city: 'egypt', tokens: { assyria: [5, 7], egypt: 1 } },
      ],
      players: { egypt: { stock: 5, hand: 1, cityOrder: ['Sais'] } },
      needed: 6,
      cityTokens: 4,
      treasury: 2,
    },
  },
];

export const tokenConflict: KernelSystem<TokenConflict> = {
  id: 'token-conflict',
  title: 'Token conflict',
  about:
    'Tokens of several players removed in rounds, the fewer first, and attacks on cities. Only the counts at the start are random.',
  schema,
  decisions: [
    {
      point: 'sacrifice',
      who: 'a player who must give up a token and has ships or adjacent tokens to give up instead',
      about: 'to give up one of these or the token',
      policies: SACRIFICES,
    },
    {
      point: 'takeCard',
      who: 'the player who has taken a city',
      about: 'to draw a card of the owner, or not',
      policies: ['true', 'false'],
    },
    {
      point: 'takeTreasury',
      who: 'the player who has taken a city',
      about: 'to move up to 3 tokens (option treasury) from stock to treasury, or not',
      policies: ['true', 'false'],
    },
    {
      point: 'cityOrder',
      who: 'an owner of several cities of which more than one is attacked',
      about: 'which of these attacks is next',
      policies: [...CITY_ORDERS, 'a list of areas'],
    },
  ],
  rules,
  counts: { left: 'tokens', lost: 'tokens', pool: 'tokens' },
  environment: createEnvironment,
  examples,
  model: createModel,
  encode,
};
