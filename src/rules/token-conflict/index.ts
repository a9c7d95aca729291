import type { KernelSystem } from '../system.ts';
import { encode } from './encode.ts';
import { examples } from './examples.ts';
import type { TokenConflict } from './fields.ts';
import { model } from './model.ts';
import { CITY_ORDERS, SACRIFICES } from './policies.ts';
import { rollout } from './rollout.ts';
import { rules } from './rules.ts';
import { schema } from './schema.ts';

export const tokenConflict: KernelSystem<TokenConflict> = {
  id: 'token-conflict',
  title: 'Token conflict',
  about:
    'Tokens of several players removed in rounds, the fewer first, and attacks on cities. Chance is in the counts at the start alone.',
  schema,
  decisions: [
    {
      point: 'sacrifice',
      who: 'a player who must give up a token and has ships or adjacent tokens in its place',
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
  rollout,
  examples,
  model,
  encode,
};
