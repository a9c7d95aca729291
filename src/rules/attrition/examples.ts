/** Small scenarios of every mode, as a file would hold them. */
import type { Example } from '../system.ts';

export const examples: readonly Example[] = [
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
