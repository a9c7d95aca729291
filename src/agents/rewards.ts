/** What agents earn: by name, or by a table for each. */
import { InputError } from '../core/errors.ts';
import { didYouMean, type Names, optionsOf } from '../core/names.ts';
import type { Model, State } from '../rules/system.ts';
import type { EnvironmentSpec } from './spec.ts';

/** Rewards of one agent: what outcomes and a step of each metric are worth; what is not named is worth 0. */
export interface RewardTable {
  readonly outcomes?: Readonly<Record<string, number>>;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** `win`: 1, -1 or 0; another name that the system has; or a table for each agent, by its name. */
export type Reward = string | Readonly<Record<string, RewardTable>>;

const TABLE: Names<RewardTable> = { outcomes: true, metrics: true };

/** Refuses names that nothing has. */
function checkNames(place: string, given: object, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  throw new InputError(place, `names among ${known.join(', ')}`, `"${stranger}"${didYouMean(stranger, known)}`);
}

function checkWorths(place: string, worths: Readonly<Record<string, number>>, known: readonly string[]): void {
  checkNames(place, worths, known);
  for (const [name, worth] of Object.entries(worths)) {
    if (!Number.isFinite(worth)) throw new InputError(`${place}.${name}`, 'a number', String(worth));
  }
}

/** What is rewarded in a scenario. */
interface Scene {
  readonly spec: EnvironmentSpec;
  readonly model: Model<State>;
}

/** What a player earns by the name of a reward. */
function namedTable({ spec, model }: Scene, name: string, player: string): RewardTable {
  if (name !== 'win') return { metrics: spec.rewards[name]?.(player) ?? {} };
  return { outcomes: Object.fromEntries(model.outcomes.map((outcome) => [outcome, spec.worth(outcome, player)])) };
}

/** What each player earns by the name of each reward. */
export function namedTables(scene: Scene): Readonly<Record<string, Readonly<Record<string, RewardTable>>>> {
  const { players, rewards } = scene.spec;
  const byPlayer = (name: string) => players.map((player) => [player, namedTable(scene, name, player)] as const);
  return Object.fromEntries(['win', ...Object.keys(rewards)].map((name) => [name, Object.fromEntries(byPlayer(name))]));
}

/** What an agent earns in a scenario; nothing where it does not play. */
export function tableOf(scene: Scene, reward: Reward, agent: string): RewardTable {
  if (typeof reward !== 'string') return reward[agent] ?? {};
  return scene.spec.players.includes(agent) ? namedTable(scene, reward, agent) : {};
}

/** Names that a reward may have, and those in its tables, in any of the scenarios. */
interface Known {
  readonly rewards: readonly string[];
  readonly agents: readonly string[];
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

/**
 * @throws InputError if there is no reward of a name, or a table names what no scenario has
 */
export function checkReward(reward: Reward, { rewards, agents, outcomes, metrics }: Known): void {
  if (typeof reward === 'string') {
    const known = ['win', ...rewards];
    if (known.includes(reward)) return;
    throw new InputError('reward', `one of ${known.join(', ')}`, `"${reward}"${didYouMean(reward, known)}`);
  }
  checkNames('reward', reward, agents);
  for (const [agent, table] of Object.entries(reward)) {
    optionsOf<RewardTable>(`reward.${agent}`, TABLE)(table);
    checkWorths(`reward.${agent}.outcomes`, table.outcomes ?? {}, outcomes);
    checkWorths(`reward.${agent}.metrics`, table.metrics ?? {}, metrics);
  }
}
