/**
 * Feedforward networks in float32, bit for bit equal to the TypeScript model (src/rules/policy-network.ts): each product
 * and each sum is rounded, and the inputs of an output are added in ascending order. A vector holds four outputs.
 *
 * The host writes a network (src/rules/network-kernel.ts): two rows of activations, the first with the observation, and
 * its layers. A layer is a head of four words (inputs, vectors of outputs, 1 for relu, unused), and for each vector of
 * outputs the biases, then the weights of each input. Zeros fill the last vector.
 */
import { aligned, reach } from '../core/memory';

const VECTOR: usize = 16;
const FLOAT: usize = 4;

/** Address of the first network. */
export const networksAddress: usize = aligned(__heap_base);

/** Ensures that memory reaches up to `end`; false if it cannot grow so far. */
export function reserve(end: usize): bool {
  return reach(<u64>end);
}

/** Computes one vector of outputs from the biases and weights at `code`. */
function sum(code: usize, values: usize, inputs: usize): v128 {
  let result = v128.load(code);
  let weights = code + VECTOR;
  const end = values + inputs * FLOAT;
  for (let value = values; value < end; value += FLOAT, weights += VECTOR)
    result = f32x4.add(result, f32x4.mul(v128.load(weights), v128.load32_splat(value)));
  return result;
}

/** Computes the outputs of a network whose rows have `width` bytes; returns the address of the row with them. */
export function run(network: usize, width: usize, layers: i32): usize {
  let values = network;
  let outputs = network + width;
  let code = outputs + width;
  for (let layer = 0; layer < layers; layer++) {
    const inputs = <usize>load<i32>(code);
    const end = outputs + <usize>load<i32>(code, 4) * VECTOR;
    const relu = load<i32>(code, 8) !== 0;
    code += VECTOR;
    for (let output = outputs; output < end; output += VECTOR) {
      const result = sum(code, values, inputs);
      v128.store(output, relu ? v128.andnot(result, f32x4.lt(result, f32x4.splat(0))) : result);
      code += VECTOR + inputs * VECTOR;
    }
    const done = outputs;
    outputs = values;
    values = done;
  }
  return values;
}
