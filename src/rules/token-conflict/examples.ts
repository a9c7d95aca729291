/** Small scenarios, as a file would hold them. */
import type { Example } from '../system.ts';

export const examples: readonly Example[] = [
  {
    name: 'three players in a delta',
    scenario: {
      system: 'token-conflict',
      areas: [{ name: 'Delta', limit: 2, tokens: { egypt: [2, 6], assyria: { 3: 1, 5: 2 }, barbarians: 2 } }],
      players: { egypt: { advances: ['metalworking'] }, assyria: { advances: ['navalWarfare'], ships: { Delta: 1 } } },
    },
  },
  {
    name: 'a pirate city and a city with an engineer',
    scenario: {
      system: 'token-conflict',
      areas: [
        { name: 'Thebes', limit: 3, city: 'egypt', tokens: { assyria: [6, 9], egypt: [0, 1] } },
        { name: 'Rhodes', limit: 1, city: 'pirates', tokens: { egypt: [5, 8] } },
      ],
      players: {
        egypt: { stock: 4, hand: 2, rank: 1, advances: ['engineering'] },
        assyria: { advances: ['advancedMilitary'], adjacent: { Thebes: 2 }, sacrifice: 'tokens-first' },
      },
      pirateSurvivors: 'remove',
    },
  },
  {
    name: 'two cities, the second attacked first',
    scenario: {
      system: 'token-conflict',
      areas: [
        { name: 'Memphis', limit: 0, city: 'egypt', tokens: { assyria: [6, 8] } },
        { name: 'Sais', limit: 9, city: 'egypt', tokens: { assyria: [5, 7], egypt: 1 } },
      ],
      players: { egypt: { stock: 5, hand: 1, cityOrder: ['Sais'] } },
      needed: 6,
      cityTokens: 4,
      treasury: 2,
    },
  },
];
