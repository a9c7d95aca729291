/**
 * The hits of a phase once both sides have rolled: classes are named, then units fall, one decision after the other.
 */
import type { Chance, DicePool } from '../../core/index.ts';
import type { Key, Metric, Model, Side } from '../system.ts';
import {
  type CombatState,
  countUnits,
  ENEMY,
  GROUND_CLASSES,
  type GroundClass,
  getArmy,
  hasUnits,
  NOBODY,
  PHASES,
  type PhasedArmy,
  type PhasedDecision,
  type PhasedForce,
  REST,
  RETREAT,
  SIDES,
  type SideHits,
  STAGES,
  sumFigures,
} from './army.ts';
import { METRICS, PLACES } from './layout.ts';
import {
  canPlace,
  canRoll,
  chooseClass,
  createOrderedArmy,
  findResult,
  formatUnits,
  HitAllocation,
  isAirborne,
  isFought,
  isRetreating,
  type OpposingArmies,
  type OrderedArmy,
  OUTCOMES,
  PLAYERS,
} from './policies.ts';
import type { PhasedDice } from './schema.ts';

type OrderedArmies = Readonly<Record<Side, OrderedArmy>>;

const PHASE_OF: Readonly<Record<GroundClass, number>> = {
  artillery: PHASES.ground.indexOf('artillery'),
  cavalry: PHASES.ground.indexOf('cavalry'),
  infantry: PHASES.ground.indexOf('infantry'),
};

class HitExchange {
  readonly #hosts: OrderedArmies;
  readonly #state: CombatState;
  readonly #chance: Chance;
  readonly #forces: Record<Side, PhasedForce>;
  readonly #hits: Record<Side, number>;
  readonly #named: Record<Side, GroundClass | undefined>;
  #stage = 0;
  #placing: HitAllocation | undefined;

  private constructor(
    hosts: OrderedArmies,
    state: CombatState,
    hits: SideHits,
    named: PhasedDecision['named'],
    chance: Chance,
  ) {
    this.#hosts = hosts;
    this.#state = state;
    this.#chance = chance;
    this.#forces = { attacker: state.attacker, defender: state.defender };
    this.#hits = { attacker: hits.attacker, defender: hits.defender };
    this.#named = { ...named };
  }

  /** Starts the allocation of the hits of both sides. Only the air phase hits aircraft. */
  static begin(hosts: OrderedArmies, state: CombatState, taken: SideHits, chance: Chance): HitExchange {
    const pool = (side: Side): number => {
      if (taken[side] === 0) return 0;
      if (state.phase === 0 || !isAirborne(hosts[side], state[side])) return taken[side] + state[side].reserve;
      chance.rule('air.missed', () => ({ side: PLAYERS[side] }));
      return 0;
    };
    const hits = { attacker: pool('attacker'), defender: pool('defender') };
    const exchange = new HitExchange(hosts, state, hits, NOBODY, chance);
    exchange.#advanceTo(0);
    return exchange;
  }

  /** Resumes at a pending decision. */
  static resume(hosts: OrderedArmies, state: CombatState, pending: PhasedDecision, chance: Chance): HitExchange {
    const { point, side, hits, named, further, fallen } = pending;
    const exchange = new HitExchange(hosts, state, hits, named, chance);
    exchange.#stage = STAGES.findIndex((stage) => stage.point === point && stage.side === side);
    if (point === 'losses') {
      const placed = { counts: state[side].counts, left: hits[side], further, fallen };
      exchange.#placing = new HitAllocation(hosts[side], exchange.#getFirstPhase(side), placed, chance);
    }
    return exchange;
  }

  get isOpen(): boolean {
    return this.#stage < STAGES.length;
  }

  /** Executes the pending decision: a class is named, or a unit is lost. */
  next(): void {
    const stage = STAGES[this.#stage];
    if (stage === undefined) return;
    if (stage.point === 'target') this.#named[stage.side] = this.#name(stage.side);
    else {
      this.#placing?.lose();
      if (this.#placing?.isOver === false) return;
      this.#close(stage.side);
    }
    this.#advanceTo(this.#stage + 1);
  }

  /** The state of the battle without the pending decision. */
  get state(): CombatState {
    const { round, phase, withdrawn } = this.#state;
    const { attacker, defender } = this.#forces;
    return { round, phase, dealt: null, attacker, defender, withdrawn };
  }

  /** The state of the battle with the pending decision. */
  get pendingState(): CombatState {
    const stage = STAGES[this.#stage];
    if (stage === undefined) return this.state;
    const { point, side } = stage;
    const hits = { ...this.#hits };
    const forces = { ...this.#forces };
    for (const each of ['attacker', 'defender'] as const) {
      if (hits[each] > 0) forces[each] = { counts: forces[each].counts, reserve: 0 };
    }
    const placing = this.#placing;
    if (placing !== undefined) {
      forces[side] = { counts: placing.counts, reserve: 0 };
      hits[side] = placing.left;
    }
    const { further = false, fallen = [] } = placing ?? {};
    return { ...this.state, ...forces, pending: { point, side, hits, named: { ...this.#named }, further, fallen } };
  }

  /** Advances to the next decision, from a stage on. */
  #advanceTo(first: number): void {
    for (this.#stage = first; this.#stage < STAGES.length; this.#stage++) {
      const stage = STAGES[this.#stage];
      if (
        stage !== undefined &&
        (stage.point === 'target' ? this.#mustNameClass(stage.side) : this.#beginLosses(stage.side))
      )
        return;
    }
  }

  /** Returns true if a side has to name a class. */
  #mustNameClass(side: Side): boolean {
    return this.#hits[ENEMY[side]] > 0 && this.#state.phase > 0 && this.#hosts[side].byPhase.length > 2;
  }

  /** Returns the class of enemy units that a side names. */
  #name(dealer: Side): GroundClass {
    const victims = this.#hosts[ENEMY[dealer]];
    const { counts } = this.#forces[ENEMY[dealer]];
    const pool = this.#hits[ENEMY[dealer]];
    const present = GROUND_CLASSES.filter((each) => hasUnits(victims.byPhase[PHASE_OF[each]] ?? [], counts));
    const policy = (): GroundClass => chooseClass(this.#hosts[dealer].target, present, victims, counts, pool);
    const named = this.#chance.decide('target', dealer, present, policy);
    this.#chance.rule('target', () => ({ side: PLAYERS[dealer], class: named, hits: pool }));
    return named;
  }

  /** Starts to place the hits of a side, or its reserve if that destroys a unit; returns true if a unit is lost. */
  #beginLosses(side: Side): boolean {
    const [host, force] = [this.#hosts[side], this.#forces[side]];
    if (this.#hits[side] === 0 && canPlace(host, force)) {
      this.#hits[side] = force.reserve;
      this.#chance.rule('reserve.placed', () => ({ side: PLAYERS[side], hits: force.reserve }));
    }
    const hits = this.#hits[side];
    if (hits === 0) return false;
    this.#placing = HitAllocation.begin(host, this.#getFirstPhase(side), force, hits, this.#chance);
    if (!this.#placing.isOver) return true;
    this.#close(side);
    return false;
  }

  /** Returns the phase of the class that is hit first; undefined if no class was named. */
  #getFirstPhase(side: Side): number | undefined {
    if (this.#state.phase === 0) return 0;
    const named = this.#named[ENEMY[side]];
    return named === undefined ? undefined : PHASE_OF[named];
  }

  #close(side: Side): void {
    if (this.#placing === undefined) return;
    this.#forces[side] = this.#placing.close();
    this.#hits[side] = 0;
    this.#placing = undefined;
  }
}

// Keys of states: the data that determines the rest of a battle.

/** Phases from REST on, the end of the last among them. */
const PHASE_VALUES = 6;

/** A key that is a number is a whole one below this. */
const NUMBERS = 2 ** 53;

/** Creates the key of a pending decision. @param most maximum number of hits that make a difference */
function createPendingKey(
  { point, side, hits, named }: PhasedDecision,
  most: (side: Side, hits: number) => number,
): string {
  const parts = SIDES.map((each) => `${String(most(each, hits[each]))}:${named[each] ?? ''}`);
  return [point, side, ...parts].join(';');
}

/** Counts the distinguishable reserves of an army; the reserve is less than the hits of some unit. */
const countReserves = ({ troops }: PhasedArmy): number =>
  1 + troops.reduce((most, { hits }) => Math.max(most, hits), 0);
const countForces = (army: PhasedArmy): number =>
  army.troops.reduce((ways, { count }) => ways * (count + 1), countReserves(army));

/** @param memory number of rounds that the rules distinguish */
function createKeyFunction(armies: Readonly<Record<Side, PhasedArmy>>, memory: number): (state: CombatState) => Key {
  const { attacker, defender } = armies;
  const rounds = Math.max(1, memory);
  const dealtMost = defender.troops.reduce((sum, { count, hits }) => sum + count * hits, 0);
  const heads = 2 * (rounds + 1) * PHASE_VALUES * (dealtMost + 2);
  const isPacked = heads * countForces(attacker) * countForces(defender) < NUMBERS;
  const room = { attacker: countReserves(attacker), defender: countReserves(defender) };

  /** Limits hits: more than all units can take make no difference. */
  const limitHits = (state: CombatState, side: Side, dealt: number): number => {
    const { troops, ground } = armies[side];
    return Math.min(
      dealt,
      sumFigures(state.phase === 0 ? troops : ground, state[side].counts, ({ hits }) => hits),
    );
  };

  /** Returns the reserve; 0 if no unit can take it: there is one air phase, and later hits are for ground units. */
  const getReserve = (state: CombatState, side: Side): number => {
    const { counts, reserve } = state[side];
    return reserve > 0 && state.phase !== 0 && !hasUnits(armies[side].ground, counts) ? 0 : reserve;
  };

  function formatDealt(state: CombatState, round: number, dealt: number): string {
    const sides = SIDES.map((side) => `${String(getReserve(state, side))}:${state[side].counts.join()}`);
    const key = [round, state.phase, dealt, state.withdrawn, ...sides].join(';');
    const { pending } = state;
    return pending === undefined
      ? key
      : `${key};${createPendingKey(pending, (side, hits) => limitHits(state, side, hits))}`;
  }

  /** Appends a digit for each number of an army. */
  function appendDigits(before: number, side: Side, { counts }: PhasedForce, reserve: number): number {
    const { troops } = armies[side];
    let key = before * room[side] + reserve;
    for (let k = 0; k < troops.length; k++) key = key * ((troops[k]?.count ?? 0) + 1) + (counts[k] ?? 0);
    return key;
  }

  return (state) => {
    const { phase, pending } = state;
    const round = Math.min(state.round, rounds);
    // 0 before the attacker's roll.
    const dealt = state.dealt === null ? 0 : 1 + limitHits(state, 'defender', state.dealt);
    const [ours, theirs] = [getReserve(state, 'attacker'), getReserve(state, 'defender')];
    const isSmall = ours < room.attacker && theirs < room.defender;
    if (!isPacked || !isSmall || pending !== undefined) return formatDealt(state, round, dealt);
    const head = ((round * PHASE_VALUES + phase - REST) * (dealtMost + 2) + dealt) * 2 + (state.withdrawn ? 1 : 0);
    return appendDigits(appendDigits(head, 'attacker', state.attacker, ours), 'defender', state.defender, theirs);
  };
}

// A battle on land or at sea, phase by phase: both sides roll, then both place hits, round after round.

function createMetrics(hosts: OrderedArmies, maxRounds: number): Metric[] {
  return METRICS.declare({
    rounds: maxRounds,
    left: SIDES.map((side) => hosts[side].troops.reduce((sum, { count }) => sum + count, 0)),
    types: SIDES.flatMap((side) => hosts[side].troops.map(({ name, count }) => [`${side}.${name}`, count] as const)),
  });
}

export function createModel(scenario: PhasedDice): Model<CombatState> {
  const { airOnly, maxRounds } = scenario;
  const { retreat, retreatTo } = scenario.attacker;
  const phases = PHASES[scenario.mode];
  const attacker = createOrderedArmy(getArmy(scenario, 'attacker'), scenario.attacker);
  const defender = createOrderedArmy(getArmy(scenario, 'defender'), scenario.defender);
  const hosts = { attacker, defender };
  const field: OpposingArmies = { attacker, defender, airOnly };
  /** Number of rounds that the rules distinguish. */
  const memory = typeof retreat === 'object' && 'afterRounds' in retreat ? retreat.afterRounds : 0;

  function roll(state: CombatState, side: Side, chance: Chance): number {
    const { counts } = state[side];
    const pools: DicePool[] = [];
    for (const { value, troops } of hosts[side].pools[state.phase] ?? []) {
      const dice = sumFigures(troops, counts, (troop) => troop.dice);
      if (dice > 0) pools.push({ dice, value });
    }
    chance.seek(PLACES.positionOf(state.round, state.phase, SIDES.indexOf(side)));
    const hits = chance.hits(pools);
    chance.rule('roll', () => ({
      side: PLAYERS[side],
      units: formatUnits(hosts[side].byPhase[state.phase] ?? [], counts),
      hits,
    }));
    return hits;
  }

  /** Returns true if a phase has an effect: a roll, or a reserve that is placed at its end. */
  function isDue(state: CombatState, phase: number): boolean {
    return isFought(field, state, phase) || canPlace(attacker, state.attacker) || canPlace(defender, state.defender);
  }

  /** Advances to the next phase with an effect, from `phase` on; to the retreat if there is none. */
  function moveOn(state: CombatState, phase: number): CombatState {
    for (let next = phase; next < phases.length; next++) {
      if (isDue(state, next)) return { ...state, phase: next };
      // Sides with only aircraft are resolved after the air phase, even if it was skipped.
      if (next === 0 && findResult(field, { ...state, phase: 1 }) !== undefined) return { ...state, phase: 1 };
    }
    const { round, dealt, attacker: ours, defender: theirs, withdrawn } = state;
    // Copied field by field, which is faster than adding a field to a copy.
    return { round, phase: REST, dealt, attacker: ours, defender: theirs, withdrawn, pending: RETREAT };
  }

  /**
   * Returns true if the policy of the attacker retreats; a side with only aircraft retreats by any policy except
   * `never`.
   */
  function isRetreat(state: CombatState): boolean {
    if (retreat === 'never') return false;
    if (isAirborne(attacker, state.attacker)) return true;
    const computeWeight = (side: Side): number =>
      sumFigures(hosts[side].ground, state[side].counts, (troop) => troop.weight);
    return isRetreating(retreat, state.round, computeWeight('attacker'), computeWeight('defender'));
  }

  function retreatOrRepeat(before: CombatState, chance: Chance): CombatState {
    const { round, phase, dealt, withdrawn } = before;
    const state: CombatState = { round, phase, dealt, attacker: before.attacker, defender: before.defender, withdrawn };
    const policy = () => (isRetreat(state) ? 'retreat' : 'stay');
    if (chance.decide('retreat', 'attacker', ['stay', 'retreat'], policy) === 'stay') return state;
    if (isAirborne(attacker, state.attacker)) chance.rule('air.home');
    if (retreatTo === 'none') {
      chance.rule('retreat.destroyed');
      return { ...state, attacker: { counts: state.attacker.counts.map(() => 0), reserve: 0 } };
    }
    chance.rule('retreat', () => ({ to: retreatTo }));
    return { ...state, withdrawn: true };
  }

  function begin(state: CombatState, chance: Chance): CombatState {
    const round = state.round + 1;
    chance.rule('round', () => ({ round }));
    return moveOn({ ...state, round }, round === 1 ? 0 : 1);
  }

  /** Continues from a state with a due phase: a roll, and its consequences. */
  function fire(state: CombatState, chance: Chance): CombatState | HitExchange {
    if (findResult(field, state) !== undefined) return state;
    if (state.dealt === null && canRoll(attacker, state.attacker, state.phase)) {
      return { ...state, dealt: roll(state, 'attacker', chance) };
    }
    const fired = canRoll(defender, state.defender, state.phase);
    const taken = { attacker: fired ? roll(state, 'defender', chance) : 0, defender: state.dealt ?? 0 };
    return HitExchange.begin(hosts, state, taken, chance);
  }

  /** Ends a phase after all hits are placed. */
  function endPhase(state: CombatState): CombatState {
    const after = { ...state, phase: state.phase + 1 };
    return findResult(field, after) === undefined ? moveOn(after, after.phase) : after;
  }

  /** Executes the pending decision, or continues to a roll. */
  function continueBattle(state: CombatState, chance: Chance): CombatState | HitExchange {
    if (state.pending === undefined) return fire(state.phase === REST ? begin(state, chance) : state, chance);
    const exchange = HitExchange.resume(hosts, state, state.pending, chance);
    exchange.next();
    return exchange;
  }

  function turn(state: CombatState, chance: Chance): CombatState {
    if (state.pending?.point === 'retreat') return retreatOrRepeat(state, chance);
    const come = continueBattle(state, chance);
    if (!(come instanceof HitExchange)) return come;
    return come.isOpen ? come.pendingState : endPhase(come.state);
  }

  /** Turns until no decision is pending. */
  function step(state: CombatState, chance: Chance): CombatState {
    if (state.pending?.point === 'retreat') return retreatOrRepeat(state, chance);
    const come = continueBattle(state, chance);
    if (!(come instanceof HitExchange)) return come;
    while (come.isOpen) come.next();
    const after = endPhase(come.state);
    return after.pending === undefined ? after : retreatOrRepeat(after, chance);
  }

  /** Reports the end of a finished battle. */
  function reportEnd(state: CombatState, chance: Chance): CombatState {
    const end = findResult(field, state);
    if (end !== undefined && !state.withdrawn) chance.rule(end.rule, () => end.facts ?? {});
    return state;
  }

  return {
    outcomes: OUTCOMES,
    metrics: createMetrics(hosts, maxRounds),
    maxRounds,
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.positionOf(1),
    start(chance) {
      if (scenario.mode === 'ground' && scenario.site !== 'open') chance.rule(`site.${scenario.site}`);
      if (scenario.airStrength === 'literal') chance.rule('air.literal');
      const force = ({ troops }: OrderedArmy) => ({ counts: troops.map(({ count }) => count), reserve: 0 });
      const fresh = { attacker: force(attacker), defender: force(defender), withdrawn: false };
      return reportEnd({ round: 0, phase: REST, dealt: null, ...fresh }, chance);
    },
    step: (state, chance) => reportEnd(step(state, chance), chance),
    turn: (state, chance) => reportEnd(turn(state, chance), chance),
    resting: ({ phase, pending }) => phase === REST && pending === undefined,
    outcome: (state) => findResult(field, state)?.outcome,
    measure: ({ round, attacker: a, defender: d }) =>
      METRICS.values({
        rounds: round,
        left: [countUnits(attacker.troops, a.counts), countUnits(defender.troops, d.counts)],
        types: [...a.counts, ...d.counts],
      }),
    key: createKeyFunction(hosts, memory),
  };
}
