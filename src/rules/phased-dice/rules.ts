/** Rules of phased dice by id: their sources and their sentences in replays. */
import type { EventData } from '../../core/index.ts';
import type { Rule } from '../system.ts';

const formatHits = (f: EventData): string => (f['hits'] === 1 ? '1 hit' : `${f['hits']} hits`);

export const rules = {
  'site.settlement': {
    source: 'Combat Resolution; option site',
    describe: () => 'The attack is on a settlement: values of attackers but artillery are 1 lower, never below 1.',
  },
  'site.great-wall': {
    source:
      'Combat Resolution: the Great Wall; that no value of artillery is below 1 is completed from outside; option site',
    describe: () =>
      'The attack is on a settlement behind the Great Wall: values of attackers are 2 lower, of artillery 1, ' +
      'never below 1.',
  },
  'air.literal': {
    source: 'Combat Resolution: the strengths of aircraft in brackets; option airStrength: literal',
    describe: () => 'The aircraft of the table are 1 stronger: biplanes 2, monoplanes 3, jets 4, stealth aircraft 5.',
  },
  round: { source: 'Ground Combat, Fleet Combat: phases', describe: (f) => `Round ${f['round']}.` },
  roll: {
    source: 'Combat Resolution: dice and combat values',
    describe: (f) => `${f['side']} rolls for ${f['units']}: ${formatHits(f)}.`,
  },
  target: {
    source: 'Combat Resolution: the side that deals hits states a type of unit; policy target',
    describe: (f) => `${f['side']} names ${f['class']}, with ${formatHits(f)} to place.`,
  },
  'air.first': {
    source: 'Air Units: casualties go to air units first',
    describe: (f) => `${f['side']}’s aircraft take the hits first.`,
  },
  'air.through': {
    source: 'Air Units: ground units only when no aircraft is left',
    describe: (f) => `No aircraft of ${f['side']} is left: ${formatHits(f)} for the others.`,
  },
  'air.missed': {
    source: 'Combat Resolution: air units can only take hits during the air unit phase',
    describe: (f) => `${f['side']} has only aircraft: the hits have no effect.`,
  },
  'air.home': {
    source: 'attackers with only aircraft end the battle by retreating; policy retreat',
    outside: true,
    describe: () => 'Attacker has only aircraft left: time to retreat.',
  },
  losses: {
    source: 'Combat Resolution: a unit takes exactly its hits; Fleet Combat: no type is stated; policy losses',
    describe: (f) => `${f['side']} loses ${f['units']}.`,
  },
  reserve: {
    source: 'Combat Resolution: hits that cannot be placed are put aside',
    describe: (f) => `${f['side']} keeps ${formatHits(f)} in reserve.`,
  },
  'reserve.placed': {
    source: 'Combat Resolution: leftover hits are allocated as soon as they destroy a unit',
    describe: (f) => `${f['side']} places ${formatHits(f)} from the reserve.`,
  },
  retreat: {
    source: 'Retreat or repeat; policy retreat, option retreatTo',
    describe: (f) => `Attacker retreats to a ${f['to']} region.`,
  },
  'retreat.destroyed': {
    source: 'Retreat or repeat: without a region to go to the army is destroyed; option retreatTo',
    describe: () => 'Attacker retreats, has nowhere to go, and is destroyed.',
  },
  'end.destroyed': {
    source: 'Ground Combat: combat ends at once when a side is eliminated',
    describe: (f) => `${f['side']} has no units left.`,
  },
  'end.mutual': {
    source: 'Ground Combat: combat ends at once when both sides are eliminated',
    describe: () => 'Both sides have lost their last unit in one phase.',
  },
  'end.air-only': {
    source: 'the result of a side with only aircraft; option airOnly: defeated',
    outside: true,
    describe: (f) => `${f['side']} has only aircraft and is defeated.`,
  },
  'end.air-only.stalemate': {
    source: 'the result of a side with only aircraft; option airOnly: stalemate',
    outside: true,
    describe: (f) => `${f['side']} has only aircraft: neither side can end the battle.`,
  },
  'end.air-both': {
    source: 'aircraft cannot fight or be hit after the air phase',
    outside: true,
    describe: () => 'Both sides have only aircraft: neither can end the battle.',
  },
  'end.no-dice': {
    source: 'a round in which nobody can roll is not begun',
    outside: true,
    describe: () => 'Nobody can roll a die any more.',
  },
} satisfies Record<string, Rule>;
