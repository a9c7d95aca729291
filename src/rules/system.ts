/**
 * A system as an environment for agents, as its author declares it: one function of the scenario. docs/reference/environments.md tells it
 * to users.
 */

import type { ZodType } from 'zod';
import type { Chance, EventData } from '../core/index.ts';

/** One number of an observation. */
export interface Feature {
  readonly name: string;
  /** What it counts: units, hp, cubes, rounds, or 0/1 for flags. */
  readonly unit: string;
  readonly low: number;
  readonly high: number;
}

/** A feature as it is declared. */
export interface DeclaredFeature<S> extends Pick<Feature, 'name' | 'high'> {
  /** Nothing unless given. */
  readonly unit?: string;
  /** 0 unless given. */
  readonly low?: number;
  // Method syntax on purpose, as in System: the registry holds systems of different states.
  /**
   * Reads it from a state; needed unless there is `observe`.
   * @param player who looks; undefined at the end of a battle, when everything is seen
   */
  of?(state: S, player: string | undefined): number;
}

/** What one step of each metric is worth, by the metric's name. */
export type Weights = Readonly<Record<string, number>>;

/** An option of a decision, as it is given to the chance source. */
export type DecisionOption = string | number;

/** What the kernel of a system knows beside the scenario. */
export interface KernelWords<S> {
  /** Words that assembly/<id>/environment.ts reads beside the scenario. */
  encode(): readonly number[];
  /** The state whose words are these: a battle as the kernel lays it out, at a decision. */
  decode(words: Int32Array): S;
}

/** Pure functions and data of one scenario: what is seen depends on nothing but the state and who looks. */
export interface EnvironmentDefinition<S = unknown> {
  /** Those who may decide, by the names that they have at the chance source. */
  readonly players: readonly string[];
  /** All options that a decision of each point can have. They are numbered in this order, as in the kernel if there is one. */
  readonly actions?: Readonly<Record<string, readonly DecisionOption[]>>;
  /** What is seen of a battle, in the kernel's order if there is one. */
  readonly features: readonly DeclaredFeature<S>[];
  /** Decision points in the kernel's order; those of the system's `decisions` unless given. */
  readonly decisionPoints?: readonly string[];
  /** The decision point at which every round is asked for, in a system whose players decide nothing: `round` unless given. */
  readonly pace?: string;
  /** Rewards by metrics that a user can ask for: what these are worth to a player, in all -1..1. */
  readonly rewards?: Readonly<Record<string, (player: string) => Weights>>;
  readonly kernel?: KernelWords<S>;
  /** The name of an action, which options may share that mean the same: `point:option` unless given. */
  action?(point: string, option: DecisionOption): string;
  /**
   * All features of a state, instead of the `of` of each.
   * @param player who looks; what is hidden from this player reads as in `features` when it is not known. Undefined at the
   *               end of a battle: everything is seen
   */
  observe?(state: S, player: string | undefined): readonly number[];
  /** What an outcome is worth to a player: unless given, 1 if it bears the player's name, -1 if another's, else 0. */
  reward?(outcome: string, player: string): number;
}

/** What an outcome that bears the winner's name is worth to one of some players. */
export function getOutcomeReward(players: readonly string[], outcome: string, player: string): number {
  if (outcome === player) return 1;
  return players.includes(outcome) ? -1 : 0;
}

/** Shares of what each side began with: the own less the enemy's. @param parts for each side its metric and its start */
export function createLeadWeights(
  own: readonly [metric: string, start: number],
  enemy: readonly [metric: string, start: number],
): Weights {
  return { [own[0]]: 1 / Math.max(1, own[1]), [enemy[0]]: -1 / Math.max(1, enemy[1]) };
}

// What a battle system is made of: one object of type `System`, and a kernel if it has one.

/** What every scenario has; the rest is the system's own. */
export interface Scenario {
  readonly system: string;
  readonly name?: string | undefined;
}

/** What one of something that a scenario counts costs, such as a unit. */
export interface Price {
  /** `attacker`, `combatants[0]`; a count that stands by itself is a side of its own. */
  readonly side: string;
  /** `attacker.units.tank` */
  readonly path: string;
  readonly price: number;
}

/** A named integer that every battle reports. */
export interface Metric {
  readonly name: string;
  /** Bounds of the integers that are counted. */
  readonly min: number;
  readonly max: number;
  /** What one step of the counted integer is worth; 1 unless said otherwise. */
  readonly unit?: number;
}

/** What metrics are counted in, by the first part of their names: `{ hp: 'hit points' }` is of `hp.attacker`. */
export type MetricLabels = Readonly<Record<string, string>>;

/** A side of a battle between two. */
export type Side = 'attacker' | 'defender';

/** What every state of a battle has; it holds only what the future depends on. */
export interface State {
  /** Rounds begun. */
  readonly round: number;
}

/** Names a state; a number, a whole one below 2^53, is found faster than a text. */
export type Key = string | number;

/**
 * The rules of one scenario, as a walk over states. All functions are pure but for what they ask of
 * the chance source.
 */
export interface Model<S extends State> {
  /** Every name the outcome can have. */
  readonly outcomes: readonly string[];
  /**
   * True of an outcome that is left out of `outcomes` because it has probability 0, such as by the counts of the
   * scenario. Any other name is no outcome of the scenario at all.
   */
  impossible?(outcome: string): boolean;
  readonly metrics: readonly Metric[];
  /** A battle that is not over when so many rounds are complete is a `stalemate`, or what `atRoundLimit` says. */
  readonly maxRounds: number;
  readonly atRoundLimit?: string;
  /** The index among `metrics` of the one that counts rounds. */
  readonly roundsMetric: number | undefined;
  /**
   * Words of the stream that a round has: round r draws from the places on and above r * roundWords, as many as these.
   * A model with rounds that does not say so is not compiled.
   */
  readonly roundWords?: number;
  /**
   * Steps that an exact answer takes at the very least, where that is known without walking: it lets the
   * solver refuse at once what it could only refuse after much work.
   */
  readonly leastSteps?: number;
  /** The state in which a battle begins; what is drawn before the first step is drawn here. */
  start(chance: Chance): S;
  /** The least thing that can happen next. Never asked of a battle that is over. */
  step(state: S, chance: Chance): S;
  /**
   * A part of a step: at most one decision, asked before anything is drawn in it. A step is as many turns as come
   * before the next draw; a model without this has steps that are turns.
   */
  turn?(state: S, chance: Chance): S;
  /** True between two rounds: nothing is pending. */
  resting(state: S): boolean;
  /** The outcome, if the battle is over. */
  outcome(state: S): string | undefined;
  /** The metrics of a battle that is over, in their order. */
  measure(state: S): number[];
  /**
   * Is told of a state that is kept to go on from it again: rules of users must not change it then.
   */
  keep?(state: S): void;
  /**
   * Names a state up to its future: what follows on two states of one key has one law. The number of rounds is part
   * of it only as far as the rules look at it.
   */
  key(state: S): Key;
  /**
   * As `key`, of two states from which the same words of a stream lead to the same ending as well. A model without
   * this has keys that name both.
   */
  courseKey?(state: S): Key;
}

/** A rule: where it comes from, and how a replay tells that it applied. */
export interface Rule {
  /** The chapter of the rule text that it follows and what that says, in English; or the option of the scenario. */
  readonly source: string;
  /** True if no rule text contains it: it is completed from outside. */
  readonly outside?: true;
  /** The heading of the chapter as the rule text has it, where that is in another language. */
  readonly original?: string;
  /** The sentence of a replay. */
  readonly describe: (facts: EventData) => string;
}

/** A point at which a player decides. */
export interface Decision {
  readonly point: string;
  readonly who: string;
  readonly about: string;
  /** The policies a scenario can name here; the first is the default. */
  readonly policies: readonly string[];
  /** For a choice that no rule tells, by option: what its player does, and what it could do. */
  readonly describe?: Readonly<Record<string, readonly [does: string, could: string]>>;
}

// Secret cards before a battle, and what a system that has them offers to those who solve their game.

export const PAYOFFS = ['win', 'hp-difference', 'capture'] as const;

/** What the attacker wants much and the defender little: victory, hit points left less the enemy's, or the area. */
export type Payoff = (typeof PAYOFFS)[number];

/** What a side can choose from, and what its weights choose. */
export interface Arsenal {
  /** Names of cards; `none` if no card is played. */
  readonly cards: readonly string[];
  /** Names of air tokens that can be played together. */
  readonly sets: readonly (readonly string[])[];
  /** Probabilities of cards, and of sets whatever the cards. */
  readonly cardWeights: readonly number[];
  readonly setWeights: readonly number[];
}

export interface CardGame {
  readonly attacker: Arsenal;
  readonly defender: Arsenal;
  /** games[a][d][s][t]: what the attacker expects of card a and set s against card d and set t. */
  readonly games: readonly (readonly (readonly (readonly number[])[])[])[];
}

/** A game of two steps: both sides choose a card at once, see both, and choose air tokens at once. */
export interface CardGameProvider<C extends Scenario = Scenario> {
  // Method syntax on purpose, as in System.
  /** How many cards and sets of air tokens a side has. */
  sizeOf(scenario: C, side: Side): { readonly cards: number; readonly sets: number };
  /** The game with its payoffs. Its cost is in proportion to the product of all that `sizeOf` gives for both sides. */
  game(scenario: C, payoff: Payoff): CardGame;
}

/** A shipped scenario in its source form, small enough to read. */
export interface Example {
  readonly name: string;
  readonly scenario: unknown;
}

/** Numbers that scenarios need not have. */
export interface TableValues<C> {
  /** By path: `unitTypes.tank.hits`, of all that is in play. */
  values(scenario: C): readonly (readonly [path: string, value: number])[];
  /** What else stands in the table, in words. */
  readonly others: string;
}

/** A battle system: its scenarios, its rules, what they count. `defineSystem` makes one. */
export interface System<C extends Scenario = Scenario> {
  /** The name in scenario files, of the folder and of the kernel. */
  readonly id: string;
  readonly title: string;
  /** What the system is about: mechanism and randomness, in a sentence or two. */
  readonly about: string;
  /** From what a file holds to a complete scenario with all defaults. */
  readonly schema: ZodType<C>;
  readonly decisions: readonly Decision[];
  readonly rules: Readonly<Record<string, Rule>>;
  /** Of metrics whose names do not say it. */
  readonly counts?: MetricLabels;
  /** Prices of what scenarios count, as files have them; those of a file come in the place of all of these. */
  readonly costs?: Readonly<Record<string, number>>;
  readonly examples: readonly Example[];
  /** Numbers that a scenario takes from a table of the system, such as the hits of its units; it may have its own. */
  readonly tabled?: TableValues<C>;
  // Method syntax on purpose: the registry holds systems of different scenarios.
  /** The rules of a scenario: states, steps, outcomes and metrics. */
  model(scenario: C): Model<State>;
  /** The game of secret cards before a battle, in a system that has one. */
  readonly cards?: CardGameProvider<C>;
  /** The scenario as an environment for agents. */
  environment?(scenario: C): EnvironmentDefinition<State>;
  /**
   * The scenario as the kernel reads it: 32-bit words, laid out as in assembly/systems/<id>.ts. A system without this
   * has no kernel: its battles are played by automata, or by the reference model.
   */
  encode?(scenario: C): Int32Array<ArrayBuffer>;
  /**
   * True of scenarios with rounds that automata play faster than the kernel; without this the kernel plays all of them.
   * Those without rounds are always compiled when a run is long enough.
   */
  compiles?(scenario: C): boolean;
  /** Battles of its kernel that take as long as exploring one step of its rules; 20 unless said otherwise. */
  readonly battlesPerStep?: number;
}

/** A system that has a kernel. */
export interface KernelSystem<C extends Scenario = Scenario> extends System<C> {
  encode(scenario: C): Int32Array<ArrayBuffer>;
}

// Where rules come from, in words.

/** The chapter of the rule text that a rule follows, or that it is completed from outside: what people read. */
export function formatRuleSource({ source, outside }: Pick<Rule, 'source' | 'outside'>): string {
  return outside === true ? `completed from outside the rule text: ${source}` : source;
}

// What makes a value a system: asked of what modules of users export.

type UnknownFields = Readonly<Record<string, unknown>>;

/** What a system has at the least. */
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

/** What the exports of a module without a system are instead: the nearest to one, and what it lacks. */
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
  // Whoever writes no schema and no model writes fields and a battle, from which `defineSystem` makes them.
  if (schema === undefined && model === undefined && (isPartly || battle !== undefined))
    return `${near.name}, which is not the result of defineSystem({ ... })`;
  if (!isPartly) return names.join(', ');
  return `${near.name} without ${near.without.join(', ')}`;
}
