/**
 * Mass combat: everyone alive at the start of a round rolls one attack and one defence, used against
 * all of the other parties; damage is divided by the number of combatants, so that bursts are limited.
 */
import type { Door } from '../../core/chance/door.ts';
import { keyOf } from '../key.ts';
import type { Model, State } from '../system.ts';
import { diceOf, preyBonus, withPrey } from './blow.ts';
import { MASS_METRICS, MASS_PLACES } from './layout.ts';
import type { Mass } from './schema.ts';

export interface MassState extends State {
  readonly hp: readonly number[];
  /** Who was alive when the round began; they all strike, whatever has hit them since. */
  readonly standing: readonly boolean[];
  /** The defence of each combatant in this round, modifier included; 0 where it is not rolled. */
  readonly defences: readonly number[];
  /** The next roll: c for the defence of combatant c, count + c for its attack; 0 between rounds. */
  readonly next: number;
}

/** The parties in the order in which they first appear. */
export function partiesOf({ combatants }: Mass): string[] {
  return [...new Set(combatants.map(({ party }) => party))];
}

/** Divided damage of a blow that exceeds the defence by `excess`. */
function shareOf({ massRounding }: Mass, excess: number, by: number): number {
  const half = massRounding === 'nearest' ? Math.floor(by / 2) : 0;
  return Math.floor((Math.max(0, excess) + half) / by);
}

export function massModel(scenario: Mass): Model<MassState> {
  const { combatants, maxRounds } = scenario;
  const count = combatants.length;
  const places = MASS_PLACES.with(count);
  const parties = partiesOf(scenario);
  const dice = diceOf(scenario);
  const indices = [...combatants.keys()];
  const partyOf = (c: number): string => combatants[c]?.party ?? '';
  const hostile = (a: number, b: number): boolean => partyOf(a) !== partyOf(b);

  const divisor = (standing: readonly boolean[]): number =>
    standing.filter(Boolean).length - (scenario.massDivisor === 'n-1' ? 1 : 0);

  function canHurt(from: number, to: number, by: number): boolean {
    const [shooter, target] = [combatants[from], combatants[to]];
    if (shooter === undefined || target === undefined || shooter.attack === null) return false;
    return shareOf(scenario, dice.reach + shooter.attack - target.defense, by) >= 1;
  }

  function stuck(hp: readonly number[]): boolean {
    const living = indices.filter((c) => (hp[c] ?? 0) > 0);
    const by = divisor(hp.map((points) => points > 0));
    return !living.some((from) => living.some((to) => hostile(from, to) && canHurt(from, to, by)));
  }

  /** In the first round every combination of defences is a state of its own, from which the first attack is rolled. */
  function leastSteps(): number {
    if (stuck(combatants.map(({ hp }) => hp))) return 0;
    return (dice.reach + 1) ** (count + 1);
  }

  function begin(state: MassState, door: Door): MassState {
    const round = state.round + 1;
    door.rule('round', () => ({ round }));
    return { ...state, round, standing: state.hp.map((points) => points > 0), defences: combatants.map(() => 0) };
  }

  function rollDefence(state: MassState, c: number, door: Door): MassState {
    const combatant = combatants[c];
    if (combatant === undefined || !state.standing[c]) return state;
    door.seek(places.at(state.round, c) + places.parts.defence);
    const defence = door.sum(dice) + combatant.defense;
    door.rule('mass.defence', () => ({ who: combatant.name, defence }));
    return { ...state, defences: state.defences.with(c, defence) };
  }

  function rollAttack(state: MassState, c: number, door: Door): MassState {
    const shooter = combatants[c];
    if (shooter === undefined || !state.standing[c]) return state;
    if (shooter.attack === null) {
      door.rule('mass.unarmed', () => ({ who: shooter.name }));
      return state;
    }
    door.seek(places.at(state.round, c) + places.parts.attack);
    const attack = door.sum(dice) + shooter.attack;
    door.rule('mass.attack', () => ({ who: shooter.name, attack }));
    const by = divisor(state.standing);
    const hp = state.hp.map((before, t) => {
      const target = combatants[t];
      if (target === undefined || !state.standing[t] || !hostile(c, t)) return before;
      const excess = Math.max(0, attack - (state.defences[t] ?? 0));
      const share = shareOf(scenario, excess, by);
      const damage = withPrey(share, preyBonus(scenario, shooter, target), shooter, target, door);
      const after = Math.max(0, before - damage);
      door.rule('mass.hit', () => ({
        ...{ from: shooter.name, to: target.name, excess, by },
        ...{ prey: damage - share, damage, before, after },
      }));
      return after;
    });
    return { ...state, hp };
  }

  function survivors(hp: readonly number[], party: string): number {
    return hp.filter((points, c) => points > 0 && partyOf(c) === party).length;
  }

  return {
    outcomes: [...parties, 'mutual', 'stalemate'],
    metrics: MASS_METRICS.bounded({
      rounds: maxRounds,
      hp: combatants.map(({ name, hp }) => [name, hp]),
      survivors: parties.map((party) => [party, combatants.filter((each) => each.party === party).length]),
    }),
    maxRounds,
    roundsMetric: MASS_METRICS.at('rounds'),
    roundWords: places.at(1),
    leastSteps: leastSteps(),
    start: () => ({
      round: 0,
      hp: combatants.map(({ hp }) => hp),
      standing: combatants.map(() => true),
      defences: combatants.map(() => 0),
      next: 0,
    }),
    step(state, door) {
      const begun = state.next === 0 ? begin(state, door) : state;
      const c = begun.next % count;
      const rolled = begun.next < count ? rollDefence(begun, c, door) : rollAttack(begun, c, door);
      return { ...rolled, next: (begun.next + 1) % (2 * count) };
    },
    resting: ({ next }) => next === 0,
    outcome(state) {
      if (state.next !== 0) return undefined;
      const alive = parties.filter((party) => survivors(state.hp, party) > 0);
      if (alive.length <= 1) return alive[0] ?? 'mutual';
      return stuck(state.hp) ? 'stalemate' : undefined;
    },
    measure: ({ round, hp }) =>
      MASS_METRICS.values({ rounds: round, hp, survivors: parties.map((party) => survivors(hp, party)) }),
    key({ hp, standing, defences, next }) {
      if (next === 0) return keyOf(hp);
      const who = standing.reduce((bits, stands) => 2 * bits + Number(stands), 0);
      return keyOf([next, who, ...hp, ...defences]);
    },
  };
}
