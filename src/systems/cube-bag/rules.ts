/** The rules of cubes from a bag by id: where each comes from and how a replay tells it. */
import type { Facts } from '../../chance/door.ts';
import type { Rule } from '../system.ts';

export { model } from './battle.ts';

const cubes = (amount: Facts[string] | undefined): string => (amount === 1 ? '1 cube' : `${amount} cubes`);

export const rules = {
  'target.water': {
    source: 'seed 000, Prepare: melee units and water hexes; option target',
    tell: () => 'The target lies on the water: the attacker’s melee units do not reach it.',
  },
  siege: {
    source: 'seed 000, Siege; option fortification',
    tell: (f) => `A siege (${f['fortification']}): melee and ranged bonuses of the attacker do not count.`,
  },
  'siege.garrison': {
    source: 'option garrisonBonus',
    tell: (f) => `${f['side']}’s garrison adds ${cubes(f['amount'])}.`,
  },
  bonus: {
    source: 'seed 000, Prepare: strength bonus of an army',
    tell: (f) => `${f['side']} gets ${cubes(f['amount'])} for ${f['type']} against ${f['against']}.`,
  },
  'bonus.inactive': {
    source: 'seed 000, Prepare: inactive units give neutral cubes; strength bonus of an army',
    tell: (f) => `${f['side']} gets ${cubes(f['amount'])}, neutral, for inactive ${f['type']} against ${f['against']}.`,
  },
  modifier: {
    source: 'option modifiers.strength',
    tell: (f) => `${f['side']}’s strength changes by ${f['amount']}.`,
  },
  extras: {
    source: 'seed 000, Prepare: action and experience cubes',
    tell: (f) => `${f['side']} adds ${cubes(f['amount'])}.`,
  },
  'defense.left-out': {
    source: 'seed 000, Prepare: sides may leave out the cubes of inactive units; policy addDefense',
    tell: (f) => `${f['side']} leaves out ${cubes(f['amount'])} of inactive units.`,
  },
  'courage.structures': {
    source: 'seed 000, Siege example: projectile units raise the courage of their army',
    tell: (f) => `An army of ${f['side']} has courage 1 higher against structures.`,
  },
  'courage.tower': {
    source: 'seed 000, Siege example: siege tower',
    tell: (f) => `${f['side']}’s siege tower gives courage 1 more.`,
  },
  cubes: {
    source: 'seed 000, Prepare: units, bonus and extras; colours of active and inactive units',
    tell: (f) =>
      `${f['side']} prepares ${cubes(f['own'])} of his own and ${f['neutral']} neutral; courage ${f['courage']}.`,
  },
  fabian: {
    source: 'seed 000, Siege example: fabian tactic',
    tell: (f) => `Both sides discard ${cubes(f['amount'])} of their colour.`,
  },
  'check.passed': {
    source: 'seed 000, Conversion, Recovery: a check',
    tell: (f) => `${f['side']} passes a check of ${f['complexity']} for ${f['what']}: ${f['cubes']}.`,
  },
  'check.failed': {
    source: 'seed 000, Conversion, Recovery: a check',
    tell: (f) => `${f['side']} fails a check of ${f['complexity']} for ${f['what']}: ${f['cubes']}.`,
  },
  'check.empty': {
    source: 'no cubes, no success: a check on an empty bag',
    tell: (f) => `${f['side']} fails a check of ${f['complexity']} for ${f['what']}: the bag is empty.`,
  },
  'check.discard': {
    source: 'option failedCheckCubes: discard',
    tell: (f) =>
      `${cubes(f['amount'])} of the failed check leave the bag.`.replace(/^./, (first) => first.toUpperCase()),
  },
  conversion: {
    source: 'seed 000, Conversion; policy removal',
    tell: (f) => `${f['side']} converts one ${f['name']}.`,
  },
  'conversion.none': {
    source: 'no object: a conversion without an enemy unit is not tried',
    tell: (f) => `${f['side']} has no unit left to convert.`,
  },
  draw: {
    source: 'seed 000, Draw; policy draw',
    tell: (f) => `Attacker draws ${cubes(f['amount'])}, courage ${f['courage']}: ${f['cubes']}.`,
  },
  'draw.none': {
    source: 'no courage: an attacker with courage 0 draws nothing',
    tell: () => 'Attacker has no courage and draws nothing.',
  },
  'draw.extra': {
    source: 'seed 000, Draw: the defender may draw on; policy extraDraw',
    tell: (f) => `Defender draws ${cubes(f['amount'])} more, courage ${f['courage']}: in all ${f['cubes']}.`,
  },
  redraw: {
    source: 'seed 000, Siege example: trained army; policy redraw',
    tell: (f) => `${f['side']} puts ${cubes(f['amount'])} back and draws anew: in all ${f['cubes']}.`,
  },
  damage: {
    source: 'seed 000, Losses: each cube drawn is one damage to the enemy',
    tell: (f) => `Defender takes ${f['toDefender']} damage, Attacker ${f['toAttacker']}.`,
  },
  priority: {
    source: 'seed 000, Losses: destruction priority; option priority',
    tell: (f) => `${f['side']}’s objects are destroyed by the destruction priority.`,
  },
  'priority.tower': {
    source: 'seed 000, Siege example: siege tower',
    tell: (f) => `The siege tower sets aside the destruction priority of ${f['side']}’s objects.`,
  },
  structure: {
    source: 'seed 000, Losses: hit points of structures',
    tell: (f) => `${f['side']}’s ${f['name']} is destroyed with ${f['damage']} damage.`,
  },
  'structure.free': {
    source: 'seed 000, Losses: a structure with as many marks as hit points falls at once',
    tell: (f) => `${f['side']}’s ${f['name']} bears marks to its hit points and falls for nothing.`,
  },
  marks: {
    source: 'seed 000, Losses: damage stays on a structure as marks',
    tell: (f) => `${f['side']}’s ${f['name']} keeps ${f['damage']} damage as marks.`,
  },
  losses: {
    source: 'seed 000, Losses: the enemy decides what is removed; policy removal',
    tell: (f) => `${f['side']} loses ${f['units']}.`,
  },
  'damage.ignored': {
    source: 'seed 000, Losses: units ignore damage that cannot destroy them; destruction priority',
    tell: (f) =>
      `${f['side']} ignores ${f['damage']} damage: it cannot fell any of ${f['units']}, or go on to what comes later.`,
  },
  'damage.lost': {
    source: 'seed 000, Losses: nothing is left to be destroyed',
    tell: (f) => `${f['damage']} damage to ${f['side']} is lost: there is nothing left to hit.`,
  },
  recovery: {
    source: 'seed 000, Recovery',
    tell: (f) => `${f['side']} brings one lost unit back, outside the battle.`,
  },
  'recovery.none': {
    source: 'no object: a recovery without a lost unit is not tried',
    tell: (f) => `${f['side']} has no lost unit to bring back.`,
  },
  'end.attacker': {
    source: 'seed 000, Outcome',
    tell: () => 'Nothing of the defender is left in the battle: the attacker wins.',
  },
  'end.defender': {
    source: 'seed 000, Outcome',
    tell: () => 'Nothing of the attacker is left in the battle: the defender wins.',
  },
  'end.mutual': {
    source: 'seed 000, Outcome',
    tell: () => 'Nothing of either side is left in the battle.',
  },
  'end.none': {
    source: 'seed 000, Outcome',
    tell: () => 'Both sides have something left in the battle.',
  },
} satisfies Record<string, Rule>;
