/** What a client of the rollout protocol sees: fields straight from memory, and rows of episodes that are over. */

import { createHash } from 'node:crypto';
import { ownRules, rulesOf } from '../../answers/index.ts';
import { describeFound, didYouMean, InputError, parseCount, parseSeed, type SeedLike } from '../../core/index.ts';
import { kernelHash } from '../../engines/index.ts';

import { type Configuration, configurationOf, type EnvironmentOptions, type Weighted } from '../configuration.ts';
import type { Fields } from '../fields.ts';
import { ENVS_MAX, type FieldName } from '../layout.ts';
import { environmentOf } from '../manifest.ts';
import { hasKernel, openEngine, VectorEnv } from '../vector-env.ts';
import { LENGTH_END, PROTOCOL } from './frames.ts';

/** Fields that a client can ask to see of every environment, and of those whose episodes are over. */
const SHOWN = [
  'obs',
  'mask',
  'reward',
  'terminated',
  'truncated',
  'player',
  'phase',
  'invalid',
  'episode',
  'variant',
] as const satisfies readonly FieldName[];
const LAST = [
  'finalObs',
  'finalReturn',
  'outcome',
  'metrics',
  'length',
  'finalVariant',
  'finalMask',
  'finalPlayer',
  'finalPhase',
] as const satisfies readonly FieldName[];

/** What is seen unless a client asks otherwise: all but what it can count itself. */
const SHOWN_DEFAULT: readonly FieldName[] = SHOWN.slice(0, 8);
const LAST_DEFAULT: readonly FieldName[] = LAST.slice(0, 5);

/** Bytes before the fields: u32 rows of episodes that are over, u32 0. */
const SIGHT_HEAD = 8;

/** A field as clients find it: `columns` numbers of a kind for each environment, row by row. */
interface Told {
  readonly name: string;
  readonly kind: 'i32' | 'u32' | 'f32' | 'u8';
  readonly columns: number;
}

/** What a client may ask for. */
interface Wanted {
  readonly fields: readonly FieldName[];
  readonly last: readonly FieldName[];
}

function namesAmong(place: string, asked: unknown, known: readonly FieldName[]): readonly FieldName[] {
  const found: unknown[] = Array.isArray(asked) ? asked : [asked];
  const names = found.map((name) => {
    const field = known.find((each) => each === name);
    if (field === undefined || !Array.isArray(asked)) {
      throw new InputError(place, `a list of names among ${known.join(', ')}`, describeFound(name));
    }
    return field;
  });
  if (new Set(names).size < names.length) throw new InputError(place, 'names that are all different', names.join(', '));
  return names;
}

/** @throws InputError if names are no fields */
function wantedOf(fields: unknown, last: unknown): Wanted {
  return {
    fields: fields === undefined ? SHOWN_DEFAULT : namesAmong('HELLO fields', fields, SHOWN),
    last: last === undefined ? LAST_DEFAULT : namesAmong('HELLO last', last, LAST),
  };
}

const padded = (bytes: number): number => (bytes + 7) & ~7;

function kindOf(field: Fields[FieldName]): Told['kind'] {
  if (field instanceof Float32Array) return 'f32';
  if (field instanceof Uint8Array) return 'u8';
  return field instanceof Uint32Array ? 'u32' : 'i32';
}

/** A field as unsigned integers of the same size, whatever they mean. */
function unsignedOf(field: Fields[FieldName]): Uint32Array | Uint8Array {
  return field instanceof Uint8Array ? field : new Uint32Array(field.buffer, field.byteOffset, field.length);
}

/** Copies rows of some environments one after the other. */
function gather(
  to: Uint32Array | Uint8Array,
  from: Uint32Array | Uint8Array,
  envs: ArrayLike<number>,
  count: number,
): void {
  const columns = to.length / count;
  for (let i = 0, at = 0; i < count; i++) {
    const row = (envs[i] ?? 0) * columns;
    for (let c = 0; c < columns; c++) to[at++] = from[row + c] ?? 0;
  }
}

export class Sight {
  /** Where each field lies behind the header of a reply. */
  readonly fields: readonly (Told & { readonly offset: number })[];
  /** What follows the fields for episodes that are over: each a column of rows, beginning at a multiple of 8 bytes. */
  readonly last: readonly Told[];
  readonly #env: VectorEnv;
  readonly #head = new Uint32Array(SIGHT_HEAD / 4);
  /** Views of the environments' memory, with the unused bytes behind fields that make their sizes multiples of 8. */
  readonly #views: readonly Uint8Array[];
  readonly #sources: readonly (Uint32Array | Uint8Array)[];
  readonly #all: Int32Array;
  #rows = new Uint8Array(0);

  constructor(env: VectorEnv, { fields, last }: Wanted) {
    this.#env = env;
    const { fields: memory, numEnvs } = env;
    const told = (name: FieldName): Told => {
      return { name, kind: kindOf(memory[name]), columns: memory[name].length / numEnvs };
    };
    let offset = SIGHT_HEAD;
    this.fields = fields.map((name) => {
      const at = offset;
      offset += padded(memory[name].byteLength);
      return { ...told(name), offset: at };
    });
    this.last = [{ name: 'env', kind: 'i32', columns: 1 }, ...last.map(told)];
    this.#views = fields.map((name) => {
      const { buffer, byteOffset, byteLength } = memory[name];
      return new Uint8Array(buffer, byteOffset, padded(byteLength));
    });
    this.#all = Int32Array.from({ length: numEnvs }, (_, e) => e);
    this.#sources = [this.#all, ...last.map((name) => memory[name])].map(unsignedOf);
  }

  /** The environments, with the episodes that the last step has ended. */
  ofStep(): Uint8Array[] {
    return this.#parts(this.#env.fields.finished, this.#env.ended);
  }

  /** The environments as they stand. */
  still(): Uint8Array[] {
    return this.#parts(this.#all, 0);
  }

  /** The environments, with the last episode that is over of each. */
  withAll(): Uint8Array[] {
    return this.#parts(this.#all, this.#all.length);
  }

  #parts(envs: Int32Array, count: number): Uint8Array[] {
    this.#head[0] = count;
    const parts = [new Uint8Array(this.#head.buffer), ...this.#views];
    if (count > 0) parts.push(this.#gathered(envs, count));
    return parts;
  }

  #gathered(envs: Int32Array, count: number): Uint8Array {
    const sizes = this.#sources.map((source, s) => (this.last[s]?.columns ?? 0) * count * source.BYTES_PER_ELEMENT);
    const total = sizes.reduce((sum, size) => sum + padded(size), 0);
    if (this.#rows.length < total) this.#rows = new Uint8Array(2 * total);
    const rows = this.#rows;
    let at = 0;
    for (const [s, source] of this.#sources.entries()) {
      const size = sizes[s] ?? 0;
      const bytes = rows.subarray(at, at + size);
      gather(source instanceof Uint8Array ? bytes : new Uint32Array(rows.buffer, at, size / 4), source, envs, count);
      rows.fill(0, at + size, at + padded(size));
      at += padded(size);
    }
    return rows.subarray(0, total);
  }
}

// What a server of the rollout protocol offers: environments of its scenarios, opened for each client anew.

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
