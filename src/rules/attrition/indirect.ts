/** An indirect exchange: one shot, answered at the same time by a defender who can shoot. */
import type { Door } from '../../core/chance/door.ts';
import type { Model, State } from '../system.ts';
import { diceOf, preyBonus, withPrey } from './blow.ts';
import { BLOWS, METRICS, PLACES } from './layout.ts';
import type { Indirect, Unit } from './schema.ts';

export interface ExchangeState extends State {
  readonly attacker: number;
  readonly defender: number;
  /** Shots of the exchange that are over: 0, 1 or 2. */
  readonly shots: number;
}

/** A shot as fixed by the scenario. */
export interface Shot {
  readonly bonus: number;
  readonly prey: number;
  /** Why there is no such shot, by rule id. */
  readonly void: 'indirect.covered' | 'indirect.silent' | undefined;
}

function aimed(scenario: Indirect, from: Unit, to: Unit): Omit<Shot, 'void'> {
  return {
    bonus: (from.ranged ?? 0) - to.defense - to.indirectDefense,
    prey: preyBonus(scenario, from, to),
  };
}

/** The first shot. Cover stops it unless the shooter bypasses that cover. */
export function firstShot(scenario: Indirect): Shot {
  const { attacker, defender, cover } = scenario;
  const covered = cover !== 'none' && !attacker.bypassesCover.includes(cover);
  return { ...aimed(scenario, attacker, defender), void: covered ? 'indirect.covered' : undefined };
}

/** The shot back. The first shooter has no cover. */
export function returnShot(scenario: Indirect): Shot {
  const { attacker, defender, returnFire } = scenario;
  const silent = !returnFire || defender.ranged === null;
  return { ...aimed(scenario, defender, attacker), void: silent ? 'indirect.silent' : undefined };
}

export function indirectModel(scenario: Indirect): Model<ExchangeState> {
  const { attacker, defender, cover } = scenario;
  const dice = diceOf(scenario);
  const first = firstShot(scenario);
  const second = returnShot(scenario);

  function shoot(state: ExchangeState, door: Door): number {
    const forth = state.shots === 0;
    const [shot, from, to] = forth ? [first, attacker, defender] : [second, defender, attacker];
    const before = forth ? state.defender : state.attacker;
    if (shot.void !== undefined) {
      door.rule(shot.void, () => ({ from: from.name, to: to.name, cover }));
      return before;
    }
    if (forth && cover !== 'none') door.rule('indirect.bypass', () => ({ from: from.name, to: to.name, cover }));
    door.seek(PLACES.at(1), forth ? BLOWS.attacker : BLOWS.defender);
    const damage = withPrey(door.excess(dice, shot.bonus), shot.prey, from, to, door);
    const after = Math.max(0, before - damage);
    door.rule(forth ? 'indirect.shot' : 'indirect.return', () => ({
      from: from.name,
      to: to.name,
      damage,
      before,
      after,
    }));
    return after;
  }

  return {
    outcomes: ['attacker', 'defender', 'mutual', 'none'],
    metrics: METRICS.bounded({ rounds: 1, hp: [attacker.hp, defender.hp] }),
    maxRounds: 1,
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.at(1),
    start: () => ({ round: 0, attacker: attacker.hp, defender: defender.hp, shots: 0 }),
    step(state, door) {
      const after = shoot(state, door);
      if (state.shots === 0) return { ...state, round: 1, defender: after, shots: 1 };
      return { ...state, attacker: after, shots: 2 };
    },
    resting: ({ shots }) => shots !== 1,
    outcome(state) {
      if (state.shots < 2) return undefined;
      if (state.attacker === 0) return state.defender === 0 ? 'mutual' : 'defender';
      return state.defender === 0 ? 'attacker' : 'none';
    },
    measure: (state) => METRICS.values({ rounds: state.round, hp: [state.attacker, state.defender] }),
    key: (state) => (state.attacker * (defender.hp + 1) + state.defender) * 3 + state.shots,
  };
}
