/** What a client of the rollout protocol sees: fields straight from memory, and rows of episodes that are over. */
import { InputError } from '../../core/errors.ts';
import { describeFound } from '../../rules/scenario/problem.ts';
import type { Fields } from '../fields.ts';
import type { FieldName } from '../layout.ts';
import type { VectorEnv } from '../vector-env.ts';

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
export interface Wanted {
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
export function wantedOf(fields: unknown, last: unknown): Wanted {
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

/** The words of a field of 32-bit numbers, whatever they mean. */
const wordsOf = ({ buffer, byteOffset, length }: Fields[FieldName]) => new Uint32Array(buffer, byteOffset, length);

/** Copies rows of some environments one after the other. */
function gather(to: Uint32Array, from: Uint32Array, envs: ArrayLike<number>, count: number): void {
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
  readonly #sources: readonly Uint32Array[];
  readonly #all: Int32Array;
  #rows = new Uint32Array(0);

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
    this.#sources = last.map((name) => wordsOf(memory[name]));
    this.#all = Int32Array.from({ length: numEnvs }, (_, e) => e);
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
    const sizes = this.last.map(({ columns }) => columns * count);
    const total = sizes.reduce((sum, size) => sum + padded(4 * size) / 4, 0);
    if (this.#rows.length < total) this.#rows = new Uint32Array(2 * total);
    const rows = this.#rows;
    let at = 0;
    for (const [s, size] of sizes.entries()) {
      const to = rows.subarray(at, at + size);
      const source = this.#sources[s - 1];
      if (source === undefined) to.set(envs.subarray(0, count));
      else gather(to, source, envs, count);
      at += size;
      if (at % 2 === 1) rows[at++] = 0;
    }
    return new Uint8Array(rows.buffer, 0, 4 * total);
  }
}
