/**
 * A system as an environment for agents, as declared by its author: one function of the scenario.
 * docs/reference/environments.md documents it for users.
 */

import type { ZodType } from 'zod';
import type { Chance, EventData } from '../core/index.ts';
import type { Duel, DuelScenario, DuelUnit } from './duel.ts';
import type { PolicySources } from './policy-file.ts';

/** One number of an observation. */
export interface Feature {
  readonly name: string;
  /** Unit: units, hp, cubes, rounds, or 0/1 for flags. */
  readonly unit: string;
  readonly low: number;
  readonly high: number;
}

/** Declaration of a feature. */
export interface DeclaredFeature<S> extends Pick<Feature, 'name' | 'high'> {
  /** Default: none. */
  readonly unit?: string;
  /** Default: 0. */
  readonly low?: number;
  // Method syntax is intentional, as in System: the registry holds systems of different states.
  /**
   * Reads the feature from a state; required without `observe`.
   * @param player the observing player; undefined at the end of a battle, when everything is visible
   */
  of?(state: S, player: string | undefined): number;
}

/** Value of one step of each metric, by its name. */
export type Weights = Readonly<Record<string, number>>;

/** An option of a decision, as passed to the chance source. */
export type DecisionOption = string | number;

/** Additional words of the kernel of a system. */
export interface KernelWords<S> {
  /** Encodes the additional words for assembly/<id>/environment.ts. */
  encode(): readonly number[];
  /** Decodes the words of a battle in the layout of the kernel, at a decision. */
  decode(words: Int32Array): S;
}

/** Pure functions and data of one scenario: observations depend only on the state and the player. */
export interface EnvironmentDefinition<S = unknown> {
  /** Players with decisions, by their names at the chance source. */
  readonly players: readonly string[];
  /**
   * All options of the decisions of each point. They are numbered in this order, also in the kernel if there is one.
   */
  readonly actions?: Readonly<Record<string, readonly DecisionOption[]>>;
  /** Features of an observation, in the order of the kernel if there is one. */
  readonly features: readonly DeclaredFeature<S>[];
  /** Decision points in the order of the kernel; default: those of `decisions` of the system. */
  readonly decisionPoints?: readonly string[];
  /** Decision point at the start of every round, in a system without decisions; default: `round`. */
  readonly pace?: string;
  /** Optional rewards by metrics: their values for a player, in total -1..1. */
  readonly rewards?: Readonly<Record<string, (player: string) => Weights>>;
  readonly kernel?: KernelWords<S>;
  /** Returns the name of an action, which equivalent options may share; default: `point:option`. */
  action?(point: string, option: DecisionOption): string;
  /**
   * Returns all features of a state, instead of the `of` of each.
   * @param player the observing player; hidden features have their default values. Undefined at the end of a battle:
   *   everything is visible
   */
  observe?(state: S, player: string | undefined): readonly number[];
  /** Returns the reward of an outcome; default: 1 if it is the name of the player, -1 for another player, else 0. */
  reward?(outcome: string, player: string): number;
}

/** Returns the reward of an outcome that is the name of the winner. */
export function getOutcomeReward(players: readonly string[], outcome: string, player: string): number {
  if (outcome === player) return 1;
  return players.includes(outcome) ? -1 : 0;
}

/**
 * Creates weights of the difference of shares of the initial values: own minus enemy. @param parts for each side its
 * metric and its initial value
 */
export function createLeadWeights(
  own: readonly [metric: string, start: number],
  enemy: readonly [metric: string, start: number],
): Weights {
  return { [own[0]]: 1 / Math.max(1, own[1]), [enemy[0]]: -1 / Math.max(1, enemy[1]) };
}

// A battle system: an object of type `System`, and a kernel if it has one.

/** Common fields of scenarios; the others belong to the system. */
export interface Scenario {
  readonly system: string;
  /** Label, which does not affect results. */
  readonly name?: string | undefined;
  /** Policies from files, by player; absent without them. */
  readonly policies?: PolicySources | undefined;
}

/** Price of a counted thing of a scenario, such as a unit. */
export interface Price {
  /** `attacker`, `combatants[0]`; a separate count is its own side. */
  readonly side: string;
  /** `attacker.units.tank` */
  readonly path: string;
  readonly price: number;
}

/** A named integer that every battle reports. */
export interface Metric {
  readonly name: string;
  /** Bounds of the counted integers. */
  readonly min: number;
  readonly max: number;
  /** Value of one step of the counted integer; default 1. */
  readonly unit?: number;
}

/** Units of metrics, by the first part of their names: `{ hp: 'hit points' }` is of `hp.attacker`. */
export type MetricLabels = Readonly<Record<string, string>>;

/** A side of a battle between two. */
export type Side = 'attacker' | 'defender';

/** Common fields of states; a state should contain only data that the future depends on. */
export interface State {
  /** Started rounds. */
  readonly round: number;
}

/** Key of a state; whole numbers below 2^53 are faster than strings. */
export type Key = string | number;

/**
 * Rules of one scenario as transitions between states. All functions are pure, except for calls of the chance source.
 */
export interface Model<S extends State> {
  /** Names of all possible outcomes. */
  readonly outcomes: readonly string[];
  /**
   * Returns true for an outcome that is omitted in `outcomes` because it has probability 0, for example by the counts
   * of the scenario. Other names are not outcomes of the scenario.
   */
  impossible?(outcome: string): boolean;
  readonly metrics: readonly Metric[];
  /**
   * Maximum number of rounds. A battle that is not over after them is a `stalemate`, or has the outcome `atRoundLimit`.
   */
  readonly maxRounds: number;
  /** Outcome of a battle at the round limit. */
  readonly atRoundLimit?: string;
  /** Index of the metric that counts rounds. */
  readonly roundsMetric: number | undefined;
  /**
   * Random words of a round: round r draws from this number of positions from r * roundWords on. A model with rounds
   * that omits it is not compiled.
   */
  readonly roundWords?: number;
  /**
   * Lower bound of the steps of an exact answer, if it is known without exploration: the solver can then reject the
   * scenario at once.
   */
  readonly leastSteps?: number;
  /** Returns the state at the start of a battle; may draw. */
  start(chance: Chance): S;
  /** Performs the smallest transition. Never called for a finished battle. */
  step(state: S, chance: Chance): S;
  /**
   * Performs a part of a step: at most one decision, before any draw in it. A step consists of all turns before the
   * next draw; in a model without turns each step is one.
   */
  turn?(state: S, chance: Chance): S;
  /** Returns true between two rounds: nothing is pending. */
  resting(state: S): boolean;
  /** Returns the outcome, if the battle is over. */
  outcome(state: S): string | undefined;
  /** Measures the metrics of a finished battle, in their order. */
  measure(state: S): number[];
  /** Observes a state that is stored to continue from it again: custom rules must not change it then. */
  keep?(state: S): void;
  /**
   * Returns a key of the future of a state: states with the same key have the same distribution of results. It includes
   * the number of rounds only as far as the rules depend on it.
   */
  key(state: S): Key;
  /** Maximum number of rounds that policies of files, and therefore keys, distinguish; default: 1. */
  readonly policyRounds?: number;
  /**
   * `state`: states are of type `BattleState`, usually with plain data, so that solvers may store copies of them.
   * `key`: in addition, states with equal JSON, without the round, have equal keys.
   */
  readonly plain?: 'state' | 'key' | undefined;
  /**
   * Returns a key like `key`, for states from which the same words of a stream also lead to the same final state.
   * Default: `key` has both properties.
   */
  courseKey?(state: S): Key;
}

/** A rule: its source, and its sentence in replays. */
export interface Rule {
  /** Chapter of the rule text with its content in English; or option of the scenario. */
  readonly source: string;
  /** True if it is not in the rule text, but completed from outside. */
  readonly outside?: true;
  /** Heading of the chapter in the rule text, if that is in another language. */
  readonly original?: string;
  /** The sentence of a replay. */
  readonly describe: (facts: EventData) => string;
}

/** A point at which a player decides. */
export interface Decision {
  /** Name of the decision point. */
  readonly point: string;
  /** The deciding player. */
  readonly who: string;
  /** Content of the decision. */
  readonly about: string;
  /** Policies that a scenario can use here; the first is the default. */
  readonly policies: readonly string[];
  /** For a choice without a rule, by option: the sentences of a taken and of a possible decision. */
  readonly describe?: Readonly<Record<string, readonly [does: string, could: string]>>;
}

/** A shipped scenario in its source form, small enough to read. */
export interface Example {
  readonly name: string;
  readonly scenario: unknown;
}

/** Optional numbers of scenarios. */
export interface TableValues<C> {
  /** Lists values by path: `unitTypes.tank.hits`, for all units in the scenario. */
  values(scenario: C): readonly (readonly [path: string, value: number])[];
  /** Description of other contents of the table. */
  readonly others: string;
}

/** A battle system: its scenarios, rules and metrics. `defineSystem` creates one. */
export interface System<C extends Scenario = Scenario> {
  /** Name in scenario files, of the folder and of the kernel. */
  readonly id: string;
  /** Name for display. */
  readonly title: string;
  /** Mechanism and randomness of the system, in one or two sentences. */
  readonly about: string;
  /** Parses the content of a file to a complete scenario with all defaults. */
  readonly schema: ZodType<C>;
  readonly decisions: readonly Decision[];
  /** Rules by id. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** For metrics whose names do not show the unit. */
  readonly counts?: MetricLabels;
  /** Default prices of counted fields, as in files; the prices of a file replace all of them. */
  readonly costs?: Readonly<Record<string, number>>;
  readonly examples: readonly Example[];
  /** Numbers that a scenario takes from a table of the system, such as the hits of its units, and can override. */
  readonly tabled?: TableValues<C>;
  // Method syntax is intentional: the registry holds systems of different scenarios.
  /** Creates the rules of a scenario: states, steps, outcomes and metrics. */
  model(scenario: C): Model<State>;
  /** Creates the environment of a scenario for agents. */
  environment?(scenario: C): EnvironmentDefinition<State>;
  /**
   * Encodes the scenario for the kernel: 32-bit words in the layout of assembly/systems/<id>.ts. A system without this
   * has no kernel: automata or the reference engine simulate its battles.
   */
  encode?(scenario: C): Int32Array<ArrayBuffer>;
  /**
   * Returns true for scenarios with rounds that automata simulate faster than the kernel; default: never. Those without
   * rounds are always compiled for long runs.
   */
  compiles?(scenario: C): boolean;
  /** Number of battles of its kernel that take as long as exploring one step of its rules; default 20. */
  readonly battlesPerStep?: number;
  /** Battles that can be solved together. */
  readonly duels?: DuelRules;
}

/** Duels of a system: many of them can be solved together. */
export interface DuelRules {
  /** Returns a scenario with its type; undefined if it is no duel. */
  readonly getScenario: (scenario: Scenario) => DuelScenario | undefined;
  /** Creates the duel of units of such scenarios under the rules of one. */
  readonly create: (scenario: DuelScenario, attacker: DuelUnit, defender: DuelUnit) => Duel;
}

/** A system that has a kernel. */
export interface KernelSystem<C extends Scenario = Scenario> extends System<C> {
  encode(scenario: C): Int32Array<ArrayBuffer>;
}

// Formats the sources of rules.

/** Formats the source of a rule: the chapter of the rule text, or that it is completed from outside. */
export function formatRuleSource({ source, outside }: Pick<Rule, 'source' | 'outside'>): string {
  return outside === true ? `completed from outside the rule text: ${source}` : source;
}

// Checks whether exports of user modules are systems.

type UnknownFields = Readonly<Record<string, unknown>>;

/** Required members of a system. */
const REQUIRED_MEMBERS: Readonly<Record<'id' | 'title' | 'about' | 'schema' | 'model', (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string',
  title: (value) => typeof value === 'string',
  about: (value) => typeof value === 'string',
  schema: (value) => typeof value === 'object' && value !== null && 'safeParse' in value,
  model: (value) => typeof value === 'function',
};

const isObject = (value: unknown): value is UnknownFields => typeof value === 'object' && value !== null;

function listMissingMembers(value: UnknownFields): string[] {
  return Object.entries(REQUIRED_MEMBERS).flatMap(([name, holds]) => (holds(value[name]) ? [] : [name]));
}

export function isSystem(value: unknown): value is System {
  return isObject(value) && listMissingMembers(value).length === 0;
}

/** Describes the exports of a module without a system: the closest one, and its missing members. */
export function describeSystem(exports: UnknownFields): string {
  const names = Object.keys(exports);
  if (names.length === 0) return 'no exports';
  const near = names
    .map((name) => ({ name, value: exports[name] }))
    .filter((each): each is { name: string; value: UnknownFields } => isObject(each.value))
    .map(({ name, value }) => ({ name, without: listMissingMembers(value) }))
    .sort((a, b) => a.without.length - b.without.length)[0];
  if (near === undefined) return names.join(', ');
  const { battle, schema, model } = exports[near.name] as UnknownFields;
  const isPartly = near.without.length < Object.keys(REQUIRED_MEMBERS).length;
  // Authors without a schema and a model write fields and a battle for `defineSystem`.
  if (schema === undefined && model === undefined && (isPartly || battle !== undefined))
    return `${near.name}, which is not the result of defineSystem({ ... })`;
  if (!isPartly) return names.join(', ');
  return `${near.name} without ${near.without.join(', ')}`;
}
