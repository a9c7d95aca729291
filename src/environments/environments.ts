/** Environments with any engine: specification, validation of inputs, and results. */

import { RUN_POSITION } from '../analysis/index.ts';
import {
  checkList,
  createConflictError,
  createOptionsCheck,
  InputError,
  type OptionChecks,
  parseSeed,
  RunError,
  type SeedLike,
  suggestName,
} from '../core/index.ts';
import type { Feature, Scenario } from '../rules/index.ts';
import { count, flag } from '../rules/option-spec.ts';
import { type EnvBuffers, readRecordHead } from './buffers.ts';
import {
  applyChanges,
  ENVIRONMENT_OPTIONS,
  type EnvChanges,
  type EnvironmentOptions,
  type EnvSpec,
  type WeightedScenario,
} from './env-spec.ts';
import type { EnvironmentEngine, EnvironmentEngineForm } from './environment-engine.ts';
import type { KernelTask } from './environment-kernel.ts';
import { ENVS_MAX, POLICIES, type Policy, STATUS } from './layout.ts';
import { checkActions, checkBytes, checkEnv, checkRange, writeMask } from './validate.ts';

/** The environments of a `VectorEnv`. */
export interface VectorEnvOptions extends EnvironmentOptions {
  /** Number of environments, at most 2^21; default: 64. */
  readonly numEnvs?: number | undefined;
  /** Index of the first environment; default: 0. Processes that share the work use disjoint ranges of indices. */
  readonly firstEnv?: number | undefined;
  readonly seed?: SeedLike | undefined;
  /** Throws on an illegal action before the step; otherwise it loses the episode. */
  readonly debug?: boolean | undefined;
}

export const VECTOR_ENV_OPTIONS: OptionChecks<VectorEnvOptions> = {
  ...ENVIRONMENT_OPTIONS,
  numEnvs: count(1, ENVS_MAX, 'number of environments'),
  firstEnv: count(0, ENVS_MAX - 1, 'index of the first environment'),
  seed: RUN_POSITION.seed,
  debug: flag('check actions'),
};

/** Integers 0..n-1, Gymnasium's Discrete. */
export interface Discrete {
  readonly n: number;
  /** Names of the actions, by index. */
  readonly names: readonly string[];
}

/** Vectors of bounded numbers, Gymnasium's Box. */
export interface Box {
  readonly shape: readonly [number];
  readonly dtype: 'float32';
  readonly low: Float32Array;
  readonly high: Float32Array;
  readonly features: readonly Feature[];
}

/** Result of a step; each step rewrites the same arrays. */
export interface StepResult {
  /** N x F, row by row. */
  readonly observations: Float32Array;
  /** N x K for K agents. */
  readonly rewards: Float32Array;
  readonly terminations: Uint8Array;
  readonly truncations: Uint8Array;
  /** All other buffers: masks, players, final observations. */
  readonly infos: EnvBuffers;
}

/** Options of a reset. */
export interface ResetOptions {
  /** Seed; by default unchanged. Not allowed with a mask. */
  readonly seed?: SeedLike | undefined;
  /** Marks environments that start their next episode. */
  readonly mask?: ArrayLike<number | boolean> | undefined;
}

/** Limits of a rollout in each environment; at least one is required. */
export interface RolloutLimits {
  /** Maximum number of actions. */
  readonly steps?: number | undefined;
  /** Maximum number of finished episodes. */
  readonly episodes?: number | undefined;
}

const checkReset = createOptionsCheck<ResetOptions>('reset', { seed: true, mask: true });
const checkLimits = createOptionsCheck<RolloutLimits>('rollout', { steps: true, episodes: true });

/** Bytes of a snapshot before buffers and records: the seed and the fingerprint. */
const SNAPSHOT_HEAD = 16;

const STEP_TASK: KernelTask = { op: 'step', args: [] };
/** By index of the policy. They are created once, because steps allocate nothing. */
const SUGGEST_TASKS: readonly KernelTask[] = POLICIES.map((_, policy) => ({ op: 'suggest', args: [policy] }));
const RESET_TASK: KernelTask = { op: 'reset', args: [] };
const RESET_MARKED_TASK: KernelTask = { op: 'reset-marked', args: [] };

/** Maximum of a limit, which means no limit. */
const NO_LIMIT = 2 ** 32 - 1;

/** Creates the result of a step from the buffers. */
export function createStepResult(fields: EnvBuffers): StepResult {
  const { obs, reward, terminated, truncated } = fields;
  return { observations: obs, rewards: reward, terminations: terminated, truncations: truncated, infos: fields };
}

function createBox(features: readonly Feature[]): Box {
  return {
    shape: [features.length],
    dtype: 'float32',
    low: Float32Array.from(features, ({ low }) => low),
    high: Float32Array.from(features, ({ high }) => high),
    features,
  };
}

/** Scenarios with their weights. */
export function addWeights(scenarios: Scenario | readonly (Scenario | WeightedScenario)[]): WeightedScenario[] {
  const list = typeof scenarios === 'object' && 'system' in scenarios ? [scenarios] : scenarios;
  checkList('scenarios', 'a scenario, or a list of scenarios', list, 'object');
  return list.map((each) => ('system' in each ? { scenario: each } : each));
}

function encodePolicy(policy: Policy): number {
  const number = POLICIES.indexOf(policy);
  if (number >= 0) return number;
  throw new InputError('policy', `one of ${POLICIES.join(', ')}`, `"${policy}"${suggestName(policy, POLICIES)}`);
}

function encodeLimit(place: string, limit: number | undefined): number {
  if (limit === undefined) return NO_LIMIT;
  if (Number.isInteger(limit) && limit >= 0 && limit <= NO_LIMIT) return limit;
  throw new InputError(place, `an integer 0..${String(NO_LIMIT)}`, String(limit));
}

/** Environments of one configuration, with any engine. */
export abstract class Environments {
  readonly numEnvs: number;
  /** Index of the first environment. */
  readonly firstEnv: number;
  readonly agents: readonly string[];
  /** Decision points; `phase` p means `decisionPoints[p - 1]`. */
  readonly decisionPoints: readonly string[];
  readonly actionSpace: Discrete;
  readonly observationSpace: Box;
  readonly buffers: EnvBuffers;
  readonly debug: boolean;
  /** Bytes of the state of one environment; 0 with the engine `reference`, whose states vary in length. */
  readonly stateBytes: number;
  protected readonly engine: EnvironmentEngine;

  protected constructor(configuration: EnvSpec, engine: EnvironmentEngine, debug: boolean) {
    this.engine = engine;
    this.debug = debug;
    this.numEnvs = engine.envs;
    this.firstEnv = engine.first;
    this.agents = configuration.agents;
    this.decisionPoints = configuration.decisionPoints;
    this.actionSpace = { n: configuration.actions.length, names: configuration.actions };
    this.observationSpace = createBox(configuration.features);
    this.buffers = engine.fields;
    this.stateBytes = engine.stateBytes;
  }

  abstract get configuration(): EnvSpec;

  /** Engine of the environments: `kernel` of the system, `automaton` for compiled scenarios, or `reference`. */
  get engineUsed(): EnvironmentEngineForm {
    return this.engine.form;
  }

  /** Reason why the engine is `reference`. */
  get engineReason(): string | undefined {
    return this.engine.reason;
  }

  /** Decision points at which agents decide; at all others they follow the policies of their scenario. */
  get decisions(): readonly string[] {
    return this.configuration.decisions;
  }

  /** Bytes of a snapshot, if all have the same size. */
  get snapshotSize(): number {
    return SNAPSHOT_HEAD + this.engine.savedBytes;
  }
}

/** Environments stepped synchronously: by the calling thread, or by others. */
export abstract class LockstepEnvironments extends Environments {
  readonly #shown: StepResult;
  #configuration: EnvSpec;
  #seed: bigint;
  #failure: RunError | undefined;
  #ended = 0;

  protected constructor(configuration: EnvSpec, engine: EnvironmentEngine, seed: bigint, debug: boolean) {
    super(configuration, engine, debug);
    this.#configuration = configuration;
    this.#seed = seed;
    this.#shown = createStepResult(this.buffers);
  }

  get configuration(): EnvSpec {
    return this.#configuration;
  }

  /** Number of episodes that the last step of all environments has ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Performs a task in all environments. @returns the sum of its results */
  protected abstract performAll(task: KernelTask): number;

  /** Throws if another thread may be accessing the environments. */
  protected abstract checkIdle(): void;

  /**
   * Starts episode 0 in every environment; with a mask, the next episode in the marked ones.
   * @throws InputError if the mask has another length, or is combined with a seed
   */
  reset(options: ResetOptions = {}): StepResult {
    this.checkIdle();
    this.performAll(this.resetTask(options));
    return this.#shown;
  }

  /**
   * Takes an action in every environment.
   * @param actions N action indices; default: the content of `buffers.act`
   * @throws InputError in debug mode, if an action is illegal; the environments are then unchanged
   */
  step(actions?: ArrayLike<number>): StepResult {
    this.checkIdle();
    this.#ended = this.performAll(this.stepTask(actions));
    return this.#shown;
  }

  /** Writes the action of a policy in every environment into `buffers.act`. */
  sampleActions(policy: Policy): void {
    this.checkIdle();
    this.performAll(this.suggestTask(policy));
  }

  /**
   * Simulates with a policy in every environment, within the engine.
   * @returns number of actions in all environments
   */
  rollout(policy: Policy, limits: RolloutLimits): number {
    this.checkIdle();
    return this.performAll(this.rolloutTask(policy, limits));
  }

  /**
   * Changes rewards, weights or modes. Omitted options are unchanged; current episodes continue under the new options.
   * An environment whose battle has ended waits for `reset`, or, if the new mode is `next-step`, for the next step.
   * @throws InputError if the changes do not fit; the configuration is then unchanged
   */
  configure(changes: EnvChanges): void {
    this.checkIdle();
    const configuration = applyChanges(this.configuration, changes);
    this.engine.configure(configuration, changes);
    this.#configuration = configuration;
  }

  /** Returns a copy of all buffers and states, without the configuration. */
  snapshot(): Uint8Array {
    this.checkIdle();
    const saved = this.engine.save();
    const bytes = new Uint8Array(SNAPSHOT_HEAD + saved.length);
    const head = new DataView(bytes.buffer);
    head.setBigUint64(0, this.#seed, true);
    head.setBigUint64(8, this.engine.fingerprint, true);
    bytes.set(saved, SNAPSHOT_HEAD);
    return bytes;
  }

  /**
   * Restores a snapshot of environments with the same configuration. @throws InputError if it has another size or
   * fingerprint
   */
  restore(snapshot: Uint8Array): void {
    this.checkIdle();
    const { savedBytes, fingerprint } = this.engine;
    checkBytes('snapshot', snapshot, savedBytes > 0 ? this.snapshotSize : undefined, SNAPSHOT_HEAD);
    const head = new DataView(snapshot.buffer, snapshot.byteOffset);
    if (head.getBigUint64(8, true) !== fingerprint) {
      throw new InputError('snapshot', 'one of the same configuration', 'one of another');
    }
    this.engine.load(snapshot.subarray(SNAPSHOT_HEAD));
    this.#seed = head.getBigUint64(0, true);
    this.engine.seed = this.#seed;
  }

  /** Returns the state of an environment, for `setState` of environments with the same configuration. */
  state(env: number): Uint8Array {
    this.checkIdle();
    checkEnv(env, this.numEnvs);
    return this.engine.state(env);
  }

  /**
   * Sets the state of an environment. @throws InputError if the environment does not exist, or the state has another
   * size
   */
  setState(env: number, state: Uint8Array): void {
    this.checkIdle();
    checkEnv(env, this.numEnvs);
    try {
      this.engine.setState(env, state);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Switches environments from..to-1 to another seed: the past is unchanged, all later draws differ. */
  reseed(seed: SeedLike, from = 0, to: number = this.numEnvs): void {
    this.checkIdle();
    const key = parseSeed(seed);
    checkRange(from, to, this.numEnvs);
    this.engine.reseed(key, from, to);
  }

  protected resetTask(options: ResetOptions): KernelTask {
    checkReset(options);
    const { seed, mask } = options;
    if (seed !== undefined && mask !== undefined) throw createConflictError('seed', 'mask');
    if (mask !== undefined) writeMask(this.buffers.resetMask, mask);
    if (seed !== undefined) this.#seed = parseSeed(seed);
    this.engine.seed = this.#seed;
    if (mask === undefined) return RESET_TASK;
    return RESET_MARKED_TASK;
  }

  /** Writes the actions of environments from..to-1, unless they are already in the buffer. */
  protected stepTask(actions: ArrayLike<number> | undefined, from = 0, to: number = this.numEnvs): KernelTask {
    const { act } = this.buffers;
    if (actions !== undefined && actions !== act) {
      checkActions(actions, from, to - from);
      act.set(actions, from);
    }
    if (this.debug) this.#checkActions(from, to);
    return STEP_TASK;
  }

  protected suggestTask(policy: Policy): KernelTask {
    return SUGGEST_TASKS[encodePolicy(policy)] ?? STEP_TASK;
  }

  protected rolloutTask(policy: Policy, limits: RolloutLimits): KernelTask {
    checkLimits(limits);
    const { steps, episodes } = limits;
    if (steps === undefined && episodes === undefined) throw new InputError('limits', 'steps or episodes', 'neither');
    return {
      op: 'rollout',
      args: [encodePolicy(policy), encodeLimit('steps', steps), encodeLimit('episodes', episodes)],
    };
  }

  /** @throws RunError if a kernel or the rules have failed in these environments */
  protected checkSound(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Converts an error of an engine. A kernel that failed, for example on a forged state, or rules that threw, have done
   * half of their work: all later calls throw the same error.
   */
  protected failed(error: unknown): unknown {
    if (error instanceof RunError) this.#failure = error;
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    const reported = `the kernel failed, so its environments cannot be used any more: ${error.message}`;
    this.#failure = new RunError(reported, { cause: error });
    return this.#failure;
  }

  #checkActions(from: number, to: number): void {
    const { act, mask, phase, record } = this.buffers;
    const { n, names } = this.actionSpace;
    for (let e = from; e < to; e++) {
      const action = act[e] ?? -1;
      if (phase[e] === 0 || (action >= 0 && action < n && mask[e * n + action] === 1)) continue;
      // A step ignores the action of a truncated episode.
      if (readRecordHead(record.subarray((e * record.length) / this.numEnvs)).status !== STATUS.open) continue;
      const legal = names.filter((_, a) => mask[e * n + a] === 1).join(', ');
      const found = names[action] ?? String(action);
      throw new InputError(`action of environment ${String(e)}`, `one of ${legal}`, found);
    }
  }
}
