/** Scenario as an environment: the validated declarations of its system, with defaults. */
import { createConflictError, InputError, suggestName } from '../core/index.ts';
import {
  type DecisionOption,
  type DeclaredFeature,
  type EnvironmentDefinition,
  type Feature,
  getOutcomeReward,
  type KernelWords,
  type Scenario,
  type State,
  type System,
  type Weights,
} from './system.ts';

type ActionNamer = (point: string, option: DecisionOption) => string;

/** Specification of a scenario for agents. */
export interface ScenarioSpec {
  /** Decision points. */
  readonly points: readonly string[];
  /** Decision point at which agents request each round, if any. */
  readonly pace: string | undefined;
  readonly players: readonly string[];
  /** Names of all actions. */
  readonly actions: readonly string[];
  readonly features: readonly Feature[];
  /** Named rewards, in addition to `win`. */
  readonly rewards: Readonly<Record<string, (player: string) => Weights>>;
  readonly kernel: KernelWords<State> | undefined;
  /** Returns the name of the action for an option of a decision point. */
  readonly actionName: ActionNamer;
  /**
   * Observes a state. @param player observer; undefined: everything is visible @throws InputError if features differ
   * from their declaration
   */
  readonly observe: (state: State, player: string | undefined) => readonly number[];
  readonly payoff: (outcome: string, player: string) => number;
}

/** Decision point of systems without decisions. */
const ROUND_POINT = 'round';

const WIN = 'win';

/** Formats the place of a declaration. */
const placeOf = ({ id }: System, ...path: string[]): string => [`${id}: environment`, ...path].join('.');

function checkDistinct(place: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new InputError(place, 'unique names', `"${twice}" twice`);
}

/** @throws InputError if a system with decisions also declares `pace` */
function paceOf(system: System, { pace }: EnvironmentDefinition<State>): string | undefined {
  const { length } = system.decisions;
  if (length === 0) return pace ?? ROUND_POINT;
  if (pace === undefined) return undefined;
  throw createConflictError(placeOf(system, 'pace'), 'decisions');
}

function listPoints(
  { decisions }: System,
  { decisionPoints }: EnvironmentDefinition<State>,
  pace: string | undefined,
): readonly string[] {
  return decisionPoints ?? [...decisions.map(({ point }) => point), ...(pace === undefined ? [] : [pace])];
}

/**
 * Returns the names of all actions without duplicates: points may share some. @throws InputError if one point repeats a
 * name
 */
function listActionNames(
  system: System,
  points: readonly string[],
  { actions = {} }: EnvironmentDefinition<State>,
  name: ActionNamer,
): string[] {
  const lists = Object.entries(actions).map(([point, options]) => {
    const place = placeOf(system, 'actions', point);
    if (!points.includes(point))
      throw new InputError(place, `a decision point: ${points.join(', ')}`, `"${point}"${suggestName(point, points)}`);
    const names = options.map((option) => name(point, option));
    checkDistinct(place, names);
    return names;
  });
  return [...new Set(lists.flat())];
}

function createActionNamer(declared: EnvironmentDefinition<State>, pace: string | undefined): ActionNamer {
  return (point, option) => {
    if (point === pace) return pace;
    return declared.action?.(point, option) ?? `${point}:${String(option)}`;
  };
}

/** Adds the defaults of a feature. @throws InputError if its bounds are invalid, or it has no reader */
function completeFeature(
  system: System,
  declared: EnvironmentDefinition<State>,
  feature: DeclaredFeature<State>,
): Feature {
  const { name, unit = '', low = 0, high } = feature;
  const place = placeOf(system, 'features', name);
  if (!(Number.isFinite(low) && Number.isFinite(high) && low <= high))
    throw new InputError(place, 'bounds low <= high', `${String(low)}..${String(high)}`);
  if (declared.observe === undefined && feature.of === undefined)
    throw new InputError(place, 'a function `of`, or `observe` for all features', 'neither');
  return { name, unit, low, high };
}

/** Checks an observation against the declarations. */
function checkObservation(system: System, features: readonly Feature[], observation: readonly number[]): void {
  if (observation.length !== features.length) {
    const found = `${String(observation.length)} numbers`;
    throw new InputError(placeOf(system, 'observe'), `${String(features.length)} numbers, one per feature`, found);
  }
  for (const [f, { name, unit, low, high }] of features.entries()) {
    const value = observation[f] as unknown;
    // Solvers explore states beyond the round limit.
    if (typeof value === 'number' && value >= low && (value <= high || unit === 'rounds')) continue;
    const expected = `a number ${String(low)}..${String(high)}`;
    throw new InputError(placeOf(system, 'features', name), expected, String(value));
  }
}

function createObserver(
  system: System,
  declared: EnvironmentDefinition<State>,
  features: readonly Feature[],
): ScenarioSpec['observe'] {
  const read = (state: State, player: string | undefined): readonly number[] =>
    declared.observe?.(state, player) ?? declared.features.map((each) => each.of?.(state, player) ?? Number.NaN);
  // Tests compare it with the kernel.
  if (declared.kernel !== undefined) return read;
  return (state, player) => {
    const seen = read(state, player);
    checkObservation(system, features, seen);
    return seen;
  };
}

function checkNames(system: System, { players, features, rewards = {} }: EnvironmentDefinition<State>): void {
  checkDistinct(placeOf(system, 'players'), players);
  const names = features.map(({ name }) => name);
  checkDistinct(placeOf(system, 'features'), names);
  if (Object.hasOwn(rewards, WIN))
    throw new InputError(placeOf(system, 'rewards'), 'other names than "win", the default reward', '"win"');
}

/** Creates the error for a system without declarations. */
function createUndeclaredError({ id, decisions }: System): InputError {
  const what = decisions.length === 0 ? 'players and features' : 'players, actions and features';
  return new InputError(
    'system',
    `a system that declares \`environment\`: ${what} (docs/reference/environments.md)`,
    `"${id}" without`,
  );
}

/**
 * Creates the specification of a scenario.
 * @throws InputError if the system has no declarations, or invalid ones
 */
export function createSystemSpec(system: System, scenario: Scenario): ScenarioSpec {
  const declared = system.environment?.(scenario);
  if (declared === undefined) throw createUndeclaredError(system);
  checkNames(system, declared);
  const { players, rewards = {}, kernel } = declared;
  const pace = paceOf(system, declared);
  const points = listPoints(system, declared, pace);
  checkDistinct(placeOf(system, 'decisionPoints'), points);
  const action = createActionNamer(declared, pace);
  const actions = listActionNames(system, points, declared, action);
  if (pace !== undefined) actions.push(pace);
  const features = declared.features.map((each) => completeFeature(system, declared, each));
  return {
    ...{ points, pace, players, actions, features, rewards, kernel, actionName: action },
    observe: createObserver(system, declared, features),
    payoff: (outcome, player) => declared.reward?.(outcome, player) ?? getOutcomeReward(players, outcome, player),
  };
}
