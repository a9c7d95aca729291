/** The host of assembly/engines/chain.ts: the mass of a chain's nodes, and the transitions along which it is moved. */
import type { Transitions } from '../exact/chain.ts';
import { borrow, giveBack, type Module } from './instance.ts';
import { compileNow } from './load.ts';

/** What the engine exports; assembly/engines/chain.ts says what each does. */
interface Engine {
  readonly memory: WebAssembly.Memory;
  readonly kindsAddress: WebAssembly.Global<'i32'>;
  readonly transitionsAddress: WebAssembly.Global<'i32'>;
  readonly takenNodes: WebAssembly.Global<'i32'>;
  readonly takenMasses: WebAssembly.Global<'i32'>;
  clear(moves: number): void;
  reserve(nodes: number, transitions: number): number;
  link(node: number, transitions: number): void;
  begin(transitions: number): number;
  take(kind: number): number;
  move(kind: number): number;
  open(): number;
  returns(): number;
  readonly dropped: WebAssembly.Global<'f64'>;
}

let compiled: Module | undefined;

/** Compiled once. @throws RunError if it is not built */
function engineModule(): Module {
  compiled ??= compileNow('chain');
  return compiled;
}

export class MassKernel {
  readonly #module = engineModule();
  readonly #engine = borrow(this.#module) as Engine;
  /** Nodes of which the engine knows the kind. */
  #nodes = 0;
  /** Transitions that were told last. */
  #told = 0;
  #words = new Uint32Array(this.#engine.memory.buffer);
  #numbers = new Float64Array(this.#engine.memory.buffer);

  /**
   * @param moves as many times mass may be moved along a transition
   * @throws RunError if the engine is not built
   */
  constructor(moves: number) {
    this.#engine.clear(moves);
  }

  /** Nodes that it was told of. */
  get nodes(): number {
    return this.#nodes;
  }

  /**
   * Takes up where a node leads, or where battles begin if none is given, and the kinds of nodes that are new.
   * @param kinds by node; those that were told before are not looked at again
   * @returns false if there is no memory for it
   */
  tell(kinds: readonly number[], { length, targets, probabilities }: Transitions, from?: number): boolean {
    if (this.#engine.reserve(kinds.length, length) === 0) return false;
    this.#look();
    const first = this.#engine.transitionsAddress.value / 4;
    for (let k = 0; k < length; k++) {
      this.#numbers[first / 2 + k] = probabilities[k] ?? 0;
      this.#words[first + 2 * length + k] = targets[k] ?? 0;
    }
    const at = this.#engine.kindsAddress.value / 4;
    for (; this.#nodes < kinds.length; this.#nodes++) this.#words[at + this.#nodes] = kinds[this.#nodes] ?? 0;
    this.#told = length;
    if (from !== undefined) this.#engine.link(from, length);
    return true;
  }

  /** Moves a mass of 1 to where battles begin, which was told last; returns as `move` does. */
  begin(): number {
    return this.#engine.begin(this.#told);
  }

  /** Moves the mass of all nodes of a kind; returns how many nodes have mass within a round then, below 0 if it may not. */
  move(kind: number): number {
    return this.#engine.move(kind);
  }

  /** Takes the mass of all nodes of a kind, in the order in which they got it. */
  take(kind: number, sink: (node: number, mass: number) => void): void {
    const length = this.#engine.take(kind);
    const [nodes, masses] = [this.#engine.takenNodes.value / 4, this.#engine.takenMasses.value / 8];
    for (let k = 0; k < length; k++) sink(this.#words[nodes + k] ?? 0, this.#numbers[masses + k] ?? 0);
  }

  /** The mass between two rounds. */
  open(): number {
    return this.#engine.open();
  }

  /** Mass below 2^-1022 of single nodes, which was not moved on. */
  get dropped(): number {
    return this.#engine.dropped.value;
  }

  /** Whether the mass between two rounds leads to a circle; asked when all that it leads to was told. */
  returns(): boolean {
    return this.#engine.returns() !== 0;
  }

  /** Leaves its memory to the next chain; it is not used again. */
  close(): void {
    giveBack(this.#module, this.#engine);
  }

  /** Memory that has grown is another buffer. */
  #look(): void {
    const { buffer } = this.#engine.memory;
    if (this.#words.buffer === buffer) return;
    this.#words = new Uint32Array(buffer);
    this.#numbers = new Float64Array(buffer);
  }
}
