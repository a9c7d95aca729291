/** What comes of a battle from a state on, without playing it. */
import type { Dice, DicePool, Door, Facts, Law, Lot } from '../../core/chance/door.ts';
import type { ExactBudget } from '../../engines/exact/budget.ts';
import { type ExactEnding, endingsOf } from '../../engines/kernel/chain.ts';
import type { Model, Option, State } from '../../rules/system.ts';
import type { Begun } from '../battle.ts';
import type { Policy } from '../policies.ts';

/**
 * Decides for all players, after what is decided already: any option alike, or by the scenario's policies. Whatever else is
 * asked goes to the door behind it.
 */
class Deciding implements Door {
  readonly #door: Door;
  readonly #policy: Policy;
  readonly #answers: readonly Option[];
  #next = 0;

  constructor(door: Door, policy: Policy, answers: readonly Option[]) {
    this.#door = door;
    this.#policy = policy;
    this.#answers = answers;
  }

  decide<T extends Option>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length > 1 && this.#next < this.#answers.length) {
      const answer = options.find((option) => option === this.#answers[this.#next]);
      this.#next++;
      if (answer !== undefined) return answer;
    }
    if (this.#policy === 'scenario') return this.#door.decide(point, player, options, policy);
    return (options.length > 1 ? options[this.#door.pick(options.map(() => 1))] : options[0]) ?? policy();
  }

  seek(word: number, half?: 0 | 1): void {
    this.#door.seek(word, half);
  }

  sum(dice: Dice): number {
    return this.#door.sum(dice);
  }

  excess(dice: Dice, bonus: number): number {
    return this.#door.excess(dice, bonus);
  }

  hits(pools: readonly DicePool[]): number {
    return this.#door.hits(pools);
  }

  faces(lots: readonly Lot[]): number {
    return this.#door.faces(lots);
  }

  draw(bag: readonly number[], count: number): number[] {
    return this.#door.draw(bag, count);
  }

  pick(weights: readonly number[]): number {
    return this.#door.pick(weights);
  }

  take(law: Law): number {
    return this.#door.take(law);
  }

  roll(count: number, sides: number): readonly number[] {
    return this.#door.roll(count, sides);
  }

  rule(id: string, facts?: () => Facts): void {
    this.#door.rule(id, facts);
  }
}

/**
 * All ways in which a battle can end from a state on, by a policy of all players.
 * @throws BudgetError if there is more to it than the budget
 */
export function endingsFrom(
  model: Model<State>,
  { state, answers }: Begun,
  policy: Policy,
  budget: ExactBudget,
): ExactEnding[] {
  const turn = (from: State, door: Door): State => model.turn?.(from, door) ?? model.step(from, door);
  const { roundsMetric } = model;
  const begun = { ...state };
  const isPlain = (from: State): boolean => policy === 'scenario' && from !== begun;
  const played = model.resting(state) ? state.round : state.round - 1;
  const rest: Model<State> = {
    ...model,
    leastSteps: 0,
    maxRounds: model.maxRounds - played,
    start: () => begun,
    step: (from, door) => turn(from, isPlain(from) ? door : new Deciding(door, policy, from === begun ? answers : [])),
    // A battle may come back to the state, but not to what has been decided in it.
    key: (from) => `${from === begun && answers.length > 0 ? 'begun ' : ''}${model.key(from)}`,
  };
  return endingsOf(rest, budget).map((ending) => ({
    ...ending,
    metrics: ending.metrics.map((value, m) => (m === roundsMetric ? value + played : value)),
  }));
}
