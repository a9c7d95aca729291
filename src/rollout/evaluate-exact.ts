/** What comes of a battle from a state on, without playing it. */
import type { Dice, Door, Facts, Law, Lot, Pool } from '../chance/door.ts';
import type { ExactBudget } from '../exact/budget.ts';
import { type ExactEnding, endingsOf } from '../kernel/chain.ts';
import type { Model, State } from '../systems/system.ts';

/** Decides for all players, any option alike; whatever else is asked goes to the door behind it. */
class Alike implements Door {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  decide<T extends string | number>(_point: string, _player: string, options: readonly T[], policy: () => T): T {
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

  hits(pools: readonly Pool[]): number {
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
  state: State,
  policy: 'scenario' | 'uniform',
  budget: ExactBudget,
): ExactEnding[] {
  const turn = (from: State, door: Door): State => model.turn?.(from, door) ?? model.step(from, door);
  const { roundsMetric } = model;
  const played = model.resting(state) ? state.round : state.round - 1;
  const rest: Model<State> = {
    ...model,
    leastSteps: 0,
    maxRounds: model.maxRounds - played,
    start: () => state,
    step: (from, door) => turn(from, policy === 'uniform' ? new Alike(door) : door),
  };
  return endingsOf(rest, budget).map((ending) => ({
    ...ending,
    metrics: ending.metrics.map((value, m) => (m === roundsMetric ? value + played : value)),
  }));
}
