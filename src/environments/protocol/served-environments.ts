/** Replies of the environment protocol: buffers directly from memory, and rows of finished episodes. */

import { createHash } from 'node:crypto';
import { describeFound, InputError, parseCount, parseSeed, type SeedLike, suggestName } from '../../core/index.ts';
import { computeKernelHash } from '../../engines/index.ts';
import { identifyRules, pickModuleFields } from '../../stats/index.ts';
import type { EnvBuffers } from '../buffers.ts';
import { createEnvSpec, type EnvironmentOptions, type EnvSpec, type WeightedScenario } from '../env-spec.ts';
import { type BufferName, ENVS_MAX } from '../layout.ts';
import { describeEnvironment } from '../manifest.ts';
import { hasKernel, openEngine, VectorEnv } from '../vector-env.ts';
import { LENGTH_LIMIT, PROTOCOL } from './frames.ts';

/** Buffers that a client can request for every environment, and for those with finished episodes. */
const CURRENT_BUFFERS = [
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
] as const satisfies readonly BufferName[];
const LAST_BUFFERS = [
  'finalObs',
  'finalReturn',
  'outcome',
  'metrics',
  'length',
  'finalVariant',
  'finalMask',
  'finalPlayer',
  'finalPhase',
] as const satisfies readonly BufferName[];

/** Buffers sent by default: all except those that a client can derive. */
const CURRENT_DEFAULT: readonly BufferName[] = CURRENT_BUFFERS.slice(0, 8);
const LAST_DEFAULT: readonly BufferName[] = LAST_BUFFERS.slice(0, 5);

/** Bytes before the buffers: u32 rows of finished episodes, u32 0. */
const OBSERVATION_HEAD_BYTES = 8;

/** Buffer for clients: `columns` numbers of a kind for each environment, row by row. */
interface WireBuffer {
  readonly name: string;
  readonly kind: 'i32' | 'u32' | 'f32' | 'u8';
  readonly columns: number;
}

/** Buffers requested by a client. */
interface BufferSelection {
  readonly fields: readonly BufferName[];
  readonly last: readonly BufferName[];
}

function parseBufferNames(place: string, requested: unknown, available: readonly BufferName[]): readonly BufferName[] {
  const found: unknown[] = Array.isArray(requested) ? requested : [requested];
  const names = found.map((name) => {
    const field = available.find((each) => each === name);
    if (field === undefined || !Array.isArray(requested)) {
      throw new InputError(place, `a list of names among ${available.join(', ')}`, describeFound(name));
    }
    return field;
  });
  if (new Set(names).size < names.length) throw new InputError(place, 'unique names', names.join(', '));
  return names;
}

/** @throws InputError for unknown buffers */
function parseBufferSelection(fields: unknown, last: unknown): BufferSelection {
  return {
    fields: fields === undefined ? CURRENT_DEFAULT : parseBufferNames('HELLO fields', fields, CURRENT_BUFFERS),
    last: last === undefined ? LAST_DEFAULT : parseBufferNames('HELLO last', last, LAST_BUFFERS),
  };
}

const padTo8 = (bytes: number): number => (bytes + 7) & ~7;

function findWireKind(field: EnvBuffers[BufferName]): WireBuffer['kind'] {
  if (field instanceof Float32Array) return 'f32';
  if (field instanceof Uint8Array) return 'u8';
  return field instanceof Uint32Array ? 'u32' : 'i32';
}

/** Views a buffer as unsigned integers of the same size. */
function viewAsUnsigned(field: EnvBuffers[BufferName]): Uint32Array | Uint8Array {
  return field instanceof Uint8Array ? field : new Uint32Array(field.buffer, field.byteOffset, field.length);
}

/** Copies the rows of some environments. */
function copyRows(
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

export class ObservationEncoder {
  /** Offset of each buffer after the header of a reply. */
  readonly fields: readonly (WireBuffer & { readonly offset: number })[];
  /** Columns of finished episodes after the buffers, each aligned to 8 bytes. */
  readonly last: readonly WireBuffer[];
  readonly #env: VectorEnv;
  readonly #head = new Uint32Array(OBSERVATION_HEAD_BYTES / 4);
  /** Views of the environments' memory, with padding after buffers to multiples of 8 bytes. */
  readonly #views: readonly Uint8Array[];
  readonly #sources: readonly (Uint32Array | Uint8Array)[];
  readonly #all: Int32Array;
  #rows = new Uint8Array(0);

  constructor(env: VectorEnv, { fields, last }: BufferSelection) {
    this.#env = env;
    const { buffers, numEnvs } = env;
    const getReportedBuffer = (name: BufferName): WireBuffer => {
      return { name, kind: findWireKind(buffers[name]), columns: buffers[name].length / numEnvs };
    };
    let offset = OBSERVATION_HEAD_BYTES;
    this.fields = fields.map((name) => {
      const at = offset;
      offset += padTo8(buffers[name].byteLength);
      return { ...getReportedBuffer(name), offset: at };
    });
    this.last = [{ name: 'env', kind: 'i32', columns: 1 }, ...last.map(getReportedBuffer)];
    this.#views = fields.map((name) => {
      const { buffer, byteOffset, byteLength } = buffers[name];
      return new Uint8Array(buffer, byteOffset, padTo8(byteLength));
    });
    this.#all = Int32Array.from({ length: numEnvs }, (_, e) => e);
    this.#sources = [this.#all, ...last.map((name) => buffers[name])].map(viewAsUnsigned);
  }

  /** Encodes the environments, with the episodes that the last step has ended. */
  encodeStep(): Uint8Array[] {
    return this.#listParts(this.#env.buffers.finished, this.#env.ended);
  }

  /** Encodes the current environments. */
  encodeCurrent(): Uint8Array[] {
    return this.#listParts(this.#all, 0);
  }

  /** Encodes the environments, with the last finished episode of each. */
  encodeWithLastEpisodes(): Uint8Array[] {
    return this.#listParts(this.#all, this.#all.length);
  }

  #listParts(envs: Int32Array, count: number): Uint8Array[] {
    this.#head[0] = count;
    const parts = [new Uint8Array(this.#head.buffer), ...this.#views];
    if (count > 0) parts.push(this.#gatherParts(envs, count));
    return parts;
  }

  #gatherParts(envs: Int32Array, count: number): Uint8Array {
    const sizes = this.#sources.map((source, s) => (this.last[s]?.columns ?? 0) * count * source.BYTES_PER_ELEMENT);
    const total = sizes.reduce((sum, size) => sum + padTo8(size), 0);
    if (this.#rows.length < total) this.#rows = new Uint8Array(2 * total);
    const rows = this.#rows;
    let at = 0;
    for (const [s, source] of this.#sources.entries()) {
      const size = sizes[s] ?? 0;
      const bytes = rows.subarray(at, at + size);
      copyRows(source instanceof Uint8Array ? bytes : new Uint32Array(rows.buffer, at, size / 4), source, envs, count);
      rows.fill(0, at + size, at + padTo8(size));
      at += padTo8(size);
    }
    return rows.subarray(0, total);
  }
}

// Server offer: environments of its scenarios, opened separately for each client.

const HELLO_KEYS = ['protocol', 'envs', 'firstEnv', 'seed', 'fields', 'last'];

/** Bytes of the digest before a snapshot. */
const SNAPSHOT_DIGEST_BYTES = 32;

/** Options of a server. */
export interface ServedEnvironmentsOptions extends EnvironmentOptions {
  /** Maximum and default number of environments of a client; default: 64. */
  readonly numEnvs?: number | undefined;
  readonly seed?: SeedLike | undefined;
}

/** Content of a HELLO. */
export interface HelloRequest {
  readonly envs: number;
  readonly firstEnv: number;
  readonly seed: bigint;
  readonly selection: BufferSelection;
}

function parseJsonObject(payload: Uint8Array): Record<string, unknown> {
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

/** Returns a number or text unchanged, and a description of other values. */
function describeValue(value: unknown): number | string {
  return typeof value === 'number' || typeof value === 'string' ? value : describeFound(value);
}

/** Describes the engine: a kernel, or the rules of a module. */
function describeEngine(configuration: EnvSpec): object {
  const { system, variants } = configuration;
  if (hasKernel(configuration)) return { kernel: { sha256: computeKernelHash(system.id) } };
  return variants[0] === undefined ? {} : pickModuleFields(identifyRules(variants[0].scenario));
}

/** Maximum bytes by which the state of an environment may grow. */
const STATE_MAX = 65_536;

export class ServedEnvironments {
  /** Same for all clients: names, units and bounds. */
  readonly manifest: object;
  readonly #scenarios: readonly WeightedScenario[];
  readonly #options: EnvironmentOptions;
  readonly #envs: number;
  readonly #seed: bigint;
  /** Identity of compatible snapshots: rules and configuration. */
  readonly #identity: string;

  private constructor(
    scenarios: readonly WeightedScenario[],
    options: EnvironmentOptions,
    envs: number,
    seed: SeedLike,
  ) {
    const configuration = createEnvSpec(scenarios, options);
    const reported = { ...describeEnvironment(configuration), ...describeEngine(configuration) };
    this.manifest = { protocol: PROTOCOL, ...reported };
    this.#scenarios = scenarios;
    this.#options = options;
    this.#envs = envs;
    this.#seed = parseSeed(seed);
    this.#identity = JSON.stringify(reported);
  }

  /** @throws InputError if scenarios or options are incompatible, or the environments do not fit into a kernel */
  static async create(
    scenarios: readonly WeightedScenario[],
    { numEnvs = 64, seed = 0, ...options }: ServedEnvironmentsOptions,
  ): Promise<ServedEnvironments> {
    const configuration = createEnvSpec(scenarios, options);
    await openEngine(configuration, { envs: numEnvs, first: 0 });
    return new ServedEnvironments(scenarios, options, numEnvs, seed);
  }

  /** Reads the payload of a HELLO. @throws InputError if it is invalid */
  parseHello(payload: Uint8Array): HelloRequest {
    const requested = parseJsonObject(payload);
    const stranger = Object.keys(requested).find((key) => !HELLO_KEYS.includes(key));
    if (stranger !== undefined) {
      throw new InputError(
        'HELLO',
        `keys among ${HELLO_KEYS.join(', ')}`,
        `"${stranger}"${suggestName(stranger, HELLO_KEYS)}`,
      );
    }
    const { protocol, envs = this.#envs, firstEnv = 0, seed = this.#seed, fields, last } = requested;
    if (protocol !== PROTOCOL) {
      throw new InputError(
        'HELLO protocol',
        String(PROTOCOL),
        protocol === undefined ? 'nothing' : String(describeValue(protocol)),
      );
    }
    const count = parseCount(describeValue(envs), 'HELLO envs', 1, this.#envs);
    return {
      envs: count,
      firstEnv: parseCount(describeValue(firstEnv), 'HELLO firstEnv', 0, ENVS_MAX - count),
      seed: parseSeed(typeof seed === 'bigint' ? seed : describeValue(seed), 'HELLO seed'),
      selection: parseBufferSelection(fields, last),
    };
  }

  async open({ envs, firstEnv, seed }: HelloRequest): Promise<VectorEnv> {
    return VectorEnv.create(this.#scenarios, { ...this.#options, numEnvs: envs, firstEnv, seed });
  }

  /** Computes the checksum in front of a snapshot, which identifies compatible environments. */
  addChecksum(snapshot: Uint8Array): Buffer {
    return createHash('sha256').update(this.#identity).update(snapshot).digest();
  }

  /** Removes the checksum of a snapshot. @throws InputError if it is from other environments, or damaged */
  removeChecksum(bytes: Uint8Array): Uint8Array {
    const snapshot = bytes.subarray(SNAPSHOT_DIGEST_BYTES);
    if (!this.addChecksum(snapshot).equals(bytes.subarray(0, SNAPSHOT_DIGEST_BYTES))) {
      throw new InputError('RESTORE', 'a snapshot of this configuration', 'another, or a damaged one');
    }
    return snapshot;
  }

  /** Bytes of a snapshot with its checksum; undefined if they vary. */
  snapshotBytes(env: VectorEnv): number | undefined {
    return env.stateBytes === 0 ? undefined : SNAPSHOT_DIGEST_BYTES + env.snapshotSize;
  }

  /** Maximum payload from a client with these environments. */
  payloadLimit(env: VectorEnv): number {
    const sealed = this.snapshotBytes(env);
    if (sealed !== undefined) return Math.max(env.buffers.act.byteLength, sealed);
    return Math.min(SNAPSHOT_DIGEST_BYTES + env.snapshot().length + STATE_MAX * env.numEnvs, LENGTH_LIMIT - 1);
  }
}
