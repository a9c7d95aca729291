/**
 * Names for the 32-bit words that encoders write and kernels read. A layout.ts declares them once: `pack` and `read` use
 * the declaration here, and scripts/build-layouts.js writes it for AssemblyScript to assembly/generated/.
 */

/** One word; whether it has a sign matters to kernels alone. */
type Word = 'i32' | 'u32';
export const i32 = 'i32';
export const u32 = 'u32';

/** Several of a kind, one behind the other. */
export interface StructRow<T> {
  readonly of: T;
  readonly length: number;
}

export function row<T>(of: T, length: number): StructRow<T> {
  return { of, length };
}

type Field = Word | Struct<StructFields> | StructRow<Word> | StructRow<Struct<StructFields>>;
export interface StructFields {
  readonly [name: string]: Field;
}

/** What is written to a struct: a value for every field. */
export type Written<T> = T extends Word
  ? number | boolean
  : T extends Struct<infer F>
    ? { readonly [K in keyof F]: Written<F[K]> }
    : T extends StructRow<infer E>
      ? readonly Written<E>[]
      : never;

/** What is read from it. */
export type Read<T> = T extends Word
  ? number
  : T extends Struct<infer F>
    ? { readonly [K in keyof F]: Read<F[K]> }
    : T extends StructRow<infer E>
      ? readonly Read<E>[]
      : never;

const wordsIn = (field: Field): number =>
  typeof field === 'string' ? 1 : field instanceof Struct ? field.size : field.length * wordsIn(field.of);

function write(words: number[], field: Field, value: unknown): void {
  if (typeof field === 'string') {
    words.push(Number(value));
    return;
  }
  if (field instanceof Struct) {
    const values = value as Readonly<Record<string, unknown>>;
    for (const { name, kind } of field.members) write(words, kind, values[name]);
    return;
  }
  const items = value as readonly unknown[];
  if (items.length !== field.length) throw new Error(`${String(items.length)} values for ${String(field.length)}`);
  for (const item of items) write(words, field.of, item);
}

function found(field: Field, words: ArrayLike<number>, at: number): unknown {
  if (field === 'u32') return (words[at] ?? 0) >>> 0;
  if (field === 'i32') return (words[at] ?? 0) | 0;
  if (field instanceof Struct) return field.read(words, at);
  return Array.from({ length: field.length }, (_, k) => found(field.of, words, at + k * wordsIn(field.of)));
}

interface Member {
  readonly name: string;
  readonly kind: Field;
}

export class Struct<F extends StructFields> {
  readonly fields: F;
  /** How kernels read it: words by their numbers in an enum, or fields of a class. */
  readonly form: 'enum' | 'class';
  /** Words in all. */
  readonly size: number;
  /** The fields in their order. */
  readonly members: readonly Member[];
  /** The first word of each field. */
  readonly at: Readonly<Record<keyof F, number>>;

  constructor(form: 'enum' | 'class', fields: F) {
    this.form = form;
    this.fields = fields;
    this.members = Object.entries(fields).map(([name, kind]) => ({ name, kind }));
    let size = 0;
    const at: [string, number][] = [];
    for (const { name, kind } of this.members) {
      at.push([name, size]);
      size += wordsIn(kind);
    }
    this.size = size;
    this.at = Object.fromEntries(at) as Record<keyof F, number>;
  }

  /** The words of these values. @throws Error if a row has not as many values as are declared */
  pack(values: Written<Struct<F>>): number[] {
    const words: number[] = [];
    write(words, this, values);
    return words;
  }

  /** The values of the words from `from` on. */
  read(words: ArrayLike<number>, from = 0): Read<Struct<F>> {
    const values = this.members.map(({ name, kind }) => [name, found(kind, words, from + this.at[name as keyof F])]);
    return Object.fromEntries(values) as Read<Struct<F>>;
  }
}

/** Words that kernels read by their numbers: heads, and what lies at no address of its own. */
export function head<const F extends StructFields>(fields: F): Struct<F> {
  return new Struct('enum', fields);
}

/** Words that kernels read as the fields of a class: rows of tables, parts of a battle. */
export function record<const F extends Readonly<Record<string, Word | StructRow<Word>>>>(fields: F): Struct<F> {
  return new Struct('class', fields);
}
