/** `warpool rollout` */

import { EPISODES, runEpisodes, VectorEnv } from '../agents/index.ts';
import type { Given, Settings } from '../rules/setting.ts';
import { grouped, rolloutJson, rolloutSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { ENVIRONMENT, ENVIRONMENT_NAMES, environmentOptions, envs, openSources } from './environment.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { type BarWatch, progressBar, watched } from './progress.ts';
import type { Known } from './registry.ts';
import { given } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  envs,
  ...EPISODES,
  ...ENVIRONMENT,
  json,
} as const satisfies Settings;

type RolloutOptions = Given<typeof ASKED> & Known & Long;

/**
 * Plays episodes of environments by a policy and tells how they ended.
 * @throws InputError on whatever is wrong with files or options
 */
export async function rollout(files: readonly string[], options: RolloutOptions, signals: Signals): Promise<void> {
  const { envs, episodes, policy, seed, json } = options;
  const { names, titles, weighted } = await openSources(files, options);
  const env = await VectorEnv.make(weighted, { ...environmentOptions(options), numEnvs: envs, seed });
  const began = performance.now();
  const play = (watch: BarWatch) => runEpisodes(env, { policy, episodes, seed, ...watch });
  const played = await watched(progressBar(options, 'episodes'), signals, play);
  const label = { names: titles, seconds: (performance.now() - began) / 1000 };
  if (json === true) printJson({ ...rolloutJson(played, { ...label, names }), ...given(options) });
  else print(rolloutSheet(env, played, label, look(process.stdout)));
  endIfStopped(signals, `interrupted at ${grouped(played.episodes)} of ${grouped(episodes)} episodes`);
}

const ROLLOUT_NOTES = `
Environment e plays battle e of the run in its first episode, e + 2^21 in its second. With one
episode under the policy of the scenario the digest is that of "warpool run" with as many battles.`;

export const command: DeclaredCommand = {
  description: 'Plays scenarios decision by decision in many environments, and tells how the episodes ended.',
  takes: [SCENARIO],
  asked: ASKED,
  names: ENVIRONMENT_NAMES,
  after: [
    examples(
      'rollout scenarios/phased-dice-ground.yaml',
      'rollout scenarios/phased-dice-ground.yaml --policy uniform --agents all --envs 16384',
    ),
    ROLLOUT_NOTES,
  ],
  action: (files: string[], options: RolloutOptions) => rollout(files, options, catchSignals()),
};
