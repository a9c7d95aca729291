/**
 * A system as an environment for agents, as its author declares it: one function of the scenario. docs/rollouts.md tells it
 * to users.
 */

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

/** An option of a decision, as it is given to the door. */
export type Option = string | number;

/** What the kernel of a system knows beside the scenario. */
export interface KernelWords<S> {
  /** Words that assembly/<id>/environment.ts reads beside the scenario. */
  encode(): readonly number[];
  /** The state whose words are these: a battle as the kernel lays it out, at a decision. */
  decode(words: Int32Array): S;
}

/** Pure functions and data of one scenario: what is seen depends on nothing but the state and who looks. */
export interface Rollout<S = unknown> {
  /** Those who may decide, by the names that they have at the door. */
  readonly players: readonly string[];
  /** All options that a decision of each point can have. They are numbered in this order, as in the kernel if there is one. */
  readonly actions?: Readonly<Record<string, readonly Option[]>>;
  /** What is seen of a battle, in the kernel's order if there is one. */
  readonly features: readonly DeclaredFeature<S>[];
  /** Decision points in the kernel's order; those of the system's `decisions` unless given. */
  readonly points?: readonly string[];
  /** The decision point at which every round is asked for, in a system whose players decide nothing: `round` unless given. */
  readonly pace?: string;
  /** Rewards by metrics that a user can ask for: what these are worth to a player, in all -1..1. */
  readonly rewards?: Readonly<Record<string, (player: string) => Weights>>;
  readonly kernel?: KernelWords<S>;
  /** The name of an action, which options may share that mean the same: `point:option` unless given. */
  action?(point: string, option: Option): string;
  /**
   * All features of a state, instead of the `of` of each.
   * @param player who looks; what is hidden from this player reads as in `features` when it is not known. Undefined at the
   *               end of a battle: everything is seen
   */
  observe?(state: S, player: string | undefined): readonly number[];
  /** What an outcome is worth to a player: unless given, 1 if it bears the player's name, -1 if another's, else 0. */
  worth?(outcome: string, player: string): number;
}

/** What an outcome that bears the winner's name is worth to one of some players. */
export function worthOf(players: readonly string[], outcome: string, player: string): number {
  if (outcome === player) return 1;
  return players.includes(outcome) ? -1 : 0;
}

/** Shares of what each side began with: the own less the enemy's. @param parts for each side its metric and its start */
export function lead(
  own: readonly [metric: string, start: number],
  enemy: readonly [metric: string, start: number],
): Weights {
  return { [own[0]]: 1 / Math.max(1, own[1]), [enemy[0]]: -1 / Math.max(1, enemy[1]) };
}
