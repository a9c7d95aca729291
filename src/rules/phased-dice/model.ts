/** A battle on land or at sea, phase by phase: both sides roll, then both place hits, round after round. */
import type { Door, Pool } from '../../core/chance/door.ts';
import type { Metric, Model } from '../system.ts';
import { type Host, hostOf, PLAYERS, roster } from './allocation.ts';
import { armyOf, PHASES, type Side, total, unitsIn } from './army.ts';
import { canPlace, canRoll, endingOf, type Field, isAirborne, isFought, OUTCOMES } from './ending.ts';
import { Exchange, type Hosts } from './exchange.ts';
import { keysOf } from './key.ts';
import { METRICS, PLACES } from './layout.ts';
import { retreats } from './policies.ts';
import type { PhasedDice } from './schema.ts';
import { type CombatState, REST, RETREAT, SIDES } from './state.ts';

function metricsOf(hosts: Hosts, maxRounds: number): Metric[] {
  return METRICS.bounded({
    rounds: maxRounds,
    left: SIDES.map((side) => hosts[side].troops.reduce((sum, { count }) => sum + count, 0)),
    types: SIDES.flatMap((side) => hosts[side].troops.map(({ name, count }) => [`${side}.${name}`, count] as const)),
  });
}

export function model(scenario: PhasedDice): Model<CombatState> {
  const { airOnly, maxRounds } = scenario;
  const { retreat, retreatTo } = scenario.attacker;
  const phases = PHASES[scenario.mode];
  const attacker = hostOf(armyOf(scenario, 'attacker'), scenario.attacker);
  const defender = hostOf(armyOf(scenario, 'defender'), scenario.defender);
  const hosts = { attacker, defender };
  const field: Field = { attacker, defender, airOnly };
  /** As many rounds as the rules look back on. */
  const memory = typeof retreat === 'object' && 'afterRounds' in retreat ? retreat.afterRounds : 0;

  function roll(state: CombatState, side: Side, door: Door): number {
    const { counts } = state[side];
    const pools: Pool[] = [];
    for (const { value, troops } of hosts[side].pools[state.phase] ?? []) {
      const dice = total(troops, counts, (troop) => troop.dice);
      if (dice > 0) pools.push({ dice, value });
    }
    door.seek(PLACES.at(state.round, state.phase, SIDES.indexOf(side)));
    const hits = door.hits(pools);
    door.rule('roll', () => ({
      side: PLAYERS[side],
      units: roster(hosts[side].byPhase[state.phase] ?? [], counts),
      hits,
    }));
    return hits;
  }

  /** True if a phase changes anything: someone rolls in it, or places a reserve at its end. */
  function isDue(state: CombatState, phase: number): boolean {
    return isFought(field, state, phase) || canPlace(attacker, state.attacker) || canPlace(defender, state.defender);
  }

  /** Moves on to the next phase, from `phase` on, that changes anything; to the retreat if there is none. */
  function moveOn(state: CombatState, phase: number): CombatState {
    for (let next = phase; next < phases.length; next++) {
      if (isDue(state, next)) return { ...state, phase: next };
      // What aircraft alone are worth is settled after the air phase, whether or not it was fired.
      if (next === 0 && endingOf(field, { ...state, phase: 1 }) !== undefined) return { ...state, phase: 1 };
    }
    const { round, dealt, attacker: ours, defender: theirs, withdrawn } = state;
    // Copied field by field: a field that is added to a copy takes longer than all of them.
    return { round, phase: REST, dealt, attacker: ours, defender: theirs, withdrawn, pending: RETREAT };
  }

  /** Whether the attacker's policy retreats; aircraft alone go home by any policy that ever retreats. */
  function isRetreat(state: CombatState): boolean {
    if (retreat === 'never') return false;
    if (isAirborne(attacker, state.attacker)) return true;
    const weight = (side: Side): number => total(hosts[side].ground, state[side].counts, (troop) => troop.weight);
    return retreats(retreat, state.round, weight('attacker'), weight('defender'));
  }

  function retreatOrRepeat(before: CombatState, door: Door): CombatState {
    const { round, phase, dealt, withdrawn } = before;
    const state: CombatState = { round, phase, dealt, attacker: before.attacker, defender: before.defender, withdrawn };
    const policy = () => (isRetreat(state) ? 'retreat' : 'stay');
    if (door.decide('retreat', 'attacker', ['stay', 'retreat'], policy) === 'stay') return state;
    if (isAirborne(attacker, state.attacker)) door.rule('air.home');
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
    return moveOn({ ...state, round }, round === 1 ? 0 : 1);
  }

  /** Plays on from a state in which a phase is due: a roll, and what follows from both. */
  function fire(state: CombatState, door: Door): CombatState | Exchange {
    if (endingOf(field, state) !== undefined) return state;
    if (state.dealt === null && canRoll(attacker, state.attacker, state.phase)) {
      return { ...state, dealt: roll(state, 'attacker', door) };
    }
    const fired = canRoll(defender, state.defender, state.phase);
    const taken = { attacker: fired ? roll(state, 'defender', door) : 0, defender: state.dealt ?? 0 };
    return Exchange.begin(hosts, state, taken, door);
  }

  /** The end of a phase in which all hits are placed. */
  function settled(state: CombatState): CombatState {
    const after = { ...state, phase: state.phase + 1 };
    return endingOf(field, after) === undefined ? moveOn(after, after.phase) : after;
  }

  /** Takes the decision that is pending, or plays on to a roll. */
  function go(state: CombatState, door: Door): CombatState | Exchange {
    if (state.pending === undefined) return fire(state.phase === REST ? begin(state, door) : state, door);
    const exchange = Exchange.resume(hosts, state, state.pending, door);
    exchange.next();
    return exchange;
  }

  function turn(state: CombatState, door: Door): CombatState {
    if (state.pending?.point === 'retreat') return retreatOrRepeat(state, door);
    const come = go(state, door);
    if (!(come instanceof Exchange)) return come;
    return come.isOpen ? come.pendingState : settled(come.state);
  }

  /** Turns until no decision is pending. */
  function step(state: CombatState, door: Door): CombatState {
    if (state.pending?.point === 'retreat') return retreatOrRepeat(state, door);
    const come = go(state, door);
    if (!(come instanceof Exchange)) return come;
    while (come.isOpen) come.next();
    const after = settled(come.state);
    return after.pending === undefined ? after : retreatOrRepeat(after, door);
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
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.at(1),
    start(door) {
      if (scenario.mode === 'ground' && scenario.site !== 'open') door.rule(`site.${scenario.site}`);
      if (scenario.airStrength === 'literal') door.rule('air.literal');
      const force = ({ troops }: Host) => ({ counts: troops.map(({ count }) => count), reserve: 0 });
      const fresh = { attacker: force(attacker), defender: force(defender), withdrawn: false };
      return told({ round: 0, phase: REST, dealt: null, ...fresh }, door);
    },
    step: (state, door) => told(step(state, door), door),
    turn: (state, door) => told(turn(state, door), door),
    resting: ({ phase, pending }) => phase === REST && pending === undefined,
    outcome: (state) => endingOf(field, state)?.outcome,
    measure: ({ round, attacker: a, defender: d }) =>
      METRICS.values({
        rounds: round,
        left: [unitsIn(attacker.troops, a.counts), unitsIn(defender.troops, d.counts)],
        types: [...a.counts, ...d.counts],
      }),
    key: keysOf(hosts, memory),
  };
}
