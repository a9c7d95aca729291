/**
 * The exact law of a battle in double precision: the chain's mass is moved forward round by round until
 * it is absorbed, so that the law of every metric, rounds included, comes out whole. Nothing is pruned:
 * what is not yet absorbed when less than 1e-15 is left is reported as lost.
 */
import { BudgetError } from '../errors.ts';
import { countBattle, emptyTally, shapeOf, type Tally } from '../stats/tally.ts';
import type { Model, State } from '../systems/system.ts';
import { Chain } from './chain.ts';

/** Mass below which the rest is reported as lost. */
const NEGLIGIBLE = 1e-15;

export interface ExactBudget {
  /** Steps (transitions before merging) that may be computed. */
  readonly steps: number;
  /** Transitions that may be followed while the mass moves: transitions x rounds. */
  readonly moves: number;
}

/** Affordable when somebody waits for the exact answer itself: some seconds. */
export const FULL_BUDGET: ExactBudget = { steps: 4_000_000, moves: 2_000_000_000 };

/** Affordable beside a simulation: a fraction of a second. */
export const SIDE_BUDGET: ExactBudget = { steps: 150_000, moves: 50_000_000 };

export interface ExactLaw {
  /** Probabilities in the place of counts; they sum to 1 - lost. */
  readonly law: Tally;
  /** Mass of battles that go on beyond the rounds that were followed. */
  readonly lost: number;
  /** Size of the chain. */
  readonly states: number;
  readonly steps: number;
}

/** Mass by node, and which nodes have some, in the order in which they got it. */
class Front {
  readonly #mass = new Map<number, number>();

  add(node: number, mass: number): void {
    this.#mass.set(node, (this.#mass.get(node) ?? 0) + mass);
  }

  /** Empties the front. */
  drain(): [node: number, mass: number][] {
    const all = [...this.#mass];
    this.#mass.clear();
    return all;
  }
}

class Walk<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #law: Tally;
  readonly #resting = new Front();
  readonly #within = new Front();
  readonly #movesAllowed: number;
  #moves = 0;
  #round = 0;
  #open = 1;

  constructor(model: Model<S>, budget: ExactBudget) {
    this.#model = model;
    this.#chain = new Chain(model, budget.steps);
    this.#law = emptyTally(shapeOf(model));
    this.#movesAllowed = budget.moves;
  }

  run(): ExactLaw {
    const { targets, probabilities } = this.#chain.start();
    for (const [k, node] of targets.entries()) this.#arrive(node, probabilities[k] ?? 0);
    while (this.#open > NEGLIGIBLE && this.#round < this.#model.maxRounds) this.#playRound();
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    const lost = this.#resting.drain().reduce((sum, [, mass]) => sum + mass, 0);
    return { law: this.#law, lost, states: this.#chain.nodes.length, steps: this.#chain.steps };
  }

  #playRound(): void {
    this.#round++;
    let wave = this.#resting.drain();
    this.#open = 0;
    while (wave.length > 0) {
      for (const [node, mass] of wave) this.#move(node, mass);
      wave = this.#within.drain();
    }
  }

  #move(node: number, mass: number): void {
    const { targets, probabilities } = this.#chain.from(node);
    this.#moves += targets.length;
    if (this.#moves > this.#movesAllowed) this.#refuse();
    for (const [k, target] of targets.entries()) this.#arrive(target, mass * (probabilities[k] ?? 0));
  }

  #arrive(node: number, mass: number): void {
    const { outcome, resting } = this.#chain.nodes[node] ?? { outcome: -1, resting: false };
    if (outcome >= 0) this.#absorb(node, outcome, mass);
    else if (resting) {
      this.#resting.add(node, mass);
      this.#open += mass;
    } else this.#within.add(node, mass);
  }

  #absorb(node: number, outcome: number, mass: number): void {
    const metrics = [...(this.#chain.nodes[node]?.metrics ?? [])];
    const { roundsMetric } = this.#model;
    if (roundsMetric !== undefined) metrics[roundsMetric] = this.#round;
    countBattle(this.#law, outcome, metrics, mass);
  }

  /** The limit of rounds is reached: what is left is a stalemate. */
  #callOff(): void {
    const stalemate = this.#model.outcomes.indexOf('stalemate');
    if (stalemate < 0) return;
    for (const [node, mass] of this.#resting.drain()) this.#absorb(node, stalemate, mass);
  }

  #refuse(): never {
    throw new BudgetError(
      `the exact answer needs more than ${this.#movesAllowed.toLocaleString('en')} moves of probability: ` +
        `${this.#chain.nodes.length.toLocaleString('en')} states, still ${String(this.#open)} of the mass open ` +
        `in round ${String(this.#round)}`,
    );
  }
}

/**
 * Solves a model exactly.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function solveModel<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactLaw {
  const { leastSteps = 0 } = model;
  if (leastSteps > budget.steps) {
    const [least, most] = [leastSteps, budget.steps].map((steps) => steps.toLocaleString('en'));
    throw new BudgetError(`the exact answer needs at least ${String(least)} steps; the budget is ${String(most)}`);
  }
  return new Walk(model, budget).run();
}
