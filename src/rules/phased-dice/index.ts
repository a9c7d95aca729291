import type { Example, KernelSystem } from '../system.ts';
import { isRaid, tableValues } from './army.ts';
import { encode } from './encode.ts';
import { createEnvironment } from './environment.ts';
import { createModel } from './model.ts';
import { LOSSES } from './policies.ts';
import { rules } from './rules.ts';
import { type PhasedDice, schema } from './schema.ts';

// Small scenarios of every mode, as in a file.

const examples: readonly Example[] = [
  {
    name: 'a settlement under attack',
    scenario: {
      system: 'phased-dice',
      mode: 'ground',
      site: 'settlement',
      attacker: { units: { cannon: 1, knight: 2, rifleman: 1 }, target: ['infantry'] },
      defender: { units: { trebuchet: 1, dragoon: 1, rifleman: 1 }, losses: 'fewest-expected-hits-lost' },
    },
  },
  {
    name: 'bombers over the Great Wall',
    scenario: {
      system: 'phased-dice',
      mode: 'ground',
      site: 'great-wall',
      attacker: { units: { howitzer: 1, tank: 1, stealth: 1 }, retreat: { whenWeaker: 0.5 } },
      defender: { units: { 'mechanized-infantry': 2, biplane: 1 } },
      airOnly: 'stalemate',
    },
  },
  {
    name: 'frigates with air cover',
    scenario: {
      system: 'phased-dice',
      mode: 'fleet',
      attacker: { units: { biplane: 1, frigate: 2 } },
      defender: { units: { caravel: 3 }, losses: 'highest-era' },
      unitTypes: { frigate: { bonus: 1 } },
    },
  },
];

export const phasedDice: KernelSystem<PhasedDice> = {
  id: 'phased-dice',
  title: 'Phased dice',
  about:
    'Pools of d6 rolled phase by phase on land or at sea; hits are placed on units that take 1 to 5 of them at once.',
  schema,
  decisions: [
    {
      point: 'target',
      who: 'the side that has dealt hits on land, except with aircraft',
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
      describe: { stay: ['stays', 'stay'], retreat: ['retreats', 'retreat'] },
      policies: ['never', '{ afterRounds: n }', '{ whenWeaker: r }'],
    },
  ],
  rules,
  counts: { left: 'units' },
  environment: createEnvironment,
  tabled: tableValues,
  examples,
  model: createModel,
  encode,
  compiles: isRaid,
  battlesPerStep: 120,
};
