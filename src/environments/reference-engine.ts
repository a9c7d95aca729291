/** Layout of environments that rules simulate: as in a kernel, but records have only heads. */

import { createSha256 } from '#platform/hash';
import { computeKeyInRun, InputError, RunError, Stream } from '../core/index.ts';
import { ALIGNMENT } from '../engines/index.ts';
import { getBoundScenario } from '../rules/index.ts';
import { hashScenario } from '../stats/index.ts';
import {
  type BufferLayout,
  checkRecords,
  concatBytes,
  createBufferViews,
  type EnvBuffers,
  HEAD_BYTES,
} from './buffers.ts';
import type { EnvChanges, EnvSpec, Variant } from './env-spec.ts';
import type { EnvironmentEngine, PlayoutBatch } from './environment-engine.ts';
import { checkEnvironmentRange, type EnvironmentRange, type KernelTask } from './environment-kernel.ts';
import type { BattleBatch } from './evaluate/value-estimate.ts';
import { BUFFERS, type BufferColumns, POLICIES, SHAPES } from './layout.ts';
import { ReferenceBattle, type TurnState } from './reference-battle.ts';
import { decodeTurnState, type FinishedEpisode, ReferenceEnv, type StepEffects } from './reference-env.ts';
import { checkBytes } from './validate.ts';

const BYTES = { i32: 4, f32: 4, u8: 1 } as const;

const alignUp = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

/** Computes the positions of the buffers, their end, and the position of the seed after them. */
function layOutBuffers(configuration: EnvSpec, envs: number): { places: BufferLayout[]; end: number; seedAt: number } {
  const { actions, features, agents, metrics } = configuration;
  const lengths: Readonly<Record<BufferColumns, number>> = {
    ...{ one: 1, features: features.length, actions: actions.length, agents: agents.length },
    ...{ metrics, record: HEAD_BYTES },
  };
  let end = 0;
  const places = BUFFERS.map((name): BufferLayout => {
    const [kind, length] = SHAPES[name];
    const columns = lengths[length];
    const [address, row] = [alignUp(end), BYTES[kind] * columns];
    end = address + row * envs;
    return { name, kind, columns, address, row };
  });
  return { places, end, seedAt: alignUp(end) };
}

/** Computes the bytes of memory for buffers and seed. @throws InputError if there are too many environments */
export function computeMemoryBytes(configuration: EnvSpec, room: Omit<EnvironmentRange, 'threads'>): number {
  checkEnvironmentRange({ ...room, threads: 1 });
  const bytes = layOutBuffers(configuration, room.envs).seedAt + BigUint64Array.BYTES_PER_ELEMENT;
  if (bytes > 2 ** 31) throw new InputError('numEnvs', 'a number that fits into 2 GiB', String(room.envs));
  return bytes;
}

/** Computes the fingerprint of the scenarios and options. */
function computeFingerprint({ system, variants, features, ...rest }: EnvSpec, envs: number): bigint {
  const { agents, decisions, actions, autoreset, maxSteps } = rest;
  const parts = variants.map(({ scenario, weight, byOutcome, byMetric, byStep }) => ({
    ...{
      scenario: hashScenario(scenario),
      module: getBoundScenario(scenario).module?.hash,
      weight,
      byOutcome,
      byMetric,
      byStep,
    },
  }));
  const made = { system: system.id, parts, features, agents, asked: decisions, actions, autoreset, maxSteps, envs };
  return createSha256().update(JSON.stringify(made)).word();
}

// Environments simulated by rules, in buffers laid out like a kernel's: for systems without a kernel.

/** Finds the line of code of an error. */
function findCodeLine({ stack = '' }: Error): string {
  const line = stack.split('\n').find((each) => each.startsWith('    at '));
  return line === undefined ? '' : ` (${line.trim()})`;
}

export class ReferenceEngine implements EnvironmentEngine {
  readonly form = 'reference';
  readonly reason: string | undefined;
  readonly envs: number;
  readonly first: number;
  /** Layout of the buffers. */
  readonly places: readonly BufferLayout[];
  readonly fields: EnvBuffers;
  readonly fingerprint: bigint;
  /** States differ in length. */
  readonly stateBytes = 0;
  readonly savedBytes = 0;
  readonly #everything: Uint8Array;
  readonly #all: (ReferenceEnv | undefined)[];
  /** By environment: the last episode in its buffers. */
  readonly #reported: (FinishedEpisode | undefined)[] = [];
  #configuration: EnvSpec;
  /** In shared memory, where all threads read it. */
  readonly #seed: BigUint64Array;

  /**
   * @param memory for buffers and seed, of `computeMemoryBytes`; default: new memory
   * @param reason reason for this engine
   * @throws InputError if there are too many environments
   */
  constructor(
    configuration: EnvSpec,
    room: Omit<EnvironmentRange, 'threads'>,
    memory?: SharedArrayBuffer,
    reason?: string,
  ) {
    this.reason = reason;
    const buffer = memory ?? new ArrayBuffer(computeMemoryBytes(configuration, room));
    this.envs = room.envs;
    this.#all = Array.from({ length: room.envs });
    this.first = room.first;
    this.#configuration = configuration;
    this.fingerprint = computeFingerprint(configuration, room.envs);
    const { places, end, seedAt } = layOutBuffers(configuration, room.envs);
    this.places = places;
    this.#everything = new Uint8Array(buffer, 0, end);
    this.#seed = new BigUint64Array(buffer, seedAt, 1);
    this.fields = createBufferViews(buffer, places, room.envs);
  }

  set seed(seed: bigint) {
    this.#seed[0] = seed;
  }

  configure(configuration: EnvSpec, _?: EnvChanges): void {
    this.#configuration = configuration;
    for (const env of this.#all) env?.configure(configuration);
  }

  perform({ op, args }: KernelTask, from: number, to: number): number {
    const [policy = 0, steps = 0, episodes = 0] = args;
    switch (op) {
      case 'step':
        return this.#step(from, to);
      case 'reset':
        this.#all.fill(undefined, from, to);
        this.#runEach(from, to, () => undefined);
        return 0;
      case 'reset-marked':
        this.#runEach(from, to, (e, env) => {
          if (this.fields.resetMask[e] === 1) env.reset();
        });
        return 0;
      case 'suggest':
        for (let e = from; e < to; e++) this.fields.act[e] = this.#suggestAction(e, policy);
        return 0;
      case 'rollout':
        return this.#runRollout(policy, from, to, steps, episodes);
    }
  }

  reseed(seed: bigint, from: number, to: number): void {
    for (let e = from; e < to; e++) {
      this.#getEnv(e).reseed(seed);
      this.fields.record.set(this.#encodeHead(e), e * HEAD_BYTES);
    }
  }

  state(e: number): Uint8Array {
    return this.states(e, e + 1)[0] as Uint8Array;
  }

  setState(e: number, state: Uint8Array): void {
    this.check('state', state);
    this.putState(e, state);
  }

  /** Sets the validated state of an environment. */
  putState(e: number, state: Uint8Array): void {
    this.#runEach(e, e + 1, (_, env) => {
      env.load(state);
    });
  }

  check(place: string, state: Uint8Array): void {
    checkBytes(place, state, undefined, HEAD_BYTES);
    checkRecords(place, state.subarray(0, HEAD_BYTES), HEAD_BYTES, this.#configuration);
    decodeTurnState(place, state);
  }

  /** Buffers, then the length and bytes of each state. */
  save(): Uint8Array {
    return this.saveWith(this.states(0, this.envs));
  }

  load(saved: Uint8Array): void {
    this.putStates(this.loadFields(saved), 0);
  }

  /** Returns the states of environments from..to-1. */
  states(from: number, to: number): Uint8Array[] {
    return Array.from({ length: to - from }, (_, i) => this.#getEnv(from + i).save());
  }

  /** Creates the output of `save` from the buffers and the states of all environments. */
  saveWith(states: readonly Uint8Array[]): Uint8Array {
    const parts = states.flatMap((state) => [new Uint8Array(Uint32Array.of(state.length).buffer), state]);
    return concatBytes([this.#everything, ...parts]);
  }

  /** Loads the buffers of a saved state. @returns the states, for `putStates` */
  loadFields(saved: Uint8Array): Uint8Array[] {
    const states = this.#splitStates(saved);
    this.#everything.set(saved.subarray(0, this.#everything.length));
    return states;
  }

  /** Loads the states of environments from `from` on; their buffers are already loaded. */
  putStates(states: readonly Uint8Array[], from: number): void {
    for (const [i, state] of states.entries()) {
      const e = from + i;
      this.#getEnv(e).load(state, this.#readEffects(e));
      this.#reported[e] = this.#getEnv(e).last;
    }
  }

  begun(_: Variant, state: Uint8Array): TurnState {
    return decodeTurnState('state', state);
  }

  playOut(variant: Variant, state: Uint8Array, { key, from, count, policy }: PlayoutBatch): BattleBatch {
    const begun = decodeTurnState('state', state);
    const counts = variant.outcomes.map(() => 0);
    const sums = variant.metrics.map(() => 0);
    for (let index = from; index < from + count; index++) {
      const stream = Stream.fromKey(computeKeyInRun(key, index));
      const battle = new ReferenceBattle(this.#configuration, variant, stream, { ...begun, asksAllPlayers: true });
      for (let steps = 0; battle.pending !== undefined; steps++) {
        battle.apply(battle.optionOf(battle.chooseAction(policy, steps)) ?? battle.pending.policy);
      }
      const outcome = variant.outcomes.indexOf(battle.outcome ?? '');
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      for (const [m, value] of variant.model.measure(battle.state).entries()) sums[m] = (sums[m] ?? 0) + value;
    }
    return { battles: count, counts, sums };
  }

  #getEnv(e: number): ReferenceEnv {
    const seed = this.#seed[0] ?? 0n;
    this.#all[e] ??= new ReferenceEnv(this.#configuration, seed, this.first + e);
    this.#all[e].seed = seed;
    return this.#all[e];
  }

  #encodeHead(e: number): Uint8Array {
    return this.#getEnv(e).head();
  }

  /** Reads the effects of the last step of an environment from its buffers. */
  #readEffects(e: number): StepEffects {
    const { reward, terminated, truncated, invalid } = this.fields;
    const agents = reward.length / this.envs;
    return {
      reward: [...reward.subarray(e * agents, (e + 1) * agents)],
      terminated: terminated[e] === 1,
      truncated: truncated[e] === 1,
      invalid: invalid[e] === 1,
    };
  }

  /** Returns the action index of a policy. */
  #suggestAction(e: number, policy: number): number {
    return this.#getEnv(e).sampleActions(POLICIES[policy] ?? 'scenario');
  }

  /**
   * Runs an action on environments, then writes their output. @throws RunError that names the battle if the rules throw
   */
  #runEach(from: number, to: number, act: (e: number, env: ReferenceEnv) => void): void {
    for (let e = from; e < to; e++) {
      try {
        act(e, this.#getEnv(e));
        this.#show(e);
      } catch (error) {
        throw this.#locateError(error, e);
      }
    }
  }

  #step(from: number, to: number): number {
    const { act, finished } = this.fields;
    let over = from;
    this.#runEach(from, to, (e, env) => {
      if (env.step(act[e] ?? 0)) finished[over++] = e;
    });
    return over - from;
  }

  #runRollout(policy: number, from: number, to: number, steps: number, episodes: number): number {
    const { act } = this.fields;
    let taken = 0;
    this.#runEach(from, to, (e, env) => {
      let over = 0;
      for (let s = 0; s < steps && over < episodes && env.isOpen; s++) {
        const action = this.#suggestAction(e, policy);
        act[e] = action;
        over += Number(env.step(action));
        taken++;
      }
    });
    return taken;
  }

  /** Writes the output of an environment. */
  #show(e: number): void {
    const { fields } = this;
    const env = this.#getEnv(e);
    const { obs, mask, reward, terminated, truncated, invalid, player, phase, episode, variant } = env.output;
    fields.obs.set(obs, e * obs.length);
    fields.mask.set(mask, e * mask.length);
    fields.reward.set(reward, e * reward.length);
    fields.terminated[e] = Number(terminated);
    fields.truncated[e] = Number(truncated);
    fields.invalid[e] = Number(invalid);
    fields.player[e] = player;
    fields.phase[e] = phase;
    fields.episode[e] = episode;
    fields.variant[e] = variant;
    fields.record.set(this.#encodeHead(e), e * HEAD_BYTES);
    if (env.last !== undefined && env.last !== this.#reported[e]) this.#report(e, env.last);
  }

  /** Writes the result of an episode. */
  #report(e: number, last: FinishedEpisode): void {
    const { finalObs, finalMask, finalPlayer, finalPhase, ...fields } = this.fields;
    const { finalReturn, outcome, metrics, length, finalVariant } = fields;
    this.#reported[e] = last;
    finalObs.set(last.obs, e * last.obs.length);
    finalMask.set(last.mask, e * last.mask.length);
    finalPlayer[e] = last.player;
    finalPhase[e] = last.phase;
    finalReturn.set(last.reward, e * last.reward.length);
    outcome[e] = last.outcome;
    metrics.set(last.metrics, (e * metrics.length) / this.envs);
    length[e] = last.length;
    finalVariant[e] = last.variant;
  }

  #splitStates(saved: Uint8Array): Uint8Array[] {
    const states: Uint8Array[] = [];
    let at = this.#everything.length;
    while (at + 4 <= saved.length && states.length < this.envs) {
      const length = new DataView(saved.buffer, saved.byteOffset + at).getUint32(0, true);
      states.push(saved.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    if (at !== saved.length || states.length < this.envs)
      throw new InputError('snapshot', `the states of ${String(this.envs)} environments`, 'other bytes');
    for (const state of states) this.check('snapshot', state);
    return states;
  }

  /** Adds the battle to an error of the rules. */
  #locateError(error: unknown, e: number): unknown {
    if (!(error instanceof Error) || error instanceof RunError) return error;
    const where = `battle ${String(this.#all[e]?.battleIndex ?? this.first + e)} of seed ${String(this.#seed[0])}`;
    const what = error instanceof InputError ? error.message : `${String(error)}${findCodeLine(error)}`;
    return new RunError(`${this.#configuration.system.id}, ${where}: ${what}`, { cause: error });
  }
}
