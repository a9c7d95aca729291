/** Scenarios as an environment: what can be done and seen in all of them, and the words that tell a kernel so. */
import { InputError } from '../errors.ts';
import { requireSystem } from '../systems/index.ts';
import type { Feature, Rollout } from '../systems/rollout.ts';
import type { Metric, Model, Scenario, State, System } from '../systems/system.ts';
import { ABI, AUTORESET_WORD, MAX_STEPS_WORD } from './layout.ts';

/** What an environment does when its battle is over; Gymnasium's modes, in the kernel's order. */
export const AUTORESETS = ['next-step', 'same-step', 'disabled'] as const;
export type Autoreset = (typeof AUTORESETS)[number];

/** A scenario with its relative weight among those that episodes are drawn from. */
export interface Weighted {
  readonly scenario: Scenario;
  readonly weight?: number;
}

/** Rewards of one agent: what outcomes and a step of each metric are worth; what is not named is worth 0. */
export interface RewardTable {
  readonly outcomes?: Readonly<Record<string, number>>;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** `win`: 1, -1 or 0; another name that the system has; or a table for each agent, by its name. */
export type Reward = string | Readonly<Record<string, RewardTable>>;

export interface EnvironmentOptions {
  /** Players who are asked; the others follow the scenario's policies. The first player unless given; `all`. */
  readonly agents?: readonly string[] | 'all' | undefined;
  readonly reward?: Reward | undefined;
  /** `same-step` unless given. */
  readonly autoreset?: Autoreset | undefined;
  /** Actions after which an episode is truncated; 0, the default: never. */
  readonly maxSteps?: number | undefined;
}

/** One scenario among those of an environment. */
export interface Variant {
  readonly scenario: Scenario;
  readonly model: Model<State>;
  readonly weight: number;
  readonly players: readonly string[];
  /** By player: the index of the agent, or -1. */
  readonly agentOf: readonly number[];
  /** By its own action or feature: the index among all. */
  readonly actionOf: readonly number[];
  readonly slotOf: readonly number[];
  readonly outcomes: readonly string[];
  readonly metrics: readonly Metric[];
  /** By outcome and agent, by metric and agent. */
  readonly byOutcome: readonly (readonly number[])[];
  readonly byMetric: readonly (readonly number[])[];
}

/** Scenarios of one system as one environment. */
export interface Configuration {
  readonly system: System;
  readonly rollout: Rollout;
  readonly variants: readonly Variant[];
  readonly agents: readonly string[];
  readonly actions: readonly string[];
  /** The player, a flag for each decision point, then what the system shows. */
  readonly features: readonly Feature[];
  readonly metrics: number;
  readonly reward: Reward;
  readonly autoreset: Autoreset;
  readonly maxSteps: number;
}

/** Words of the configuration before the variants, and of a variant. */
const HEAD = 16;
const VARIANT = 16;

const REWARDS_METRICS = 1;
const LACKS_FEATURES = 2;

function systemOf(scenarios: readonly Weighted[]): { system: System; rollout: Rollout } {
  const [first, ...others] = scenarios;
  if (first === undefined) throw new InputError('scenarios', 'at least one', 'none');
  const stranger = others.find(({ scenario }) => scenario.system !== first.scenario.system);
  if (stranger !== undefined) {
    throw new InputError('scenarios', `scenarios of one system, ${first.scenario.system}`, stranger.scenario.system);
  }
  const system = requireSystem(first.scenario.system);
  if (system.rollout === undefined) throw new InputError('system', 'one with decisions as data', system.id);
  return { system, rollout: system.rollout };
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** The features of all scenarios by name, with bounds that hold in each; one that a scenario lacks is 0 there. */
function joined(lists: readonly (readonly Feature[])[]): Feature[] {
  const byName = new Map<string, Feature>();
  for (const feature of lists.flat()) {
    const known = byName.get(feature.name) ?? feature;
    const [low, high] = [Math.min(known.low, feature.low), Math.max(known.high, feature.high)];
    byName.set(feature.name, { ...known, low, high });
  }
  const lacking = ({ name }: Feature) => lists.some((list) => !list.some((each) => each.name === name));
  return [...byName.values()].map((feature) =>
    lacking(feature) ? { ...feature, low: Math.min(0, feature.low), high: Math.max(0, feature.high) } : feature,
  );
}

function agentsOf(asked: EnvironmentOptions['agents'], players: readonly string[]): readonly string[] {
  if (asked === 'all') return players;
  const agents = asked ?? players.slice(0, 1);
  const stranger = agents.find((agent) => !players.includes(agent));
  if (stranger !== undefined) throw new InputError('agents', `some of ${players.join(', ')}`, `"${stranger}"`);
  if (distinct(agents).length < agents.length)
    throw new InputError('agents', 'names that are all different', agents.join(', '));
  return agents;
}

/** Refuses names that nothing has. */
function checkNames(place: string, given: object, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) throw new InputError(place, `names among ${known.join(', ')}`, `"${stranger}"`);
}

/** What an agent earns in a scenario. */
function tableOf(
  rollout: Rollout,
  scenario: Scenario,
  model: Model<State>,
  reward: Reward,
  agent: string,
): RewardTable {
  const metrics = model.metrics.map(({ name }) => name);
  const knows = rollout.players(scenario).includes(agent);
  if (typeof reward !== 'string') {
    const table = reward[agent] ?? {};
    checkNames(`reward.${agent}.metrics`, table.metrics ?? {}, metrics);
    return table;
  }
  if (reward !== 'win') {
    if (!rollout.rewards.includes(reward)) {
      throw new InputError('reward', `one of ${['win', ...rollout.rewards].join(', ')}`, `"${reward}"`);
    }
    return knows ? { metrics: rollout.weights(scenario, reward, agent) } : {};
  }
  if (!knows) return {};
  return {
    outcomes: Object.fromEntries(model.outcomes.map((name) => [name, rollout.worth(scenario, name, agent)])),
  };
}

/**
 * Puts scenarios together as one environment.
 * @throws InputError if they are of several systems, or have no such agent or reward
 */
export function configurationOf(scenarios: readonly Weighted[], options: EnvironmentOptions = {}): Configuration {
  const { system, rollout } = systemOf(scenarios);
  const { reward = 'win', autoreset = 'same-step', maxSteps = 0 } = options;
  if (!AUTORESETS.includes(autoreset)) throw new InputError('autoreset', `one of ${AUTORESETS.join(', ')}`, autoreset);
  if (!(Number.isInteger(maxSteps) && maxSteps >= 0 && maxSteps < 2 ** 31)) {
    throw new InputError('maxSteps', 'an integer 0..2147483647', String(maxSteps));
  }
  const each = scenarios.map(({ scenario, weight = 1 }) => {
    if (!(Number.isFinite(weight) && weight >= 0)) throw new InputError('weight', 'a number >= 0', String(weight));
    return { scenario, weight, model: system.model(scenario), players: rollout.players(scenario) };
  });
  if (each.every(({ weight }) => weight === 0)) throw new InputError('weight', 'a weight above 0', 'none');
  const agents = agentsOf(options.agents, distinct(each.flatMap(({ players }) => players)));
  if (typeof reward !== 'string') checkNames('reward', reward, agents);
  const actions = distinct(each.flatMap(({ scenario }) => rollout.actions(scenario)));
  const shown = joined(each.map(({ scenario }) => rollout.features(scenario)));
  const most = Math.max(1, ...each.map(({ players }) => players.length)) - 1;
  const common: Feature[] = [
    { name: 'player', unit: 'index', low: 0, high: most },
    ...rollout.points.map((point) => ({ name: `asked.${point}`, unit: '0/1', low: 0, high: 1 })),
  ];
  const variants = each.map(({ scenario, weight, model, players }): Variant => {
    const { outcomes, metrics } = model;
    const tables = agents.map((agent) => tableOf(rollout, scenario, model, reward, agent));
    const slots = rollout.features(scenario).map(({ name }) => shown.findIndex((feature) => feature.name === name));
    return {
      scenario,
      model,
      weight,
      players,
      agentOf: players.map((player) => agents.indexOf(player)),
      actionOf: rollout.actions(scenario).map((name) => actions.indexOf(name)),
      slotOf: slots.map((slot) => slot + common.length),
      outcomes,
      metrics,
      byOutcome: outcomes.map((name) => tables.map((table) => table.outcomes?.[name] ?? 0)),
      byMetric: metrics.map(({ name }) => tables.map((table) => table.metrics?.[name] ?? 0)),
    };
  });
  const outcomes = distinct(variants.flatMap((variant) => variant.outcomes));
  if (typeof reward !== 'string') {
    for (const [agent, table] of Object.entries(reward)) {
      checkNames(`reward.${agent}.outcomes`, table.outcomes ?? {}, outcomes);
    }
  }
  const metrics = Math.max(...variants.map((variant) => variant.metrics.length));
  return {
    ...{ system, rollout, variants, agents, actions, metrics, reward, autoreset, maxSteps },
    features: [...common, ...shown],
  };
}

/** Words after words, with the offsets in bytes at which they lie. */
class Words {
  readonly words: number[];

  constructor(size: number) {
    this.words = new Array<number>(size).fill(0);
  }

  add(values: Iterable<number>): number {
    const offset = this.words.length * 4;
    for (const value of values) this.words.push(value);
    return offset;
  }

  /** Doubles begin at a multiple of 8 bytes. */
  doubles(values: readonly number[]): number {
    if (this.words.length % 2 === 1) this.words.push(0);
    return this.add(new Int32Array(Float64Array.from(values).buffer));
  }
}

/** Below which word each variant is drawn, unless one before it is. */
export function thresholds(variants: readonly Variant[]): number[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  return variants.map(({ weight }) => {
    sum += weight;
    return Math.min(2 ** 32 - 1, Math.round((sum / total) * 2 ** 32));
  });
}

/** A configuration as kernels read it; the seed is set where environments are reset. */
export function encodeConfiguration(configuration: Configuration): Int32Array<ArrayBuffer> {
  const { system, rollout, variants, agents, actions, features, metrics, autoreset, maxSteps } = configuration;
  const layout = new Words(HEAD + VARIANT * variants.length);
  const { words } = layout;
  const head = [ABI, variants.length, actions.length, features.length, agents.length, metrics];
  words.splice(0, head.length, ...head);
  words[AUTORESET_WORD] = AUTORESETS.indexOf(autoreset);
  words[MAX_STEPS_WORD] = maxSteps;
  words[10] = rollout.points.length;
  const bounds = thresholds(variants);
  for (const [v, variant] of variants.entries()) {
    const { scenario, players, agentOf, actionOf, slotOf, outcomes, byOutcome, byMetric } = variant;
    const flags =
      (byMetric.flat().some((weight) => weight !== 0) ? REWARDS_METRICS : 0) |
      (slotOf.length + rollout.points.length + 1 < features.length ? LACKS_FEATURES : 0);
    const entry = [
      layout.add(system.encode(scenario)),
      bounds[v] ?? 0,
      players.length,
      layout.add(agentOf),
      actionOf.length,
      layout.add(actionOf),
      layout.add(actions.map((_, a) => actionOf.indexOf(a))),
      layout.add(slotOf),
      slotOf.length,
      outcomes.length,
      layout.doubles(byOutcome.flat()),
      variant.metrics.length,
      layout.doubles(byMetric.flat()),
      layout.add(rollout.encode(scenario)),
      flags,
    ];
    words.splice(HEAD + VARIANT * v, entry.length, ...entry);
  }
  return Int32Array.from(words);
}
