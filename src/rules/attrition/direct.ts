/** Direct combat: both roll attack and defence, both damages at the same time, until someone falls. */
import type { Door } from '../../core/chance/door.ts';
import type { Model, State } from '../system.ts';
import { diceOf, preyBonus, withPrey } from './blow.ts';
import { BLOWS, METRICS, PLACES } from './layout.ts';
import type { Direct } from './schema.ts';

export interface DuelState extends State {
  readonly attacker: number;
  readonly defender: number;
  /** The attacker has struck in this round, the defender not yet. */
  readonly struck: boolean;
}

/** A blow as fixed by the scenario: attack minus defence, what prey adds, and whether it exists at all. */
export interface Blow {
  readonly bonus: number;
  readonly prey: number;
  /** A blow that can never hurt is not rolled. */
  readonly harmless: boolean;
}

/** The blow of the attacker (`forth`) or of the defender. */
export function blowOf(scenario: Direct, forth: boolean): Blow {
  const [from, to] = forth ? [scenario.attacker, scenario.defender] : [scenario.defender, scenario.attacker];
  const bonus = (from.attack ?? 0) - to.defense;
  const harmless = from.attack === null || diceOf(scenario).reach + bonus < 1;
  return { bonus, prey: preyBonus(scenario, from, to), harmless };
}

export function directModel(scenario: Direct): Model<DuelState> {
  const { attacker, defender, maxRounds } = scenario;
  const dice = diceOf(scenario);
  const forth = blowOf(scenario, true);
  const back = blowOf(scenario, false);

  function strike(state: DuelState, door: Door, first: boolean): number {
    const [blow, from, to] = first ? [forth, attacker, defender] : [back, defender, attacker];
    const before = first ? state.defender : state.attacker;
    if (blow.harmless) {
      door.rule('direct.harmless', () => ({ from: from.name, to: to.name }));
      return before;
    }
    door.seek(PLACES.at(state.round), first ? BLOWS.attacker : BLOWS.defender);
    const damage = withPrey(door.excess(dice, blow.bonus), blow.prey, from, to, door);
    const after = Math.max(0, before - damage);
    door.rule('direct.blow', () => ({ from: from.name, to: to.name, damage, before, after }));
    return after;
  }

  return {
    outcomes: ['attacker', 'defender', 'mutual', 'stalemate'],
    metrics: METRICS.bounded({ rounds: maxRounds, hp: [attacker.hp, defender.hp] }),
    maxRounds,
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.at(1),
    start: () => ({ round: 0, attacker: attacker.hp, defender: defender.hp, struck: false }),
    step(state, door) {
      const { attacker: ours, defender: theirs } = state;
      if (state.struck) {
        return { round: state.round, attacker: strike(state, door, false), defender: theirs, struck: false };
      }
      const begun = { round: state.round + 1, attacker: ours, defender: theirs, struck: true };
      door.rule('round', () => ({ round: begun.round }));
      return { round: begun.round, attacker: ours, defender: strike(begun, door, true), struck: true };
    },
    resting: ({ struck }) => !struck,
    outcome(state) {
      if (state.struck) return undefined;
      if (state.attacker === 0) return state.defender === 0 ? 'mutual' : 'defender';
      if (state.defender === 0) return 'attacker';
      return forth.harmless && back.harmless ? 'stalemate' : undefined;
    },
    measure: (state) => METRICS.values({ rounds: state.round, hp: [state.attacker, state.defender] }),
    key: (state) => (state.attacker * (defender.hp + 1) + state.defender) * 2 + (state.struck ? 1 : 0),
  };
}
