/** The rules of each mode as a model. */
import type { Model, State } from '../system.ts';
import { directModel } from './direct.ts';
import { indirectModel } from './indirect.ts';
import { massModel } from './mass.ts';
import type { Attrition } from './schema.ts';

export function model(scenario: Attrition): Model<State> {
  switch (scenario.mode) {
    case 'direct':
      return directModel(scenario);
    case 'indirect':
      return indirectModel(scenario);
    case 'mass':
      return massModel(scenario);
  }
}
