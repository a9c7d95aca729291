/** Feedforward networks in float32 with a fixed order of operations: equal results on all machines. */
import { exp, RulesError } from '../core/index.ts';
import { getNetworkKernel, type Layer, NetworkCode } from './network-kernel.ts';
import { decodeFloats, type PolicyNetwork } from './policy-file.ts';

/** Outputs that are less than the greatest one by this have probability 0. */
const NEGLIGIBLE = 40;

/** Computes outputs without the kernel, which computes the same bits. @param observation in float32 */
export function computeOutputs(layers: readonly Layer[], observation: readonly number[]): Float32Array {
  let values = Float32Array.from(observation);
  for (const { weights, biases, relu } of layers) {
    const outputs = new Float32Array(biases.length);
    for (let o = 0, w = 0; o < outputs.length; o++) {
      let sum = biases[o] ?? 0;
      for (let i = 0; i < values.length; i++, w++)
        sum = Math.fround(sum + Math.fround((weights[w] ?? 0) * (values[i] ?? 0)));
      outputs[o] = relu && sum < 0 ? 0 : sum;
    }
    values = outputs;
  }
  return values;
}

/** A network with its weights. */
export class Network {
  readonly #layers: readonly Layer[];
  #code: NetworkCode | undefined;
  readonly #choose: PolicyNetwork['choose'];

  /** @throws InputError if weights are invalid */
  constructor(place: string, { layers, choose }: PolicyNetwork) {
    this.#choose = choose;
    this.#layers = layers.map(({ inputs, outputs, weights, biases, relu = false }, l) => {
      const at = `${place}.layers[${String(l)}]`;
      return {
        weights: decodeFloats(`${at}.weights`, weights, inputs * outputs),
        biases: decodeFloats(`${at}.biases`, biases, outputs),
        relu,
      };
    });
  }

  /** Computes the outputs; rounded to float32 after each operation, inputs in ascending order. */
  #run(observation: readonly number[]): Float32Array {
    const kernel = getNetworkKernel();
    this.#code ??= kernel && new NetworkCode(this.#layers);
    return (this.#code && kernel?.run(this.#code, observation)) ?? computeOutputs(this.#layers, observation);
  }

  /**
   * Computes the shares of legal actions.
   * @param legal by option: index of its action, unique
   * @returns by option: its share, in total more than 0
   * @throws RulesError if an output is not finite
   */
  computeShares(observation: readonly number[], legal: readonly number[]): number[] {
    const outputs = this.#run(observation);
    const values = legal.map((action) => outputs[action] ?? 0);
    if (!values.every(Number.isFinite)) throw new RulesError(`a network has the outputs ${values.join(', ')}`);
    const greatest = Math.max(...values);
    if (this.#choose === 'softmax')
      return values.map((value) => (greatest - value < NEGLIGIBLE ? exp(value - greatest) : 0));
    const first = Math.min(...legal.filter((_, o) => values[o] === greatest));
    return legal.map((action) => Number(action === first));
  }
}
