import { didYouMean, InputError } from '../core/index.ts';
import {
  type DeclaredFeature,
  type Feature,
  type KernelWords,
  type Option,
  opened,
  type Rollout,
  type Scenario,
  type State,
  type System,
  type Weights,
  worthOf,
} from '../rules/index.ts';

/** Policies that environments know: the scenario's own, and every legal action alike. In the kernel's order. */
export const POLICIES = ['scenario', 'uniform'] as const;
/** Who plays: the policies of the scenario, or chance, all legal actions alike. */
export type Policy = (typeof POLICIES)[number];

// A scenario as an environment, in full: what its system declares, what is left out filled in, mistakes refused.

type Naming = (point: string, option: Option) => string;

/** What a scenario is to agents. */
export interface EnvironmentSpec {
  /** Decision points. */
  readonly points: readonly string[];
  /** The one at which every round is asked for, if there is one. */
  readonly pace: string | undefined;
  readonly players: readonly string[];
  /** Names of all actions. */
  readonly actions: readonly string[];
  readonly features: readonly Feature[];
  /** Rewards that have names, beside `win`. */
  readonly rewards: Readonly<Record<string, (player: string) => Weights>>;
  readonly kernel: KernelWords<State> | undefined;
  /** The action that stands for an option of a decision point. */
  readonly action: Naming;
  /** @param player who looks; undefined: everything is seen @throws InputError if what is read is not as declared */
  readonly observe: (state: State, player: string | undefined) => readonly number[];
  readonly worth: (outcome: string, player: string) => number;
}

/** The point of systems in which nobody decides. */
const PACE = 'round';

const WIN = 'win';

/** Where in the code of a system something is declared. */
const placeOf = ({ id }: System, ...path: string[]): string => [`${id}: rollout`, ...path].join('.');

function checkDistinct(place: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new InputError(place, 'names that are all different', `"${twice}" twice`);
}

/** @throws InputError if rounds are asked for beside decisions */
function paceOf(system: System, { pace }: Rollout<State>): string | undefined {
  const { length } = system.decisions;
  if (length === 0) return pace ?? PACE;
  if (pace === undefined) return undefined;
  throw new InputError(placeOf(system, 'pace'), 'no decisions beside it', `${String(length)} decision points`);
}

function pointsOf({ decisions }: System, { points }: Rollout<State>, pace: string | undefined): readonly string[] {
  return points ?? [...decisions.map(({ point }) => point), ...(pace === undefined ? [] : [pace])];
}

/** Names of all actions, each once: points may share some. @throws InputError if one point has two of one name */
function actionsOf(
  system: System,
  points: readonly string[],
  { actions = {} }: Rollout<State>,
  name: Naming,
): string[] {
  const lists = Object.entries(actions).map(([point, options]) => {
    const place = placeOf(system, 'actions', point);
    if (!points.includes(point))
      throw new InputError(place, `a decision point, ${points.join(', ')}`, `"${point}"${didYouMean(point, points)}`);
    const names = options.map((option) => name(point, option));
    checkDistinct(place, names);
    return names;
  });
  return [...new Set(lists.flat())];
}

function namingOf(declared: Rollout<State>, pace: string | undefined): Naming {
  return (point, option) => {
    if (point === pace) return pace;
    return declared.action?.(point, option) ?? `${point}:${String(option)}`;
  };
}

/** A feature with its defaults. @throws InputError if its bounds are none, or nothing reads it */
function featureOf(system: System, declared: Rollout<State>, feature: DeclaredFeature<State>): Feature {
  const { name, unit = '', low = 0, high } = feature;
  const place = placeOf(system, 'features', name);
  if (!(Number.isFinite(low) && Number.isFinite(high) && low <= high))
    throw new InputError(place, 'bounds low <= high', `${String(low)}..${String(high)}`);
  if (declared.observe === undefined && feature.of === undefined)
    throw new InputError(place, 'a function `of` that reads it, or `observe` for all features', 'neither');
  return { name, unit, low, high };
}

/** What is read of a state, compared with what is declared. */
function checkSeen(system: System, features: readonly Feature[], seen: readonly number[]): void {
  if (seen.length !== features.length) {
    const found = `${String(seen.length)} numbers`;
    throw new InputError(placeOf(system, 'observe'), `${String(features.length)} numbers, one a feature`, found);
  }
  for (const [f, { name, low, high }] of features.entries()) {
    const value = seen[f] as unknown;
    if (typeof value === 'number' && value >= low && value <= high) continue;
    const expected = `a number ${String(low)}..${String(high)}`;
    throw new InputError(placeOf(system, 'features', name), expected, String(value));
  }
}

function observing(system: System, declared: Rollout<State>, features: readonly Feature[]): EnvironmentSpec['observe'] {
  const read = (state: State, player: string | undefined): readonly number[] =>
    declared.observe?.(state, player) ?? declared.features.map((each) => each.of?.(state, player) ?? Number.NaN);
  // What has a kernel is compared with it in tests.
  if (declared.kernel !== undefined) return read;
  return (state, player) => {
    const seen = read(state, player);
    checkSeen(system, features, seen);
    return seen;
  };
}

function checkNames(system: System, { players, features, rewards = {} }: Rollout<State>): void {
  checkDistinct(placeOf(system, 'players'), players);
  const names = features.map(({ name }) => name);
  checkDistinct(placeOf(system, 'features'), names);
  if (Object.hasOwn(rewards, WIN))
    throw new InputError(placeOf(system, 'rewards'), 'other names than "win", which follows from `worth`', '"win"');
}

/** The error of a system that declares nothing. */
function missing({ id, decisions }: System): InputError {
  const what = decisions.length === 0 ? 'players and features' : 'players, actions and features';
  return new InputError(
    'system',
    `one that declares \`rollout\`: ${what} (docs/reference/environments.md)`,
    `"${id}" without`,
  );
}

/**
 * A scenario as its system declares it.
 * @throws InputError if the system declares nothing, or something wrong
 */
export function specOf(scenario: Scenario): EnvironmentSpec {
  const { system } = opened(scenario);
  const declared = system.rollout?.(scenario);
  if (declared === undefined) throw missing(system);
  checkNames(system, declared);
  const { players, rewards = {}, kernel } = declared;
  const pace = paceOf(system, declared);
  const points = pointsOf(system, declared, pace);
  checkDistinct(placeOf(system, 'points'), points);
  const action = namingOf(declared, pace);
  const actions = actionsOf(system, points, declared, action);
  if (pace !== undefined) actions.push(pace);
  const features = declared.features.map((each) => featureOf(system, declared, each));
  return {
    ...{ points, pace, players, actions, features, rewards, kernel, action },
    observe: observing(system, declared, features),
    worth: (outcome, player) => declared.worth?.(outcome, player) ?? worthOf(players, outcome, player),
  };
}
