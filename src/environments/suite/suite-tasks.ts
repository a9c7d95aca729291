/** Tasks with known optima. Their values are in `tasks.json`, which scripts/make-suite.js writes. */
import { InputError, suggestName } from '../../core/index.ts';
import { loadSystems, type Scenario, validateScenario } from '../../rules/index.ts';
import { hashScenario, identifyRules, RULESET } from '../../stats/index.ts';
import type { VectorEnvOptions } from '../environments.ts';
import { VectorEnv } from '../vector-env.ts';
import content from './tasks.json' with { type: 'json' };

/** Policies whose values each task has, in the order of tables. */
export const BASELINES = ['uniform', 'scenario', 'q-learning', 'ppo'] as const;

/** Name of a policy whose value is known. */
export type Baseline = (typeof BASELINES)[number];

/** Values by player. */
export type PlayerValues = Readonly<Record<string, number>>;

/** Frozen task: a scenario, the players who decide, and known values. */
export interface SuiteTask {
  /** Name with a version: another version has other values. */
  readonly name: string;
  readonly about: string;
  /** Fields of the scenario, without defaults. */
  readonly scenario: { readonly system: string } & Readonly<Record<string, unknown>>;
  /** Module of the system; absent for shipped systems. */
  readonly module?: string;
  /** Players who decide: one or two. The policies of the scenario make the decisions of all others. */
  readonly players: readonly string[];
  readonly reward: string;
  /** SHA-256 of the scenario with its defaults, and hash of the module. */
  readonly scenarioHash: string;
  readonly systemHash?: string;
  /** All positions; positions with a decision; transitions before merging. */
  readonly positions: number;
  readonly decisionStates: number;
  readonly steps: number;
  /** Expected reward of the first of the players if all of them play optimally, and an interval that includes it. */
  readonly value: number;
  readonly interval: readonly [lower: number, upper: number];
  /**
   * Values of baselines, by player. With one player: against the policies of the scenario. With two: against the best
   * response to the baseline.
   */
  readonly baselines: Readonly<Partial<Record<Baseline, PlayerValues>>>;
  /** Seconds for a grade on the machine that computed the values. */
  readonly seconds: number;
}

/** Task with its scenario. */
export interface LoadedTask {
  readonly task: SuiteTask;
  readonly scenario: Scenario;
}

const SUITE = content as unknown as { readonly ruleset: string; readonly tasks: readonly SuiteTask[] };

/** Returns all tasks, the smallest first. */
export const listTasks = (): readonly SuiteTask[] => SUITE.tasks;

/** Returns the task with this name. @throws InputError if there is none */
export function getTask(name: string): SuiteTask {
  const found = SUITE.tasks.find((task) => task.name === name);
  if (found !== undefined) return found;
  const names = SUITE.tasks.map((task) => task.name);
  throw new InputError('task', `one of ${names.join(', ')}`, `"${name}"${suggestName(name, names)}`);
}

/** Loads the scenario of a task, without a check of hashes. */
export async function loadTaskScenario({
  name,
  module,
  scenario,
}: Pick<SuiteTask, 'name' | 'module' | 'scenario'>): Promise<Scenario> {
  const systems = module === undefined ? {} : { systems: await loadSystems([module]) };
  return validateScenario({ ...scenario, name }, { source: `task ${name}`, ...systems });
}

/** @throws InputError if the rules differ from those for which the values of the task hold */
export function checkTaskIdentity(
  { name, scenarioHash, systemHash }: SuiteTask,
  scenario: Scenario,
  ruleset: string = SUITE.ruleset,
): void {
  const checkEqual = (what: string, expected = 'none', found = 'none'): void => {
    if (expected !== found) throw new InputError(`task ${name}`, `${what} ${expected}`, found);
  };
  checkEqual('the ruleset', ruleset, RULESET);
  checkEqual('a scenario with the SHA-256', scenarioHash, hashScenario(scenario));
  checkEqual('a system with the hash', systemHash, identifyRules(scenario).systemHash);
}

/**
 * Loads a task.
 * @throws InputError if there is no such task, or its rules differ from those for which the values hold
 */
export async function loadTask(name: string): Promise<LoadedTask> {
  const task = getTask(name);
  const scenario = await loadTaskScenario(task);
  checkTaskIdentity(task, scenario);
  return { task, scenario };
}

/**
 * Creates environments of a task: its players are the agents, and its reward is the reward.
 * @param options as for `VectorEnv.create`
 * @throws InputError as `loadTask` and `VectorEnv.create`
 */
export async function createTaskEnv(
  name: string,
  options: Omit<VectorEnvOptions, 'agents' | 'reward'> = {},
): Promise<VectorEnv> {
  const { task, scenario } = await loadTask(name);
  const { players: agents, reward } = task;
  return await VectorEnv.create(scenario, { ...options, agents, reward });
}
