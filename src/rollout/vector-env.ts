/** Many battles of a system in lockstep, an agent at every decision: Gymnasium's vector environment over kernel memory. */
import { parseSeed, type SeedLike } from '../chance/seed.ts';
import { InputError } from '../errors.ts';
import type { Module } from '../kernel/instance.ts';
import { loadKernel } from '../kernel/load.ts';
import type { Feature } from '../systems/rollout.ts';
import type { Scenario } from '../systems/system.ts';
import {
  type Configuration,
  configurationOf,
  type EnvironmentOptions,
  encodeConfiguration,
  type Weighted,
} from './configuration.ts';
import type { Fields } from './fields.ts';
import { EnvironmentKernel } from './kernel.ts';

/** Policies that kernels know: the scenario's own, and every legal action alike. */
export const POLICIES = ['scenario', 'uniform'] as const;
export type Policy = (typeof POLICIES)[number];

export interface VectorEnvOptions extends EnvironmentOptions {
  /** 64 unless given; at most 2^21. */
  readonly numEnvs?: number | undefined;
  /** Index of the first environment: processes that share the work each take indices of their own. 0 unless given. */
  readonly firstEnv?: number | undefined;
  readonly seed?: SeedLike | undefined;
  /** Throws on an illegal action before anything happens, instead of letting it lose. */
  readonly debug?: boolean | undefined;
}

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
export interface Step {
  /** N x F, row by row. */
  readonly observations: Float32Array;
  /** N x K for K agents. */
  readonly rewards: Float32Array;
  readonly terminations: Uint8Array;
  readonly truncations: Uint8Array;
  /** The rest: masks, players, final observations. */
  readonly infos: Fields;
}

/** Bytes before the fields of a snapshot: the seed, and the digest of what the environments were made of. */
const SNAPSHOT_HEAD = 16;

export class VectorEnv {
  readonly numEnvs: number;
  /** Index of the first environment. */
  readonly firstEnv: number;
  readonly agents: readonly string[];
  /** Decision points; `phase` p stands for `points[p - 1]`. */
  readonly points: readonly string[];
  readonly actionSpace: Discrete;
  readonly observationSpace: Box;
  readonly configuration: Configuration;
  readonly fields: Fields;
  readonly debug: boolean;
  readonly #kernel: EnvironmentKernel;
  readonly #step: Step;
  #seed: bigint;
  #ended = 0;

  /** Use `VectorEnv.make`. */
  constructor(configuration: Configuration, kernel: EnvironmentKernel, seed: bigint, debug: boolean) {
    this.configuration = configuration;
    this.#kernel = kernel;
    this.#seed = seed;
    this.debug = debug;
    this.numEnvs = kernel.envs;
    this.firstEnv = kernel.first;
    this.agents = configuration.agents;
    this.points = configuration.rollout.points;
    this.actionSpace = { n: configuration.actions.length, names: configuration.actions };
    this.observationSpace = boxOf(configuration.features);
    this.fields = kernel.fields;
    const { obs, reward, terminated, truncated } = this.fields;
    this.#step = {
      observations: obs,
      rewards: reward,
      terminations: terminated,
      truncations: truncated,
      infos: this.fields,
    };
    this.reset();
  }

  /**
   * Opens environments of one scenario, or of several with weights: each episode draws its own.
   * @throws InputError if the scenarios do not go together, or an option is none
   * @throws RunError if the kernel is not built
   */
  static async make(
    scenarios: Scenario | readonly (Scenario | Weighted)[],
    options: VectorEnvOptions = {},
  ): Promise<VectorEnv> {
    const { numEnvs = 64, firstEnv = 0, seed = 0, debug = false } = options;
    const configuration = configurationOf(weighted(scenarios), options);
    const module: Module = await loadKernel(configuration.system.id);
    const room = { envs: numEnvs, first: firstEnv, threads: 1 };
    const kernel = EnvironmentKernel.init(module, encodeConfiguration(configuration), room);
    return new VectorEnv(configuration, kernel, parseSeed(seed), debug);
  }

  /**
   * Begins episode 0 in every environment; with a mask, the next episode in those that it marks.
   * @param options.seed kept from the last time unless given; not together with a mask
   */
  reset(options: { readonly seed?: SeedLike; readonly mask?: ArrayLike<number | boolean> } = {}): Step {
    const { exports } = this.#kernel;
    const { seed, mask } = options;
    if (seed !== undefined) {
      if (mask !== undefined) throw new InputError('reset', 'a seed or a mask', 'both');
      this.#seed = parseSeed(seed);
    }
    this.#kernel.seed = this.#seed;
    if (mask === undefined) exports.env_reset(0, this.numEnvs);
    else {
      if (mask.length !== this.numEnvs) {
        throw new InputError('reset mask', `${String(this.numEnvs)} flags`, String(mask.length));
      }
      for (let e = 0; e < this.numEnvs; e++) this.fields.resetMask[e] = Number(mask[e]);
      exports.env_reset_masked(0, this.numEnvs);
    }
    return this.#step;
  }

  /**
   * Takes an action in every environment.
   * @param actions N numbers of actions; those that stand in `fields.act` unless given
   * @throws InputError in debug mode, if an action is illegal; nothing has happened then
   */
  step(actions: ArrayLike<number> = this.fields.act): Step {
    const { act } = this.fields;
    if (actions !== act) {
      if (actions.length !== this.numEnvs) {
        throw new InputError('actions', `${String(this.numEnvs)} numbers`, String(actions.length));
      }
      act.set(actions);
    }
    if (this.debug) this.#checkActions();
    this.#ended = this.#kernel.exports.env_step(0, this.numEnvs);
    return this.#step;
  }

  /** How many episodes the last step has ended: `fields.finished` begins with their environments. */
  get ended(): number {
    return this.#ended;
  }

  /** Writes what a policy does in every environment into `fields.act`. */
  suggest(policy: Policy): void {
    this.#kernel.exports.env_suggest(POLICIES.indexOf(policy), 0, this.numEnvs);
  }

  /**
   * Lets a policy act in every environment, within the kernel.
   * @param limits.steps    actions in each environment at most
   * @param limits.episodes episodes that end in each at most
   * @returns actions taken in all environments
   */
  rollout(policy: Policy, limits: { readonly steps?: number; readonly episodes?: number }): number {
    const { steps = 2 ** 32 - 1, episodes = 2 ** 32 - 1 } = limits;
    return this.#kernel.exports.env_rollout(POLICIES.indexOf(policy), 0, this.numEnvs, steps, episodes) >>> 0;
  }

  /** Bytes of a snapshot. */
  get snapshotBytes(): number {
    return SNAPSHOT_HEAD + this.#kernel.everything.length;
  }

  /** Everything, to come back to: fields and states of all environments. */
  snapshot(): Uint8Array {
    const bytes = new Uint8Array(this.snapshotBytes);
    const head = new DataView(bytes.buffer);
    head.setBigUint64(0, this.#seed, true);
    head.setBigUint64(8, this.#kernel.fingerprint, true);
    bytes.set(this.#kernel.everything, SNAPSHOT_HEAD);
    return bytes;
  }

  /** Comes back to a snapshot. @throws InputError if it is one of environments that were made otherwise */
  restore(snapshot: Uint8Array): void {
    const { everything } = this.#kernel;
    if (snapshot.length !== this.snapshotBytes) {
      throw new InputError('snapshot', `${String(this.snapshotBytes)} bytes`, String(snapshot.length));
    }
    const head = new DataView(snapshot.buffer, snapshot.byteOffset);
    if (head.getBigUint64(8, true) !== this.#kernel.fingerprint) {
      throw new InputError('snapshot', 'one of environments that were made alike', 'one of others');
    }
    this.#seed = head.getBigUint64(0, true);
    this.#kernel.seed = this.#seed;
    everything.set(snapshot.subarray(SNAPSHOT_HEAD));
  }

  /** Bytes of the state of one environment. */
  get stateBytes(): number {
    return this.fields.record.length / this.numEnvs;
  }

  /** The state of an environment, for `setState` here or in environments that were made alike. */
  state(env: number): Uint8Array {
    return this.fields.record.slice(env * this.stateBytes, (env + 1) * this.stateBytes);
  }

  /** Puts an environment into a state. @throws InputError if there is no such environment, or the state has another size */
  setState(env: number, state: Uint8Array): void {
    if (!(Number.isInteger(env) && env >= 0 && env < this.numEnvs)) {
      throw new InputError('env', `an integer 0..${String(this.numEnvs - 1)}`, String(env));
    }
    if (state.length !== this.stateBytes) {
      throw new InputError('state', `${String(this.stateBytes)} bytes`, String(state.length));
    }
    this.fields.record.set(state, env * this.stateBytes);
    this.#kernel.exports.env_refresh(env, env + 1);
  }

  /** Gives environments from..to-1 futures of another seed: what has happened stays, what is drawn from here on is other. */
  rekey(seed: SeedLike, from = 0, to: number = this.numEnvs): void {
    const key = parseSeed(seed);
    this.#kernel.exports.env_rekey(from, to, Number(key & 0xffffffffn), Number(key >> 32n));
  }

  #checkActions(): void {
    const { act, mask, phase } = this.fields;
    const { n, names } = this.actionSpace;
    for (let e = 0; e < this.numEnvs; e++) {
      const action = act[e] ?? -1;
      if (phase[e] === 0 || (action >= 0 && action < n && mask[e * n + action] === 1)) continue;
      const legal = names.filter((_, a) => mask[e * n + a] === 1).join(', ');
      const found = names[action] ?? String(action);
      throw new InputError(`action of environment ${String(e)}`, `one of ${legal}`, found);
    }
  }
}

function boxOf(features: readonly Feature[]): Box {
  return {
    shape: [features.length],
    dtype: 'float32',
    low: Float32Array.from(features, ({ low }) => low),
    high: Float32Array.from(features, ({ high }) => high),
    features,
  };
}

/** Scenarios with their weights. */
export function weighted(scenarios: Scenario | readonly (Scenario | Weighted)[]): Weighted[] {
  const list = 'system' in scenarios ? [scenarios] : scenarios;
  return list.map((each) => ('system' in each ? { scenario: each } : each));
}
