import type { KernelSystem } from '../system.ts';
import { isRaid } from './army.ts';
import { encode } from './encode.ts';
import { examples } from './examples.ts';
import { model } from './model.ts';
import { LOSSES } from './policies.ts';
import { rollout } from './rollout.ts';
import { rules } from './rules.ts';
import { type PhasedDice, schema } from './schema.ts';

export const phasedDice: KernelSystem<PhasedDice> = {
  id: 'phased-dice',
  title: 'Phased dice',
  about:
    'Pools of d6 rolled phase by phase on land or at sea; hits are placed on units that take 1 to 5 of them at once.',
  schema,
  decisions: [
    {
      point: 'target',
      who: 'the side that has dealt hits on land, aircraft aside',
      about: 'the class that must take losses first',
      policies: ['most-dice', 'most-expected-hits', 'a list of artillery, cavalry, infantry'],
    },
    {
      point: 'losses',
      who: 'the side that has hits to place, new ones or its reserve',
      about: 'the unit that falls next, whenever units of several types fit',
      policies: LOSSES,
    },
    {
      point: 'retreat',
      who: 'the attacker, at the end of every round',
      about: 'to retreat or to stay',
      tell: { stay: ['stays', 'stay'], retreat: ['retreats', 'retreat'] },
      policies: ['never', '{ afterRounds: n }', '{ whenWeaker: r }'],
    },
  ],
  rules,
  counts: { left: 'units' },
  rollout,
  examples,
  model,
  encode,
  compiles: isRaid,
};
