import { type BattleState, KeyBudget, type Model, type State } from '../../rules/index.ts';
import { extendArray, StateWords } from './state-words.ts';

/** Maximum words of all records: 512 MB. */
const WORDS_MAX = 2 ** 27;

/** Bits of a node + 1 in a slot: more nodes than a chain may have. */
const NODE_MASK = 2 ** 22 - 1;

/** Maximum words of a state that is stored in addition to its key. */
const STATE_WORDS_MAX = 24;

/** Record of a node: two words of the chain, the hash and the words of its key, then the rest of its state. */
export const RECORD = { place: 0, status: 1, hash: 2, key: 3 } as const;

/**
 * States by their keys, in one array with a hash table (open addressing, linear probing): in maps of texts and objects,
 * an exploration of a million states spends most of its time on memory.
 */
export class StateTable<S extends State> {
  readonly #model: Model<S>;
  readonly #code = new StateWords();
  #words: Int32Array = new Int32Array(2 ** 12);
  #end = 0;
  /** First words of the records, by node. */
  #firsts: Int32Array = new Int32Array(2 ** 8);
  /** By hash: node + 1, and the high bits of the hash, which spare most reads of other records; 0: free. */
  #slots: Int32Array = new Int32Array(2 ** 9);
  #size = 0;
  /** Of the last search: hash, slot and number of words of the key. */
  #hash = 0;
  #slot = 0;
  #keyLength = 0;
  #isPlainKey = false;

  constructor(model: Model<S>) {
    this.#model = model;
  }

  /** Returns a word of a record. */
  get(node: number, word: number): number {
    return this.#words[(this.#firsts[node] ?? 0) + word] ?? 0;
  }

  set(node: number, word: number, value: number): void {
    this.#words[(this.#firsts[node] ?? 0) + word] = value;
  }

  /** Returns the node of a state; -1 if there is none. */
  find(state: S): number {
    this.#writeKey(state);
    const { words, length } = this.#code;
    let hash = length;
    for (let k = 0; k < length; k++) {
      hash = Math.imul(hash ^ (words[k] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    this.#hash = hash;
    this.#keyLength = length;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      const node = (entry & NODE_MASK) - 1;
      this.#slot = slot;
      if (node < 0 || (((entry ^ hash) & ~NODE_MASK) === 0 && this.#hasKey(node))) return node;
    }
  }

  /** Adds the state that was not found. @returns true if it can be read again; otherwise the caller must keep it */
  add(state: S): boolean {
    const isStored = this.#writeState(state);
    const { words, length } = this.#code;
    const first = this.#end;
    this.#end += RECORD.key + length;
    if (this.#end > this.#words.length) this.#words = extendArray(this.#words, 2 * this.#end);
    if (this.#size === this.#firsts.length) this.#firsts = extendArray(this.#firsts, 2 * this.#size);
    this.#words[first + RECORD.hash] = this.#hash;
    for (let k = 0; k < length; k++) this.#words[first + RECORD.key + k] = words[k] ?? 0;
    this.#firsts[this.#size++] = first;
    this.#slots[this.#slot] = this.#size | (this.#hash & ~NODE_MASK);
    if (4 * this.#size > 3 * this.#slots.length) this.#rehash();
    return isStored;
  }

  /** Returns why no state can be added; undefined if one can. */
  findLimit(state: S): string | undefined {
    if (this.#end >= WORDS_MAX) return new KeyBudget(-1).spend(String(this.#model.key(state)));
    return this.#code.limit;
  }

  /** Returns the maximum number of records of the present mean length. */
  estimateRoom(): number {
    return (WORDS_MAX * this.#size) / Math.max(1, this.#end);
  }

  /** Creates a stored state again. */
  read(node: number): S {
    const code = this.#code;
    const words = this.#words;
    code.at = (this.#firsts[node] ?? 0) + RECORD.key;
    // Custom keys are texts.
    if (this.#model.plain !== 'key') code.at += 1 + ((~(words[code.at] ?? 0) + 1) >> 1);
    const [phase, at, round] = [code.read(words), code.read(words), code.read(words)];
    return { round, phase, at } as unknown as S;
  }

  /** Writes the key of a state: the members of a plain state, else a number or a text. */
  #writeKey(state: S): void {
    this.#code.length = 0;
    this.#isPlainKey = this.#model.plain === 'key' && this.#writeMembers(state);
    if (this.#isPlainKey) return;
    this.#code.length = 0;
    this.#code.writeKey(this.#model.key(state));
  }

  #writeMembers(state: S): boolean {
    const { phase, at } = state as S & BattleState<unknown>;
    return this.#code.write(phase) && this.#code.write(at);
  }

  /** Writes what follows the key; false if the state cannot be stored, or only in many words. */
  #writeState(state: S): boolean {
    const isWritten =
      this.#isPlainKey ||
      (this.#model.plain === 'state' &&
        this.#writeMembers(state) &&
        this.#code.length < this.#keyLength + STATE_WORDS_MAX);
    if (isWritten) this.#code.write(state.round);
    else this.#code.length = this.#keyLength;
    return isWritten;
  }

  #hasKey(node: number): boolean {
    const stored = this.#words;
    const { words } = this.#code;
    const first = this.#firsts[node] ?? 0;
    if (stored[first + RECORD.hash] !== this.#hash) return false;
    for (let k = 0; k < this.#keyLength; k++) if (stored[first + RECORD.key + k] !== words[k]) return false;
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let node = 0; node < this.#size; node++) {
      const hash = this.get(node, RECORD.hash);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = (node + 1) | (hash & ~NODE_MASK);
    }
    this.#slots = slots;
  }
}
