/** `warpool rollout` */

import { playEpisodes } from '../agents/play.ts';
import type { Policy } from '../agents/spec.ts';
import { VectorEnv } from '../agents/vector-env.ts';
import { version } from '../core/version.ts';
import { rolloutJson, rolloutSheet } from '../tell/rollout.ts';
import { grouped } from '../tell/text/digits.ts';
import { environmentOptions, made, openSources } from './environment.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import type { EnvironmentFlags } from './options-rollout.ts';
import { given } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface RolloutOptions extends EnvironmentFlags {
  readonly envs: number;
  readonly episodes: number;
  readonly policy: Policy;
  readonly seed: bigint;
  readonly json?: boolean;
}

/**
 * Plays episodes of environments by a policy and tells how they ended.
 * @throws InputError or InputErrors on whatever is wrong with files or options
 */
export async function rollout(files: readonly string[], options: RolloutOptions, signals: Signals): Promise<void> {
  const { envs, episodes, policy, seed, json } = options;
  const { names, titles, weighted } = await openSources(files, options);
  const env = await made(() => VectorEnv.make(weighted, { ...environmentOptions(options), numEnvs: envs, seed }));
  const began = performance.now();
  const played = await playEpisodes(env, policy, episodes, seed, signals.stop);
  const label = { names: titles, seconds: (performance.now() - began) / 1000 };
  if (json === true) printJson({ ...rolloutJson(played, { ...label, names }, version()), ...given(options) });
  else print(rolloutSheet(env, played, label, look(process.stdout)));
  const code = signals.code();
  if (code !== undefined)
    throw new Ended(code, `interrupted at ${grouped(played.episodes)} of ${grouped(episodes)} episodes`);
}
