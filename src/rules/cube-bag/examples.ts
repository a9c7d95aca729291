/** Small scenarios of every stage, as a file would hold them. */
import type { Example } from '../system.ts';

export const examples: readonly Example[] = [
  {
    name: 'spearmen against horses',
    scenario: {
      system: 'cube-bag',
      attacker: { armies: [{ units: { spearman: 3 } }] },
      defender: { armies: [{ units: { cavalryman: 2 } }], extraDraw: 'if-behind' },
    },
  },
  {
    name: 'a small siege',
    scenario: {
      system: 'cube-bag',
      fortification: 'wall',
      garrisonBonus: 1,
      attacker: {
        armies: [{ units: { catapult: 2, swordsman: 2 } }],
        technologies: { trainedArmy: 1 },
        removal: ['infantry', 'wall'],
      },
      defender: {
        armies: [{ units: { archer: 2, peasant: 1 } }],
        structures: [{ type: 'wall' }, { type: 'city', marks: 1 }],
        recoveries: 1,
      },
    },
  },
  {
    name: 'a counterattack',
    scenario: {
      system: 'cube-bag',
      fortification: 'palisade',
      priority: [['palisade'], ['military'], ['building', 'peasant']],
      attacker: {
        armies: [
          { units: { spearman: 2 }, conversionFactors: -1 },
          { units: { catapult: 1, swordsman: 1 }, conversionFactors: 1 },
        ],
        structures: [{ type: 'building' }],
        corpsBonus: 'none',
      },
      defender: {
        armies: [{ units: { archer: 1, peasant: 1 } }, { units: { cavalryman: 1 }, hex: 'field' }],
        structures: [{ type: 'palisade' }],
        conversions: 1,
        convert: [2],
      },
    },
  },
  {
    name: 'a skirmish, cube by cube',
    scenario: {
      system: 'cube-bag',
      drawing: 'cube-by-cube',
      attacker: {
        armies: [{ units: { catapult: 1, spearman: 2 }, distance: 2, bonus: 'greatest', modifiers: { courage: 2 } }],
        draw: { until: { own: 1, enemy: 2 } },
      },
      defender: {
        armies: [{ units: { archer: 2, cavalryman: 1 }, distance: 1 }],
        structures: [{ type: 'building' }],
        extraDraw: { until: { own: 1, drawn: 4 } },
      },
    },
  },
  {
    name: 'galleys off the coast',
    scenario: {
      system: 'cube-bag',
      target: 'water',
      failedCheckCubes: 'discard',
      attacker: { armies: [{ units: { archer: 2, swordsman: 1 } }], draw: 2 },
      defender: { armies: [{ units: { galley: 2 } }], conversions: 1, conversionFactors: -1, extraDraw: 'max' },
    },
  },
];
