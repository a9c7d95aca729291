/** Checks that `optimal` knows no more than agents can: that states which it tells apart can be seen apart. */
import { BudgetError, InputError } from '../errors.ts';
import { configurationOf } from '../rollout/configuration.ts';
import { contestOf } from '../rollout/optimal/contest.ts';
import type { Question } from '../rollout/optimal/door.ts';
import { type Contest, type Game, gameOf } from '../rollout/optimal/game.ts';
import { tableOf } from '../rollout/optimal/table.ts';
import { type Values, valuesOf } from '../rollout/optimal/values.ts';
import type { State } from '../systems/system.ts';
import { type Check, type Found, type Subject, unchecked } from './finding.ts';
import { authored, differences, few, shown } from './telling.ts';

/** By so much of what battles can be worth both optima differ before that is no rounding. */
const APART = 1e-9;

/** Steps that the walk of the player which knows less may take: it has more positions. */
const MORE = 4;

interface Solved {
  readonly game: Game<State>;
  readonly values: Values;
}

function solved(contest: Contest<State>, steps: number): Solved {
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
function choicesOf({ model }: Contest<State>, { game, values }: Solved): Map<unknown, string> {
  return new Map(
    [...game.questions].flatMap(([node, { options }]) => {
      const state = game.states[node];
      return state === undefined ? [] : [[model.key(state), String(options[values.choice(node, model.maxRounds)])]];
    }),
  );
}

/** The first of some states that look alike in which the optimum does something else. */
function leakOf(
  { point }: Question,
  states: readonly State[],
  choice: (state: State) => string | undefined,
): Leak | undefined {
  const [one] = states;
  const first = one && choice(one);
  const other = states.find((state) => choice(state) !== undefined && choice(state) !== first);
  if (one === undefined || other === undefined) return undefined;
  return { point, one, other, choices: [first ?? '', choice(other) ?? ''] };
}

function messageOf(player: string, known: number, seen: number, leak: Leak | undefined): Found {
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

function lookAt({ open, effort }: Subject, player: string): Found[] {
  const [variant] = configurationOf([{ scenario: open.scenario }], { agents: [player] }).variants;
  if (variant === undefined) return [];
  const contest = contestOf(variant, player, variant.spec.points);
  const knowing = solved(contest, effort.ways);
  if (knowing.game.questions.size === 0) return [];
  const choices = choicesOf(contest, knowing);
  let leak: Leak | undefined;
  const heard = (question: Question, states: readonly State[]): void => {
    if (states.length > 1) leak ??= leakOf(question, states, (state) => choices.get(contest.model.key(state)));
  };
  const { values } = solved({ ...contest, blind: true, heard }, MORE * effort.ways);
  const gain = knowing.values.best - values.best;
  const doubt = APART * values.spread + knowing.values.error + values.error;
  return gain > doubt ? [messageOf(player, knowing.values.best, values.best, leak)] : [];
}

export const secrets: Check = {
  id: 'secrets',
  title: 'best play uses nothing that agents cannot see',
  run(subject) {
    const { system, scenario } = subject.open;
    if (system.rollout === undefined || system.decisions.length === 0) return [];
    try {
      return system
        .rollout(scenario)
        .players.flatMap((player) => lookAt(subject, player))
        .slice(0, 1);
    } catch (error) {
      if (error instanceof BudgetError) return [unchecked('too many states for best play')];
      if (error instanceof InputError) return [unchecked(error.message)];
      throw error;
    }
  },
};
