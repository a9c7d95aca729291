import { type Key, KeyBudget } from '../../rules/index.ts';

/** Names of the members of objects, in order. */
interface Shape {
  readonly id: number;
  readonly names: readonly string[];
  /** Shapes with one more name. */
  readonly longer: Map<string, Shape>;
  /** The last of them that was used, and its last name. */
  last?: Shape;
  lastName?: string;
}

/** Low bits of the word of a value; the others are the number, an index, or the length of an array. */
const CODE = { integer: 0, constant: 1, object: 2, array: 3 } as const;

/** Maximum nesting; deeper data contains itself. */
const DEPTH_MAX = 50;

/** True for objects that JSON writes with all their members; those of other realms have another Object.prototype. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Writes plain data as 32-bit words, and reads it: equal words are equal JSON. */
export class StateWords {
  words: Int32Array = new Int32Array(64);
  length = 0;
  /** Position of the next value to read. */
  at = 0;
  /** Message if the constants exceed the memory limit. */
  limit: string | undefined;
  readonly #shapes: Shape[] = [{ id: 0, names: [], longer: new Map() }];
  /** Texts, fractions and other values that are not small whole numbers. */
  readonly #constants: unknown[] = [];
  readonly #indices = new Map<unknown, number>();
  readonly #room = new KeyBudget();

  /** Appends a value; false if it is not plain data. */
  write(value: unknown, depth = 0): boolean {
    if (typeof value === 'number' && (value << 2) >> 2 === value) this.#push(value << 2);
    else if (Array.isArray(value)) return depth <= DEPTH_MAX && this.#writeArray(value, depth);
    else if (typeof value === 'object' && value !== null)
      return depth <= DEPTH_MAX && isPlainObject(value) && this.#writeObject(value, depth);
    else if (typeof value === 'number' ? value - value === 0 : ['string', 'boolean', 'object'].includes(typeof value))
      this.#push((this.#indexOf(value) << 2) | CODE.constant);
    else return false;
    return true;
  }

  /** Appends a key that is not read again: a whole number in two words, or a text after a number below 0. */
  writeKey(key: Key): void {
    if (typeof key === 'number' && Number.isSafeInteger(key) && key >= 0) {
      this.#push(Math.floor(key / 2 ** 30));
      this.#push(key % 2 ** 30);
      return;
    }
    const text = String(key);
    this.#push(~text.length);
    for (let k = 0; k < text.length; k += 2) this.#push(text.charCodeAt(k) | (text.charCodeAt(k + 1) << 16));
  }

  /** Returns the next value. */
  read(words: Int32Array): unknown {
    const word = words[this.at++] ?? 0;
    const rest = word >> 2;
    if ((word & 3) === CODE.integer) return rest;
    if ((word & 3) === CODE.constant) return this.#constants[rest];
    if ((word & 3) === CODE.array) return Array.from({ length: rest }, () => this.read(words));
    const value: Record<string, unknown> = {};
    for (const name of this.#shapes[rest]?.names ?? []) value[name] = this.read(words);
    return value;
  }

  #push(word: number): void {
    if (this.length === this.words.length) this.words = extendArray(this.words, 2 * this.length);
    this.words[this.length++] = word;
  }

  #indexOf(value: unknown): number {
    const index = this.#indices.get(value) ?? this.#constants.push(value) - 1;
    if (this.#indices.size === index) this.limit ??= this.#room.spend(String(value));
    this.#indices.set(value, index);
    return index;
  }

  #writeArray(values: readonly unknown[], depth: number): boolean {
    this.#push((values.length << 2) | CODE.array);
    for (let k = 0; k < values.length; k++) if (!this.write(values[k], depth + 1)) return false;
    return true;
  }

  #writeObject(value: object, depth: number): boolean {
    const first = this.length;
    this.#push(CODE.object);
    let shape = this.#shapes[0] as Shape;
    for (const name in value) {
      // A copy could not have this member.
      if (name === '__proto__') return false;
      shape = name === shape.lastName && shape.last !== undefined ? shape.last : this.#extendShape(shape, name);
      if (!this.write((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return false;
    }
    this.words[first] = (shape.id << 2) | CODE.object;
    return true;
  }

  #extendShape(shape: Shape, name: string): Shape {
    const names = [...shape.names, name];
    const longer = shape.longer.get(name) ?? { id: this.#shapes.length, names, longer: new Map() };
    this.#shapes[longer.id] = longer;
    shape.longer.set(name, longer);
    [shape.last, shape.lastName] = [longer, name];
    return longer;
  }
}

/** Copies an array to a longer one. */
export function extendArray(array: Int32Array, length: number): Int32Array {
  const longer = new Int32Array(length);
  longer.set(array);
  return longer;
}
