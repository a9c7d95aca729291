/** Options that combine scenario files into one environment. */

import { InputError, parseAmount } from '../core/index.ts';
import { createEnvSpec, type EnvironmentOptions, type EnvSpec, type WeightedScenario } from '../environments/index.ts';
import { choice, count, list, type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type LoadedScenario, openScenarioFiles } from './open-scenario.ts';
import { set } from './options.ts';
import type { RegistryOptions } from './registry.ts';

export const envs = { ...count(1, 2 ** 21, 'number of environments'), default: 1024 };

function parseWeights(given: string, place: string): readonly number[] {
  const expected = 'numbers of 0 or more, joined by commas';
  return given.split(',').map((each) => parseAmount(each.trim(), place, expected, (weight) => weight >= 0).value);
}

/** Options of an environment, except the number of environments. */
export const ENVIRONMENT = {
  set,
  agents: list('players that are agents, joined by commas, or all (default: the first player)'),
  reward: { ...text('name', 'reward of the agents: win, or another reward of the system'), default: 'win' },
  decisions: list('decision points of the agents, joined by commas (default: all)'),
  autoreset: choice('when the next battle starts', ['same-step', 'next-step', 'disabled']),
  maxSteps: count(1, 2 ** 31 - 1, 'number of actions after which an episode is truncated (default: no limit)'),
  compileSteps: count(0, 1e9, 'steps of the rules to compile a scenario (default: 100000, 0 with a kernel)'),
  weights: {
    ...{
      about: 'relative frequency of each scenario, joined by commas (default: equal)',
      value: '<list>',
      read: parseWeights,
    },
  },
} as const satisfies OptionSpecs;

export type EnvironmentCommandOptions = ParsedOptions<typeof ENVIRONMENT> & RegistryOptions;

/** Converts command-line options to options of an environment. */
export function createEnvironmentOptions({
  agents,
  reward,
  autoreset,
  maxSteps,
  decisions,
  compileSteps,
}: EnvironmentCommandOptions): EnvironmentOptions {
  const who = agents?.length === 1 && agents[0] === 'all' ? 'all' : agents;
  return { agents: who, reward, autoreset, maxSteps, decisions, compileSteps };
}

/** Loaded scenario files with weights and names. */
export interface WeightedSources {
  readonly weighted: readonly WeightedScenario[];
  readonly names: readonly string[];
  /** Names and changed fields. */
  readonly titles: readonly string[];
}

/** @throws InputError for invalid files or weights */
export async function openWeightedSources(
  files: readonly string[],
  flags: EnvironmentCommandOptions,
): Promise<WeightedSources> {
  const { weights } = flags;
  if (weights !== undefined && weights.length !== files.length) {
    throw new InputError('--weights', `a weight for each of ${String(files.length)} scenarios`, String(weights.length));
  }
  const sources: readonly LoadedScenario[] = await openScenarioFiles(files, flags);
  return {
    weighted: sources.map(({ scenario }, s) => ({ scenario, weight: weights?.[s] ?? 1 })),
    names: sources.map(({ name }) => name),
    titles: sources.map(({ title }) => title),
  };
}

/** Library options of environments with other names on the command line. */
export const ENVIRONMENT_NAMES = { numEnvs: 'envs' };

/** @throws InputError for invalid files or options */
export async function openEnvSpec(files: readonly string[], flags: EnvironmentCommandOptions): Promise<EnvSpec> {
  const { weighted } = await openWeightedSources(files, flags);
  return createEnvSpec(weighted, createEnvironmentOptions(flags));
}
