/** Consequences of strengths and dice: losses, retreat, advance, without chance. */
import { type Chance, createDiceSetKey, type DiceSet } from '../../core/index.ts';
import type { Metric, Model, Side, State } from '../system.ts';
import {
  absorbAfterUnits,
  absorbBeforeUnits,
  applyDamage,
  type CardForce,
  type CardForces,
  type CardSelection,
  computeLeadGain,
  createSideDamage,
  type DamageResult,
  ENEMY,
  findGroundingRule,
  formatHalfPoints,
  getForces,
  hasChoice,
  listDiceSets,
  NAMES,
  NONE,
  SIDES,
  type SideDamage,
  takeDamage,
} from './army.ts';
import { METRICS, PLACES } from './layout.ts';
import type { StrengthCards } from './schema.ts';

/** Results of the dice: damage and symbols of each side, and the difference of the totals. */
interface RolledDamage {
  /** Attacker's total minus the defender's, in half points. */
  readonly margin: number;
  /** Damage rolled by the side. */
  readonly damage: Readonly<Record<Side, number>>;
  /** Hit point symbols of the side's card. */
  readonly symbols: Readonly<Record<Side, number>>;
}

/** Returns the winner. */
function findWinner(margin: number, initiative: Side): Side {
  if (margin === 0) return initiative;
  return margin > 0 ? 'attacker' : 'defender';
}

/** Creates the metrics with their ranges. */
function createMetrics({ portFleets }: StrengthCards['defender'], forces: CardForces): Metric[] {
  const { attacker, defender } = forces;
  const countSymbols = (force: CardForce): number => Math.max(...force.cards.map((card) => card.symbols));
  const countAbsorbed = (force: CardForce): number =>
    Math.min(computeMaxDamage(forces[ENEMY[force.side]]), force.health + countSymbols(force) + force.levels);
  return METRICS.declare({
    margin: { min: computeMinMargin(attacker, defender), max: -computeMinMargin(defender, attacker), unit: 0.5 },
    damage: [computeMaxDamage(attacker), computeMaxDamage(defender)],
    absorbed: [countAbsorbed(attacker), countAbsorbed(defender)],
    lost: [attacker.units.length, defender.units.length],
    eliminated: Math.max(computeMaxEliminated(attacker), computeMaxEliminated(defender)),
    hp: [attacker.health, defender.health],
    captured: 1,
    fortification: defender.levels,
    portFleetsLost: portFleets,
  });
}

/** Computes the maximum number of units that a defeated side can lose in its retreat. */
const computeMaxEliminated = ({ units, retreats }: CardForce): number => (retreats ? 0 : units.length);

function computeMax(values: readonly number[]): number {
  return Math.max(...values);
}

/** Computes the maximum sum of a dice set. */
function computeDiceSetMax(lot: CardForce['lot']): number {
  return lot.reduce((sum, die) => sum + computeMax(die), 0);
}

/** Computes the maximum damage of a side. */
export function computeMaxDamage({ lot, cards, tokens }: CardForce): number {
  const card = computeMax(cards.map(({ dice }) => computeDiceSetMax(dice)));
  return computeDiceSetMax(lot) + card + tokens.reduce((sum, { dice }) => sum + computeDiceSetMax(dice), 0);
}

/** Computes the minimum lead of `own` over `enemy`, in half points. */
function computeMinMargin(own: CardForce, enemy: CardForce): number {
  const computeGain = ({ strength, enemyStrength }: CardForce['cards'][number]): number => strength - enemyStrength;
  const ownCard = Math.min(...own.cards.map(computeGain));
  const enemyCard = computeMax(enemy.cards.map(computeGain));
  const ownAir = own.tokens.reduce((sum, { strength }) => sum + Math.min(0, strength), 0);
  const enemyAir = enemy.tokens.reduce((sum, { strength }) => sum + Math.max(0, strength), 0);
  return own.strength + ownCard + ownAir - enemy.strength - enemyCard - enemyAir;
}

/** Remaining forces of both sides. */
export type DamageResults = Readonly<Record<Side, DamageResult>>;

const countAlive = (hp: readonly number[]): number => hp.filter((left) => left > 0).length;
const sumHitPoints = (hp: readonly number[]): number => hp.reduce((sum, each) => sum + each, 0);

/**
 * Performs the retreat of the loser; returns the number of its units that are eliminated because they cannot retreat.
 */
function retreat({ side, retreats }: CardForce, survivors: number, chance: Chance): number {
  const facts = () => ({ side: NAMES[side], units: survivors });
  if (survivors === 0) {
    chance.rule('retreat.nobody', facts);
    return 0;
  }
  chance.rule(retreats ? `retreat.${side}` : 'retreat.eliminated', facts);
  return retreats ? 0 : survivors;
}

/** Returns true if the winning attacker captures the area. */
function advance(scenario: StrengthCards, tolls: DamageResults, chance: Chance): boolean {
  if (countAlive(tolls.attacker.hp) === 0) {
    chance.rule('advance.nobody');
    return false;
  }
  chance.rule('advance');
  const { fortification, portFleets } = scenario.defender;
  if (fortification > tolls.defender.levels) {
    chance.rule('advance.fortification', () => ({ levels: fortification - tolls.defender.levels }));
  }
  if (portFleets > 0) chance.rule('advance.fleets', () => ({ fleets: portFleets }));
  return true;
}

interface EngagementResult {
  readonly winner: Side;
  /** In the order of `createMetrics`. */
  readonly metrics: readonly number[];
  readonly damageResults: DamageResults;
}

/** Creates the damage to a side. */
function createDamageTo(side: Side, forces: CardForces, { damage, symbols }: RolledDamage): SideDamage {
  return createSideDamage(forces[side], damage[ENEMY[side]], symbols[side]);
}

/** Applies the damage of the defender, then of the attacker, then the consequences. */
function resolveDamage(
  scenario: StrengthCards,
  forces: CardForces,
  clash: RolledDamage,
  chance: Chance,
): EngagementResult {
  const defender = takeDamage(createDamageTo('defender', forces, clash), chance);
  const attacker = takeDamage(createDamageTo('attacker', forces, clash), chance);
  return resolveAftermath(scenario, forces, clash, { attacker, defender }, chance);
}

/** Retreats the loser after the damage of both sides; a winning attacker advances. */
function resolveAftermath(
  scenario: StrengthCards,
  forces: CardForces,
  { margin, damage }: RolledDamage,
  tolls: DamageResults,
  chance: Chance,
): EngagementResult {
  const winner = findWinner(margin, scenario.initiative);
  const { attacker, defender } = tolls;
  const { fortification, portFleets } = scenario.defender;
  const loser = ENEMY[winner];
  const eliminated = retreat(forces[loser], countAlive(tolls[loser].hp), chance);
  const countRemaining = (side: Side): number => (side === loser && eliminated > 0 ? 0 : sumHitPoints(tolls[side].hp));
  if (winner === 'defender') chance.rule('hold');
  const captured = winner === 'attacker' && advance(scenario, tolls, chance);
  return {
    winner,
    metrics: METRICS.values({
      margin,
      damage: [damage.attacker, damage.defender],
      absorbed: [attacker.absorbed, defender.absorbed],
      lost: [attacker.hp.length - countAlive(attacker.hp), defender.hp.length - countAlive(defender.hp)],
      eliminated,
      hp: [countRemaining('attacker'), countRemaining('defender')],
      captured: Number(captured),
      fortification: captured ? 0 : fortification - defender.levels,
      portFleetsLost: captured ? portFleets : 0,
    }),
    damageResults: tolls,
  };
}

// Resolution in turns: automatic parts up to a point of damage with a choice, then point by point.

/** A side whose units take damage. */
export interface UnitDamageAllocation {
  readonly side: Side;
  /** Points that still have to be taken. */
  readonly points: number;
  /** Hit points left, by unit. */
  readonly hp: readonly number[];
  /** Remaining forces of the defender, while the attacker takes damage. */
  readonly defender: DamageResult | null;
}

/** Either the next choice, or the end. */
type DamageStage = UnitDamageAllocation | EngagementResult;

export interface DamageAllocator {
  /** Continues from the dice to the first point of damage with a choice. */
  begin(clash: RolledDamage, chance: Chance): DamageStage;
  /** Applies a point to a unit that its owner chooses, and continues to the next one with a choice. */
  strike(clash: RolledDamage, ordeal: UnitDamageAllocation, chance: Chance): DamageStage;
}

function createDamageAllocator(scenario: StrengthCards, forces: CardForces): DamageAllocator {
  function takeDamage(clash: RolledDamage, side: Side, defender: DamageResult | null, chance: Chance): DamageStage {
    const blow = createDamageTo(side, forces, clash);
    absorbBeforeUnits(blow, chance);
    return continueDamage(clash, { side, points: blow.shares.units, hp: forces[side].hp, defender }, chance);
  }

  function continueDamage(clash: RolledDamage, ordeal: UnitDamageAllocation, chance: Chance): DamageStage {
    const { side, points, hp, defender } = ordeal;
    if (hasChoice(hp, points)) return ordeal;
    const left = applyDamage(forces[side], hp, points, points, chance);
    const toll = absorbAfterUnits(createDamageTo(side, forces, clash), left, chance);
    if (defender === null) return takeDamage(clash, 'attacker', toll, chance);
    return resolveAftermath(scenario, forces, clash, { attacker: toll, defender }, chance);
  }

  return {
    begin: (clash, chance) => takeDamage(clash, 'defender', null, chance),
    strike(clash, ordeal, chance) {
      const hp = applyDamage(forces[ordeal.side], ordeal.hp, ordeal.points, 1, chance);
      return continueDamage(clash, { ...ordeal, points: ordeal.points - 1, hp }, chance);
    },
  };
}

// A battle: cards, air tokens, strengths compared, dice for losses. No rounds.

/** Choices of a side so far. */
export interface SidePlay extends CardSelection {
  /** Damage rolled; -1 before the roll. */
  readonly damage: number;
}

export interface EngagementState extends State {
  /** Number of finished steps. */
  readonly done: number;
  readonly attacker: SidePlay;
  readonly defender: SidePlay;
  /** Damage that units still have to take; only between the turns of the last step. */
  readonly allocation?: UnitDamageAllocation;
  readonly result: EngagementResult | null;
}

function withPlay(state: EngagementState, side: Side, play: SidePlay): EngagementState {
  return side === 'attacker' ? { ...state, attacker: play } : { ...state, defender: play };
}

type EngagementStep = (state: EngagementState, chance: Chance) => EngagementState;

/** No choices. */
export const NOTHING: SidePlay = { card: -1, air: [], damage: -1 };

/** Draws an index by weight; without a draw if only one weight is positive. */
function drawByWeight(weights: readonly number[], chance: Chance): number {
  const possible = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  return possible.length === 1 ? (possible[0] ?? 0) : chance.pick(weights);
}

const getPosition = (side: Side, part: keyof typeof PLACES.parts): number =>
  PLACES.positionOf(SIDES.indexOf(side)) + PLACES.parts[part];

function playCard({ side, cards }: CardForce, chance: Chance): number {
  const names = cards.map(({ name }) => name);
  const weights = cards.map(({ weight }) => weight);
  chance.seek(getPosition(side, 'card'));
  const policy = (): string => names[drawByWeight(weights, chance)] ?? '';
  const name = names.length === 1 ? names[0] : chance.decide('card', side, names, policy);
  return cards.findIndex((card) => card.name === name);
}

function reportCard({ side, cards }: CardForce, index: number, chance: Chance): void {
  const card = cards[index];
  if (card === undefined) return;
  const { name, strength, enemyStrength, symbols } = card;
  const facts = { side: NAMES[side], card: name };
  if (card.none) chance.rule('card.none', () => facts);
  else chance.rule('card.played', () => ({ ...facts, strength: formatHalfPoints(strength), symbols }));
  if (enemyStrength === 0) return;
  chance.rule('card.enemy', () => ({ ...facts, enemy: NAMES[ENEMY[side]], by: formatHalfPoints(enemyStrength) }));
}

function playToken(force: CardForce, index: number, chance: Chance): boolean {
  const { name = '', strength = 0, weight = 0 } = force.tokens[index] ?? {};
  chance.seek(getPosition(force.side, 'token') + index);
  const policy = (): string => (drawByWeight([1 - weight, weight], chance) === 1 ? name : NONE);
  const played = chance.decide('air', force.side, [NONE, name], policy) === name;
  const facts = () => ({ side: NAMES[force.side], token: name, strength: formatHalfPoints(strength) });
  chance.rule(played ? 'air.played' : 'air.held', facts);
  return played;
}

function rollDamage(force: CardForce, play: SidePlay, chance: Chance): SidePlay {
  const lots = listDiceSets(force, play);
  const side = NAMES[force.side];
  if (lots.every(({ length }) => length === 0)) {
    chance.rule('dice.none', () => ({ side }));
    return { ...play, damage: 0 };
  }
  chance.seek(getPosition(force.side, 'damage'));
  const damage = chance.faces(lots);
  chance.rule('dice', () => ({ side, damage }));
  return { ...play, damage };
}

/** Creates a key of the dice of a side. */
type DiceSetsKey = (lots: readonly DiceSet[]) => string;

/** Creates a key by the distribution of their sum. */
const createDistributionKey: DiceSetsKey = (lots) => createDiceSetKey(lots.flat());

/** Creates a key by their random words: the same dice of another token use another word. */
const createWordsKey: DiceSetsKey = (lots) => lots.map(createDiceSetKey).join('/');

/** Creates the key of the choices of a side that still affect the future. */
function createPlayKeyFunction(force: CardForce, lotsKey: DiceSetsKey): (play: SidePlay) => string {
  const known = new Map<string, string>();
  return (play) => {
    const symbols = force.cards[play.card]?.symbols ?? 0;
    if (play.damage >= 0) return `${String(symbols)},${String(play.damage)}`;
    const name = `${String(play.card)} ${play.air.join()}`;
    let key = known.get(name);
    if (key === undefined) {
      key = `${String(symbols)}:${lotsKey(listDiceSets(force, play))}`;
      known.set(name, key);
    }
    return key;
  };
}

/** Creates the key of the remaining damage, and of the forces that are left. */
function createAllocationKey({ side, points: left, hp, defender }: UnitDamageAllocation): string {
  return [side, left, hp.join(), defender?.hp.join()].join(':');
}

export function createModel(scenario: StrengthCards): Model<EngagementState> {
  const forces = getForces(scenario);
  const { attacker, defender } = forces;
  const ordeals = createDamageAllocator(scenario, forces);

  const computeMargin = (state: EngagementState): number =>
    attacker.strength -
    defender.strength +
    computeLeadGain(attacker, state.attacker) -
    computeLeadGain(defender, state.defender);

  /** Reports totals and winner, after all choices. */
  function compare(state: EngagementState, chance: Chance): void {
    const margin = computeMargin(state);
    const winner = findWinner(margin, scenario.initiative);
    const facts = () => ({ winner: NAMES[winner], by: formatHalfPoints(Math.abs(margin)) });
    chance.rule(margin === 0 ? 'win.initiative' : 'win', facts);
  }

  const card =
    (side: Side): EngagementStep =>
    (state, chance) => {
      const index = playCard(forces[side], chance);
      reportCard(forces[side], index, chance);
      return withPlay(state, side, { ...state[side], card: index });
    };

  const air =
    (side: Side, token: number): EngagementStep =>
    (state, chance) => {
      const played = playToken(forces[side], token, chance);
      return withPlay(state, side, { ...state[side], air: [...state[side].air, played] });
    };

  const attackerRolls: EngagementStep = (state, chance) => {
    compare(state, chance);
    return { ...state, attacker: rollDamage(attacker, state.attacker, chance) };
  };

  const defenderRolls: EngagementStep = (state, chance) => ({
    ...state,
    defender: rollDamage(defender, state.defender, chance),
  });

  function getRolledDamage(state: EngagementState): RolledDamage {
    const countSymbols = (side: Side): number => forces[side].cards[state[side].card]?.symbols ?? 0;
    return {
      margin: computeMargin(state),
      damage: { attacker: state.attacker.damage, defender: state.defender.damage },
      symbols: { attacker: countSymbols('attacker'), defender: countSymbols('defender') },
    };
  }

  /** Performs a turn of the resolution: the dice of the defender, or a point of damage. */
  const settlementTurn: EngagementStep = (state, chance) => {
    const { allocation } = state;
    const rolled = allocation === undefined ? defenderRolls(state, chance) : state;
    const clash = getRolledDamage(rolled);
    const stage = allocation === undefined ? ordeals.begin(clash, chance) : ordeals.strike(clash, allocation, chance);
    if (!('winner' in stage)) return { ...rolled, allocation: stage };
    const { round, attacker: a, defender: d } = rolled;
    return { round, done: state.done + 1, attacker: a, defender: d, result: stage };
  };

  const settlement: EngagementStep = (state, chance) => {
    if (state.allocation === undefined) {
      const rolled = defenderRolls(state, chance);
      return { ...rolled, result: resolveDamage(scenario, forces, getRolledDamage(rolled), chance) };
    }
    let next = state;
    while (next.result === null) next = settlementTurn(next, chance);
    return next;
  };

  const steps: readonly EngagementStep[] = [
    ...SIDES.map(card),
    ...SIDES.flatMap((side) => forces[side].tokens.map((_, token) => air(side, token))),
    attackerRolls,
    settlement,
  ];

  function createKeys(lotsKey: DiceSetsKey): (state: EngagementState) => string {
    const keys = {
      attacker: createPlayKeyFunction(attacker, lotsKey),
      defender: createPlayKeyFunction(defender, lotsKey),
    };
    return (state) => {
      if (state.result !== null) return [state.result.winner, ...state.result.metrics].join();
      const plays = SIDES.map((side) => keys[side](state[side]));
      const pending = state.allocation === undefined ? [] : [createAllocationKey(state.allocation)];
      return [state.done, computeMargin(state), ...plays, ...pending].join(';');
    };
  }

  function step(state: EngagementState, chance: Chance): EngagementState {
    const next = steps[state.done]?.(state, chance);
    if (next === undefined) throw new Error('a finished battle was continued');
    return { ...next, round: 1, done: state.done + 1 };
  }

  return {
    outcomes: SIDES,
    metrics: createMetrics(scenario.defender, forces),
    maxRounds: 1,
    roundsMetric: undefined,
    start(chance) {
      for (const { notes } of Object.values(forces))
        for (const { rule, facts } of notes) chance.rule(rule, () => facts);
      const down = findGroundingRule(scenario);
      if (down !== undefined && SIDES.some((side) => scenario[side].airTokens.length > 0)) chance.rule(down);
      return { round: 0, done: 0, attacker: NOTHING, defender: NOTHING, result: null };
    },
    step,
    turn: (state, chance) => (steps[state.done] === settlement ? settlementTurn : step)(state, chance),
    resting: ({ done }) => done === 0,
    outcome: ({ result }) => result?.winner,
    measure: ({ result: settled }) => [...(settled?.metrics ?? [])],
    key: createKeys(createDistributionKey),
    courseKey: createKeys(createWordsKey),
  };
}
