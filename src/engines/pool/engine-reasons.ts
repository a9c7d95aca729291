/**
 * Explains why the reference engine simulates a scenario: the cost of its exploration, and how its author can reduce
 * that.
 */
import { formatGrouped, SampledChance, Stream } from '../../core/index.ts';
import type { BoundScenario, Model, State } from '../../rules/index.ts';
import { type CompileFailure, type CompileLimits, FULL_BUDGET } from '../exact/budget.ts';

// Detects states that count the rounds: then states of different rounds are never equal, which multiplies their number.

/** Maximum number of examined battles and states. */
const SAMPLE_MAX = { battles: 20, states: 2000 };

type StatePath = readonly string[];

/** Lists the whole numbers of a state by path. */
function* listNumbers(
  value: unknown,
  path: StatePath = [],
): Generator<[name: string, path: StatePath, number: number]> {
  if (typeof value === 'number' && Number.isInteger(value)) yield [path.join('.'), path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* listNumbers(inner, [...path, name]);
}

/** Returns a state with one more at a path. */
function incrementAt(value: unknown, [name, ...path]: StatePath): unknown {
  if (name === undefined) return (value as number) + 1;
  const whole = value as Readonly<Record<string, unknown>>;
  const inner = incrementAt(whole[name], path);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...whole, [name]: inner };
}

/** Lists the states between two rounds. */
function* listRestingStates({ model }: { readonly model: Model<State> }): Generator<State> {
  let states = 0;
  for (let battle = 0; battle < SAMPLE_MAX.battles && states < SAMPLE_MAX.states; battle++) {
    const chance = new SampledChance(Stream.forBattle(1n, battle));
    let state = model.start(chance);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && states++ < SAMPLE_MAX.states) {
      if (model.resting(state)) yield state;
      state = model.step(state, chance);
    }
  }
}

/** Finds the fields whose difference from the round number is constant. */
function findCounterPaths(states: readonly State[]): StatePath[] {
  const [first] = states;
  const apart = new Map([...listNumbers(first)].map(([name, path, number]) => [name, { path, number }]));
  apart.delete('round');
  apart.delete('phase');
  for (const state of states) {
    const found = new Map([...listNumbers(state)].map(([name, , number]) => [name, number]));
    for (const [name, { number }] of apart)
      if (found.get(name) !== number + state.round - (first?.round ?? 0)) apart.delete(name);
  }
  return [...apart.values()].map(({ path }) => path);
}

/**
 * Finds the field of the states that counts rounds, by its name in the rules: its difference from the round number is
 * constant, and states that differ only in this field have different keys.
 * @returns undefined if there is none, or battles have too few rounds
 */
export function findRoundCounter(open: { readonly model: Model<State> }): string | undefined {
  const states = [...listRestingStates(open)];
  const [first] = states;
  if (first === undefined || new Set(states.map(({ round }) => round)).size < 3) return undefined;
  const { model } = open;
  const path = findCounterPaths(states).find(
    (each) => model.key(incrementAt(first, each) as State) !== model.key(first),
  );
  // States of custom rules are below `at`.
  return path?.slice(path[0] === 'at' && path.length > 1 ? 1 : 0).join('.');
}

/** Formats a duration. */
export const formatSeconds = (seconds: number): string => `about ${formatGrouped(Number(seconds.toPrecision(2)))} s`;

/** Formats the number of steps. */
export const formatSteps = ({ steps }: CompileFailure): string => `at least ${formatGrouped(steps)} steps`;

type RulesModel = Pick<BoundScenario, 'model'>;

/** Explains why the reference engine is used. */
export function explainFailure(failure: CompileFailure, open: RulesModel, allowed?: CompileLimits): string {
  const { because, steps, seconds } = failure;
  switch (because) {
    case 'seconds': {
      const due = allowed?.seconds?.() ?? 0;
      const least = formatGrouped(Number(((seconds / Math.max(due, 1e-9)) * (allowed?.battles ?? 0)).toPrecision(2)));
      const requested = `compiling pays only above about ${least} battles; the engine automaton explores them anyway`;
      return `exploring ${formatSteps(failure)} (${formatSeconds(seconds)} or more) would take more than half of the time of these battles (${formatSeconds(2 * due)}); ${requested}${suggestImprovement(open, 2 * due)}`;
    }
    case 'steps': {
      const budget = steps > FULL_BUDGET.steps ? ` with a budget of ${formatGrouped(2 * steps)}` : '';
      const requested = `the engine automaton explores them${budget} (${formatSeconds(seconds)} or more)`;
      return `${formatSteps(failure)} exceed the ${formatGrouped(allowed?.steps ?? 0)} that are explored by default; ${requested}${suggestImprovement(open)}`;
    }
    case 'keys':
      return 'the keys of its states exceed their memory limit';
    case 'ways':
      return 'a draw has too many possible results';
    case 'signal':
      return 'stopped before the rules were explored';
    case 'words':
      return 'the rounds have too many words for an automaton, or do not declare their number';
    case 'draws':
      return 'a round has too many draws in sequence for an automaton';
  }
}

/** Minimum duration of battles before the number of states is analyzed. */
const HINT_SECONDS_MIN = 0.2;

/** Suggests an improvement of the rules, if that is worth the time of the analysis. */
function suggestImprovement(open: RulesModel, seconds = Number.POSITIVE_INFINITY): string {
  if (seconds < HINT_SECONDS_MIN) return '';
  const field = findRoundCounter(open);
  if (field === undefined) return '';
  return `; its states count the rounds (${field}), so none recurs: warpool counts rounds itself`;
}
