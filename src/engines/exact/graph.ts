/** The whole chain of a small model, as other programs take it: one state in which battles begin, all others after it. */
import { grouped } from '../../core/chance/numerals.ts';
import { BudgetError } from '../../core/errors.ts';
import type { Model, State } from '../../rules/system.ts';
import type { ExactBudget } from './budget.ts';
import { Chain, type Transitions } from './chain.ts';
import { KIND } from './layout.ts';

/** What a graph may have at most: files of some ten megabytes. */
const GRAPH_MAX = { states: 100_000, transitions: 1_000_000 };

/** A state of a chain. */
export interface GraphNode {
  /** Index of the outcome; -1 where the battle is not over. */
  readonly outcome: number;
  /** By metric; the one that counts rounds holds no meaning. */
  readonly metrics: readonly number[];
  /** Rounds that begin when it is left, on average: 1 between two rounds, else 0. */
  readonly rounds: number;
  /** [state, probability] by ascending state; a battle that is over stays where it is. */
  readonly to: readonly (readonly [target: number, probability: number])[];
}

export interface Graph {
  /** In the order in which they were found; a beginning that is drawn comes last. */
  readonly nodes: readonly GraphNode[];
  readonly first: number;
  readonly transitions: number;
}

const copied = ({ length, targets, probabilities }: Transitions): [number, number][] =>
  Array.from({ length }, (_, k): [number, number] => [targets[k] ?? 0, probabilities[k] ?? 0]).sort(
    ([a], [b]) => a - b,
  );

function checkSize(states: number, transitions: number, most: typeof GRAPH_MAX): void {
  if (states <= most.states && transitions <= most.transitions) return;
  throw new BudgetError(
    `a chain of at most ${grouped(most.states)} states and ${grouped(most.transitions)} transitions is written: ` +
      `${grouped(states)} states and ${grouped(transitions)} transitions were found, and there are more`,
  );
}

/**
 * All states that a model can come to, whatever its limit of rounds.
 * @throws BudgetError if they are more than the budget allows to explore, or than a graph may have
 */
export function graphOf<S extends State>(model: Model<S>, { steps }: ExactBudget, most = GRAPH_MAX): Graph {
  const chain = new Chain(model, steps);
  const start = copied(chain.start());
  const nodes: GraphNode[] = [];
  let transitions = 0;
  // Nodes are found while others are explored.
  for (let node = 0; node < chain.size; node++) {
    const kind = chain.kinds[node];
    const to: [number, number][] = kind === KIND.over ? [[node, 1]] : copied(chain.from(node));
    transitions += to.length;
    checkSize(chain.size, transitions, most);
    nodes.push({ ...chain.ending(node), rounds: Number(kind === KIND.resting), to });
  }
  if (start.length === 1 && chain.kinds[0] !== KIND.within) return { nodes, first: 0, transitions };
  // A battle that begins within a round begins its first round at once.
  const rounds = start.reduce((sum, [node, p]) => (chain.kinds[node] === KIND.within ? sum + p : sum), 0);
  nodes.push({ outcome: -1, metrics: model.metrics.map(({ min }) => min), rounds, to: start });
  return { nodes, first: nodes.length - 1, transitions: transitions + start.length };
}
