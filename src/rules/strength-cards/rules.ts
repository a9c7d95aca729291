/** Rules of strength and cards by id: their sources and their sentences in replays. */
import type { EventData } from '../../core/index.ts';
import type { Rule } from '../system.ts';

const formatSigned = (value: string | number | undefined): string => (Number(value) < 0 ? `${value}` : `+${value}`);
const formatCount = (count: string | number | undefined, what: string): string =>
  `${count} ${what}${Number(count) === 1 ? '' : 's'}`;

/** Lists the parts of a strength that are not zero. */
function listParts({ own, support, order, levels }: EventData): string {
  const named = [
    `units ${own}`,
    ...(support === '0' ? [] : [`support ${formatSigned(support)}`]),
    ...(order === 0 ? [] : [`order ${formatSigned(order)}`]),
    ...(levels === 0 ? [] : [`fortification ${formatSigned(levels)}`]),
  ];
  return named.join(', ');
}

export const rules = {
  strength: {
    source: 'Battles: Step 1',
    describe: (f) => `${f['side']} has a strength of ${f['sum']}: ${listParts(f)}.`,
  },
  'strength.river': {
    source: 'Battles: Step 1, across rivers; option river: open',
    describe: (f) => `${f['side']}: ${f['unit']} is across the river and counts ${f['half']} of ${f['strength']}.`,
  },
  'strength.frozen': {
    source: 'Battles: Step 1, unless the river is frozen; option river: frozen',
    describe: (f) => `${f['side']}: ${f['unit']} crosses the frozen river at its full ${f['strength']}.`,
  },
  'strength.exhausted': {
    source: 'Battles: Exhausted status effects',
    describe: (f) => `${f['side']}: ${f['unit']} is exhausted; it counts nothing and rolls nothing.`,
  },
  'card.played': {
    source: 'Battles: Step 2; weights of the hand',
    describe: (f) =>
      `${f['side']} plays ${f['card']}: strength ${formatSigned(f['strength'])}` +
      `${f['symbols'] === 0 ? '' : `, ${formatCount(f['symbols'], 'HP symbol')}`}.`,
  },
  'card.none': {
    source: 'an empty hand, or the weight noCard',
    outside: true,
    describe: (f) => `${f['side']} plays no card.`,
  },
  'card.enemy': {
    source: 'Battles: Step 2, additional effects',
    describe: (f) => `${f['card']} changes the strength of ${f['enemy']} by ${formatSigned(f['by'])}.`,
  },
  'air.played': {
    source: 'Battles: Step 3; weights of air tokens',
    describe: (f) => `${f['side']} plays the air token ${f['token']}: strength ${formatSigned(f['strength'])}.`,
  },
  'air.held': {
    source: 'Battles: Step 3; weights of air tokens',
    describe: (f) => `${f['side']} holds back the air token ${f['token']}.`,
  },
  'air.naval': {
    source: 'Battles: Step 3, skipped in naval battles; option theatre',
    describe: () => 'There is no air support at sea.',
  },
  'air.mud': {
    source: 'Battles: Step 3, skipped in mud; option weather',
    describe: () => 'There is no air support over mud.',
  },
  win: {
    source: 'Battles: Step 4',
    describe: (f) => `${f['winner']} wins by ${f['by']}.`,
  },
  'win.initiative': {
    source: 'Battles: Step 4, ties; option initiative',
    describe: (f) => `Both are equally strong: ${f['winner']} wins by initiative.`,
  },
  dice: {
    source: 'Battles: Step 5',
    describe: (f) => `${f['side']} rolls ${f['damage']} damage.`,
  },
  'dice.none': {
    source: 'Battles: Step 5; no unit, card or token with dice',
    describe: (f) => `${f['side']} has no dice to roll.`,
  },
  'absorb.symbols': {
    source: 'Battles: Step 5, HP symbols; option absorb',
    describe: (f) => `${f['side']}: HP symbols absorb ${f['taken']}.`,
  },
  'absorb.fortification': {
    source: 'Battles: Step 5, fortifications; option absorb',
    describe: (f) => `${f['side']}: fortification absorbs ${f['taken']} and loses ${formatCount(f['taken'], 'level')}.`,
  },
  'absorb.units': {
    source: 'Battles: Step 5; policy losses, option absorb',
    describe: (f) => `${f['side']}: units take ${f['damage']}: ${f['units']} hp.`,
  },
  lost: {
    source: 'Battles: Step 5, destroyed units',
    describe: (f) => `${f['side']} loses ${f['units']}.`,
  },
  excess: {
    source: 'damage that no unit is left to take',
    outside: true,
    describe: (f) => `${f['side']}: ${f['left']} damage has nothing left to hit.`,
  },
  'retreat.attacker': {
    source: 'Battles: Step 6; retreated units are exhausted',
    describe: (f) => `${f['side']} retreats to its origin: ${formatCount(f['units'], 'unit')}, now exhausted.`,
  },
  'retreat.defender': {
    source: 'Battles: Step 6; option retreatTo: friendly; retreated units are exhausted',
    describe: (f) => `${f['side']} retreats to a friendly area: ${formatCount(f['units'], 'unit')}, now exhausted.`,
  },
  'retreat.eliminated': {
    source: 'Battles: Step 6, no valid area; option retreatTo: none',
    describe: (f) => `${f['side']} has no area to retreat to: ${formatCount(f['units'], 'unit')} eliminated.`,
  },
  'retreat.nobody': {
    source: 'Battles: Step 6; the loser has no survivors',
    describe: (f) => `${f['side']} has nobody left to retreat.`,
  },
  hold: {
    source: 'Battles: Step 7, the winner was the defender',
    describe: () => 'The area stays the defender’s.',
  },
  advance: {
    source: 'Battles: Step 7, the winner was the attacker',
    describe: () => 'Attacker advances and captures the area.',
  },
  'advance.nobody': {
    source: 'an attacker without survivors captures nothing',
    outside: true,
    describe: () => 'Attacker has nobody left to advance: the area stays the defender’s.',
  },
  'advance.fortification': {
    source: 'Battles: Step 7, fortification tokens are removed',
    describe: (f) => `${formatCount(f['levels'], 'level')} of fortification removed.`,
  },
  'advance.fleets': {
    source: 'Battles: Step 7, fleets in the port; option portFleets',
    describe: (f) => `${formatCount(f['fleets'], 'fleet')} in the port destroyed.`,
  },
} satisfies Record<string, Rule>;
