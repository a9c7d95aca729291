/**
 * The exact law of a battle in double precision: the chain's mass is moved forward round by round until
 * it is absorbed, so that the law of every metric, rounds included, comes out whole. Nothing is pruned:
 * what is not yet absorbed when less than 1e-15 is left is reported as lost.
 */
import { grouped } from '../chance/numerals.ts';
import { BudgetError } from '../errors.ts';
import { countBattle, emptyTally, shapeOf, type Tally } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import type { Model, State } from '../systems/system.ts';
import { type ExactBudget, FULL_BUDGET, largerBudget } from './budget.ts';
import { Chain, type Transitions } from './chain.ts';

/** Mass below which the rest is reported as lost. */
const NEGLIGIBLE = 1e-15;

/** What following a chain to its end took. */
interface Followed {
  /** Mass of battles that go on beyond the rounds that were followed. */
  readonly lost: number;
  /** Size of the chain. */
  readonly states: number;
  readonly steps: number;
}

export interface ExactLaw extends Followed {
  /** Probabilities in the place of counts; they sum to 1 - lost. */
  readonly law: Tally;
}

/** A way in which battles end, metrics included, and how likely it is. */
export interface ExactEnding extends BattleResult {
  readonly probability: number;
}

/** Takes the mass of battles that have ended. */
type Sink = (outcome: number, metrics: readonly number[], mass: number) => void;

class Walk<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #sink: Sink;
  readonly #budget: ExactBudget;
  /** By node. */
  #mass = new Float64Array(1024);
  /** The nodes that have mass, in the order in which they got it: between two rounds, within one, at the end. */
  #resting: number[] = [];
  #within: number[] = [];
  #over: number[] = [];
  #moves = 0;
  #round = 0;

  constructor(model: Model<S>, { steps, moves }: ExactBudget, sink: Sink) {
    const { leastSteps = 0 } = model;
    if (leastSteps > steps) {
      const [least = '', most = ''] = [leastSteps, steps].map(grouped);
      const suggested = largerBudget({ steps, moves }, { steps: leastSteps });
      throw new BudgetError(`the exact answer needs at least ${least} steps; the budget is ${most}`, { suggested });
    }
    this.#model = model;
    this.#chain = new Chain(model, steps);
    this.#sink = sink;
    this.#budget = { steps, moves };
  }

  run(): Followed {
    this.#spread(this.#chain.start(), 1);
    this.#count();
    while (this.#goesOn() && this.#round < this.#model.maxRounds) this.#playRound();
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    return { lost: this.#open(), states: this.#chain.nodes.length, steps: this.#chain.steps };
  }

  #goesOn(): boolean {
    return this.#within.length > 0 || this.#open() > NEGLIGIBLE;
  }

  /** Mass between two rounds. */
  #open(): number {
    let open = 0;
    for (const node of this.#resting) open += this.#mass[node] ?? 0;
    return open;
  }

  #playRound(): void {
    this.#round++;
    let nodes = this.#resting;
    this.#resting = [];
    this.#move(nodes);
    while (this.#within.length > 0) {
      nodes = this.#within;
      this.#within = [];
      this.#move(nodes);
    }
    this.#count();
  }

  /** Takes the mass of some nodes; what they get meanwhile waits for the next time. */
  #take(nodes: readonly number[]): Float64Array {
    const taken = new Float64Array(nodes.length);
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k] ?? 0;
      taken[k] = this.#mass[node] ?? 0;
      this.#mass[node] = 0;
    }
    return taken;
  }

  #move(nodes: readonly number[]): void {
    const taken = this.#take(nodes);
    for (let k = 0; k < nodes.length; k++) this.#spread(this.#chain.from(nodes[k] ?? 0), taken[k] ?? 0);
  }

  #spread({ targets, probabilities }: Transitions, mass: number): void {
    this.#moves += targets.length;
    if (this.#moves > this.#budget.moves) this.#refuse();
    if (this.#mass.length < this.#chain.nodes.length) this.#grow();
    const masses = this.#mass;
    for (let k = 0; k < targets.length; k++) {
      const target = targets[k] ?? 0;
      const before = masses[target] ?? 0;
      const after = before + mass * (probabilities[k] ?? 0);
      if (before === 0 && after > 0) this.#enter(target);
      masses[target] = after;
    }
  }

  /** Notes that a node has mass. */
  #enter(node: number): void {
    const { outcome, resting } = this.#chain.nodes[node] ?? { outcome: -1, resting: false };
    if (outcome >= 0) this.#over.push(node);
    else if (resting) this.#resting.push(node);
    else this.#within.push(node);
  }

  #grow(): void {
    const wider = new Float64Array(2 * this.#chain.nodes.length);
    wider.set(this.#mass);
    this.#mass = wider;
  }

  /** Counts the battles that have ended in the present round. */
  #count(): void {
    for (const node of this.#over) this.#absorb(node, this.#chain.nodes[node]?.outcome ?? 0);
    this.#over = [];
  }

  #absorb(node: number, outcome: number): void {
    const metrics = [...(this.#chain.nodes[node]?.metrics ?? [])];
    const { roundsMetric } = this.#model;
    if (roundsMetric !== undefined) metrics[roundsMetric] = this.#round;
    this.#sink(outcome, metrics, this.#mass[node] ?? 0);
    this.#mass[node] = 0;
  }

  /** The limit of rounds is reached: what is left is a stalemate. */
  #callOff(): void {
    const stalemate = this.#model.outcomes.indexOf('stalemate');
    if (stalemate < 0) return;
    for (const node of this.#resting) this.#absorb(node, stalemate);
  }

  #refuse(): never {
    throw new BudgetError(
      `the exact answer needs more than ${grouped(this.#budget.moves)} moves of probability: ` +
        `${grouped(this.#chain.nodes.length)} states, still ${String(this.#open())} of the mass open ` +
        `in round ${grouped(this.#round)}`,
      { suggested: largerBudget(this.#budget) },
    );
  }
}

/**
 * Solves a model exactly.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function solveModel<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactLaw {
  const law = emptyTally(shapeOf(model));
  const walk = new Walk(model, budget, (outcome, metrics, mass) => {
    countBattle(law, outcome, metrics, mass);
  });
  return { law, ...walk.run() };
}

/**
 * The joint law of outcome and metrics: every way to end that has some probability, ordered by outcome, then by the
 * metrics in turn. The probabilities sum to 1 but for what `solveModel` reports as lost.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function endingsOf<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactEnding[] {
  const found = new Map<string, { outcome: number; metrics: readonly number[]; probability: number }>();
  new Walk(model, budget, (outcome, metrics, mass) => {
    const name = `${String(outcome)};${metrics.join()}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, { outcome, metrics, probability: mass });
    else known.probability += mass;
  }).run();
  return [...found.values()].sort(
    (a, b) => a.outcome - b.outcome || a.metrics.reduce((order, value, m) => order || value - (b.metrics[m] ?? 0), 0),
  );
}
