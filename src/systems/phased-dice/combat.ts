/** A battle on land or at sea, phase by phase: both sides roll, then both place hits, round after round. */
import type { Door } from '../../chance/door.ts';
import type { Metric, Model } from '../system.ts';
import { allocate, type Host, hostOf, PLAYERS, roster } from './allocation.ts';
import { armyOf, PHASES, type Side, total, unitsIn } from './army.ts';
import { type CombatState, canRoll, ENEMY, endingOf, type Field, isFought, OUTCOMES, REST, SIDES } from './ending.ts';
import { namedClass, retreats, targetPlan } from './policies.ts';
import type { PhasedDice } from './schema.ts';
import { GROUND_CLASSES, type GroundClass } from './units.ts';

type Hits = Readonly<Record<Side, number>>;

function metricsOf(hosts: Readonly<Record<Side, Host>>, maxRounds: number): Metric[] {
  const sums = SIDES.map((side) => ({
    name: `left.${side}`,
    min: 0,
    max: hosts[side].troops.reduce((sum, { count }) => sum + count, 0),
  }));
  const types = SIDES.flatMap((side) =>
    hosts[side].troops.map(({ name, count }) => ({ name: `left.${side}.${name}`, min: 0, max: count })),
  );
  return [{ name: 'rounds', min: 0, max: maxRounds }, ...sums, ...types];
}

export function combatModel(scenario: PhasedDice): Model<CombatState> {
  const { airOnly, maxRounds } = scenario;
  const { retreat, retreatTo } = scenario.attacker;
  const phases = PHASES[scenario.mode];
  const attacker = hostOf(armyOf(scenario, 'attacker'), scenario.attacker.losses);
  const defender = hostOf(armyOf(scenario, 'defender'), scenario.defender.losses);
  const hosts = { attacker, defender };
  const targets = { attacker: targetPlan(scenario.attacker.target), defender: targetPlan(scenario.defender.target) };
  const field: Field = { attacker, defender, airOnly };
  /** As many rounds as the rules look back on. */
  const memory = typeof retreat === 'object' && 'afterRounds' in retreat ? retreat.afterRounds : 0;

  function roll(state: CombatState, side: Side, door: Door): number {
    const { counts } = state[side];
    const plans = hosts[side].pools[state.phase] ?? [];
    const pools = plans.map(({ value, troops }) => ({ dice: total(troops, counts, ({ dice }) => dice), value }));
    door.seek(((state.round << 3) | (state.phase << 1) | SIDES.indexOf(side)) << 10);
    const hits = door.hits(pools.filter(({ dice }) => dice > 0));
    door.rule('roll', () => ({
      side: PLAYERS[side],
      units: roster(hosts[side].byPhase[state.phase] ?? [], counts),
      hits,
    }));
    return hits;
  }

  /** The class of its enemy's units that a side names for `hits` hits. */
  function name(state: CombatState, dealer: Side, hits: number, door: Door): GroundClass | undefined {
    if (hits === 0 || state.phase === 0 || scenario.mode === 'fleet') return undefined;
    const victims = hosts[ENEMY[dealer]];
    const { counts, reserve } = state[ENEMY[dealer]];
    const pool = hits + reserve;
    const present = GROUND_CLASSES.filter((each) => unitsIn(victims.byPhase[phases.indexOf(each)] ?? [], counts) > 0);
    const policy = (): GroundClass => namedClass(targets[dealer], present, victims, counts, pool);
    const named = door.decide('target', dealer, present, policy);
    door.rule('target', () => ({ side: PLAYERS[dealer], class: named, hits: pool }));
    return named;
  }

  /** Places what both sides were hit by, once both have named a class. */
  function settle(state: CombatState, taken: Hits, door: Door): CombatState {
    const air = state.phase === 0;
    const byAttacker = name(state, 'attacker', taken.defender, door);
    const byDefender = name(state, 'defender', taken.attacker, door);
    const after = (side: Side, named: GroundClass | undefined) =>
      taken[side] > 0 ? allocate(hosts[side], state[side], taken[side], air, named, door) : state[side];
    const attackers = after('attacker', byDefender);
    const defenders = after('defender', byAttacker);
    return { ...state, dealt: null, attacker: attackers, defender: defenders };
  }

  /** Moves on to the next phase, from `phase` on, in which anyone rolls; to the end of the round if there is none. */
  function moveOn(state: CombatState, phase: number, door: Door): CombatState {
    for (let next = phase; next < phases.length; next++) {
      if (isFought(field, state, next)) return { ...state, phase: next };
      // What aircraft alone are worth is settled after the air phase, whether or not it was fired.
      if (next === 0 && endingOf(field, { ...state, phase: 1 }) !== undefined) return { ...state, phase: 1 };
    }
    return retreatOrRepeat({ ...state, phase: REST }, door);
  }

  function retreatOrRepeat(state: CombatState, door: Door): CombatState {
    const weight = (side: Side): number => total(hosts[side].ground, state[side].counts, (troop) => troop.weight);
    const policy = () => (retreats(retreat, state.round, weight('attacker'), weight('defender')) ? 'retreat' : 'stay');
    if (door.decide('retreat', 'attacker', ['stay', 'retreat'], policy) === 'stay') return state;
    if (retreatTo === 'none') {
      door.rule('retreat.destroyed');
      return { ...state, attacker: { counts: state.attacker.counts.map(() => 0), reserve: 0 } };
    }
    door.rule('retreat', () => ({ to: retreatTo }));
    return { ...state, withdrawn: true };
  }

  function begin(state: CombatState, door: Door): CombatState {
    const round = state.round + 1;
    door.rule('round', () => ({ round }));
    return moveOn({ ...state, round }, round === 1 ? 0 : 1, door);
  }

  /** Plays on from a state in which a phase is due. */
  function play(state: CombatState, door: Door): CombatState {
    if (state.dealt === null && canRoll(attacker, state.attacker, state.phase)) {
      return { ...state, dealt: roll(state, 'attacker', door) };
    }
    const fired = canRoll(defender, state.defender, state.phase);
    const taken = { attacker: fired ? roll(state, 'defender', door) : 0, defender: state.dealt ?? 0 };
    const settled = settle(state, taken, door);
    const after = { ...settled, phase: settled.phase + 1 };
    return endingOf(field, after) === undefined ? moveOn(after, after.phase, door) : after;
  }

  /** Tells how the battle has ended, if it has. */
  function told(state: CombatState, door: Door): CombatState {
    const end = endingOf(field, state);
    if (end !== undefined && !state.withdrawn) door.rule(end.rule, () => end.facts ?? {});
    return state;
  }

  return {
    outcomes: OUTCOMES,
    metrics: metricsOf(hosts, maxRounds),
    maxRounds,
    roundsMetric: 0,
    start(door) {
      if (scenario.mode === 'ground' && scenario.site !== 'open') door.rule(`site.${scenario.site}`);
      if (scenario.airStrength === 'tier') door.rule('air.tier');
      const force = ({ troops }: Host) => ({ counts: troops.map(({ count }) => count), reserve: 0 });
      const fresh = { attacker: force(attacker), defender: force(defender), withdrawn: false };
      return told({ round: 0, phase: REST, dealt: null, ...fresh }, door);
    },
    step(state, door) {
      const due = state.phase === REST ? begin(state, door) : state;
      return told(endingOf(field, due) === undefined ? play(due, door) : due, door);
    },
    resting: ({ phase }) => phase === REST,
    outcome: (state) => endingOf(field, state)?.outcome,
    measure: ({ round, attacker: a, defender: d }) => [
      round,
      unitsIn(attacker.troops, a.counts),
      unitsIn(defender.troops, d.counts),
      ...a.counts,
      ...d.counts,
    ],
    key(state) {
      // Hits beyond what all units that can be hit can take make no difference.
      const exposed = state.phase === 0 ? defender.troops : defender.ground;
      const health = total(exposed, state.defender.counts, ({ hits }) => hits);
      const dealt = state.dealt === null ? '' : Math.min(state.dealt, health);
      const round = Math.min(state.round, Math.max(1, memory));
      const forces = SIDES.map((side) => `${String(state[side].reserve)}:${state[side].counts.join()}`);
      return [round, state.phase, dealt, state.withdrawn, ...forces].join(';');
    },
  };
}
