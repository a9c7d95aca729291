/** Environments, whoever holds and steps them: what they are, what is written before and read after. */

import { RUN_POSITION } from '../analysis/index.ts';
import {
  checkList,
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
import type { EnvironmentEngine } from './environment-engine.ts';
import type { KernelTask } from './environment-kernel.ts';
import { ENVS_MAX, STATUS } from './layout.ts';
import { POLICIES, type Policy } from './scenario-spec.ts';
import { checkActions, checkBytes, checkEnv, checkRange, writeMask } from './validate.ts';

/** The environments of a `VectorEnv`. */
export interface VectorEnvOptions extends EnvironmentOptions {
  /** 64 unless given; at most 2^21. */
  readonly numEnvs?: number | undefined;
  /** Index of the first environment: processes that share the work each take indices of their own. 0 unless given. */
  readonly firstEnv?: number | undefined;
  readonly seed?: SeedLike | undefined;
  /** Throws on an illegal action before anything happens, instead of letting it lose. */
  readonly debug?: boolean | undefined;
}

export const VECTOR_ENV_OPTIONS: OptionChecks<VectorEnvOptions> = {
  ...ENVIRONMENT_OPTIONS,
  numEnvs: count(1, ENVS_MAX, 'number of environments'),
  firstEnv: count(0, ENVS_MAX - 1, 'index of the first environment'),
  seed: RUN_POSITION.seed,
  debug: flag('check actions'),
};

/** Numbers 0..n-1, Gymnasium's Discrete. */
export interface Discrete {
  readonly n: number;
  /** What each stands for. */
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

/** What a step gives; the same arrays every time, written anew by each step. */
export interface StepResult {
  /** N x F, row by row. */
  readonly observations: Float32Array;
  /** N x K for K agents. */
  readonly rewards: Float32Array;
  readonly terminations: Uint8Array;
  readonly truncations: Uint8Array;
  /** The rest: masks, players, final observations. */
  readonly infos: EnvBuffers;
}

/** Which environments begin anew, and with which seed. */
export interface ResetOptions {
  /** Kept from the last time unless given; not together with a mask. */
  readonly seed?: SeedLike | undefined;
  /** Marks the environments that begin their next episode. */
  readonly mask?: ArrayLike<number | boolean> | undefined;
}

/** Where a rollout ends, in each environment; at least one of both. */
export interface RolloutLimits {
  /** Actions at most. */
  readonly steps?: number | undefined;
  /** Episodes that end at most. */
  readonly episodes?: number | undefined;
}

const checkReset = createOptionsCheck<ResetOptions>('reset', { seed: true, mask: true });
const checkLimits = createOptionsCheck<RolloutLimits>('rollout', { steps: true, episodes: true });

/** Bytes of a snapshot before fields and records: the seed, and what the environments were made of. */
const SNAPSHOT_HEAD = 16;

const STEP_TASK: KernelTask = { op: 'step', args: [] };
/** By the number of the policy. They are made once: steps allocate nothing. */
const SUGGEST_TASKS: readonly KernelTask[] = POLICIES.map((_, policy) => ({ op: 'suggest', args: [policy] }));
const RESET_TASK: KernelTask = { op: 'reset', args: [] };
const RESET_MARKED_TASK: KernelTask = { op: 'reset-marked', args: [] };

/** The most that a limit can be: no limit. */
const NO_LIMIT = 2 ** 32 - 1;

/** The fields as what a step gives. */
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

/** Environments of one configuration, whoever steps them. */
export abstract class Environments {
  readonly numEnvs: number;
  /** Index of the first environment. */
  readonly firstEnv: number;
  readonly agents: readonly string[];
  /** Decision points; `phase` p stands for `points[p - 1]`. */
  readonly decisionPoints: readonly string[];
  readonly actionSpace: Discrete;
  readonly observationSpace: Box;
  readonly buffers: EnvBuffers;
  readonly debug: boolean;
  /** Bytes of the state of one environment; 0 in a system without a kernel, whose states differ in length. */
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

  /** Decision points at which agents are asked; at all others they follow their scenario's policies. */
  get decisions(): readonly string[] {
    return this.configuration.decisions;
  }

  /** Bytes of a snapshot, where all have the same size. */
  get snapshotSize(): number {
    return SNAPSHOT_HEAD + this.engine.savedBytes;
  }
}

/** Environments that are stepped while the caller waits: by its own thread, or by others. */
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

  /** How many episodes the last step of all environments has ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Performs a task in all environments. @returns the sum of what it gives */
  protected abstract performAll(task: KernelTask): number;

  /** Throws if somebody else may be at the environments. */
  protected abstract checkIdle(): void;

  /**
   * Begins episode 0 in every environment; with a mask, the next episode in those that it marks.
   * @throws InputError if the mask has another length, or there is a seed beside it
   */
  reset(options: ResetOptions = {}): StepResult {
    this.checkIdle();
    this.performAll(this.resetTask(options));
    return this.#shown;
  }

  /**
   * Takes an action in every environment.
   * @param actions N numbers of actions; those that stand in `fields.act` unless given
   * @throws InputError in debug mode, if an action is illegal; nothing has happened then
   */
  step(actions?: ArrayLike<number>): StepResult {
    this.checkIdle();
    this.#ended = this.performAll(this.stepTask(actions));
    return this.#shown;
  }

  /** Writes what a policy does in every environment into `fields.act`. */
  sampleActions(policy: Policy): void {
    this.checkIdle();
    this.performAll(this.suggestTask(policy));
  }

  /**
   * Lets a policy act in every environment, within the kernel.
   * @returns actions taken in all environments
   */
  rollout(policy: Policy, limits: RolloutLimits): number {
    this.checkIdle();
    return this.performAll(this.rolloutTask(policy, limits));
  }

  /**
   * Changes rewards, weights or modes. What is not named stays as it is; episodes under way go on and end by the new
   * rules. An environment whose battle is over waits for `reset`, whatever the modes say.
   * @throws InputError if the changes do not fit; nothing has changed then
   */
  configure(changes: EnvChanges): void {
    this.checkIdle();
    const configuration = applyChanges(this.configuration, changes);
    this.engine.configure(configuration, changes);
    this.#configuration = configuration;
  }

  /** Everything, to come back to: fields and states of all environments. Not the configuration. */
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

  /** Comes back to a snapshot of environments that were made alike. @throws InputError if its size is another */
  restore(snapshot: Uint8Array): void {
    this.checkIdle();
    const { savedBytes, fingerprint } = this.engine;
    checkBytes('snapshot', snapshot, savedBytes > 0 ? this.snapshotSize : undefined, SNAPSHOT_HEAD);
    const head = new DataView(snapshot.buffer, snapshot.byteOffset);
    if (head.getBigUint64(8, true) !== fingerprint) {
      throw new InputError(
        'snapshot',
        'a snapshot of environments with the same configuration',
        'a different configuration',
      );
    }
    this.engine.load(snapshot.subarray(SNAPSHOT_HEAD));
    this.#seed = head.getBigUint64(0, true);
    this.engine.seed = this.#seed;
  }

  /** The state of an environment, for `setState` here or in environments that were made alike. */
  state(env: number): Uint8Array {
    this.checkIdle();
    checkEnv(env, this.numEnvs);
    return this.engine.state(env);
  }

  /** Puts an environment into a state. @throws InputError if there is no such environment, or the state has another size */
  setState(env: number, state: Uint8Array): void {
    this.checkIdle();
    checkEnv(env, this.numEnvs);
    try {
      this.engine.setState(env, state);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Gives environments from..to-1 futures of another seed: what has happened stays, what is drawn from here on is other. */
  reseed(seed: SeedLike, from = 0, to: number = this.numEnvs): void {
    this.checkIdle();
    const key = parseSeed(seed);
    checkRange(from, to, this.numEnvs);
    this.engine.reseed(key, from, to);
  }

  protected resetTask(options: ResetOptions): KernelTask {
    checkReset(options);
    const { seed, mask } = options;
    if (seed !== undefined && mask !== undefined) throw new InputError('reset', 'a seed or a mask', 'both');
    if (mask !== undefined) writeMask(this.buffers.resetMask, mask);
    if (seed !== undefined) this.#seed = parseSeed(seed);
    this.engine.seed = this.#seed;
    if (mask === undefined) return RESET_TASK;
    return RESET_MARKED_TASK;
  }

  /** Writes the actions of environments from..to-1, unless they stand there already. */
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
   * The error to throw for one that an engine threw. A kernel that fails, as over a state that was made up, or rules that
   * throw, have done half of their work: whatever is asked of the environments from then on is refused with the same error.
   */
  protected failed(error: unknown): unknown {
    if (error instanceof RunError) this.#failure = error;
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    const told = `the kernel failed, so its environments cannot be used any more: ${error.message}`;
    this.#failure = new RunError(told, { cause: error });
    return this.#failure;
  }

  #checkActions(from: number, to: number): void {
    const { act, mask, phase, record } = this.buffers;
    const { n, names } = this.actionSpace;
    for (let e = from; e < to; e++) {
      const action = act[e] ?? -1;
      if (phase[e] === 0 || (action >= 0 && action < n && mask[e * n + action] === 1)) continue;
      // A step takes no action of an episode that a limit has ended.
      if (readRecordHead(record.subarray((e * record.length) / this.numEnvs)).status !== STATUS.open) continue;
      const legal = names.filter((_, a) => mask[e * n + a] === 1).join(', ');
      const found = names[action] ?? String(action);
      throw new InputError(`action of environment ${String(e)}`, `one of ${legal}`, found);
    }
  }
}
