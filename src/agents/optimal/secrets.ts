/** Whether best play knows more than its player can: whether states which it tells apart can be seen apart. */
import { authored, differences, few, shown } from '../../rules/own/states.ts';
import type { State } from '../../rules/system.ts';
import type { HeldQuestion } from './door.ts';
import { type Contest, type Game, gameOf } from './game.ts';
import { tableOf } from './table.ts';
import { type Values, valuesOf } from './values.ts';

/** By so much of what battles can be worth both optima differ before that is no rounding. */
const APART = 1e-9;

/** Steps that the walk of the player which knows less may take: it has more positions. */
const MORE = 4;

/** A contest that was solved. */
export interface SolvedContest {
  readonly game: Game<State>;
  readonly values: Values;
}

/** What a player would have to know for its best play. */
export interface Secret {
  readonly message: string;
  readonly advice: string;
}

function solvedContest(contest: Contest<State>, steps: number): SolvedContest {
  const game = gameOf(contest, steps);
  return { game, values: valuesOf(game, tableOf(game), contest.model.maxRounds, steps) };
}

/** States that look alike to a player and in which the optimum does different things. */
interface Leak {
  readonly point: string;
  readonly one: State;
  readonly other: State;
  readonly choices: readonly string[];
}

/** What the optimum does in the states in which the player decides, by their keys. */
function choicesOf({ model }: Contest<State>, { game, values }: SolvedContest): Map<unknown, string> {
  return new Map(
    [...game.questions].flatMap(([node, { options }]) => {
      const state = game.states[node];
      return state === undefined ? [] : [[model.key(state), String(options[values.choice(node, model.maxRounds)])]];
    }),
  );
}

/** The first of some states that look alike in which the optimum does something else. */
function leakOf(
  { point }: HeldQuestion,
  states: readonly State[],
  choice: (state: State) => string | undefined,
): Leak | undefined {
  const [one] = states;
  const first = one && choice(one);
  const other = states.find((state) => choice(state) !== undefined && choice(state) !== first);
  if (one === undefined || other === undefined) return undefined;
  return { point, one, other, choices: [first ?? '', choice(other) ?? ''] };
}

function messageOf(player: string, known: number, seen: number, leak: Leak | undefined): Secret {
  const name = shown(player);
  const gain = `with that it gets ${known.toPrecision(4)} instead of ${seen.toPrecision(4)}, the most that can be got by what the features show`;
  const advice =
    'If the player may know it, add a feature that shows it. If it is a secret, draw it when it matters, or show it by a ' +
    'feature at the end alone: of: (state, player) => (player === undefined ? state.secret : 0).';
  if (leak === undefined) return { message: `best play of ${name} would use what no feature shows: ${gain}`, advice };
  const { point, one, other, choices } = leak;
  const apart = few(differences(authored(one), authored(other)));
  const message =
    `at the decision "${point}" best play would cheat: two states look the same to ${name}, but they differ in ` +
    `${apart}, and it chooses ${choices.map(shown).join(' in the one and ')} in the other; ${gain}`;
  return { message, advice };
}

/**
 * What best play uses although no feature shows it: the game is solved again for a player who knows the features alone.
 * @param known the same contest, solved
 * @param steps that `known` could take; four times as many are taken here at most
 * @returns undefined if there is no such thing
 * @throws BudgetError if that takes more
 * @throws InputError if secrets last longer than a round, so that it cannot be solved
 */
export function secretOf(
  contest: Contest<State>,
  known: SolvedContest,
  player: string,
  steps: number,
): Secret | undefined {
  if (known.game.questions.size === 0) return undefined;
  const choices = choicesOf(contest, known);
  let leak: Leak | undefined;
  const heard = (question: HeldQuestion, states: readonly State[]): void => {
    if (states.length > 1) leak ??= leakOf(question, states, (state) => choices.get(contest.model.key(state)));
  };
  const { values } = solvedContest({ ...contest, blind: true, heard }, MORE * steps);
  const gain = known.values.best - values.best;
  const doubt = APART * values.spread + known.values.error + values.error;
  return gain > doubt ? messageOf(player, known.values.best, values.best, leak) : undefined;
}
