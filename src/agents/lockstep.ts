/** Environments that are stepped while the caller waits: by its own thread, or by others. */
import { parseSeed, type SeedLike } from '../core/chance/stream.ts';
import { type Changes, changed } from './changes.ts';
import { Environments, type ResetOptions, type RolloutLimits, type Step } from './environments.ts';
import { checkRange } from './given.ts';
import type { Policy } from './policies.ts';
import type { KernelTask } from './threads/task.ts';

export abstract class Lockstep extends Environments {
  #ended = 0;

  /** How many episodes the last step of all environments has ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Performs a task in all environments. @returns the sum of what it gives */
  protected abstract performAll(task: KernelTask): number;

  /** Throws if somebody else may be at the environments. */
  protected abstract settled(): void;

  /**
   * Begins episode 0 in every environment; with a mask, the next episode in those that it marks.
   * @throws InputError if the mask has another length, or there is a seed beside it
   */
  reset(options: ResetOptions = {}): Step {
    this.settled();
    this.performAll(this.resetTask(options));
    return this.shown;
  }

  /**
   * Takes an action in every environment.
   * @param actions N numbers of actions; those that stand in `fields.act` unless given
   * @throws InputError in debug mode, if an action is illegal; nothing has happened then
   */
  step(actions?: ArrayLike<number>): Step {
    this.settled();
    this.#ended = this.performAll(this.stepTask(actions));
    return this.shown;
  }

  /** Writes what a policy does in every environment into `fields.act`. */
  suggest(policy: Policy): void {
    this.settled();
    this.performAll(this.suggestTask(policy));
  }

  /**
   * Lets a policy act in every environment, within the kernel.
   * @returns actions taken in all environments
   */
  rollout(policy: Policy, limits: RolloutLimits): number {
    this.settled();
    return this.performAll(this.rolloutTask(policy, limits));
  }

  /**
   * Changes rewards, weights or modes. What is not named stays as it is; episodes under way go on and end by the new
   * rules. An environment whose battle is over waits for `reset`, whatever the modes say.
   * @throws InputError if the changes do not fit; nothing has changed then
   */
  configure(changes: Changes): void {
    this.settled();
    const configuration = changed(this.configuration, changes);
    this.engine.configure(configuration, changes);
    this.changedTo(configuration);
  }

  /** Everything, to come back to: fields and states of all environments. Not the configuration. */
  snapshot(): Uint8Array {
    this.settled();
    return this.snapshotOf(this.engine.save());
  }

  /** Comes back to a snapshot of environments that were made alike. @throws InputError if its size is another */
  restore(snapshot: Uint8Array): void {
    this.settled();
    this.engine.load(this.savedIn(snapshot));
    this.resume(snapshot);
  }

  /** The state of an environment, for `setState` here or in environments that were made alike. */
  state(env: number): Uint8Array {
    this.settled();
    this.checkEnv(env);
    return this.engine.state(env);
  }

  /** Puts an environment into a state. @throws InputError if there is no such environment, or the state has another size */
  setState(env: number, state: Uint8Array): void {
    this.settled();
    this.checkEnv(env);
    try {
      this.engine.setState(env, state);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Gives environments from..to-1 futures of another seed: what has happened stays, what is drawn from here on is other. */
  rekey(seed: SeedLike, from = 0, to: number = this.numEnvs): void {
    this.settled();
    const key = parseSeed(seed);
    checkRange(from, to, this.numEnvs);
    this.engine.rekey(key, from, to);
  }
}
