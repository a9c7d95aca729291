/** Evaluates networks in WebAssembly: one instance for all networks of a thread. */
import { loadKernelBytesSync } from '#platform/kernels';

/** An affine layer, after which negative outputs become 0 if `relu` is true. */
export interface Layer {
  /** By output, then by input. */
  readonly weights: Float32Array;
  readonly biases: Float32Array;
  readonly relu: boolean;
}

/** Exports of assembly/engines/network.ts. */
interface NetworkExports {
  readonly memory: WebAssembly.Memory;
  readonly networksAddress: WebAssembly.Global<'i32'>;
  reserve(end: number): number;
  run(network: number, width: number, layers: number): number;
}

/** Outputs of a vector, bytes of a float, bytes of a vector. */
const [LANES, FLOAT] = [4, 4];

/** Bytes of networks in memory, beyond which all networks are written again as they are used. */
const RESIDENT_MAX = 2 ** 25;

/** Arranges a layer for the kernel: a head of one vector, and for each vector of outputs its biases and weights. */
function arrangeLayer({ weights, biases, relu }: Layer): Float32Array<ArrayBuffer> {
  const inputs = weights.length / biases.length;
  const vectors = Math.ceil(biases.length / LANES);
  const part = new Float32Array(LANES * (1 + vectors * (1 + inputs)));
  new Int32Array(part.buffer).set([inputs, vectors, Number(relu)]);
  for (const [o, bias] of biases.entries()) {
    const first = LANES * (1 + Math.floor(o / LANES) * (1 + inputs)) + (o % LANES);
    part[first] = bias;
    for (let i = 0; i < inputs; i++) part[first + LANES * (1 + i)] = weights[o * inputs + i] ?? 0;
  }
  return part;
}

/** A network as the kernel reads it. */
export class NetworkCode {
  readonly parts: readonly Float32Array<ArrayBuffer>[];
  /** Floats of a row of activations. */
  readonly width: number;
  readonly outputs: number;
  /** Address in the memory of the kernel; valid in one generation of its content. */
  address = 0;
  generation = 0;

  constructor(layers: readonly Layer[]) {
    this.parts = layers.map(arrangeLayer);
    this.outputs = layers.at(-1)?.biases.length ?? 0;
    const widths = layers.flatMap(({ weights, biases }) => [biases.length, weights.length / biases.length]);
    this.width = LANES * Math.ceil(Math.max(...widths) / LANES);
  }

  get bytes(): number {
    return this.parts.reduce((sum, part) => sum + part.byteLength, 2 * FLOAT * this.width);
  }
}

export class NetworkKernel {
  readonly #exports: NetworkExports;
  /** Address behind the last network. */
  #end: number;
  #generation = 1;
  #floats: Float32Array;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as NetworkExports;
    this.#end = this.#exports.networksAddress.value;
    this.#floats = new Float32Array(this.#exports.memory.buffer);
  }

  /** Computes the outputs, which are valid until the next call; undefined if a network is too large for the memory. */
  run(code: NetworkCode, observation: readonly number[]): Float32Array | undefined {
    if (code.generation !== this.#generation && !this.#write(code)) return undefined;
    this.#floats.set(observation, code.address / FLOAT);
    const found = this.#exports.run(code.address, code.width * FLOAT, code.parts.length) / FLOAT;
    return this.#floats.subarray(found, found + code.outputs);
  }

  #write(code: NetworkCode): boolean {
    const { memory, networksAddress: first } = this.#exports;
    if (this.#end - first.value > RESIDENT_MAX) {
      this.#end = first.value;
      this.#generation++;
    }
    if (this.#exports.reserve(this.#end + code.bytes) === 0) return false;
    this.#floats = new Float32Array(memory.buffer);
    let at = this.#end / FLOAT + 2 * code.width;
    for (const part of code.parts) {
      this.#floats.set(part, at);
      at += part.length;
    }
    code.address = this.#end;
    code.generation = this.#generation;
    this.#end = at * FLOAT;
    return true;
  }
}

let shared: NetworkKernel | undefined;

/** Returns the kernel of this thread; undefined where it is not loaded, as in pages that did not expect networks. */
export function getNetworkKernel(): NetworkKernel | undefined {
  try {
    shared ??= new NetworkKernel(new WebAssembly.Module(loadKernelBytesSync('network')));
  } catch {
    // The model computes the same outputs.
  }
  return shared;
}
