/** What a server of the rollout protocol offers: environments of its scenarios, opened for each client anew. */
import { createHash } from 'node:crypto';
import { ownRules, rulesOf } from '../../answers/digest.ts';
import { parseCount, parseSeed, type SeedLike } from '../../core/chance/stream.ts';
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/names.ts';
import { kernelHash } from '../../engines/kernel/kernel.ts';
import { describeFound } from '../../rules/scenario/problem.ts';
import { type Configuration, configurationOf, type EnvironmentOptions, type Weighted } from '../configuration.ts';
import { ENVS_MAX } from '../layout.ts';
import { environmentOf } from '../manifest.ts';
import { hasKernel, openEngine } from '../open.ts';
import { VectorEnv } from '../vector-env.ts';
import { LENGTH_END, PROTOCOL } from './frames.ts';
import { type Wanted, wantedOf } from './sight.ts';

const KEYS = ['protocol', 'envs', 'firstEnv', 'seed', 'fields', 'last'];

/** Bytes of the digest before a snapshot. */
const SEAL = 32;

/** What is served. */
export interface ServedEnvironments extends EnvironmentOptions {
  /** The most that a client gets, and what it gets unless it asks for less; 64 unless given. */
  readonly numEnvs?: number | undefined;
  readonly seed?: SeedLike | undefined;
}

/** What a HELLO asks for. */
export interface Greeting {
  readonly envs: number;
  readonly firstEnv: number;
  readonly seed: bigint;
  readonly wanted: Wanted;
}

function parsed(payload: Uint8Array): Record<string, unknown> {
  const text = new TextDecoder().decode(payload);
  const refuse = () => new InputError('HELLO', 'a JSON object', `"${text.slice(0, 40)}"`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse();
  return value as Record<string, unknown>;
}

/** A value that is a number or text, for those who read both; of any other in a few words what it is. */
function plain(value: unknown): number | string {
  return typeof value === 'number' || typeof value === 'string' ? value : describeFound(value);
}

/** Who plays: a kernel, or the rules of a module. */
function playerOf(configuration: Configuration): object {
  const { system, variants } = configuration;
  if (hasKernel(configuration)) return { kernel: { sha256: kernelHash(system.id) } };
  return variants[0] === undefined ? {} : ownRules(rulesOf(variants[0].scenario));
}

/** Bytes by which the state of an environment may be longer than at the beginning. */
const STATE_MAX = 65_536;

export class Offer {
  /** What is the same for all clients: names, units and bounds. */
  readonly manifest: object;
  readonly #scenarios: readonly Weighted[];
  readonly #options: EnvironmentOptions;
  readonly #envs: number;
  readonly #seed: bigint;
  /** Of what makes snapshots fit: rules and configuration. */
  readonly #identity: string;

  private constructor(scenarios: readonly Weighted[], options: EnvironmentOptions, envs: number, seed: SeedLike) {
    const configuration = configurationOf(scenarios, options);
    const told = { ...environmentOf(configuration), ...playerOf(configuration) };
    this.manifest = { protocol: PROTOCOL, ...told };
    this.#scenarios = scenarios;
    this.#options = options;
    this.#envs = envs;
    this.#seed = parseSeed(seed);
    this.#identity = JSON.stringify(told);
  }

  /**
   * @throws InputError if scenarios or options do not go together, or a kernel does not hold so many environments
   */
  static async make(
    scenarios: readonly Weighted[],
    { numEnvs = 64, seed = 0, ...options }: ServedEnvironments,
  ): Promise<Offer> {
    const configuration = configurationOf(scenarios, options);
    await openEngine(configuration, { envs: numEnvs, first: 0 });
    return new Offer(scenarios, options, numEnvs, seed);
  }

  /** Reads the payload of a HELLO. @throws InputError on whatever is wrong with it */
  greeting(payload: Uint8Array): Greeting {
    const asked = parsed(payload);
    const stranger = Object.keys(asked).find((key) => !KEYS.includes(key));
    if (stranger !== undefined) {
      throw new InputError('HELLO', `keys among ${KEYS.join(', ')}`, `"${stranger}"${didYouMean(stranger, KEYS)}`);
    }
    const { protocol, envs = this.#envs, firstEnv = 0, seed = this.#seed, fields, last } = asked;
    if (protocol !== PROTOCOL) {
      throw new InputError(
        'HELLO protocol',
        String(PROTOCOL),
        protocol === undefined ? 'nothing' : String(plain(protocol)),
      );
    }
    const count = parseCount(plain(envs), 'HELLO envs', 1, this.#envs);
    return {
      envs: count,
      firstEnv: parseCount(plain(firstEnv), 'HELLO firstEnv', 0, ENVS_MAX - count),
      seed: parseSeed(typeof seed === 'bigint' ? seed : plain(seed), 'HELLO seed'),
      wanted: wantedOf(fields, last),
    };
  }

  async open({ envs, firstEnv, seed }: Greeting): Promise<VectorEnv> {
    return VectorEnv.make(this.#scenarios, { ...this.#options, numEnvs: envs, firstEnv, seed });
  }

  /** What goes before a snapshot, so that only one of such environments is restored. */
  seal(snapshot: Uint8Array): Buffer {
    return createHash('sha256').update(this.#identity).update(snapshot).digest();
  }

  /** The snapshot behind its seal. @throws InputError if it is of other environments, or broken */
  unseal(bytes: Uint8Array): Uint8Array {
    const snapshot = bytes.subarray(SEAL);
    if (!this.seal(snapshot).equals(bytes.subarray(0, SEAL))) {
      throw new InputError('RESTORE', 'a snapshot of environments like these', 'another, or a broken one');
    }
    return snapshot;
  }

  /** Bytes of a sealed snapshot; undefined where they differ from time to time. */
  sealedBytes(env: VectorEnv): number | undefined {
    return env.stateBytes === 0 ? undefined : SEAL + env.snapshotSize;
  }

  /** The longest payload that is taken of a client with these environments. */
  limit(env: VectorEnv): number {
    const sealed = this.sealedBytes(env);
    if (sealed !== undefined) return Math.max(env.fields.act.byteLength, sealed);
    return Math.min(SEAL + env.snapshot().length + STATE_MAX * env.numEnvs, LENGTH_END - 1);
  }
}
