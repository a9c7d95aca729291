/** Whole episodes with a policy of the kernel, counted like battles of `simulate`. */

import { pause } from '#platform/pause';
import { RUN_POSITION } from '../analysis/index.ts';
import { AbortError, checkKind, createOptionsCheck } from '../core/index.ts';
import { checkStart, type Progress } from '../engines/index.ts';
import type { Scenario } from '../rules/index.ts';
import { choice, count, type OptionSpecs, type RequestedOptions, resolveOptions } from '../rules/option-spec.ts';
import {
  addBattle,
  type Counts,
  type CountsShape,
  computeDigest,
  computeFixedLengthInterval,
  computeRealSampleMoments,
  createCountsShape,
  createEmptyCounts,
  createProvenance,
  createRecord,
  createResultHeader,
  getBattleCount,
  hashScenario,
  type Interval,
  identifyRules,
  summarizeBattles,
  toCountsJson,
  withToJson,
} from '../stats/index.ts';
import { type EnvSpec, rejectStepRewards } from './env-spec.ts';
import { computeRewardRange } from './evaluate/value-estimate.ts';
import type { Policy } from './layout.ts';
import type { VectorEnv } from './vector-env.ts';

/** The battles of one scenario. */
export interface VariantResult {
  readonly scenario: Scenario;
  readonly shape: CountsShape;
  readonly counts: Counts;
}

/** Result of `runEpisodes`, without methods. */
export interface EpisodesData {
  readonly policy: Policy;
  /** In decimal. */
  readonly seed: string;
  /** Episodes of each environment. */
  readonly episodes: number;
  /** False if the signal ended it. */
  readonly complete: boolean;
  /** Actions in all environments. */
  readonly steps: number;
  /** Number of truncated episodes. */
  readonly truncated: number;
  /** Mean return per episode of each agent. */
  readonly returns: readonly number[];
  /** 95 % intervals of the means; unobserved returns are bounded by the declared ranges: `fixedInterval`. */
  readonly returnsCi95: readonly Interval[];
  readonly variants: readonly VariantResult[];
  /**
   * Digest of the run with the same battles: `warpool run` with the same seed and number of battles. Only after one
   * episode of one scenario under its own policy, with environments from 0 on.
   */
  readonly digest?: string;
}

/**
 * Creates the JSON of a scenario's battles, with counts as in a run; without battles there are no shares and no
 * metrics.
 */
function createVariantJson({ scenario, shape, counts }: VariantResult) {
  const battles = getBattleCount(counts);
  const { scenario: label } = createResultHeader(scenario, hashScenario(scenario));
  const none = {
    outcomes: createRecord(shape.outcomes.map((name) => [name, NO_BATTLES])),
    metrics: createRecord<never>([]),
  };
  return {
    ...label,
    battles,
    ...(battles === 0 ? none : toCountsJson(summarizeBattles(shape, counts), shape, counts)),
  };
}

const NO_BATTLES = { count: 0, p: null, ci95: null };

/** Creates the JSON of `warpool rollout --json`. */
function createEpisodesJson(env: VectorEnv, { policy, seed, episodes, steps, truncated, ...played }: EpisodesData) {
  const { system } = env.configuration;
  return {
    ...createProvenance({ ...(played.variants[0] && identifyRules(played.variants[0].scenario)), system: system.id }),
    ...{ envs: env.numEnvs, episodes, policy, decisions: env.decisions, seed, steps, truncated },
    returns: createRecord(env.agents.map((agent, a) => [agent, played.returns[a] ?? 0])),
    returnsCi95: createRecord(env.agents.map((agent, a) => [agent, played.returnsCi95[a] ?? null])),
    scenarios: played.variants.map(createVariantJson),
    ...(played.digest !== undefined && { digest: played.digest }),
  };
}

/** Output of `warpool rollout --json`. */
export type EpisodesJson = ReturnType<typeof createEpisodesJson>;

/** The episodes of `runEpisodes`, counted. */
export interface EpisodesResult extends EpisodesData {
  /** For `JSON.stringify`: returns, outcomes and metrics by name, without counters. See docs/reference/json.md. */
  toJSON(): EpisodesJson;
}

/** Options of `runEpisodes`. */
export const EPISODES = {
  episodes: { ...count(0, 2 ** 32 - 1, 'number of battles per environment'), default: 1 },
  policy: choice('policy that makes decisions', ['scenario', 'uniform']),
  /** 0..2^64-1; default: 1. */
  seed: RUN_POSITION.seed,
} as const satisfies OptionSpecs;

/** Options of `runEpisodes`. */
export interface RunEpisodesOptions extends RequestedOptions<typeof EPISODES> {
  /** Ends the run early; the result has the episodes that all environments have finished. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of episodes of all environments, whenever each has finished one more. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<RunEpisodesOptions>('runEpisodes', {
  ...EPISODES,
  signal: true,
  onProgress: true,
});

/**
 * Runs episodes 0..episodes-1 of every environment after a reset.
 * @throws InputError if an option is out of range
 */
export async function runEpisodes(env: VectorEnv, options: RunEpisodesOptions = {}): Promise<EpisodesResult> {
  checkOptions(options);
  const { policy, episodes, seed } = resolveOptions(EPISODES, options);
  const { signal, onProgress } = options;
  checkKind('env', 'a VectorEnv', env, 'numEnvs');
  checkStart(signal);
  const { numEnvs, agents, configuration } = env;
  if (configuration.maxSteps === 0) rejectStepRewards(configuration, ', or maxSteps');
  const variants = configuration.variants.map(({ scenario, model }): VariantResult => {
    const shape = createCountsShape(model);
    return { scenario, shape, counts: createEmptyCounts(shape) };
  });
  const returned = agents.map(() => new Map<number, number>());
  let [steps, truncated, played] = [0, 0, 0];
  env.reset({ seed });
  while (played < episodes && signal?.aborted !== true) {
    steps += env.rollout(policy, { episodes: 1 });
    truncated += countEpisodes(env, variants, returned);
    played++;
    onProgress?.({ done: played * numEnvs, total: episodes * numEnvs });
    if (configuration.autoreset !== 'same-step') env.reset({ mask: new Uint8Array(numEnvs).fill(1) });
    await pause();
  }
  if (played === 0 && signal?.aborted === true) throw new AbortError('stopped before the first episode', signal);
  const [only] = variants;
  const isRun = played === 1 && variants.length === 1 && policy === 'scenario' && truncated === 0 && env.firstEnv === 0;
  const result: EpisodesData = {
    ...{ policy, seed: String(seed), episodes: played, complete: played === episodes, steps, truncated, variants },
    ...estimateReturns(configuration, returned),
    ...(isRun && only !== undefined && { digest: digestOf(only, seed, numEnvs) }),
  };
  return withToJson(result, () => createEpisodesJson(env, result));
}

/** Counts the last episode of every environment; returns the number of truncated ones. */
function countEpisodes(env: VectorEnv, variants: readonly VariantResult[], returned: Map<number, number>[]): number {
  const { outcome, metrics, finalVariant, finalReturn } = env.buffers;
  const columns = metrics.length / env.numEnvs;
  let truncated = 0;
  for (let e = 0; e < env.numEnvs; e++) {
    for (const [agent, counts] of returned.entries()) {
      const value = finalReturn[e * returned.length + agent] ?? 0;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const { counts, shape } = variants[finalVariant[e] ?? 0] as VariantResult;
    const result = outcome[e] ?? -1;
    if (result < 0) truncated++;
    else addBattle(counts, result, [...metrics.subarray(e * columns, e * columns + shape.metrics.length)]);
  }
  return truncated;
}

/** Computes the least and greatest possible return of an agent; returns are in single precision. */
function computeReturnRange({ variants, maxSteps }: EnvSpec, agent: number): Interval {
  const ends = variants.map(({ byOutcome, byMetric, byStep, metrics }) =>
    computeRewardRange(
      byOutcome.map((row) => row[agent] ?? 0),
      [...byMetric.map((row) => row[agent] ?? 0), byStep[agent] ?? 0],
      [...metrics, { min: 0, max: maxSteps }],
    ),
  );
  // Truncated episodes have no final reward.
  if (maxSteps > 0) ends.push([0, 0]);
  const low = Math.min(...ends.map(([least]) => least));
  return [Math.fround(low), Math.fround(Math.max(...ends.map(([, greatest]) => greatest)))];
}

/** Estimates means and intervals of returns. @param returned by agent, episodes by return */
function estimateReturns(configuration: EnvSpec, returned: readonly Map<number, number>[]) {
  const samples = returned.flatMap((counts, agent) => {
    const pairs = [...counts].sort(([one], [other]) => one - other);
    return pairs.length === 0 ? [] : [computeRealSampleMoments(pairs, computeReturnRange(configuration, agent))];
  });
  return {
    returns: returned.map((_, agent) => samples[agent]?.mean ?? 0),
    returnsCi95: samples.map((sample) => computeFixedLengthInterval(sample)),
  };
}

function digestOf({ scenario, shape, counts }: VariantResult, seed: bigint, battles: number): string {
  return computeDigest(
    { scenarioHash: hashScenario(scenario), ...identifyRules(scenario), seed, from: 0, to: battles },
    shape,
    counts,
  );
}
