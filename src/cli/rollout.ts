/** `warpool rollout` */

import { EPISODES, runEpisodes, VectorEnv } from '../environments/index.ts';
import { createRolloutJson, formatGrouped, formatRolloutSheet } from '../report/index.ts';
import type { OptionSpecs, ParsedOptions } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import {
  createEnvironmentOptions,
  ENVIRONMENT,
  ENVIRONMENT_NAMES,
  envs,
  openWeightedSources,
} from './environment-options.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { createSetJson } from './open-scenario.ts';
import { json, type LongRunningOptions } from './options.ts';
import { type BarWatch, createProgressBar, watched } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  envs,
  ...EPISODES,
  ...ENVIRONMENT,
  json,
} as const satisfies OptionSpecs;

type RolloutCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/**
 * Simulates episodes of environments with a policy and prints their results.
 * @throws InputError for invalid files or options
 */
export async function runRollout(
  files: readonly string[],
  options: RolloutCommandOptions,
  signals: Signals,
): Promise<void> {
  const { envs, episodes, policy, seed, json } = options;
  const { names, titles, weighted } = await openWeightedSources(files, options);
  const env = await VectorEnv.create(weighted, { ...createEnvironmentOptions(options), numEnvs: envs, seed });
  const began = performance.now();
  const play = (watch: BarWatch) => runEpisodes(env, { policy, episodes, seed, ...watch });
  const played = await watched(createProgressBar(options, 'episodes'), signals, play);
  const label = { names: titles, seconds: (performance.now() - began) / 1000 };
  if (json === true) printJson({ ...createRolloutJson(played, { ...label, names }), ...createSetJson(options) });
  else print(formatRolloutSheet(env, played, label, readTextStyle(process.stdout)));
  endIfStopped(signals, `interrupted at ${formatGrouped(played.episodes)} of ${formatGrouped(episodes)} episodes`);
}

const ROLLOUT_NOTES = `
Environment e simulates battle e of the run in its first episode, and battle e + 2^21 in its second. With one episode and the
policy of the scenario, the digest is the same as for "warpool run" with the same number of battles.`;

export const command: CommandDeclaration = {
  description: 'Simulates episodes of scenarios in many environments, and reports how the episodes ended.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  libraryNames: ENVIRONMENT_NAMES,
  notes: [
    formatExamples(
      'rollout scenarios/phased-dice-ground.yaml',
      'rollout scenarios/phased-dice-ground.yaml --policy uniform --agents all --envs 16384',
    ),
    ROLLOUT_NOTES,
  ],
  action: (files: string[], options: RolloutCommandOptions) => runRollout(files, options, catchSignals()),
};
