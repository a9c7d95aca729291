/** Observations of a player; a choice of the enemy is hidden until both have chosen. */

import { InputError } from '../../core/index.ts';
import type { StructInput } from '../struct.ts';
import { createLeadWeights, type EnvironmentDefinition, type Feature, type Side, type Weights } from '../system.ts';
import { type CardForce, type CardForces, createSideDamage, ENEMY, getForces, NONE, SIDES } from './army.ts';
import { EXTRA, type EXTRA_SIDE, EXTRA_UNIT, PLAY, POINTS, PROGRESS } from './layout.ts';
import { computeMaxDamage, type EngagementState, NOTHING, type SidePlay, type UnitDamageAllocation } from './model.ts';
import type { StrengthCards } from './schema.ts';

/** Number of features before those of cards, tokens and units. */
const PLAIN_FEATURES = 10;

const flag = (name: string): Feature => ({ name, unit: '0/1', low: 0, high: 1 });

const upTo = (name: string, unit: string, high: number): Feature => ({ name, unit, low: 0, high });

const computeMaxSymbols = ({ cards }: CardForce): number => Math.max(...cards.map(({ symbols }) => symbols));

/** Computes the maximum points that units of a side still have to take at a choice. */
function computeMaxPoints(forces: CardForces, side: Side): number {
  return Math.min(computeMaxDamage(forces[ENEMY[side]]), forces[side].health - 1);
}

function createSideFeatures({ side, cards, tokens, units }: CardForce): Feature[] {
  return [
    ...cards.map(({ name }) => flag(`card.${side}.${name}`)),
    ...tokens.map(({ name }) => flag(`air.${side}.${name}`)),
    ...units.map(({ name, hp }) => upTo(`hp.${side}.${name}`, 'hp', hp)),
  ];
}

function listFeatures(forces: CardForces): Feature[] {
  const { attacker, defender } = forces;
  const createStrengthFeature = ({ side, strength: sum }: CardForce): Feature => {
    return { name: `strength.${side}`, unit: 'half points', low: sum, high: sum };
  };
  return [
    createStrengthFeature(attacker),
    createStrengthFeature(defender),
    flag('initiative.attacker'),
    upTo('fortification', 'levels', defender.levels),
    upTo('token', 'index', Math.max(1, attacker.tokens.length, defender.tokens.length) - 1),
    upTo('points', 'hp', Math.max(...SIDES.map((side) => computeMaxPoints(forces, side)))),
    upTo('symbols.attacker', 'hp', computeMaxSymbols(attacker)),
    upTo('symbols.defender', 'hp', computeMaxSymbols(defender)),
    upTo('damage.attacker', 'hp', computeMaxDamage(attacker)),
    upTo('damage.defender', 'hp', computeMaxDamage(defender)),
    ...createSideFeatures(attacker),
    ...createSideFeatures(defender),
  ];
}

/** Returns the visible choices: the card, or -1, and the use of each token. */
function getVisibleSelection(forces: CardForces, state: EngagementState, side: Side, player: string | undefined) {
  const { card, air } = state[side];
  const own = player === undefined || player === side;
  const cards = SIDES.length;
  const choices = cards + forces.attacker.tokens.length + forces.defender.tokens.length;
  return { card: own || state.done >= cards ? card : -1, air: own || state.done >= choices ? air : [] };
}

/** Returns the index of the token that a side decides about. */
function getRequestedToken({ attacker, defender }: CardForces, done: number): number {
  const token = done - SIDES.length;
  if (token < 0 || token >= attacker.tokens.length + defender.tokens.length) return 0;
  return token < attacker.tokens.length ? token : token - attacker.tokens.length;
}

/** Returns the remaining hit points by unit. */
function getHitPoints(force: CardForce, { allocation, result }: EngagementState): readonly number[] {
  if (result !== null) return result.damageResults[force.side].hp;
  if (allocation?.side === force.side) return allocation.hp;
  return (force.side === 'defender' ? allocation?.defender?.hp : undefined) ?? force.hp;
}

/** Returns the levels of fortification after damage; all of them before it is rolled. */
function getLevels({ defender }: CardForces, state: EngagementState): number {
  if (state.defender.damage < 0) return defender.levels;
  const symbols = defender.cards[state.defender.card]?.symbols ?? 0;
  return defender.levels - createSideDamage(defender, state.attacker.damage, symbols).shares.fortification;
}

function observe(scenario: StrengthCards, state: EngagementState, player: string | undefined): readonly number[] {
  const forces = getForces(scenario);
  const { attacker, defender } = forces;
  const known = {
    attacker: getVisibleSelection(forces, state, 'attacker', player),
    defender: getVisibleSelection(forces, state, 'defender', player),
  };
  const encodeSide = (force: CardForce): number[] => [
    ...force.cards.map((_, c) => Number(known[force.side].card === c)),
    ...force.tokens.map((_, t) => Number(known[force.side].air[t] ?? false)),
    ...getHitPoints(force, state),
  ];
  const countSymbols = (force: CardForce): number => force.cards[known[force.side].card]?.symbols ?? 0;
  return [
    attacker.strength,
    defender.strength,
    Number(scenario.initiative === 'attacker'),
    getLevels(forces, state),
    getRequestedToken(forces, state.done),
    state.allocation?.points ?? 0,
    countSymbols(attacker),
    countSymbols(defender),
    Math.max(0, state.attacker.damage),
    Math.max(0, state.defender.damage),
    ...encodeSide(attacker),
    ...encodeSide(defender),
  ];
}

// State of a battle in the words of assembly/strength-cards/environment.ts.

/** Reads hit points by unit. */
function readHitPoints({ order }: CardForce, words: Int32Array, from: number): number[] {
  return order.map((_, unit) => words[from + order.indexOf(unit)] ?? 0);
}

/** Decodes the state at a decision. */
function decode(scenario: StrengthCards, words: Int32Array): EngagementState {
  const { attacker, defender } = getForces(scenario);
  const { stage, points } = PROGRESS.read(words);
  const [a, d] = [PLAY.read(words, PROGRESS.size), PLAY.read(words, PROGRESS.size + PLAY.size)];
  const sides = SIDES.length;
  const rolls = sides + attacker.tokens.length + defender.tokens.length;
  const rolled = stage > rolls;

  function play({ tokens }: CardForce, { card, air, damage }: typeof a, first: number): SidePlay {
    const decided = tokens.filter((_, t) => stage > first + t);
    return { card, air: decided.map((_, t) => ((air >> t) & 1) === 1), damage: rolled ? damage : NOTHING.damage };
  }

  function getAllocation(): UnitDamageAllocation {
    const from = PROGRESS.size + sides * PLAY.size;
    const defenderHp = readHitPoints(defender, words, from + attacker.units.length);
    if (stage === rolls + 1) return { side: 'defender', points, hp: defenderHp, defender: null };
    const toll = { hp: defenderHp, levels: d.levels, absorbed: d.absorbed };
    return { side: 'attacker', points, hp: readHitPoints(attacker, words, from), defender: toll };
  }

  return {
    round: Math.min(1, stage),
    done: rolled ? rolls + 1 : stage,
    attacker: play(attacker, a, sides),
    defender: play(defender, d, sides + attacker.tokens.length),
    result: null,
    ...(rolled && { allocation: getAllocation() }),
  };
}

// Strength and cards as an environment: cards, air tokens, and the unit that takes the next point of damage.

const [CARD, AIR, LOSSES] = POINTS;
const [PLAY_AIR, HOLD_AIR] = ['air:play', 'air:hold'] as const;

const listNames = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

function formatAction(point: string, option: string | number): string {
  if (point === CARD) return `card:${String(option)}`;
  if (point === LOSSES) return `hit:${String(option)}`;
  return option === NONE ? HOLD_AIR : PLAY_AIR;
}

/** Lists the options of either side. Using a token is one action, which exists even without tokens. */
function listOptions({ attacker, defender }: CardForces) {
  const either = (kind: 'cards' | 'units') => [
    ...new Set([...listNames(attacker[kind]), ...listNames(defender[kind])]),
  ];
  return { [CARD]: either('cards'), [AIR]: ['token', NONE], [LOSSES]: either('units') };
}

/** Lists the names of all actions, in order. */
function listActions(forces: CardForces): string[] {
  return Object.entries(listOptions(forces)).flatMap(([point, options]) =>
    options.map((each) => formatAction(point, each)),
  );
}

/** Encodes the additional words of the kernel; units are in the order of the losses policy. */
function encode(scenario: StrengthCards): readonly number[] {
  const forces = getForces(scenario);
  const actions = listActions(forces);
  const tables: number[] = [];
  const place = (table: readonly number[]): number => {
    const at = EXTRA.size + tables.length;
    tables.push(...table);
    return at;
  };
  let feature = PLAIN_FEATURES;
  const sides = SIDES.map((side): StructInput<typeof EXTRA_SIDE> => {
    const { cards, tokens, units, order }: CardForce = forces[side];
    const [cardsAt, tokensAt, unitAt] = [feature, feature + cards.length, feature + cards.length + tokens.length];
    feature = unitAt + units.length;
    const played = listNames(cards).map((name) => actions.indexOf(formatAction(CARD, name)));
    const hit = order.flatMap((index) => {
      const name = units[index]?.name ?? '';
      return EXTRA_UNIT.pack({ action: actions.indexOf(formatAction(LOSSES, name)), feature: unitAt + index });
    });
    return { cards: cards.length, cardsAt, tokensAt, cardTable: place(played), unitTable: place(hit) };
  });
  const strength = SIDES.map((side) => forces[side].strength);
  return [...EXTRA.pack({ play: actions.indexOf(PLAY_AIR), strength, sides }), ...tables];
}

/**
 * Creates weights of the shares of the initial units of each side; units that are eliminated in retreat count as lost.
 */
function createMaterialWeights({ attacker, defender }: CardForces, sign: 1 | -1): Weights {
  if (!attacker.retreats && !defender.retreats) {
    const expected = 'hp, capture or a table: eliminated units can be of either side where both have retreatTo: none';
    throw new InputError('reward', expected, '"material"');
  }
  const [own, enemy] = [-sign / attacker.units.length, sign / defender.units.length];
  return { 'lost.attacker': own, 'lost.defender': enemy, eliminated: attacker.retreats ? enemy : own };
}

const getSign = (player: string): 1 | -1 => (player === SIDES[0] ? 1 : -1);

function createHealthWeights(forces: CardForces, player: string): Weights {
  const attacker = ['hp.attacker', forces.attacker.health] as const;
  const defender = ['hp.defender', forces.defender.health] as const;
  return getSign(player) > 0 ? createLeadWeights(attacker, defender) : createLeadWeights(defender, attacker);
}

export function createEnvironment(scenario: StrengthCards): EnvironmentDefinition<EngagementState> {
  const forces = getForces(scenario);
  return {
    decisionPoints: POINTS,
    players: SIDES,
    actions: listOptions(forces),
    action: formatAction,
    features: listFeatures(forces),
    observe: (state, player) => observe(scenario, state, player),
    kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
    rewards: {
      hp: (player) => createHealthWeights(forces, player),
      material: (player) => createMaterialWeights(forces, getSign(player)),
      capture: (player) => ({ captured: getSign(player) }),
    },
  };
}
