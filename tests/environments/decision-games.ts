/** Small games with decisions for tests of best responses. */

import type { Chance } from '../../src/core/chance/chance.ts';
import type { GameDefinition } from '../../src/environments/best-response/game-graph.ts';
import type { Model, State } from '../../src/rules/system.ts';

/** State of an assault on a gate, which ends when the gate falls or the party is lost. */
export interface StormState extends State {
  readonly gate: number;
  readonly party: number;
  readonly stance: 'none' | 'wild' | 'wary' | 'home';
}

/**
 * Creates a game in which the party attacks wildly or warily, or goes home, in each round. Wild: the gate loses 1 with
 * probability 3/6, the party with 2/6. Wary: 2/6 and 1/6. A round without a loss returns to the same state.
 * @param policy weight of wild, of 4, against wary in the policy of the scenario
 */
export function storm(maxRounds: number, policy = 2): GameDefinition<StormState> {
  const model: Model<StormState> = {
    outcomes: ['party', 'gate', 'stalemate', 'home'],
    metrics: [],
    maxRounds,
    roundsMetric: undefined,
    start: () => ({ round: 0, gate: 2, party: 2, stance: 'none' }),
    step: () => {
      throw new Error('turns are taken, not steps');
    },
    turn(state, chance): StormState {
      if (state.stance === 'none') {
        const target = () => (chance.pick([policy, 4 - policy]) === 0 ? 'wild' : 'wary');
        const stance = chance.decide('stance', 'party', ['wild', 'wary', 'home'], target);
        return { ...state, round: state.round + 1, stance };
      }
      const [gate, party] = state.stance === 'wild' ? [3, 2] : [2, 1];
      const happens = chance.pick([gate, party, 6 - gate - party]);
      return {
        ...state,
        stance: 'none',
        gate: state.gate - Number(happens === 0),
        party: state.party - Number(happens === 1),
      };
    },
    resting: ({ stance }) => stance === 'none',
    outcome({ gate, party, stance }) {
      if (stance === 'home') return 'home';
      if (gate === 0) return 'party';
      return party === 0 ? 'gate' : undefined;
    },
    measure: () => [],
    key: ({ gate, party, stance }) => `${String(gate)}${String(party)}${stance}`,
  };
  const sees = ({ gate, party }: StormState): number[] => [gate, party];
  const values = [1, -1, 0, -0.1];
  return {
    model,
    decides: (_, player) => player === 'party',
    observe: sees,
    observeAll: sees,
    payoff: ({ party }, outcome) => (values[outcome] ?? 0) + 0.125 * party,
  };
}

/** State of a game in which a guard hides behind one of three gates, a spy may name it, and one gate is stormed. */
export interface GuessState extends State {
  readonly guard: number;
  /** 0 before the spy is sent, 1 if the spy reports nothing, 2 + g if the spy names gate g. */
  readonly word: number;
  readonly stormed: number;
}

/**
 * Creates a game in which the guard secretly chooses gate 0, 1 or 2 with probability 3/6, 2/6 or 1/6. The spy names
 * this gate with probability spy / 4, or reports nothing. Storming the gate of the guard loses.
 */
export function guess(spy: number): GameDefinition<GuessState> {
  const model: Model<GuessState> = {
    outcomes: ['storm', 'guard'],
    metrics: [],
    maxRounds: 10,
    roundsMetric: undefined,
    start: () => ({ round: 0, guard: -1, word: 0, stormed: -1 }),
    step: () => {
      throw new Error('turns are taken, not steps');
    },
    turn(state, chance: Chance): GuessState {
      if (state.guard < 0) {
        const guard = chance.decide('guard', 'guard', [0, 1, 2], () => chance.pick([3, 2, 1]));
        return { ...state, round: 1, guard };
      }
      if (state.word === 0) return { ...state, word: chance.pick([spy, 4 - spy]) === 0 ? 2 + state.guard : 1 };
      return { ...state, stormed: chance.decide('storm', 'storm', [0, 1, 2], () => 0) };
    },
    resting: () => false,
    outcome({ guard, stormed }) {
      if (stormed < 0) return undefined;
      return guard === stormed ? 'guard' : 'storm';
    },
    measure: () => [],
    key: ({ guard, word, stormed }) => `${String(guard)}/${String(word)}/${String(stormed)}`,
  };
  return {
    model,
    decides: (_, player) => player === 'storm',
    observe: ({ word, stormed }) => [word, stormed],
    observeAll: ({ guard, word, stormed }) => [word, stormed, guard],
    payoff: (_, outcome) => (outcome === 0 ? 1 : 0),
  };
}
