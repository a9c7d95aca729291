/** Rewards of agents: by name, or by a table for each. */

import {
  checkList,
  createOptionsCheck,
  InputError,
  type OptionChecks,
  parseCount,
  suggestName,
} from '../core/index.ts';
import {
  createSystemSpec,
  DECISION_FEATURE,
  type Feature,
  getBoundScenario,
  type Metric,
  type Model,
  type Scenario,
  type ScenarioSpec,
  type State,
  type System,
} from '../rules/index.ts';
import { count, word } from '../rules/option-spec.ts';
import { AUTORESETS, type Autoreset } from './layout.ts';

/** Rewards of one agent: values of outcomes, per unit of each metric, and per step; others are 0. */
export interface RewardTable {
  readonly outcomes?: Readonly<Record<string, number>>;
  readonly metrics?: Readonly<Record<string, number>>;
  /** Value of each action of an agent, of all agents. */
  readonly steps?: number;
}

/** `win`: 1, -1 or 0; another reward of the system; or a table for each agent, by name. */
export type Reward = string | Readonly<Record<string, RewardTable>>;

const TABLE: OptionChecks<RewardTable> = { outcomes: true, metrics: true, steps: true };

/** Rejects unknown names. */
function checkNames(place: string, given: object, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  throw new InputError(place, `names among ${known.join(', ')}`, `"${stranger}"${suggestName(stranger, known)}`);
}

/** Maximum absolute value of a number in a table: sums of rewards are finite, also in the float32 of environments. */
const REWARD_MAX = 1e18;

function checkRewardValue(place: string, value: number): void {
  if (!Number.isFinite(value)) throw new InputError(place, 'a number', String(value));
  if (Math.abs(value) > REWARD_MAX) throw new InputError(place, 'a number from -1e18 to 1e18', String(value));
}

function checkRewardValues(place: string, worths: Readonly<Record<string, number>>, known: readonly string[]): void {
  checkNames(place, worths, known);
  for (const [name, value] of Object.entries(worths)) checkRewardValue(`${place}.${name}`, value);
}

/** Scenario with the data that rewards need. */
interface RewardContext {
  readonly spec: ScenarioSpec;
  readonly model: Model<State>;
}

/** Returns the reward of a player by its name. */
function resolveNamedReward({ spec, model }: RewardContext, name: string, player: string): RewardTable {
  if (name !== 'win') return { metrics: spec.rewards[name]?.(player) ?? {} };
  return { outcomes: Object.fromEntries(model.outcomes.map((outcome) => [outcome, spec.payoff(outcome, player)])) };
}

/** Returns the rewards of each player by name. */
export function resolveNamedRewards(
  scene: RewardContext,
): Readonly<Record<string, Readonly<Record<string, RewardTable>>>> {
  const { players, rewards } = scene.spec;
  const listByPlayer = (name: string) =>
    players.map((player) => [player, resolveNamedReward(scene, name, player)] as const);
  return Object.fromEntries(
    ['win', ...Object.keys(rewards)].map((name) => [name, Object.fromEntries(listByPlayer(name))]),
  );
}

/** Returns the reward of an agent in a scenario; empty if the agent does not take part. */
function resolveReward(scene: RewardContext, reward: Reward, agent: string): RewardTable {
  if (typeof reward !== 'string') return reward[agent] ?? {};
  return scene.spec.players.includes(agent) ? resolveNamedReward(scene, reward, agent) : {};
}

/** Collects the names of rewards, and those in their tables, of all scenarios. */
interface RewardNames {
  readonly rewards: readonly string[];
  readonly agents: readonly string[];
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

/** @throws InputError for an unknown reward, or a table with unknown names */
function checkReward(reward: Reward, { rewards, agents, outcomes, metrics }: RewardNames): void {
  if (typeof reward === 'string') {
    const known = ['win', ...rewards];
    if (known.includes(reward)) return;
    throw new InputError('reward', `one of ${known.join(', ')}`, `"${reward}"${suggestName(reward, known)}`);
  }
  checkNames('reward', reward, agents);
  for (const [agent, table] of Object.entries(reward)) {
    createOptionsCheck<RewardTable>(`reward.${agent}`, TABLE)(table);
    checkRewardValues(`reward.${agent}.outcomes`, table.outcomes ?? {}, outcomes);
    checkRewardValues(`reward.${agent}.metrics`, table.metrics ?? {}, metrics);
    checkRewardValue(`reward.${agent}.steps`, table.steps ?? 0);
  }
}

// Combination of scenarios into one environment.

/** Creates the specification of a scenario. @throws InputError if the system has no declarations, or invalid ones */
export const createScenarioSpec = (scenario: Scenario): ScenarioSpec =>
  createSystemSpec(getBoundScenario(scenario).system, scenario);

/** Scenario with its relative frequency. */
export interface WeightedScenario {
  readonly scenario: Scenario;
  readonly weight?: number;
}

/** Options of environments: agents, decisions, rewards, and episode ends. */
export interface EnvironmentOptions {
  /** Players that are agents, or `all`; the others follow the scenario's policies. Default: the first player. */
  readonly agents?: readonly string[] | 'all' | undefined;
  readonly reward?: Reward | undefined;
  /** Default: `same-step`. */
  readonly autoreset?: Autoreset | undefined;
  /** Actions after which an episode is truncated; default: 0, never. */
  readonly maxSteps?: number | undefined;
  /** Decision points at which agents decide; at all others they follow their scenario's policies. Default: all. */
  readonly decisions?: readonly string[] | undefined;
  /**
   * Maximum steps of the rules to compile the scenarios; 0: never. If it takes more, environments use the kernel of the
   * system, or call the rules. Default: 0 for a system with a kernel, else 100 000.
   */
  readonly compileSteps?: number | undefined;
}

/** Default of `compileSteps` for a system without a kernel: at most some seconds. */
const COMPILE_STEPS = 100_000;

export const ENVIRONMENT_OPTIONS: OptionChecks<EnvironmentOptions> = {
  agents: true,
  reward: true,
  autoreset: word('when the next battle begins', AUTORESETS),
  maxSteps: true,
  decisions: true,
  compileSteps: count(0, 1e9, 'maximum steps of the rules to compile a scenario'),
};

const checkOptions = createOptionsCheck<EnvironmentOptions>('createEnvSpec', ENVIRONMENT_OPTIONS);
const checkWeighted = createOptionsCheck<WeightedScenario>('scenarios', { scenario: true, weight: true });

/** One scenario of an environment. */
export interface Variant {
  readonly scenario: Scenario;
  readonly spec: ScenarioSpec;
  readonly model: Model<State>;
  readonly weight: number;
  readonly players: readonly string[];
  /** By player: the index of the agent, or -1. */
  readonly agentOf: readonly number[];
  /** By its own action: the index among all actions. */
  readonly actionOf: readonly number[];
  /** By its own feature: the index among all features, or -1 if it is omitted. */
  readonly slotOf: readonly number[];
  readonly outcomes: readonly string[];
  readonly metrics: readonly Metric[];
  /** By outcome and agent, by metric and agent, by agent. */
  readonly byOutcome: readonly (readonly number[])[];
  readonly byMetric: readonly (readonly number[])[];
  readonly byStep: readonly number[];
}

/** Scenarios of one system combined into an environment. */
export interface EnvSpec {
  readonly system: System;
  readonly variants: readonly Variant[];
  readonly agents: readonly string[];
  /** Decision points, equal in all scenarios. */
  readonly decisionPoints: readonly string[];
  /** Decision points at which agents decide. */
  readonly decisions: readonly string[];
  readonly actions: readonly string[];
  /** The player, a flag for each decision point, and the features of the system except constant ones. */
  readonly features: readonly Feature[];
  readonly metrics: number;
  readonly reward: Reward;
  readonly autoreset: Autoreset;
  readonly maxSteps: number;
  /** Maximum steps of the rules to compile its scenarios. */
  readonly compileSteps: number;
}

function getCommonSystem(scenarios: readonly WeightedScenario[]): System {
  const [first, ...others] = scenarios;
  if (first === undefined) throw new InputError('scenarios', 'at least one', 'none');
  const stranger = others.find(({ scenario }) => scenario.system !== first.scenario.system);
  if (stranger !== undefined) {
    throw new InputError('scenarios', `scenarios of one system, ${first.scenario.system}`, stranger.scenario.system);
  }
  return getBoundScenario(first.scenario).system;
}

const removeDuplicates = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** Merges the features of all scenarios by name, with bounds that hold in all; a missing feature is 0. */
function mergeFeatures(lists: readonly (readonly Feature[])[]): Feature[] {
  const byName = new Map<string, Feature>();
  for (const feature of lists.flat()) {
    const known = byName.get(feature.name) ?? feature;
    const [low, high] = [Math.min(known.low, feature.low), Math.max(known.high, feature.high)];
    byName.set(feature.name, { ...known, low, high });
  }
  const isMissing = ({ name }: Feature) => lists.some((list) => !list.some((each) => each.name === name));
  return [...byName.values()].map((feature) =>
    isMissing(feature) ? { ...feature, low: Math.min(0, feature.low), high: Math.max(0, feature.high) } : feature,
  );
}

/** Selects some of the available names. @throws InputError for unknown or repeated names */
function selectNames(place: string, requested: readonly string[], available: readonly string[]): readonly string[] {
  checkList(place, `a list of some of ${available.join(', ')}${place === 'agents' ? ", or 'all'" : ''}`, requested);
  const stranger = requested.find((name) => !available.includes(name));
  if (stranger !== undefined) {
    throw new InputError(place, `some of ${available.join(', ')}`, `"${stranger}"${suggestName(stranger, available)}`);
  }
  if (removeDuplicates(requested).length < requested.length)
    throw new InputError(place, 'unique names', requested.join(', '));
  return requested;
}

function selectAgents(requested: EnvironmentOptions['agents'], players: readonly string[]): readonly string[] {
  if (requested === 'all') return players;
  return selectNames('agents', requested ?? players.slice(0, 1), players);
}

/** Selects the decision points at which agents decide, in the system's order. */
function selectPoints(points: readonly string[], requested: EnvironmentOptions['decisions']): readonly string[] {
  if (requested === undefined) return points;
  if (requested.length === 0) throw new InputError('decisions', `at least one of ${points.join(', ')}`, 'none');
  const some = selectNames('decisions', requested, points);
  return points.filter((point) => some.includes(point));
}

/** Resolves the modes of an environment. @throws InputError if one is invalid */
function resolveModes({ autoreset = 'same-step', maxSteps = 0 }: EnvironmentOptions) {
  if (!AUTORESETS.includes(autoreset)) {
    const found = `"${autoreset as string}"${suggestName(autoreset, AUTORESETS)}`;
    throw new InputError('autoreset', `one of ${AUTORESETS.join(', ')}`, found);
  }
  if (Number.isInteger(maxSteps) && maxSteps >= 0 && maxSteps < 2 ** 31) return { autoreset, maxSteps };
  throw new InputError('maxSteps', 'an integer 0..2147483647', String(maxSteps));
}

/** Combines scenarios with the specifications of their system. @throws InputError if weights are invalid */
function createRewardContexts(scenarios: readonly WeightedScenario[]) {
  const scenes = scenarios.map((each) => {
    checkWeighted(each);
    const { scenario, weight = 1 } = each;
    if (!(Number.isFinite(weight) && weight >= 0)) throw new InputError('weight', 'a number >= 0', String(weight));
    return { scenario, weight, spec: createScenarioSpec(scenario), model: getBoundScenario(scenario).model };
  });
  if (scenes.every(({ weight }) => weight === 0)) throw new InputError('weight', 'a weight above 0', 'none');
  return scenes;
}

/** Returns the decision points. @throws InputError if they differ between scenarios */
function listPoints(specs: readonly ScenarioSpec[]): readonly string[] {
  const [points = [], other] = removeDuplicates(specs.map((spec) => spec.points.join(', ')));
  if (other === undefined) return specs[0]?.points ?? [];
  throw new InputError('scenarios', `scenarios with the decision points ${String(points)}`, other);
}

/** Creates the first features of every observation: the deciding player and the decision point. */
function commonFeatures(points: readonly string[], players: number): Feature[] {
  return [
    { name: 'player', unit: 'index', low: 0, high: Math.max(1, players - 1) },
    ...points.map((point) => ({ name: DECISION_FEATURE + point, unit: '0/1', low: 0, high: 1 })),
  ];
}

/**
 * Combines scenarios into one environment.
 * @throws InputError if they have several systems, or no such agent or reward
 */
export function createEnvSpec(scenarios: readonly WeightedScenario[], options: EnvironmentOptions = {}): EnvSpec {
  checkOptions(options);
  checkList('scenarios', 'a list such as [{ scenario }]', scenarios, 'object');
  const system = getCommonSystem(scenarios);
  const modes = resolveModes(options);
  const scenes = createRewardContexts(scenarios);
  const specs = scenes.map(({ spec }) => spec);
  const { reward = 'win', compileSteps = hasKernel({ system, variants: scenes }) ? 0 : COMPILE_STEPS } = options;
  parseCount(compileSteps, 'compileSteps', 0, 1e9);
  const agents = selectAgents(options.agents, removeDuplicates(specs.flatMap(({ players }) => players)));
  const points = listPoints(specs);
  const requested = selectPoints(points, options.decisions);
  checkReward(reward, {
    ...{ rewards: removeDuplicates(specs.flatMap((spec) => Object.keys(spec.rewards))), agents },
    outcomes: removeDuplicates(scenes.flatMap(({ model }) => model.outcomes)),
    metrics: removeDuplicates(scenes.flatMap(({ model }) => model.metrics.map(({ name }) => name))),
  });
  const actions = removeDuplicates(specs.flatMap((spec) => spec.actions));
  const shown = mergeFeatures(specs.map((spec) => spec.features));
  const common = commonFeatures(points, Math.max(...specs.map(({ players }) => players.length)));
  const features = [...common, ...shown.filter(({ low, high }) => low < high)];
  const variants = scenes.map((scene): Variant => {
    const { scenario, weight, spec, model } = scene;
    const { players } = spec;
    const { outcomes, metrics } = model;
    const tables = agents.map((agent) => resolveReward(scene, reward, agent));
    return {
      ...{ scenario, spec, model, weight, players, outcomes, metrics },
      agentOf: players.map((player) => agents.indexOf(player)),
      actionOf: spec.actions.map((name) => actions.indexOf(name)),
      slotOf: spec.features.map(({ name }) => features.findIndex((feature) => feature.name === name)),
      byOutcome: outcomes.map((name) => tables.map((table) => table.outcomes?.[name] ?? 0)),
      byMetric: metrics.map(({ name }) => tables.map((table) => table.metrics?.[name] ?? 0)),
      byStep: tables.map((table) => table.steps ?? 0),
    };
  });
  const metrics = Math.max(...variants.map((variant) => variant.metrics.length));
  return {
    system,
    variants,
    agents,
    decisionPoints: points,
    decisions: requested,
    actions,
    features,
    metrics,
    reward,
    compileSteps,
    ...modes,
  };
}

/** True if a system has a kernel that simulates single decisions. */
export const hasKernel = ({
  system,
  variants,
}: {
  system: System;
  variants: readonly { spec: ScenarioSpec }[];
}): boolean => system.encode !== undefined && variants.every(({ spec }) => spec.kernel !== undefined);

/** @param condition under which rewards can count steps @throws InputError if they do */
export function rejectStepRewards({ variants }: EnvSpec, condition = ''): void {
  if (variants.every(({ byStep }) => byStep.every((weight) => weight === 0))) return;
  throw new InputError('reward', `a reward that does not count steps${condition}`, 'steps');
}

// Changes of existing environments.

/** Changes of a configuration in use; omitted fields are unchanged. */
export interface EnvChanges {
  readonly reward?: Reward | undefined;
  readonly autoreset?: Autoreset | undefined;
  readonly maxSteps?: number | undefined;
  /** Complete new list of decision points at which agents decide. */
  readonly decisions?: readonly string[] | undefined;
  /** One weight for each scenario, in order. */
  readonly weights?: readonly number[] | undefined;
}

const checkChanges = createOptionsCheck<EnvChanges>('configure', {
  reward: true,
  autoreset: word('when the next battle begins', AUTORESETS),
  maxSteps: true,
  decisions: true,
  weights: true,
});

/** Applies changes to a configuration. @throws InputError if they do not fit */
export function applyChanges(configuration: EnvSpec, changes: EnvChanges): EnvSpec {
  checkChanges(changes);
  const { variants, agents, decisions, reward, autoreset, maxSteps, compileSteps } = configuration;
  const weights = changes.weights ?? variants.map(({ weight }) => weight);
  if (weights.length !== variants.length) {
    throw new InputError('weights', `${String(variants.length)} numbers`, String(weights.length));
  }
  return createEnvSpec(
    variants.map(({ scenario }, v) => ({ scenario, weight: weights[v] ?? 0 })),
    {
      agents,
      reward: changes.reward ?? reward,
      autoreset: changes.autoreset ?? autoreset,
      maxSteps: changes.maxSteps ?? maxSteps,
      decisions: changes.decisions ?? decisions,
      compileSteps,
    },
  );
}
