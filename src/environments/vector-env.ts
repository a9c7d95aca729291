/** Opens the engine of a configuration: the kernel of its system, compiled scenarios, or the rules. */

import { createOptionsCheck, parseSeed } from '../core/index.ts';
import { loadKernel } from '../engines/index.ts';
import type { Scenario } from '../rules/index.ts';
import { type CompiledVariant, compileDecisions, DECISION_KERNEL } from './decision-automaton/compile-decisions.ts';
import { encodeEnvSpec } from './encode-env-spec.ts';
import { createEnvSpec, type EnvSpec, hasKernel, type WeightedScenario } from './env-spec.ts';
import { type EnvironmentEngine, KernelEngine } from './environment-engine.ts';
import { EnvironmentKernel, type EnvironmentRange, type KernelTask } from './environment-kernel.ts';
import { addWeights, LockstepEnvironments, VECTOR_ENV_OPTIONS, type VectorEnvOptions } from './environments.ts';
import { ReferenceEngine } from './reference-engine.ts';

/** Name of a kernel, its configuration, and the scenarios if they are compiled. */
interface PreparedKernel {
  readonly name: string;
  readonly words: Int32Array<ArrayBuffer>;
  readonly compiled: readonly CompiledVariant[] | undefined;
}

/** Prepares the kernel of a configuration. @returns the reason if rules have to be called */
export async function prepareKernel(configuration: EnvSpec): Promise<PreparedKernel | string> {
  const compiled = await compileDecisions(configuration);
  if (typeof compiled !== 'string')
    return { name: DECISION_KERNEL, words: encodeEnvSpec(configuration, compiled), compiled };
  if (!hasKernel(configuration)) return compiled;
  return { name: configuration.system.id, words: encodeEnvSpec(configuration), compiled: undefined };
}

/**
 * Opens environments stepped by one thread.
 * @throws InputError if there are too many
 * @throws RunError if the kernel is not built
 */
export async function openEngine(
  configuration: EnvSpec,
  room: Omit<EnvironmentRange, 'threads'>,
): Promise<EnvironmentEngine> {
  const prepared = await prepareKernel(configuration);
  if (typeof prepared === 'string') return new ReferenceEngine(configuration, room, undefined, prepared);
  const { name, words, compiled } = prepared;
  const module = await loadKernel(name);
  return new KernelEngine(EnvironmentKernel.init(module, words, { ...room, threads: 1 }), configuration, compiled);
}

// Many battles in lockstep; each step is a decision of an agent. The vector environment of Gymnasium.

const checkOptions = createOptionsCheck<VectorEnvOptions>('VectorEnv.create', VECTOR_ENV_OPTIONS);

/**
 * Many battles in lockstep; each step is a decision of an agent. The vector environment of Gymnasium. Create it with
 * `VectorEnv.create`.
 */
export class VectorEnv extends LockstepEnvironments {
  /** Use `VectorEnv.create`. */
  constructor(configuration: EnvSpec, engine: EnvironmentEngine, seed: bigint, debug: boolean) {
    super(configuration, engine, seed, debug);
    this.reset();
  }

  /**
   * Opens environments of one scenario, or of several with weights: each episode samples one.
   * @throws InputError if the scenarios are incompatible, or an option is invalid
   * @throws RunError if the kernel is not built
   */
  static async create(
    scenarios: Scenario | readonly (Scenario | WeightedScenario)[],
    options: VectorEnvOptions = {},
  ): Promise<VectorEnv> {
    checkOptions(options);
    const { numEnvs = 64, firstEnv = 0, seed = 0, debug = false, ...environment } = options;
    const configuration = createEnvSpec(addWeights(scenarios), environment);
    const engine = await openEngine(configuration, { envs: numEnvs, first: firstEnv });
    return new VectorEnv(configuration, engine, parseSeed(seed), debug);
  }

  protected override performAll(task: KernelTask): number {
    try {
      return this.engine.perform(task, 0, this.numEnvs);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Only the calling thread accesses the environments. */
  protected override checkIdle(): void {
    this.checkSound();
  }
}
