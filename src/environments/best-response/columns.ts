/** Columns that grow, for games with millions of positions: arrays of objects or numbers need several times the memory. */
import { BudgetError, formatGrouped } from '../../core/index.ts';
import type { Key } from '../../rules/index.ts';

type ColumnArray = Uint8Array | Uint16Array | Int16Array | Int32Array | Float64Array;

/** Growth of a full column. */
const GROWTH = 1.5;

/** Numbers that are appended one by one. */
export class GrowableColumn<A extends ColumnArray> {
  length = 0;
  #values: A;
  readonly #create: new (
    length: number,
  ) => A;

  constructor(create: new (length: number) => A) {
    this.#create = create;
    this.#values = new create(16);
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow(this.length + 1);
    this.#values[this.length++] = value;
  }

  /** Makes room for more values. @returns the memory from the end of the column on */
  reserve(more: number): A {
    if (this.length + more > this.#values.length) this.#grow(this.length + more);
    return this.#values.subarray(this.length) as A;
  }

  /** @throws BudgetError if there is too little memory */
  #grow(needed: number): void {
    const before = this.#values;
    try {
      this.#values = new this.#create(Math.ceil(GROWTH * needed));
    } catch {
      throw new BudgetError(`the game needs more memory than there is: ${formatGrouped(needed)} numbers do not fit`);
    }
    this.#values.set(before);
  }

  append(values: A): void {
    this.reserve(values.length).set(values);
    this.length += values.length;
  }

  get(at: number): number {
    return this.#values[at] ?? 0;
  }

  /** Returns the values without copying; the next one may be appended to other memory. */
  get values(): A {
    return this.#values.subarray(0, this.length) as A;
  }
}

/** Texts, packed as UTF-8. */
export class PackedTexts {
  readonly #bytes = new GrowableColumn(Uint8Array);
  readonly #ends = new GrowableColumn(Float64Array);
  readonly #encoder = new TextEncoder();

  push(text: string): void {
    this.#bytes.length += this.#encoder.encodeInto(text, this.#bytes.reserve(3 * text.length)).written;
    this.#ends.push(this.#bytes.length);
  }

  get(at: number): string {
    const from = at === 0 ? 0 : this.#ends.get(at - 1);
    return new TextDecoder().decode(this.#bytes.values.subarray(from, this.#ends.get(at)));
  }
}

/** Multiplier of the hash FNV-1a, and of the finalizer of MurmurHash3. */
const [PRIME, FINALIZER] = [0x01000193, 0x85ebca6b] as const;

/**
 * Indices of positions by key, in typed arrays: a Map of texts needs several times the memory. Keys are stored as 16-bit
 * units, of a text with a last 0, of a number with a last 1.
 */
export class KeyIndex {
  readonly #units = new GrowableColumn(Uint16Array);
  /** By position: end of its units. Positions without a key have none. */
  readonly #ends = new GrowableColumn(Int32Array);
  /** Open addressing: position + 1, or 0; at least half of the slots are free. */
  #slots = new Int32Array(32);
  /** Units of the current key. */
  #key = new Uint16Array(64);
  readonly #number = new Float64Array(1);
  readonly #numberUnits = new Uint16Array(this.#number.buffer);

  get(key: Key): number | undefined {
    const position = this.#slots[this.#findSlot(this.#encode(key))] ?? 0;
    return position === 0 ? undefined : position - 1;
  }

  /** Adds the next position, whose key is new. @param key undefined for a position without a key */
  add(key: Key | undefined): void {
    const length = key === undefined ? 0 : this.#encode(key);
    const position = this.#ends.length;
    if (length > 0) this.#slots[this.#findSlot(length)] = position + 1;
    this.#units.append(this.#key.subarray(0, length));
    this.#ends.push(this.#units.length);
    if (2 * position >= this.#slots.length) this.#grow();
  }

  /** Writes the units of a key. @returns their number */
  #encode(key: Key): number {
    if (typeof key === 'number') {
      // Adding 0 makes -0 equal to 0, as in a Map.
      this.#number[0] = key + 0;
      this.#key.set(this.#numberUnits);
      this.#key[4] = 1;
      return 5;
    }
    if (key.length >= this.#key.length) this.#key = new Uint16Array(2 * key.length);
    for (let at = 0; at < key.length; at++) this.#key[at] = key.charCodeAt(at);
    this.#key[key.length] = 0;
    return key.length + 1;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let position = 0; position < this.#ends.length; position++) {
      const from = this.#getStart(position);
      const length = this.#ends.get(position) - from;
      if (length === 0) continue;
      if (length > this.#key.length) this.#key = new Uint16Array(2 * length);
      for (let at = 0; at < length; at++) this.#key[at] = this.#units.get(from + at);
      this.#slots[this.#findSlot(length)] = position + 1;
    }
  }

  #getStart(position: number): number {
    return position === 0 ? 0 : this.#ends.get(position - 1);
  }

  /** Returns the slot of the current key, or the free slot for it. */
  #findSlot(length: number): number {
    let hash = 0;
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (this.#key[at] ?? 0), PRIME);
    const mask = this.#slots.length - 1;
    hash = Math.imul(hash ^ (hash >>> 16), FINALIZER);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (this.#slots[slot] !== 0 && !this.#hasKey((this.#slots[slot] ?? 0) - 1, length)) slot = (slot + 1) & mask;
    return slot;
  }

  /** True if a position has the current key. */
  #hasKey(position: number, length: number): boolean {
    const from = this.#getStart(position);
    if (this.#ends.get(position) - from !== length) return false;
    for (let at = 0; at < length; at++) if (this.#units.get(from + at) !== this.#key[at]) return false;
    return true;
  }
}
