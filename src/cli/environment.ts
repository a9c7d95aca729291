/** Scenario files as one environment, by the options that say how. */
import { InputError } from '../errors.ts';
import {
  type Configuration,
  configurationOf,
  type EnvironmentOptions,
  type Weighted,
} from '../rollout/configuration.ts';
import type { EnvironmentFlags } from './options-rollout.ts';
import { open } from './source.ts';

/** What the options say of the environment itself. */
export function environmentOptions({ agents, reward, autoreset, maxSteps }: EnvironmentFlags): EnvironmentOptions {
  const who = agents?.length === 1 && agents[0] === 'all' ? 'all' : agents;
  return { agents: who, reward, autoreset, maxSteps };
}

/** @throws InputError or InputErrors on whatever is wrong with files or weights */
export async function weightedScenarios(files: readonly string[], { weights }: EnvironmentFlags): Promise<Weighted[]> {
  if (weights !== undefined && weights.length !== files.length) {
    throw new InputError('--weights', `a weight for each of ${String(files.length)} scenarios`, String(weights.length));
  }
  const scenarios: Weighted[] = [];
  for (const [f, file] of files.entries()) {
    const { scenario } = await open(file);
    scenarios.push({ scenario, weight: weights?.[f] ?? 1 });
  }
  return scenarios;
}

/** @throws InputError or InputErrors on whatever is wrong with files or options */
export async function openConfiguration(files: readonly string[], flags: EnvironmentFlags): Promise<Configuration> {
  return configurationOf(await weightedScenarios(files, flags), environmentOptions(flags));
}
