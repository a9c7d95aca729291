import type { Example, KernelSystem } from '../system.ts';
import { duels } from './duel.ts';
import { encode } from './encode.ts';
import { createEnvironment } from './environment.ts';
import { createModel } from './model.ts';
import { rules } from './rules.ts';
import { type Attrition, schema } from './schema.ts';

// Small scenarios of every mode, as in a file.

const examples: readonly Example[] = [
  {
    name: 'swordsmen against pikemen',
    scenario: {
      system: 'attrition',
      mode: 'direct',
      attacker: { name: 'Swordsmen', attack: 1, defense: 1, hp: 30 },
      defender: { name: 'Pikemen', attack: 1, defense: 1, hp: 25 },
    },
  },
  {
    name: 'archers at cavalry in the open',
    scenario: {
      system: 'attrition',
      mode: 'indirect',
      attacker: { name: 'Archers', ranged: 1, defense: 1, hp: 25 },
      defender: { name: 'Cavalry', attack: 1, defense: 1, hp: 25, tags: ['cavalry'] },
    },
  },
  {
    name: 'three hostile parties',
    scenario: {
      system: 'attrition',
      mode: 'mass',
      combatants: [
        { name: 'Swordsmen', party: 'red', attack: 1, defense: 1, hp: 30 },
        { name: 'Pikemen', party: 'blue', attack: 1, defense: 1, hp: 25, prey: ['cavalry'] },
        { name: 'Cavalry', party: 'green', attack: 1, defense: 1, hp: 25, tags: ['cavalry'] },
      ],
    },
  },
];

export const attrition: KernelSystem<Attrition> = {
  id: 'attrition',
  title: 'Attrition',
  about:
    'Attack against defence, both rolled with 3d10, until someone falls; one shot at range; or everyone against everyone.',
  schema,
  decisions: [],
  rules,
  counts: { hp: 'hit points' },
  environment: createEnvironment,
  examples,
  model: createModel,
  encode,
  // Automata do not simulate rounds of mass combat: docs/explanation/benchmarks.md has the times.
  compiles: ({ mode }) => mode === 'mass',
  battlesPerStep: 4,
  duels,
};
