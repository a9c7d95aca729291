/** Scenario files as one environment, by the options that say how. */

import { type Configuration, configurationOf, type EnvironmentOptions, type Weighted } from '../agents/index.ts';
import { InputError, parseAmount } from '../core/index.ts';
import { choice, count, type Given, list, type Settings, text } from '../rules/setting.ts';
import { set } from './options.ts';
import type { Known } from './registry.ts';
import { openAll, type Source } from './source.ts';

export const envs = { ...count(1, 2 ** 21, 'how many environments'), default: 1024 };

function weighed(given: string, place: string): readonly number[] {
  const expected = 'numbers of 0 or more, joined by commas';
  return given.split(',').map((each) => parseAmount(each.trim(), place, expected, (weight) => weight >= 0).value);
}

/** How scenarios become an environment: all but the number of environments. */
export const ENVIRONMENT = {
  set,
  agents: list('players who decide, joined by commas, or all (default: the first)'),
  reward: { ...text('name', 'what agents earn: win, or another reward of the system'), default: 'win' },
  points: list('decision points at which agents decide, joined by commas (default: all)'),
  autoreset: choice('when the next battle begins', ['same-step', 'next-step', 'disabled']),
  maxSteps: count(1, 2 ** 31 - 1, 'actions after which an episode is truncated (default: none)'),
  weights: {
    ...{ about: 'how often each scenario is drawn, joined by commas (default: alike)', value: '<list>', read: weighed },
  },
} as const satisfies Settings;

export type EnvironmentFlags = Given<typeof ENVIRONMENT> & Known;

/** What the options say of the environment itself. */
export function environmentOptions({
  agents,
  reward,
  autoreset,
  maxSteps,
  points,
}: EnvironmentFlags): EnvironmentOptions {
  const who = agents?.length === 1 && agents[0] === 'all' ? 'all' : agents;
  return { agents: who, reward, autoreset, maxSteps, points };
}

/** What scenario files hold, with their weights and what they are called. */
export interface Sources {
  readonly weighted: readonly Weighted[];
  readonly names: readonly string[];
  /** The names, and behind them what was set. */
  readonly titles: readonly string[];
}

/** @throws InputError on whatever is wrong with files or weights */
export async function openSources(files: readonly string[], flags: EnvironmentFlags): Promise<Sources> {
  const { weights } = flags;
  if (weights !== undefined && weights.length !== files.length) {
    throw new InputError('--weights', `a weight for each of ${String(files.length)} scenarios`, String(weights.length));
  }
  const sources: readonly Source[] = await openAll(files, flags);
  return {
    weighted: sources.map(({ scenario }, s) => ({ scenario, weight: weights?.[s] ?? 1 })),
    names: sources.map(({ name }) => name),
    titles: sources.map(({ title }) => title),
  };
}

/** Options of environments that the library calls otherwise. */
export const ENVIRONMENT_NAMES = { numEnvs: 'envs' };

/** @throws InputError on whatever is wrong with files or options */
export async function openConfiguration(files: readonly string[], flags: EnvironmentFlags): Promise<Configuration> {
  const { weighted } = await openSources(files, flags);
  return configurationOf(weighted, environmentOptions(flags));
}
