/** What follows from strengths and dice: losses, retreat, advance. No chance is left in it. */
import { type Door, type Lot, lotKey } from '../../core/index.ts';
import type { Metric, Model, Side, State } from '../system.ts';
import {
  blowOf,
  type CardForce,
  type Choice,
  ENEMY,
  type Forces,
  forcesOf,
  gainOf,
  grounded,
  leavesChoice,
  lotsOf,
  NAMES,
  NONE,
  outlast,
  parry,
  points,
  SIDES,
  type SideDamage,
  type Toll,
  takeDamage,
  wound,
} from './army.ts';
import { METRICS, PLACES } from './layout.ts';
import type { StrengthCards } from './schema.ts';

/** What is settled: each side's dice and symbols, and the difference of the totals. */
interface Clash {
  /** Attacker's total minus the defender's, in half points. */
  readonly margin: number;
  /** Damage rolled by the side. */
  readonly damage: Readonly<Record<Side, number>>;
  /** Hit point symbols of the side's card. */
  readonly symbols: Readonly<Record<Side, number>>;
}

/** Who wins. */
export function winnerOf(margin: number, initiative: Side): Side {
  if (margin === 0) return initiative;
  return margin > 0 ? 'attacker' : 'defender';
}

/** Bounds of what is measured. */
function metricsOf({ portFleets }: StrengthCards['defender'], forces: Forces): Metric[] {
  const { attacker, defender } = forces;
  const symbols = (force: CardForce): number => Math.max(...force.cards.map((card) => card.symbols));
  const absorbed = (force: CardForce): number =>
    Math.min(mostDamage(forces[ENEMY[force.side]]), force.health + symbols(force) + force.levels);
  return METRICS.bounded({
    margin: { min: leastMargin(attacker, defender), max: -leastMargin(defender, attacker), unit: 0.5 },
    damage: [mostDamage(attacker), mostDamage(defender)],
    absorbed: [absorbed(attacker), absorbed(defender)],
    lost: [attacker.units.length, defender.units.length],
    eliminated: Math.max(mostEliminated(attacker), mostEliminated(defender)),
    hp: [attacker.health, defender.health],
    captured: 1,
    fortification: defender.levels,
    portFleetsLost: portFleets,
  });
}

/** The most units that a beaten side can lose in its retreat. */
const mostEliminated = ({ units, retreats }: CardForce): number => (retreats ? 0 : units.length);

function most(values: readonly number[]): number {
  return Math.max(...values);
}

/** The most that a lot can show. */
function mostOf(lot: CardForce['lot']): number {
  return lot.reduce((sum, die) => sum + most(die), 0);
}

/** The most damage that a side can roll. */
export function mostDamage({ lot, cards, tokens }: CardForce): number {
  const card = most(cards.map(({ dice }) => mostOf(dice)));
  return mostOf(lot) + card + tokens.reduce((sum, { dice }) => sum + mostOf(dice), 0);
}

/** The least that `own` can have over `enemy`, in half points. */
function leastMargin(own: CardForce, enemy: CardForce): number {
  const gain = ({ strength, enemyStrength }: CardForce['cards'][number]): number => strength - enemyStrength;
  const ownCard = Math.min(...own.cards.map(gain));
  const enemyCard = most(enemy.cards.map(gain));
  const ownAir = own.tokens.reduce((sum, { strength }) => sum + Math.min(0, strength), 0);
  const enemyAir = enemy.tokens.reduce((sum, { strength }) => sum + Math.max(0, strength), 0);
  return own.strength + ownCard + ownAir - enemy.strength - enemyCard - enemyAir;
}

/** What both sides are left with. */
export type Tolls = Readonly<Record<Side, Toll>>;

const alive = (hp: readonly number[]): number => hp.filter((left) => left > 0).length;
const left = (hp: readonly number[]): number => hp.reduce((sum, each) => sum + each, 0);

/** The loser goes; returns how many of its units are eliminated because they have nowhere to go. */
function retreat({ side, retreats }: CardForce, survivors: number, door: Door): number {
  const facts = () => ({ side: NAMES[side], units: survivors });
  if (survivors === 0) {
    door.rule('retreat.nobody', facts);
    return 0;
  }
  door.rule(retreats ? `retreat.${side}` : 'retreat.eliminated', facts);
  return retreats ? 0 : survivors;
}

/** True if the winning attacker takes the area. */
function advance(scenario: StrengthCards, tolls: Tolls, door: Door): boolean {
  if (alive(tolls.attacker.hp) === 0) {
    door.rule('advance.nobody');
    return false;
  }
  door.rule('advance');
  const { fortification, portFleets } = scenario.defender;
  if (fortification > tolls.defender.levels) {
    door.rule('advance.fortification', () => ({ levels: fortification - tolls.defender.levels }));
  }
  if (portFleets > 0) door.rule('advance.fleets', () => ({ fleets: portFleets }));
  return true;
}

interface Settled {
  readonly winner: Side;
  /** In the order of `metricsOf`. */
  readonly metrics: readonly number[];
  readonly tolls: Tolls;
}

/** The damage that a side takes. */
function blowTo(side: Side, forces: Forces, { damage, symbols }: Clash): SideDamage {
  return blowOf(forces[side], damage[ENEMY[side]], symbols[side]);
}

/** The defender takes its damage, then the attacker; then what follows. */
function settle(scenario: StrengthCards, forces: Forces, clash: Clash, door: Door): Settled {
  const defender = takeDamage(blowTo('defender', forces, clash), door);
  const attacker = takeDamage(blowTo('attacker', forces, clash), door);
  return conclude(scenario, forces, clash, { attacker, defender }, door);
}

/** Both have taken their damage: the loser retreats, a winning attacker advances. */
function conclude(
  scenario: StrengthCards,
  forces: Forces,
  { margin, damage }: Clash,
  tolls: Tolls,
  door: Door,
): Settled {
  const winner = winnerOf(margin, scenario.initiative);
  const { attacker, defender } = tolls;
  const { fortification, portFleets } = scenario.defender;
  const loser = ENEMY[winner];
  const eliminated = retreat(forces[loser], alive(tolls[loser].hp), door);
  const remaining = (side: Side): number => (side === loser && eliminated > 0 ? 0 : left(tolls[side].hp));
  if (winner === 'defender') door.rule('hold');
  const captured = winner === 'attacker' && advance(scenario, tolls, door);
  return {
    winner,
    metrics: METRICS.values({
      margin,
      damage: [damage.attacker, damage.defender],
      absorbed: [attacker.absorbed, defender.absorbed],
      lost: [attacker.hp.length - alive(attacker.hp), defender.hp.length - alive(defender.hp)],
      eliminated,
      hp: [remaining('attacker'), remaining('defender')],
      captured: Number(captured),
      fortification: captured ? 0 : fortification - defender.levels,
      portFleetsLost: captured ? portFleets : 0,
    }),
    tolls,
  };
}

// The settlement in turns: what happens by itself up to a point of damage that leaves a choice, then point by point.

/** A side whose units take damage. */
export interface Ordeal {
  readonly side: Side;
  /** Points that they have still to take. */
  readonly points: number;
  /** Hit points left, by unit. */
  readonly hp: readonly number[];
  /** What the defender was left with, once the attacker takes damage. */
  readonly defender: Toll | null;
}

/** Either the next choice, or the end. */
type Stage = Ordeal | Settled;

export interface Ordeals {
  /** From the dice to the first point of damage that leaves a choice. */
  begin(clash: Clash, door: Door): Stage;
  /** A point goes to a unit that its owner names; then on to the next one that leaves a choice. */
  strike(clash: Clash, ordeal: Ordeal, door: Door): Stage;
}

function ordealsOf(scenario: StrengthCards, forces: Forces): Ordeals {
  function suffer(clash: Clash, side: Side, defender: Toll | null, door: Door): Stage {
    const blow = blowTo(side, forces, clash);
    parry(blow, door);
    return goOn(clash, { side, points: blow.shares.units, hp: forces[side].hp, defender }, door);
  }

  function goOn(clash: Clash, ordeal: Ordeal, door: Door): Stage {
    const { side, points, hp, defender } = ordeal;
    if (leavesChoice(hp, points)) return ordeal;
    const left = wound(forces[side], hp, points, points, door);
    const toll = outlast(blowTo(side, forces, clash), left, door);
    if (defender === null) return suffer(clash, 'attacker', toll, door);
    return conclude(scenario, forces, clash, { attacker: toll, defender }, door);
  }

  return {
    begin: (clash, door) => suffer(clash, 'defender', null, door),
    strike(clash, ordeal, door) {
      const hp = wound(forces[ordeal.side], ordeal.hp, ordeal.points, 1, door);
      return goOn(clash, { ...ordeal, points: ordeal.points - 1, hp }, door);
    },
  };
}

// A battle: cards, air tokens, strengths compared, dice for losses. No rounds.

/** What a side has played so far. */
export interface SidePlay extends Choice {
  /** Damage rolled; -1 before that. */
  readonly damage: number;
}

export interface EngagementState extends State {
  /** Steps done. */
  readonly done: number;
  readonly attacker: SidePlay;
  readonly defender: SidePlay;
  /** Damage that units still have to take; only between the turns of the last step. */
  readonly ordeal?: Ordeal;
  readonly settled: Settled | null;
}

function withPlay(state: EngagementState, side: Side, play: SidePlay): EngagementState {
  return side === 'attacker' ? { ...state, attacker: play } : { ...state, defender: play };
}

type Step = (state: EngagementState, door: Door) => EngagementState;

/** Before anything is played. */
export const NOTHING: SidePlay = { card: -1, air: [], damage: -1 };

/** An index that is drawn by weight; without a draw where only one has any. */
function drawn(weights: readonly number[], door: Door): number {
  const possible = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  return possible.length === 1 ? (possible[0] ?? 0) : door.pick(weights);
}

const placeOf = (side: Side, part: keyof typeof PLACES.parts): number =>
  PLACES.at(SIDES.indexOf(side)) + PLACES.parts[part];

function playCard({ side, cards }: CardForce, door: Door): number {
  const names = cards.map(({ name }) => name);
  const weights = cards.map(({ weight }) => weight);
  door.seek(placeOf(side, 'card'));
  const policy = (): string => names[drawn(weights, door)] ?? '';
  const name = names.length === 1 ? names[0] : door.decide('card', side, names, policy);
  return cards.findIndex((card) => card.name === name);
}

function tellCard({ side, cards }: CardForce, index: number, door: Door): void {
  const card = cards[index];
  if (card === undefined) return;
  const { name, strength, enemyStrength, symbols } = card;
  const facts = { side: NAMES[side], card: name };
  if (card.none) door.rule('card.none', () => facts);
  else door.rule('card.played', () => ({ ...facts, strength: points(strength), symbols }));
  if (enemyStrength === 0) return;
  door.rule('card.enemy', () => ({ ...facts, enemy: NAMES[ENEMY[side]], by: points(enemyStrength) }));
}

function playToken(force: CardForce, index: number, door: Door): boolean {
  const { name = '', strength = 0, weight = 0 } = force.tokens[index] ?? {};
  door.seek(placeOf(force.side, 'token') + index);
  const policy = (): string => (drawn([1 - weight, weight], door) === 1 ? name : NONE);
  const played = door.decide('air', force.side, [NONE, name], policy) === name;
  const facts = () => ({ side: NAMES[force.side], token: name, strength: points(strength) });
  door.rule(played ? 'air.played' : 'air.held', facts);
  return played;
}

function rollDamage(force: CardForce, play: SidePlay, door: Door): SidePlay {
  const lots = lotsOf(force, play);
  const side = NAMES[force.side];
  if (lots.every(({ length }) => length === 0)) {
    door.rule('dice.none', () => ({ side }));
    return { ...play, damage: 0 };
  }
  door.seek(placeOf(force.side, 'damage'));
  const damage = door.faces(lots);
  door.rule('dice', () => ({ side, damage }));
  return { ...play, damage };
}

/** Names the dice that a side rolls. */
type LotsKey = (lots: readonly Lot[]) => string;

/** By the law of their sum. */
const lawKey: LotsKey = (lots) => lotKey(lots.flat());

/** By the words that are drawn for them: the same dice of another token take another word. */
const wordsKey: LotsKey = (lots) => lots.map(lotKey).join('/');

/** Names what the future still depends on of what a side has played. */
function playKeys(force: CardForce, lotsKey: LotsKey): (play: SidePlay) => string {
  const known = new Map<string, string>();
  return (play) => {
    const symbols = force.cards[play.card]?.symbols ?? 0;
    if (play.damage >= 0) return `${String(symbols)},${String(play.damage)}`;
    const name = `${String(play.card)} ${play.air.join()}`;
    let key = known.get(name);
    if (key === undefined) {
      key = `${String(symbols)}:${lotsKey(lotsOf(force, play))}`;
      known.set(name, key);
    }
    return key;
  };
}

/** Names the damage that is still to be taken, and what is left after that which was. */
function ordealKey({ side, points: left, hp, defender }: Ordeal): string {
  return [side, left, hp.join(), defender?.hp.join()].join(':');
}

export function model(scenario: StrengthCards): Model<EngagementState> {
  const forces = forcesOf(scenario);
  const { attacker, defender } = forces;
  const ordeals = ordealsOf(scenario, forces);

  const marginOf = (state: EngagementState): number =>
    attacker.strength - defender.strength + gainOf(attacker, state.attacker) - gainOf(defender, state.defender);

  /** Totals and winner, once everything is played. */
  function compare(state: EngagementState, door: Door): void {
    const margin = marginOf(state);
    const winner = winnerOf(margin, scenario.initiative);
    const facts = () => ({ winner: NAMES[winner], by: points(Math.abs(margin)) });
    door.rule(margin === 0 ? 'win.initiative' : 'win', facts);
  }

  const card =
    (side: Side): Step =>
    (state, door) => {
      const index = playCard(forces[side], door);
      tellCard(forces[side], index, door);
      return withPlay(state, side, { ...state[side], card: index });
    };

  const air =
    (side: Side, token: number): Step =>
    (state, door) => {
      const played = playToken(forces[side], token, door);
      return withPlay(state, side, { ...state[side], air: [...state[side].air, played] });
    };

  const attackerRolls: Step = (state, door) => {
    compare(state, door);
    return { ...state, attacker: rollDamage(attacker, state.attacker, door) };
  };

  const defenderRolls: Step = (state, door) => ({ ...state, defender: rollDamage(defender, state.defender, door) });

  function clashOf(state: EngagementState): Clash {
    const symbols = (side: Side): number => forces[side].cards[state[side].card]?.symbols ?? 0;
    return {
      margin: marginOf(state),
      damage: { attacker: state.attacker.damage, defender: state.defender.damage },
      symbols: { attacker: symbols('attacker'), defender: symbols('defender') },
    };
  }

  /** A turn of the settlement: the defender's dice, or a point of damage. */
  const settlementTurn: Step = (state, door) => {
    const { ordeal } = state;
    const rolled = ordeal === undefined ? defenderRolls(state, door) : state;
    const clash = clashOf(rolled);
    const stage = ordeal === undefined ? ordeals.begin(clash, door) : ordeals.strike(clash, ordeal, door);
    if (!('winner' in stage)) return { ...rolled, ordeal: stage };
    const { round, attacker: a, defender: d } = rolled;
    return { round, done: state.done + 1, attacker: a, defender: d, settled: stage };
  };

  const settlement: Step = (state, door) => {
    if (state.ordeal === undefined) {
      const rolled = defenderRolls(state, door);
      return { ...rolled, settled: settle(scenario, forces, clashOf(rolled), door) };
    }
    let next = state;
    while (next.settled === null) next = settlementTurn(next, door);
    return next;
  };

  const steps: readonly Step[] = [
    ...SIDES.map(card),
    ...SIDES.flatMap((side) => forces[side].tokens.map((_, token) => air(side, token))),
    attackerRolls,
    settlement,
  ];

  function keysBy(lotsKey: LotsKey): (state: EngagementState) => string {
    const keys = { attacker: playKeys(attacker, lotsKey), defender: playKeys(defender, lotsKey) };
    return (state) => {
      if (state.settled !== null) return [state.settled.winner, ...state.settled.metrics].join();
      const plays = SIDES.map((side) => keys[side](state[side]));
      const pending = state.ordeal === undefined ? [] : [ordealKey(state.ordeal)];
      return [state.done, marginOf(state), ...plays, ...pending].join(';');
    };
  }

  function step(state: EngagementState, door: Door): EngagementState {
    const next = steps[state.done]?.(state, door);
    if (next === undefined) throw new Error('a battle that is over was played on');
    return { ...next, round: 1, done: state.done + 1 };
  }

  return {
    outcomes: SIDES,
    metrics: metricsOf(scenario.defender, forces),
    maxRounds: 1,
    roundsMetric: undefined,
    start(door) {
      for (const { notes } of Object.values(forces)) for (const { rule, facts } of notes) door.rule(rule, () => facts);
      const down = grounded(scenario);
      if (down !== undefined && SIDES.some((side) => scenario[side].airTokens.length > 0)) door.rule(down);
      return { round: 0, done: 0, attacker: NOTHING, defender: NOTHING, settled: null };
    },
    step,
    turn: (state, door) => (steps[state.done] === settlement ? settlementTurn : step)(state, door),
    resting: ({ done }) => done === 0,
    outcome: ({ settled }) => settled?.winner,
    measure: ({ settled }) => [...(settled?.metrics ?? [])],
    key: keysBy(lawKey),
    courseKey: keysBy(wordsKey),
  };
}
