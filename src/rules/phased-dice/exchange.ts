/** The hits of a phase once both sides have rolled: classes are named, then units fall, one decision after the other. */
import type { Door } from '../../core/chance/door.ts';
import { type Host, PLAYERS, Placing } from './allocation.ts';
import { livesIn, PHASES, type Side } from './army.ts';
import { canPlace, isAirborne } from './ending.ts';
import { namedClass } from './policies.ts';
import { type CombatState, ENEMY, type Force, type Hits, NOBODY, type Pending, STAGES } from './state.ts';
import { GROUND_CLASSES, type GroundClass } from './units.ts';

export type Hosts = Readonly<Record<Side, Host>>;

const PHASE_OF: Readonly<Record<GroundClass, number>> = {
  artillery: PHASES.ground.indexOf('artillery'),
  cavalry: PHASES.ground.indexOf('cavalry'),
  infantry: PHASES.ground.indexOf('infantry'),
};

export class Exchange {
  readonly #hosts: Hosts;
  readonly #state: CombatState;
  readonly #door: Door;
  readonly #forces: Record<Side, Force>;
  readonly #hits: Record<Side, number>;
  readonly #named: Record<Side, GroundClass | undefined>;
  #stage = 0;
  #placing: Placing | undefined;

  private constructor(hosts: Hosts, state: CombatState, hits: Hits, named: Pending['named'], door: Door) {
    this.#hosts = hosts;
    this.#state = state;
    this.#door = door;
    this.#forces = { attacker: state.attacker, defender: state.defender };
    this.#hits = { attacker: hits.attacker, defender: hits.defender };
    this.#named = { ...named };
  }

  /** Begins with what both sides have been hit by. Outside the air phase aircraft are hit by nothing. */
  static begin(hosts: Hosts, state: CombatState, taken: Hits, door: Door): Exchange {
    const pool = (side: Side): number => {
      if (taken[side] === 0) return 0;
      if (state.phase === 0 || !isAirborne(hosts[side], state[side])) return taken[side] + state[side].reserve;
      door.rule('air.missed', () => ({ side: PLAYERS[side] }));
      return 0;
    };
    const hits = { attacker: pool('attacker'), defender: pool('defender') };
    const exchange = new Exchange(hosts, state, hits, NOBODY, door);
    exchange.#comeTo(0);
    return exchange;
  }

  /** Goes on where a decision of it is pending. */
  static resume(hosts: Hosts, state: CombatState, pending: Pending, door: Door): Exchange {
    const { point, side, hits, named, further, fallen } = pending;
    const exchange = new Exchange(hosts, state, hits, named, door);
    exchange.#stage = STAGES.findIndex((stage) => stage.point === point && stage.side === side);
    if (point === 'losses') {
      const placed = { counts: state[side].counts, left: hits[side], further, fallen };
      exchange.#placing = new Placing(hosts[side], exchange.#firstPhase(side), placed, door);
    }
    return exchange;
  }

  get isOpen(): boolean {
    return this.#stage < STAGES.length;
  }

  /** Takes the decision that is pending: a class is named, or a unit falls. */
  next(): void {
    const stage = STAGES[this.#stage];
    if (stage === undefined) return;
    if (stage.point === 'target') this.#named[stage.side] = this.#name(stage.side);
    else {
      this.#placing?.lose();
      if (this.#placing?.isOver === false) return;
      this.#close(stage.side);
    }
    this.#comeTo(this.#stage + 1);
  }

  /** The battle as it stands, without what is pending. */
  get state(): CombatState {
    const { round, phase, withdrawn } = this.#state;
    const { attacker, defender } = this.#forces;
    return { round, phase, dealt: null, attacker, defender, withdrawn };
  }

  /** The battle with what is pending. */
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

  /** Comes to the next decision, from a stage on. */
  #comeTo(first: number): void {
    for (this.#stage = first; this.#stage < STAGES.length; this.#stage++) {
      const stage = STAGES[this.#stage];
      if (stage !== undefined && (stage.point === 'target' ? this.#names(stage.side) : this.#loses(stage.side))) return;
    }
  }

  /** Whether a side has to name a class. */
  #names(side: Side): boolean {
    return this.#hits[ENEMY[side]] > 0 && this.#state.phase > 0 && this.#hosts[side].byPhase.length > 2;
  }

  /** The class of its enemy's units that a side names. */
  #name(dealer: Side): GroundClass {
    const victims = this.#hosts[ENEMY[dealer]];
    const { counts } = this.#forces[ENEMY[dealer]];
    const pool = this.#hits[ENEMY[dealer]];
    const present = GROUND_CLASSES.filter((each) => livesIn(victims.byPhase[PHASE_OF[each]] ?? [], counts));
    const policy = (): GroundClass => namedClass(this.#hosts[dealer].target, present, victims, counts, pool);
    const named = this.#door.decide('target', dealer, present, policy);
    this.#door.rule('target', () => ({ side: PLAYERS[dealer], class: named, hits: pool }));
    return named;
  }

  /** Begins to place what a side was hit by, or else its reserve, if that fells a unit; whether a unit falls. */
  #loses(side: Side): boolean {
    const [host, force] = [this.#hosts[side], this.#forces[side]];
    if (this.#hits[side] === 0 && canPlace(host, force)) {
      this.#hits[side] = force.reserve;
      this.#door.rule('reserve.placed', () => ({ side: PLAYERS[side], hits: force.reserve }));
    }
    const hits = this.#hits[side];
    if (hits === 0) return false;
    this.#placing = Placing.begin(host, this.#firstPhase(side), force, hits, this.#door);
    if (!this.#placing.isOver) return true;
    this.#close(side);
    return false;
  }

  /** The class that is hit first, by its phase; none if no class was named. */
  #firstPhase(side: Side): number | undefined {
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
