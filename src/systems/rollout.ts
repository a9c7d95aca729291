/** A system as an environment for agents: its decisions as data. docs/rollouts.md tells it to users. */
import type { Scenario, State } from './system.ts';

/** One number of an observation; whole numbers all. */
export interface Feature {
  readonly name: string;
  /** What it counts: units, hp, cubes, rounds, or 0/1 for flags. */
  readonly unit: string;
  readonly low: number;
  readonly high: number;
}

/** What one step of each metric is worth, by the metric's name. */
export type Weights = Readonly<Record<string, number>>;

export interface Rollout<C extends Scenario = Scenario, S extends State = State> {
  /** Decision points by their names at the door; assembly/<id>/environment.ts has the same order. */
  readonly points: readonly string[];
  /** The decision point at which every round is asked for, in a system whose players decide nothing. */
  readonly pace?: string;
  // Method syntax on purpose, as in System: the registry holds systems of different scenarios.
  /** Those who may decide, by the names that they have at the door. */
  players(scenario: C): readonly string[];
  /** All that can be done in a scenario, as `action` names it; the kernel has the same order. */
  actions(scenario: C): readonly string[];
  /** The action that stands for an option of a decision point. */
  action(point: string, option: string | number): string;
  /** What is seen of a battle, in the kernel's order. */
  features(scenario: C): readonly Feature[];
  /**
   * The features of a state.
   * @param player who looks; what is hidden from this player reads as in `features` when it is not known. -1 at the end of a
   *               battle: everything is seen
   */
  observe(scenario: C, state: S, player: number): readonly number[];
  /** Words that assembly/<id>/environment.ts reads beside the scenario. */
  encode(scenario: C): readonly number[];
  /** The state whose words are these: a battle as the kernel lays it out, at a decision. */
  decode(scenario: C, words: Int32Array): S;
  /** What an outcome is worth to a player: 1 a win, -1 a loss, 0 neither. */
  worth(scenario: C, outcome: string, player: string): number;
  /** Rewards by metrics that a user can ask for. */
  readonly rewards: readonly string[];
  /** What the metrics are worth to a player by one of `rewards`: in all -1..1. */
  weights(scenario: C, reward: string, player: string): Weights;
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
