/** Rules of cubes from a bag by id: their sources and their sentences in replays. */
import type { EventData } from '../../core/index.ts';
import type { Rule } from '../system.ts';

const formatCubes = (amount: EventData[string] | undefined): string => (amount === 1 ? '1 cube' : `${amount} cubes`);

const formatPoints = (amount: EventData[string] | undefined): string =>
  amount === 1 ? '1 hit point' : `${amount} hit points`;

const formatSentence = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

export const rules = {
  'target.water': {
    source: 'bag preparation: melee units do not attack an adjacent water hex; option target',
    describe: () => 'The target is on the water: melee units of the attacker do not reach it.',
  },
  'target.vessels': {
    source: 'bag preparation: swordsmen do not attack vessels from the shore',
    describe: () => 'All units of the attacker are vessels: melee units of the defender do not reach them.',
  },
  siege: {
    source: 'siege: strength bonuses of melee and ranged units; option fortification',
    describe: (f) => `A siege (${f['fortification']}): melee and ranged bonuses do not count against the garrison.`,
  },
  'siege.garrison': {
    source: 'option garrisonBonus, for pictures of fortifications that are lost',
    outside: true,
    describe: (f) => `${f['side']}’s garrison adds ${formatCubes(f['amount'])}.`,
  },
  elsewhere: {
    source: 'losses: destruction priority on every hex of a corps; option hex of an army',
    describe: (f) => `An army of ${f['side']} stands apart, on ${f['hex']}.`,
  },
  'structures.hex': {
    source: 'losses: destruction priority on every hex of a corps; option hex of a structure',
    describe: (f) => `${f['side']} has ${f['count']} ${f['name']} on ${f['hex']}.`,
  },
  'structures.hp': {
    source:
      'losses: usual hit points of structures; values of wall and palisade are completed from outside; options structureTypes and hp of a structure',
    describe: (f) => `${f['side']}’s ${f['name']}${f['where']} has ${formatPoints(f['hp'])}.`,
  },
  bonus: {
    source: 'Army strength bonus; all figures are completed from outside; option unitSet, policy bonus of an army',
    describe: (f) => `${f['side']} gets ${formatCubes(f['amount'])} for ${f['type']} against ${f['against']}.`,
  },
  'bonus.inactive': {
    source: 'Army strength bonus; bag preparation: defense cubes for inactive units; policy bonus',
    describe: (f) =>
      `${f['side']} gets ${formatCubes(f['amount'])}, neutral, for inactive ${f['type']} against ${f['against']}.`,
  },
  'bonus.left-out': {
    source: 'bag preparation: both sides may opt out from adding defense; policies addDefense, bonus',
    describe: (f) =>
      `${f['side']} leaves out ${formatCubes(f['amount'])} for inactive ${f['type']} against ${f['against']}.`,
  },
  'bonus.none': {
    source: 'Army strength bonus; policy bonus of an army: none',
    describe: (f) => `An army of ${f['side']} counts no strength bonus.`,
  },
  'bonus.corps': {
    source: 'Corps strength bonus: technologies allow it; option corpsBonus',
    describe: (f) => `No army of ${f['side']}’s corps gives a strength bonus.`,
  },
  modifier: {
    source: 'option modifiers of an army',
    outside: true,
    describe: (f) => `${f['side']}’s strength changes by ${f['amount']}.`,
  },
  extras: {
    source: 'bag preparation: action cubes and experience cubes',
    describe: (f) => `${f['side']} adds ${formatCubes(f['amount'])}.`,
  },
  'defense.left-out': {
    source: 'bag preparation: both sides may opt out from adding defense; policy addDefense',
    describe: (f) => `${f['side']} leaves out ${formatCubes(f['amount'])} of inactive units.`,
  },
  'courage.structures': {
    source: 'third example: projectile units give their army courage',
    describe: (f) => `An army of ${f['side']} has courage 1 higher against structures.`,
  },
  'courage.tower': {
    source: 'third example: siege tower',
    describe: (f) => `${f['side']}’s siege tower gives courage 1 more.`,
  },
  cubes: {
    source: 'Army strength; bag preparation: attack cubes and defense cubes',
    describe: (f) => `${f['side']} prepares ${formatCubes(f['own'])} of its colour; courage ${f['courage']}.`,
  },
  'cubes.neutral': {
    source: 'bag preparation: defense cubes for inactive units',
    describe: (f) => `${formatCubes(f['amount'])} of inactive units ${f['amount'] === 1 ? 'is' : 'are'} neutral.`,
  },
  fabian: {
    source: 'third example: fabian tactic',
    describe: (f) => `Both sides discard ${formatCubes(f['amount'])} of their colour.`,
  },
  'check.passed': {
    source: 'Conversion, Recovery: a check; second and third example',
    describe: (f) => `${f['side']} passes a check of ${f['complexity']} for ${f['what']}: ${f['cubes']}.`,
  },
  'check.failed': {
    source: 'the steps of a check are lost, a cube of the opponent fails it',
    outside: true,
    describe: (f) => `${f['side']} fails a check of ${f['complexity']} for ${f['what']}: ${f['cubes']}.`,
  },
  'check.empty': {
    source: 'a check on an empty bag fails',
    outside: true,
    describe: (f) => `${f['side']} fails a check of ${f['complexity']} for ${f['what']}: the bag is empty.`,
  },
  'check.discard': {
    source: 'option failedCheckCubes',
    outside: true,
    describe: (f) => formatSentence(`${formatCubes(f['amount'])} of the failed check leave the bag.`),
  },
  'conversion.army': {
    source: 'third example: the army that a unit is converted from; option conversionFactors, policy convert',
    describe: (f) =>
      `${f['side']} tries to convert a unit of army ${f['army']} of ${f['enemy']}: complexity ${f['complexity']}.`,
  },
  conversion: {
    source: 'Conversion; policy removal',
    describe: (f) => `${f['side']} converts one ${f['name']}.`,
  },
  'conversion.none': {
    source: 'a conversion without an enemy unit is not tried',
    outside: true,
    describe: (f) => `${f['side']} has no unit left to convert.`,
  },
  draw: {
    source: 'draw: one cube up to the courage of the attacker; policy draw',
    describe: (f) => `Attacker draws ${formatCubes(f['amount'])}, courage ${f['courage']}: ${f['cubes']}.`,
  },
  'draw.none': {
    source: 'an attacker with courage 0 draws nothing',
    outside: true,
    describe: () => 'Attacker has no courage and draws nothing.',
  },
  'draw.extra': {
    source: 'draw: additional cubes up to the courage of the defender; policy extraDraw',
    describe: (f) => `Defender draws ${formatCubes(f['amount'])} more, courage ${f['courage']}: in all ${f['cubes']}.`,
  },
  'draw.cube': {
    source:
      'draw: one cube after the other, a variant of the number that is named first; option drawing, policies draw and extraDraw',
    describe: (f) => `${f['side']} draws 1 cube, courage ${f['courage']}: in all ${f['cubes']}.`,
  },
  'draw.stop': {
    source:
      'draw: one cube after the other, a variant of the number that is named first; option drawing, policies draw and extraDraw',
    describe: (f) => `${f['side']} draws 0 cubes more, courage ${f['courage']}: ${formatCubes(f['amount'])} in all.`,
  },
  redraw: {
    source: 'third example: trained army; policy redraw',
    describe: (f) => `${f['side']} puts ${formatCubes(f['amount'])} back and draws anew: in all ${f['cubes']}.`,
  },
  damage: {
    source: 'losses: one damage for each attack cube drawn',
    describe: (f) => `Defender takes ${f['toDefender']} damage, Attacker ${f['toAttacker']}.`,
  },
  priority: {
    source:
      'losses: destruction priority; the default order is completed from outside; options priority and fortification',
    describe: (f) => `${f['side']}’s objects are destroyed by the destruction priority.`,
  },
  'priority.hexes': {
    source: 'losses: destruction priority on every hex of a corps; option hex of a structure',
    describe: (f) => `${f['side']}’s objects are destroyed by a destruction priority for each bound hex.`,
  },
  'priority.tower': {
    source: 'third example: siege tower',
    describe: (f) => `The siege tower sets aside the destruction priority of ${f['side']}’s objects.`,
  },
  structure: {
    source: 'losses: hit points of structures; values of wall and palisade are completed from outside',
    describe: (f) => `${f['side']}’s ${f['name']}${f['where']} is destroyed with ${f['damage']} damage.`,
  },
  'structure.free': {
    source: 'losses: a structure with as many black cubes as hit points; third example',
    describe: (f) =>
      `${f['side']}’s ${f['name']}${f['where']} has as many marks as hit points and is destroyed without damage.`,
  },
  marks: {
    source: 'losses: black cubes on a structure that is not destroyed',
    describe: (f) => `${f['side']}’s ${f['name']}${f['where']} keeps ${f['damage']} damage as marks.`,
  },
  losses: {
    source: 'losses: the enemy decides what is removed; policy removal',
    describe: (f) => `${f['side']} loses ${f['units']}.`,
  },
  'damage.ignored': {
    source: 'losses: units ignore damage that cannot destroy them; destruction priority',
    describe: (f) => `${f['side']} ignores ${f['damage']} damage: it cannot destroy any of ${f['units']} or skip them.`,
  },
  'damage.lost': {
    source: 'damage without anything left to destroy',
    outside: true,
    describe: (f) => `${f['damage']} damage to ${f['side']} is lost: there is nothing left to hit.`,
  },
  recovery: {
    source: 'Recovery',
    describe: (f) => `${f['side']} brings one lost unit back, outside the battle.`,
  },
  'recovery.none': {
    source: 'a recovery without a lost unit is not tried',
    outside: true,
    describe: (f) => `${f['side']} has no lost unit to bring back.`,
  },
  'end.attacker': {
    source: 'victory: all enemy units and structures are destroyed',
    describe: () => 'Nothing of the defender is left in the battle: the attacker wins.',
  },
  'end.defender': {
    source: 'victory: all enemy units and structures are destroyed',
    describe: () => 'Nothing of the attacker is left in the battle: the defender wins.',
  },
  'end.mutual': {
    source: 'victory: the list of the three possible results is lost',
    describe: () => 'Nothing of either side is left in the battle.',
  },
  'end.none': {
    source: 'victory: the list of the three possible results is lost',
    describe: () => 'Both sides have something left in the battle.',
  },
} satisfies Record<string, Rule>;
