/** The rules of attrition by id: where each comes from and how a replay tells it. */
import type { Model, Rule, State } from '../system.ts';
import { directModel } from './direct.ts';
import { indirectModel } from './indirect.ts';
import { massModel } from './mass.ts';
import type { Attrition } from './schema.ts';

export const rules = {
  round: { source: 'seed 003, Direct Combat: repeats', tell: (f) => `Round ${f['round']}.` },
  prey: {
    source: 'seed 003, Prey; option preyDamage',
    tell: (f) => `${f['target']} is prey of ${f['hunter']}: ${f['bonus']} more damage.`,
  },
  'direct.blow': {
    source: 'seed 003, Direct Combat',
    tell: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'direct.harmless': {
    source: 'seed 003, Direct Combat; a unit without attack, or one that can never get through',
    tell: (f) => `${f['from']} cannot hurt ${f['to']}.`,
  },
  'indirect.shot': {
    source: 'seed 003, Indirect Combat',
    tell: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.return': {
    source: 'seed 003, Indirect Combat: return fire; option returnFire',
    tell: (f) => `${f['from']} shoots back for ${f['damage']}: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.covered': {
    source: 'seed 003, Important Information on Indirect Combat; option cover',
    tell: (f) => `${f['to']} is under cover: the shot of ${f['from']} does nothing.`,
  },
  'indirect.bypass': {
    source: 'seed 003, "most forms of indirect combat"; option bypassesCover',
    tell: (f) => `${f['from']} reaches ${f['to']} in spite of cover.`,
  },
  'indirect.silent': {
    source: 'seed 003, Indirect Combat: only units capable of it return fire; option returnFire',
    tell: (f) => `${f['from']} does not shoot back.`,
  },
  'mass.defence': {
    source: 'seed 003, Mass Direct Combat',
    tell: (f) => `${f['who']} defends with ${f['defence']}.`,
  },
  'mass.attack': {
    source: 'seed 003, Mass Direct Combat',
    tell: (f) => `${f['who']} attacks all others with ${f['attack']}.`,
  },
  'mass.unarmed': {
    source: 'option attack: null',
    tell: (f) => `${f['who']} cannot attack.`,
  },
  'mass.hit': {
    source: 'seed 003, Mass Direct Combat (a lost formula); option massDivisor',
    tell: (f) => `  ${f['to']} takes ${f['damage']} (divided by ${f['by']}): ${f['before']} -> ${f['after']} hp.`,
  },
} satisfies Record<string, Rule>;

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
