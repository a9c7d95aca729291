/** Small scenarios, as a file would hold them. All figures are invented. */
import type { Example } from '../system.ts';

export const examples: readonly Example[] = [
  {
    name: 'a corps across a river',
    scenario: {
      system: 'strength-cards',
      river: 'open',
      dice: { green: [0, 0, 1, 1, 1, 2] },
      attacker: {
        units: [{ name: 'Corps', attack: 5, defense: 4, hp: 3, die: 'green', acrossRiver: true }],
        orderBonus: 2,
      },
      defender: { units: [{ name: 'Corps', attack: 3, defense: 4, hp: 2, die: 'green' }] },
    },
  },
  {
    name: 'cards and air support of the sample set',
    scenario: {
      system: 'strength-cards',
      initiative: 'attacker',
      attacker: {
        units: [{ sample: 'armour-2' }, { sample: 'infantry-2', die: ['sample-2', 'sample-3'] }],
        support: [{ sample: 'artillery-2' }],
        hand: [{ sample: 'assault', weight: 2 }, { sample: 'feint' }, { sample: 'probe' }],
        airTokens: [{ sample: 'bomber', weight: 0.5 }],
      },
      defender: {
        units: [{ sample: 'infantry-3' }, { sample: 'garrison-1' }],
        fortification: 2,
        hand: [{ sample: 'dig-in' }, { sample: 'ambush' }],
        airTokens: [{ sample: 'fighter' }],
        losses: 'spread',
        absorb: ['fortification', 'units', 'symbols'],
        retreatTo: 'none',
        portFleets: 1,
      },
    },
  },
  {
    name: 'a fleet action',
    scenario: {
      system: 'strength-cards',
      theatre: 'naval',
      attacker: {
        units: [{ sample: 'fleet-2' }, { sample: 'fleet-1' }],
        hand: [{ sample: 'counterattack' }],
        noCard: 1,
        retreatTo: 'none',
      },
      defender: { units: [{ sample: 'fleet-3' }], losses: 'save-strongest' },
    },
  },
];
