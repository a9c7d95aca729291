/** Many battles of a system in lockstep, an agent at every decision: Gymnasium's vector environment. */
import { parseSeed } from '../core/chance/stream.ts';
import { optionsOf } from '../core/names.ts';
import type { Scenario } from '../rules/system.ts';
import { type Configuration, configurationOf, type Weighted } from './configuration.ts';
import type { EnvironmentEngine } from './engine.ts';
import { VECTOR_ENV_OPTIONS, type VectorEnvOptions, weighted } from './environments.ts';
import { Lockstep } from './lockstep.ts';
import { openEngine } from './open.ts';
import type { KernelTask } from './threads/task.ts';

const checkOptions = optionsOf<VectorEnvOptions>('VectorEnv.make', VECTOR_ENV_OPTIONS);

/** Many battles in lockstep, an agent at every decision: Gymnasium's vector environment. `VectorEnv.make` makes one. */
export class VectorEnv extends Lockstep {
  /** Use `VectorEnv.make`. */
  constructor(configuration: Configuration, engine: EnvironmentEngine, seed: bigint, debug: boolean) {
    super(configuration, engine, seed, debug);
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
    checkOptions(options);
    const { numEnvs = 64, firstEnv = 0, seed = 0, debug = false, ...environment } = options;
    const configuration = configurationOf(weighted(scenarios), environment);
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

  /** The caller's thread is the only one. */
  protected override settled(): void {
    this.checkSound();
  }
}
