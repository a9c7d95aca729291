/** Policies of losses: the units that fall, and how hits are placed. */
import type { Chance, EventData } from '../../core/index.ts';
import type { Side } from '../system.ts';
import {
  type CombatState,
  ENEMY,
  GROUND_CLASSES,
  type GroundClass,
  hasUnits,
  type PhasedArmy,
  type PhasedForce,
  type PhasedTroop,
  REST,
  sumFigures,
} from './army.ts';

export const LOSSES = ['lowest-era', 'highest-era', 'fewest-expected-hits-lost'] as const;
export type LossesPolicy = (typeof LOSSES)[number];

export type TargetPolicy = 'most-dice' | 'most-expected-hits' | readonly GroundClass[];

export type RetreatPolicy = 'never' | { readonly afterRounds: number } | { readonly whenWeaker: number };

const LOSS_ORDERS: Readonly<Record<LossesPolicy, (a: PhasedTroop, b: PhasedTroop) => number>> = {
  'lowest-era': (a, b) => a.era - b.era,
  'highest-era': (a, b) => b.era - a.era,
  'fewest-expected-hits-lost': (a, b) => a.weight - b.weight || a.era - b.era,
};

/** Sorts troops in the order in which a policy loses them; ties are in the order of the table. */
export function sortByLossPolicy(policy: LossesPolicy, troops: readonly PhasedTroop[]): PhasedTroop[] {
  return [...troops].sort((a, b) => LOSS_ORDERS[policy](a, b) || a.index - b.index);
}

/** Order in which a policy compares the classes, and its criterion for preferring a later one. */
export interface TargetPlan {
  readonly classes: readonly GroundClass[];
  /** Summed over the living units of a class that fit into the pool; only a greater sum wins over an earlier class. */
  readonly computeValue: (troop: PhasedTroop) => number;
}

export function createTargetPlan(policy: TargetPolicy): TargetPlan {
  if (policy === 'most-dice') return { classes: GROUND_CLASSES, computeValue: ({ dice }) => dice };
  if (policy === 'most-expected-hits') return { classes: GROUND_CLASSES, computeValue: ({ weight }) => weight };
  return { classes: [...new Set([...policy, ...GROUND_CLASSES])], computeValue: () => 0 };
}

/** Chooses the class among `present` that a policy names, with `pool` hits to place on `victims`. */
export function chooseClass(
  { classes, computeValue }: TargetPlan,
  present: readonly GroundClass[],
  victims: PhasedArmy,
  counts: readonly number[],
  pool: number,
): GroundClass {
  if (present.length === 1 && present[0] !== undefined) return present[0];
  let best: GroundClass | undefined;
  let most = -1;
  for (const next of classes) {
    if (!present.includes(next)) continue;
    const sum = sumFigures(victims.troops, counts, (troop) =>
      troop.class === next && troop.hits <= pool ? computeValue(troop) : 0,
    );
    if (sum <= most) continue;
    best = next;
    most = sum;
  }
  if (best === undefined) throw new Error('a class is named although no ground unit is left');
  return best;
}

/** Resolution of the ratio of `whenWeaker`: integers avoid rounding. */
export const RATIO_STEPS = 1_000_000;

/**
 * Returns true if the policy retreats.
 * @param round complete rounds
 * @param own six times the own expected hits in a round
 * @param enemy six times those of the enemy
 */
export function isRetreating(policy: RetreatPolicy, round: number, own: number, enemy: number): boolean {
  if (policy === 'never') return false;
  if ('afterRounds' in policy) return round >= policy.afterRounds;
  return own * RATIO_STEPS < Math.round(policy.whenWeaker * RATIO_STEPS) * enemy;
}

// Places hits on the units of one side: a unit takes exactly its hits or none, and hits are placed while any unit fits.

/** An army with the orders of its owner. */
export interface OrderedArmy extends PhasedArmy {
  /** Troops in the order of their losses. */
  readonly lossOrder: readonly PhasedTroop[];
  /** Plan for naming a class of the enemy. */
  readonly target: TargetPlan;
}

export function createOrderedArmy(
  army: PhasedArmy,
  orders: { readonly losses: LossesPolicy; readonly target: TargetPolicy },
): OrderedArmy {
  return { ...army, lossOrder: sortByLossPolicy(orders.losses, army.troops), target: createTargetPlan(orders.target) };
}

export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** Formats units in the order of the table, "2 knight, 1 dragoon". */
export function formatUnits(troops: readonly PhasedTroop[], counts: readonly number[]): string {
  const living = troops.filter(({ index }) => (counts[index] ?? 0) > 0);
  return living.map(({ name, index }) => `${String(counts[index] ?? 0)} ${name}`).join(', ');
}

/** Progress of an allocation of hits. */
export interface HitAllocationProgress {
  readonly counts: readonly number[];
  readonly left: number;
  readonly further: boolean;
  readonly fallen: readonly number[];
}

/** Allocation of one pool of hits, unit by unit. */
export class HitAllocation {
  readonly #host: OrderedArmy;
  /**
   * Aircraft in the air phase, in which ground units are hit only if none of them is left; otherwise the named class.
   */
  readonly #first: readonly PhasedTroop[];
  readonly #air: boolean;
  readonly #chance: Chance;
  /** Troops of which a unit can fall; empty when all hits are placed. */
  #fitting: readonly PhasedTroop[] = [];
  readonly counts: number[];
  readonly fallen: number[];
  left: number;
  further: boolean;

  /**
   * @param phase phase of the units that are hit first: 0 for aircraft; undefined if all are hit alike
   * @param chance receives decisions and events
   */
  constructor(
    host: OrderedArmy,
    phase: number | undefined,
    { counts, left, further, fallen }: HitAllocationProgress,
    chance: Chance,
  ) {
    this.#host = host;
    this.#air = phase === 0;
    this.#first = phase === undefined ? host.ground : (host.byPhase[phase] ?? []);
    this.#chance = chance;
    this.counts = [...counts];
    this.fallen = [...fallen];
    this.left = left;
    this.further = further;
    this.#look();
  }

  /** Starts to place a number of hits, 1 or more, on a force. */
  static begin(
    host: OrderedArmy,
    phase: number | undefined,
    { counts }: PhasedForce,
    hits: number,
    chance: Chance,
  ): HitAllocation {
    if (phase === 0 && hasUnits(host.byPhase[0] ?? [], counts)) {
      chance.rule('air.first', () => ({ side: PLAYERS[host.side] }));
    }
    const fallen = counts.map(() => 0);
    return new HitAllocation(host, phase, { counts, left: hits, further: phase === undefined, fallen }, chance);
  }

  get isOver(): boolean {
    return this.#fitting.length === 0;
  }

  /** Removes a unit. */
  lose(): void {
    const chosen = this.#choose();
    if (chosen === undefined) return;
    this.counts[chosen.index] = (this.counts[chosen.index] ?? 0) - 1;
    this.fallen[chosen.index] = (this.fallen[chosen.index] ?? 0) + 1;
    this.left -= chosen.hits;
    this.#look();
  }

  /** Returns the remaining force when no more hits can be placed. */
  close(): PhasedForce {
    const side = PLAYERS[this.#host.side];
    if (this.fallen.some((units) => units > 0)) {
      this.#chance.rule('losses', () => ({ side, units: formatUnits(this.#host.troops, this.fallen) }));
    }
    if (this.left > 0) this.#chance.rule('reserve', () => ({ side, hits: this.left }));
    return { counts: this.counts, reserve: this.left };
  }

  #choose(): PhasedTroop | undefined {
    const fitting = this.#fitting;
    if (fitting.length < 2) return fitting[0];
    const { side, lossOrder } = this.#host;
    const options = fitting.map(({ name }) => name);
    const policy = (): string => lossOrder.find((troop) => fitting.includes(troop))?.name ?? '';
    const name = this.#chance.decide('losses', side, options, policy);
    return fitting.find((troop) => troop.name === name);
  }

  /** Finds the units that can fall next. */
  #look(): void {
    this.#fitting = this.#selectTroops(this.further ? this.#host.ground : this.#first);
    if (this.#fitting.length > 0 || this.further || !this.#isThrough()) return;
    this.further = true;
    this.#fitting = this.#selectTroops(this.#host.ground);
  }

  #selectTroops(troops: readonly PhasedTroop[]): readonly PhasedTroop[] {
    return troops.filter(({ index, hits }) => (this.counts[index] ?? 0) > 0 && hits <= this.left);
  }

  /** Returns true if hits go to all ground units when none of the first ones fits. */
  #isThrough(): boolean {
    if (!this.#air) return true;
    if (hasUnits(this.#first, this.counts)) return false;
    if (this.left > 0 && hasUnits(this.#first, this.fallen)) {
      this.#chance.rule('air.through', () => ({ side: PLAYERS[this.#host.side], hits: this.left }));
    }
    return true;
  }
}

// Result of a finished battle, and its rule.

export const OUTCOMES = ['attacker', 'defender', 'mutual', 'stalemate', 'retreat'] as const;

export interface PhasedResult {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly rule: string;
  readonly facts?: EventData;
}

/** Both armies, and the result for a side that has only aircraft and does not retreat. */
export interface OpposingArmies {
  readonly attacker: PhasedArmy;
  readonly defender: PhasedArmy;
  readonly airOnly: 'defeated' | 'stalemate';
}

/** Returns true if a side has dice to roll in a phase. */
export function canRoll({ byPhase }: PhasedArmy, { counts }: PhasedForce, phase: number): boolean {
  for (const { index, dice } of byPhase[phase] ?? []) if (dice > 0 && (counts[index] ?? 0) > 0) return true;
  return false;
}

/** Returns true if anyone has dice to roll in a phase. */
export function isFought(field: OpposingArmies, state: CombatState, phase: number): boolean {
  return canRoll(field.attacker, state.attacker, phase) || canRoll(field.defender, state.defender, phase);
}

/**
 * Returns true if the reserve of a side can destroy a unit: on the ground, where hits that aircraft could not take are
 * placed.
 */
export function canPlace({ ground }: PhasedArmy, { counts, reserve }: PhasedForce): boolean {
  return reserve > 0 && ground.some(({ index, hits }) => (counts[index] ?? 0) > 0 && hits <= reserve);
}

/** Returns true if a side has only aircraft left. */
export function isAirborne({ troops, ground }: PhasedArmy, { counts }: PhasedForce): boolean {
  return !hasUnits(ground, counts) && hasUnits(troops, counts);
}

/** Returns true if neither side could roll a die in the next round. */
function isStuck(field: OpposingArmies, state: CombatState): boolean {
  const first = state.round === 0 ? 0 : 1;
  return !field.attacker.byPhase.some((_, phase) => phase >= first && isFought(field, state, phase));
}

/** Creates the result of a battle in which one side has only aircraft left. */
function createAirResult({ airOnly }: OpposingArmies, side: Side): PhasedResult {
  const facts = { side: PLAYERS[side] };
  if (airOnly === 'stalemate') return { outcome: 'stalemate', rule: 'end.air-only.stalemate', facts };
  return { outcome: ENEMY[side], rule: 'end.air-only', facts };
}

/** Returns the result of losses, if any. Attackers with only aircraft may retreat before it. */
function findLossResult(field: OpposingArmies, state: CombatState): PhasedResult | undefined {
  const { attacker, defender } = field;
  if (hasUnits(attacker.ground, state.attacker.counts) && hasUnits(defender.ground, state.defender.counts))
    return undefined;
  const isGone = (side: Side): boolean => !hasUnits(field[side].troops, state[side].counts);
  const loser = isGone('attacker') ? 'attacker' : isGone('defender') ? 'defender' : undefined;
  if (loser === 'attacker' && isGone('defender')) return { outcome: 'mutual', rule: 'end.mutual' };
  if (loser !== undefined) return { outcome: ENEMY[loser], rule: 'end.destroyed', facts: { side: PLAYERS[loser] } };
  const ours = isAirborne(attacker, state.attacker);
  const theirs = isAirborne(defender, state.defender);
  if (ours && theirs) return { outcome: 'stalemate', rule: 'end.air-both' };
  if (theirs) return createAirResult(field, 'defender');
  return ours && state.phase === REST ? createAirResult(field, 'attacker') : undefined;
}

/** Returns the result if the battle is over. Losses are checked after a phase, so not before the first. */
export function findResult(field: OpposingArmies, state: CombatState): PhasedResult | undefined {
  if (state.dealt !== null || state.pending !== undefined) return undefined;
  if (state.withdrawn) return { outcome: 'retreat', rule: 'retreat' };
  const begun = state.round > 0 && state.phase !== 0;
  const end = begun ? findLossResult(field, state) : undefined;
  if (end !== undefined) return end;
  return state.phase === REST && isStuck(field, state) ? { outcome: 'stalemate', rule: 'end.no-dice' } : undefined;
}
