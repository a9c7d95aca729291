/** What a player sees of a battle; a choice of the enemy reads as not made until both have made theirs. */
import type { Feature } from '../rollout.ts';
import { ENEMY, type Force, type Forces, forcesOf, SIDES } from './forces.ts';
import { blowOf } from './losses.ts';
import type { EngagementState } from './model.ts';
import type { Side, StrengthCards } from './schema.ts';
import { mostDamage } from './settlement.ts';

/** Features before those of cards, tokens and units. */
export const PLAIN = 10;

const flag = (name: string): Feature => ({ name, unit: '0/1', low: 0, high: 1 });

const upTo = (name: string, unit: string, high: number): Feature => ({ name, unit, low: 0, high });

const symbolsOf = ({ cards }: Force): number => Math.max(...cards.map(({ symbols }) => symbols));

/** The most points that a side's units still have to take where they leave a choice. */
function mostPoints(forces: Forces, side: Side): number {
  return Math.min(mostDamage(forces[ENEMY[side]]), forces[side].health - 1);
}

function sideFeatures({ side, cards, tokens, units }: Force): Feature[] {
  return [
    ...cards.map(({ name }) => flag(`card.${side}.${name}`)),
    ...tokens.map(({ name }) => flag(`air.${side}.${name}`)),
    ...units.map(({ name, hp }) => upTo(`hp.${side}.${name}`, 'hp', hp)),
  ];
}

export function featuresOf(forces: Forces): Feature[] {
  const { attacker, defender } = forces;
  const strength = ({ side, strength: sum }: Force): Feature => {
    return { name: `strength.${side}`, unit: 'half points', low: sum, high: sum };
  };
  return [
    strength(attacker),
    strength(defender),
    flag('initiative.attacker'),
    upTo('fortification', 'levels', defender.levels),
    upTo('token', 'index', Math.max(1, attacker.tokens.length, defender.tokens.length) - 1),
    upTo('points', 'hp', Math.max(...SIDES.map((side) => mostPoints(forces, side)))),
    upTo('symbols.attacker', 'hp', symbolsOf(attacker)),
    upTo('symbols.defender', 'hp', symbolsOf(defender)),
    upTo('damage.attacker', 'hp', mostDamage(attacker)),
    upTo('damage.defender', 'hp', mostDamage(defender)),
    ...sideFeatures(attacker),
    ...sideFeatures(defender),
  ];
}

/** What has been chosen, as far as a player knows it: the card, or -1, and whether each token is played. */
function knownOf(forces: Forces, state: EngagementState, side: Side, player: string | undefined) {
  const { card, air } = state[side];
  const own = player === undefined || player === side;
  const cards = SIDES.length;
  const choices = cards + forces.attacker.tokens.length + forces.defender.tokens.length;
  return { card: own || state.done >= cards ? card : -1, air: own || state.done >= choices ? air : [] };
}

/** Which of a side's tokens is asked for, from 0 on. */
function askedToken({ attacker, defender }: Forces, done: number): number {
  const token = done - SIDES.length;
  if (token < 0 || token >= attacker.tokens.length + defender.tokens.length) return 0;
  return token < attacker.tokens.length ? token : token - attacker.tokens.length;
}

/** Hit points left, by unit. */
function hpOf(force: Force, { ordeal, settled }: EngagementState): readonly number[] {
  if (settled !== null) return settled.tolls[force.side].hp;
  if (ordeal?.side === force.side) return ordeal.hp;
  return (force.side === 'defender' ? ordeal?.defender?.hp : undefined) ?? force.hp;
}

/** Levels of fortification that damage leaves; all of them before it is rolled. */
function levelsOf({ defender }: Forces, state: EngagementState): number {
  if (state.defender.damage < 0) return defender.levels;
  const symbols = defender.cards[state.defender.card]?.symbols ?? 0;
  return defender.levels - blowOf(defender, state.attacker.damage, symbols).shares.fortification;
}

export function observe(
  scenario: StrengthCards,
  state: EngagementState,
  player: string | undefined,
): readonly number[] {
  const forces = forcesOf(scenario);
  const { attacker, defender } = forces;
  const known = {
    attacker: knownOf(forces, state, 'attacker', player),
    defender: knownOf(forces, state, 'defender', player),
  };
  const sideOf = (force: Force): number[] => [
    ...force.cards.map((_, c) => Number(known[force.side].card === c)),
    ...force.tokens.map((_, t) => Number(known[force.side].air[t] ?? false)),
    ...hpOf(force, state),
  ];
  const symbols = (force: Force): number => force.cards[known[force.side].card]?.symbols ?? 0;
  return [
    attacker.strength,
    defender.strength,
    Number(scenario.initiative === 'attacker'),
    levelsOf(forces, state),
    askedToken(forces, state.done),
    state.ordeal?.points ?? 0,
    symbols(attacker),
    symbols(defender),
    Math.max(0, state.attacker.damage),
    Math.max(0, state.defender.damage),
    ...sideOf(attacker),
    ...sideOf(defender),
  ];
}
