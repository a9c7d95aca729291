/**
 * The exact law of a battle in double precision: the states of its model are explored, and their mass is moved forward
 * round by round in assembly/engines/chain.ts until it is absorbed, so that the law of every metric, rounds included,
 * comes out whole. Nothing is pruned: what is not yet absorbed when less than 1e-15 is left is reported as lost.
 */
import { grouped } from '../chance/numerals.ts';
import { BudgetError } from '../errors.ts';
import { type ExactBudget, FULL_BUDGET, largerBudget } from '../exact/budget.ts';
import { Chain, type Transitions } from '../exact/chain.ts';
import { KIND } from '../exact/layout.ts';
import { countBattle, emptyTally, shapeOf, type Tally } from '../stats/tally.ts';
import type { BattleResult } from '../systems/battle.ts';
import type { Model, State } from '../systems/system.ts';
import { NEGLIGIBLE } from './layout.ts';
import { Mass } from './mass.ts';

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

/** What nodes of a kind lead to is told to the engine when their mass is moved for the first time. */
type Open = typeof KIND.resting | typeof KIND.within;

class Walk<S extends State> {
  readonly #model: Model<S>;
  readonly #chain: Chain<S>;
  readonly #mass: Mass;
  readonly #sink: Sink;
  readonly #budget: ExactBudget;
  /** Nodes that were found and not explored, in the order in which they were found. */
  readonly #unexplored: Record<Open, number[]> = { [KIND.resting]: [], [KIND.within]: [] };
  readonly #endings = new Map<number, BattleResult>();
  /** Nodes that have mass within a round. */
  #within = 0;
  #round = 0;

  constructor(model: Model<S>, budget: ExactBudget, mass: Mass, sink: Sink) {
    this.#model = model;
    this.#chain = new Chain(model, budget.steps);
    this.#mass = mass;
    this.#sink = sink;
    this.#budget = budget;
  }

  run(): Followed {
    this.#tell(this.#chain.start());
    this.#moved(this.#mass.begin());
    this.#count();
    while (this.#goesOn() && this.#round < this.#model.maxRounds) this.#playRound();
    if (this.#round >= this.#model.maxRounds) this.#callOff();
    return { lost: this.#mass.open(), states: this.#chain.size, steps: this.#chain.steps };
  }

  /** A battle can begin within a round. */
  #goesOn(): boolean {
    return this.#within > 0 || this.#mass.open() > NEGLIGIBLE;
  }

  #playRound(): void {
    this.#round++;
    this.#move(KIND.resting);
    while (this.#within > 0) this.#move(KIND.within);
    this.#count();
  }

  /** Moves the mass of all nodes of a kind. */
  #move(kind: Open): void {
    const nodes = this.#unexplored[kind];
    if (nodes.length > 0) {
      this.#unexplored[kind] = [];
      for (const node of nodes) this.#tell(this.#chain.from(node), node);
    }
    this.#moved(this.#mass.move(kind));
  }

  #moved(within: number): void {
    if (within < 0) this.#refuse();
    this.#within = within;
  }

  /** Tells where a node, or a battle that begins, leads to, and which nodes were found with that. */
  #tell(transitions: Transitions, from?: number): void {
    const { kinds } = this.#chain;
    const first = this.#mass.nodes;
    if (!this.#mass.tell(kinds, transitions, from)) this.#chain.overflow();
    for (let node = first; node < kinds.length; node++) {
      const kind = kinds[node];
      if (kind === KIND.resting || kind === KIND.within) this.#unexplored[kind].push(node);
    }
  }

  /** Counts the battles that have ended in the present round. */
  #count(): void {
    this.#absorb(KIND.over, (node) => this.#chain.ending(node));
  }

  /** The limit of rounds is reached: what is left is a stalemate. */
  #callOff(): void {
    const outcome = this.#model.outcomes.indexOf('stalemate');
    if (outcome >= 0) this.#absorb(KIND.resting, (node) => ({ ...this.#chain.ending(node), outcome }));
  }

  #absorb(kind: number, ended: (node: number) => BattleResult): void {
    this.#mass.take(kind, (node, mass) => {
      const ending = this.#endings.get(node) ?? ended(node);
      this.#endings.set(node, ending);
      this.#sink(ending.outcome, this.#metrics(ending), mass);
    });
  }

  #metrics({ metrics }: BattleResult): readonly number[] {
    const { roundsMetric } = this.#model;
    return roundsMetric === undefined ? metrics : metrics.with(roundsMetric, this.#round);
  }

  #refuse(): never {
    throw new BudgetError(
      `the exact answer needs more than ${grouped(this.#budget.moves)} moves of probability: ` +
        `${grouped(this.#chain.size)} states, still ${String(this.#mass.open())} of the mass open ` +
        `in round ${grouped(this.#round)}`,
      { suggested: largerBudget(this.#budget) },
    );
  }
}

/** Follows the chain of a model to its end. */
function follow<S extends State>(model: Model<S>, { steps, moves }: ExactBudget, sink: Sink): Followed {
  const { leastSteps = 0 } = model;
  if (leastSteps > steps) {
    const [least = '', most = ''] = [leastSteps, steps].map(grouped);
    const suggested = largerBudget({ steps, moves }, { steps: leastSteps });
    throw new BudgetError(`the exact answer needs at least ${least} steps; the budget is ${most}`, { suggested });
  }
  const mass = new Mass(moves);
  try {
    return new Walk(model, { steps, moves }, mass, sink).run();
  } finally {
    mass.close();
  }
}

/**
 * Solves a model exactly.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function solveModel<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactLaw {
  const law = emptyTally(shapeOf(model));
  const followed = follow(model, budget, (outcome, metrics, mass) => {
    countBattle(law, outcome, metrics, mass);
  });
  return { law, ...followed };
}

/**
 * The joint law of outcome and metrics: every way to end that has some probability, ordered by outcome, then by the
 * metrics in turn. The probabilities sum to 1 but for what `solveModel` reports as lost.
 * @throws BudgetError if the chain is larger than the budget; the message names its size
 */
export function endingsOf<S extends State>(model: Model<S>, budget: ExactBudget = FULL_BUDGET): ExactEnding[] {
  const found = new Map<string, { outcome: number; metrics: readonly number[]; probability: number }>();
  follow(model, budget, (outcome, metrics, mass) => {
    const name = `${String(outcome)};${metrics.join()}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, { outcome, metrics, probability: mass });
    else known.probability += mass;
  });
  return [...found.values()].sort(
    (a, b) => a.outcome - b.outcome || a.metrics.reduce((order, value, m) => order || value - (b.metrics[m] ?? 0), 0),
  );
}
