/** Small scenarios of every mode, as a file would hold them. */
import type { Example } from '../system.ts';

export const examples: readonly Example[] = [
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
