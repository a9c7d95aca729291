/**
 * The exact law of a battle in double precision: the chain's mass is moved forward round by round until
 * it is absorbed, so that the law of every metric, rounds included, comes out whole. Nothing is pruned:
 * what is not yet absorbed when less than 1e-15 is left is reported as lost.
 */
import { BudgetError } from '../errors.ts';
import { countBattle, emptyTally, shapeOf, type Tally } from '../stats/tally.ts';
import type { Model, State } from '../systems/system.ts';
import { Chain, type Transitions } from './chain.ts';

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

/**
 * Affordable beside a simulation of so many battles: a tenth of a second for a small one, about a
 * second for a million battles or more.
 */
export function sideBudget(battles: number): ExactBudget {
  const steps = Math.min(250_000, Math.max(50_000, Math.floor(battles / 4)));
  return { steps, moves: 200 * steps };
}

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
  #mass = new Float64Array(1024);
  #nodes: number[] = [];
  /** The masses of the nodes that are being visited. */
  #moving = new Float64Array(1024);

  add(node: number, mass: number): void {
    if (node >= this.#mass.length) this.#grow(node);
    const before = this.#mass[node] ?? 0;
    // Mass is never zero, so a node without any is new to the front.
    if (before === 0) this.#nodes.push(node);
    this.#mass[node] = before + mass;
  }

  /** Empties the front into `visit`; what the visits add waits for the next time. */
  drain(visit: (node: number, mass: number) => void): void {
    const nodes = this.#nodes;
    this.#nodes = [];
    if (nodes.length > this.#moving.length) this.#moving = new Float64Array(2 * nodes.length);
    const moving = this.#moving;
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k] ?? 0;
      moving[k] = this.#mass[node] ?? 0;
      this.#mass[node] = 0;
    }
    for (let k = 0; k < nodes.length; k++) visit(nodes[k] ?? 0, moving[k] ?? 0);
  }

  get empty(): boolean {
    return this.#nodes.length === 0;
  }

  #grow(node: number): void {
    const wider = new Float64Array(2 * node);
    wider.set(this.#mass);
    this.#mass = wider;
  }
}

class Walk<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #law: Tally;
  readonly #resting = new Front();
  readonly #within = new Front();
  /** Where battles end in the present round. */
  readonly #over = new Front();
  readonly #movesAllowed: number;
  #moves = 0;
  #round = 0;
  /** Mass between two rounds. */
  #open = 0;

  constructor(model: Model<S>, budget: ExactBudget) {
    this.#model = model;
    this.#chain = new Chain(model, budget.steps);
    this.#law = emptyTally(shapeOf(model));
    this.#movesAllowed = budget.moves;
  }

  run(): ExactLaw {
    this.#spread(this.#chain.start(), 1);
    this.#count();
    while (this.#goesOn() && this.#round < this.#model.maxRounds) this.#playRound();
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    let lost = 0;
    this.#resting.drain((_, mass) => {
      lost += mass;
    });
    return { law: this.#law, lost, states: this.#chain.nodes.length, steps: this.#chain.steps };
  }

  #goesOn(): boolean {
    return this.#open > NEGLIGIBLE || !this.#within.empty;
  }

  #playRound(): void {
    this.#round++;
    this.#open = 0;
    const move = (node: number, mass: number): void => {
      this.#spread(this.#chain.from(node), mass);
    };
    this.#resting.drain(move);
    while (!this.#within.empty) this.#within.drain(move);
    this.#count();
  }

  #spread({ targets, probabilities }: Transitions, mass: number): void {
    this.#moves += targets.length;
    if (this.#moves > this.#movesAllowed) this.#refuse();
    for (let k = 0; k < targets.length; k++) this.#arrive(targets[k] ?? 0, mass * (probabilities[k] ?? 0));
  }

  #arrive(node: number, mass: number): void {
    if (mass === 0) return;
    const { outcome, resting } = this.#chain.nodes[node] ?? { outcome: -1, resting: false };
    if (outcome >= 0) this.#over.add(node, mass);
    else if (resting) {
      this.#resting.add(node, mass);
      this.#open += mass;
    } else this.#within.add(node, mass);
  }

  /** Counts the battles that have ended in the present round. */
  #count(): void {
    this.#over.drain((node, mass) => {
      this.#absorb(node, this.#chain.nodes[node]?.outcome ?? 0, mass);
    });
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
    this.#resting.drain((node, mass) => {
      this.#absorb(node, stalemate, mass);
    });
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
