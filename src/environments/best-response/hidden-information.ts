/** Detection of hidden information: whether the optimal policy distinguishes states that look alike to its player. */

import { formatFew, formatValue, listDifferences, type State, unwrapState } from '../../rules/index.ts';
import type { OpenDecision } from './decision-chance.ts';
import { buildGameGraph, type GameDefinition, type GameGraph } from './game-graph.ts';
import { createGameTable } from './game-table.ts';
import { computeGameValues, type GameValues } from './game-values.ts';

/** Relative difference of the two optima above which it is not rounding. */
const SIGNIFICANT_DIFFERENCE = 1e-9;

/** Step factor for the player with less information, which has more positions. */
const HIDDEN_STEPS_FACTOR = 4;

/** A contest that was solved. */
export interface GameSolution {
  readonly game: GameGraph<State>;
  readonly values: GameValues;
}

/** Hidden information that the optimal policy would use. */
export interface HiddenInformation {
  readonly message: string;
  readonly advice: string;
}

function solveGame(definition: GameDefinition<State>, steps: number): GameSolution {
  const game = buildGameGraph(definition, steps);
  return { game, values: computeGameValues(game, createGameTable(game), definition.model.maxRounds, steps) };
}

/** States that look alike to a player but have different optimal choices. */
interface InformationLeak {
  readonly point: string;
  readonly one: State;
  readonly other: State;
  readonly choices: readonly string[];
}

/** Collects the optimal choices in the states in which the player decides, by key. */
function collectChoices({ model }: GameDefinition<State>, { game, values }: GameSolution): Map<unknown, string> {
  return new Map(
    Array.from(game.questions, ([node, { options }], q) => [
      model.key(game.getState(q)),
      String(options[values.choice(node, model.maxRounds)]),
    ]),
  );
}

/** Finds the first of several similar states with another optimal choice. */
function findLeak(
  { point }: OpenDecision,
  states: readonly State[],
  choice: (state: State) => string | undefined,
): InformationLeak | undefined {
  const [one] = states;
  const first = one && choice(one);
  const other = states.find((state) => choice(state) !== undefined && choice(state) !== first);
  if (one === undefined || other === undefined) return undefined;
  return { point, one, other, choices: [first ?? '', choice(other) ?? ''] };
}

function describeHiddenInformation(
  player: string,
  known: number,
  seen: number,
  leak: InformationLeak | undefined,
): HiddenInformation {
  const name = formatValue(player);
  const gain = `its value would be ${known.toPrecision(4)} instead of ${seen.toPrecision(4)}, the best value with the features`;
  const advice =
    'If the player may know it, add a feature for it. If it is secret, draw it when it is needed, or show it in a ' +
    'feature only at the end: of: (state, player) => (player === undefined ? state.secret : 0).';
  if (leak === undefined) return { message: `the optimum of ${name} uses data without a feature: ${gain}`, advice };
  const { point, one, other, choices } = leak;
  const apart = formatFew(listDifferences(unwrapState(one), unwrapState(other)));
  const message =
    `at the decision "${point}" the optimal policy would cheat: two states look the same to ${name}, but they differ in ` +
    `${apart}, and it chooses ${choices.map(formatValue).join(' in one and ')} in the other; ${gain}`;
  return { message, advice };
}

/**
 * Finds hidden information in the optimal policy: solves the game again for a player who knows only the features.
 * @param known the solution with full information
 * @param steps budget of `known`; up to four times as many are used here
 * @returns undefined if there is none
 * @throws BudgetError if that needs more steps
 * @throws InputError if secrets last longer than a round, so it cannot be solved
 */
export function findHiddenInformation(
  definition: GameDefinition<State>,
  known: GameSolution,
  player: string,
  steps: number,
): HiddenInformation | undefined {
  if (known.game.questions.size === 0) return undefined;
  const choices = collectChoices(definition, known);
  let leak: InformationLeak | undefined;
  const recordDecision = (question: OpenDecision, states: readonly State[]): void => {
    if (states.length > 1) leak ??= findLeak(question, states, (state) => choices.get(definition.model.key(state)));
  };
  const { values } = solveGame(
    { ...definition, mergesByObservation: true, onDecision: recordDecision },
    HIDDEN_STEPS_FACTOR * steps,
  );
  const gain = known.values.best - values.best;
  const doubt = SIGNIFICANT_DIFFERENCE * values.payoffRange + known.values.error + values.error;
  return gain > doubt ? describeHiddenInformation(player, known.values.best, values.best, leak) : undefined;
}
