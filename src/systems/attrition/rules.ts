/** The rules of attrition by id: where each comes from and how a replay tells it. */
import type { Rule } from '../system.ts';

export const rules = {
  round: {
    source: 'seed 003, Direct Combat: repeats until a side is destroyed; Mass Direct Combat: rounds',
    tell: (f) => `Round ${f['round']}.`,
  },
  prey: {
    source: 'seed 003, the paragraph on Prey before Mass Direct Combat; option preyDamage',
    tell: (f) => `${f['target']} is prey of ${f['hunter']}: ${f['bonus']} more damage.`,
  },
  'direct.blow': {
    source: 'seed 003, Direct Combat: attack less defense is damage, for both sides',
    tell: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'direct.harmless': {
    source: 'completed from outside the seed: option attack: null, or an attack that no roll brings above the defense',
    tell: (f) => `${f['from']} cannot hurt ${f['to']}.`,
  },
  'indirect.shot': {
    source: 'seed 003, Indirect Combat: as direct combat, but not repeated',
    tell: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.return': {
    source: 'seed 003, Indirect Combat: units capable of it return fire; option returnFire',
    tell: (f) => `${f['from']} shoots back for ${f['damage']}: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.covered': {
    source: 'seed 003, Important Information on Indirect Combat: strongholds, capitals and forests; option cover',
    tell: (f) => `${f['to']} is under cover (${f['cover']}): the shot of ${f['from']} does nothing.`,
  },
  'indirect.bypass': {
    source: 'seed 003, Important Information on Indirect Combat: immune to most forms, not all; option bypassesCover',
    tell: (f) => `${f['from']} reaches ${f['to']} in spite of cover (${f['cover']}).`,
  },
  'indirect.silent': {
    source: 'seed 003, Indirect Combat: only units capable of it return fire; option returnFire',
    tell: (f) => `${f['from']} does not shoot back.`,
  },
  'mass.defence': {
    source: 'seed 003, Mass Direct Combat: all fight in the same round',
    tell: (f) => `${f['who']} defends with ${f['defence']}.`,
  },
  'mass.attack': {
    source: 'seed 003, Mass Direct Combat: each unit attacks all opposing units',
    tell: (f) => `${f['who']} attacks all hostile combatants with ${f['attack']}.`,
  },
  'mass.unarmed': {
    source: 'completed from outside the seed: option attack: null',
    tell: (f) => `${f['who']} cannot attack.`,
  },
  'mass.hit': {
    source: 'seed 003, Mass Direct Combat: a formula, which is lost; options massDivisor, massRounding',
    tell: (f) => {
      const prey = f['prey'] === 0 ? '' : ` and ${f['prey']} as prey`;
      return `  ${f['to']} takes ${f['damage']} (${f['excess']} / ${f['by']}${prey}): ${f['before']} -> ${f['after']} hp.`;
    },
  },
} satisfies Record<string, Rule>;
