/** Rules of attrition by id: their sources and their sentences in replays. */
import type { Rule } from '../system.ts';

export const rules = {
  round: {
    source: 'Direct Combat: repeats until a side is destroyed; Mass Direct Combat: rounds',
    describe: (f) => `Round ${f['round']}.`,
  },
  prey: {
    source: 'the paragraph on Prey before Mass Direct Combat; option preyDamage',
    describe: (f) => `${f['target']} is prey of ${f['hunter']}: ${f['bonus']} more damage.`,
  },
  'direct.blow': {
    source: 'Direct Combat: attack less defense is damage, for both sides',
    describe: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'direct.harmless': {
    source: 'option attack: null, or an attack that no roll brings above the defense',
    outside: true,
    describe: (f) => `${f['from']} cannot hurt ${f['to']}.`,
  },
  'indirect.shot': {
    source: 'Indirect Combat: as direct combat, but not repeated',
    describe: (f) => `${f['from']} deals ${f['damage']} damage: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.return': {
    source: 'Indirect Combat: units capable of it return fire; option returnFire',
    describe: (f) => `${f['from']} shoots back for ${f['damage']}: ${f['to']} ${f['before']} -> ${f['after']} hp.`,
  },
  'indirect.covered': {
    source: 'Important Information on Indirect Combat: strongholds, capitals and forests; option cover',
    describe: (f) => `${f['to']} is under cover (${f['cover']}): the shot of ${f['from']} does nothing.`,
  },
  'indirect.bypass': {
    source: 'Important Information on Indirect Combat: immune to most forms, not all; option bypassesCover',
    describe: (f) => `${f['from']} reaches ${f['to']} in spite of cover (${f['cover']}).`,
  },
  'indirect.silent': {
    source: 'Indirect Combat: only units capable of it return fire; option returnFire',
    describe: (f) => `${f['from']} does not shoot back.`,
  },
  'mass.defence': {
    source: 'Mass Direct Combat: all fight in the same round',
    describe: (f) => `${f['who']} defends with ${f['defence']}.`,
  },
  'mass.attack': {
    source: 'Mass Direct Combat: each unit attacks all opposing units',
    describe: (f) => `${f['who']} attacks all hostile combatants with ${f['attack']}.`,
  },
  'mass.unarmed': {
    source: 'option attack: null',
    outside: true,
    describe: (f) => `${f['who']} cannot attack.`,
  },
  'mass.hit': {
    source: 'Mass Direct Combat: a formula, which is lost; options massDivisor, massRounding',
    describe: (f) => {
      const prey = f['prey'] === 0 ? '' : ` and ${f['prey']} as prey`;
      return `  ${f['to']} takes ${f['damage']} (${f['excess']} / ${f['by']}${prey}): ${f['before']} -> ${f['after']} hp.`;
    },
  },
} satisfies Record<string, Rule>;
