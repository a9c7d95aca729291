import type { KernelSystem } from '../system.ts';
import { encode } from './encode.ts';
import { examples } from './examples.ts';
import { model } from './model.ts';
import { rollout } from './rollout.ts';
import { rules } from './rules.ts';
import { type Attrition, schema } from './schema.ts';

export const attrition: KernelSystem<Attrition> = {
  id: 'attrition',
  title: 'Attrition',
  about:
    'Attack against defence, both rolled with 3d10, until someone falls; one shot at range; or everyone against everyone.',
  schema,
  decisions: [],
  rules,
  counts: { hp: 'hit points' },
  rollout,
  examples,
  model,
  encode,
  // Rounds of mass combat are played battle by battle: docs/benchmarks.md has the times.
  compiles: ({ mode }) => mode === 'mass',
};
