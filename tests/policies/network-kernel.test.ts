/** The kernel of networks computes the bits of the TypeScript model, in both builds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getNetworkKernel, type Layer, NetworkCode, NetworkKernel } from '../../src/rules/network-kernel.ts';
import { computeOutputs } from '../../src/rules/policy-network.ts';

const { resolve } = createRequire(import.meta.url);

const openKernel = (build: string): NetworkKernel =>
  new NetworkKernel(new WebAssembly.Module(readFileSync(resolve(`#kernels/${build}/network.wasm`))));

const floats = (count: number): fc.Arbitrary<number[]> =>
  fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: count, maxLength: count });

/** Layers of these widths, the first of which is the length of the observation. */
const layersOf = (widths: readonly number[]): fc.Arbitrary<Layer[]> =>
  fc.tuple(
    ...widths.slice(1).map((outputs, l) =>
      fc.record({
        weights: floats(outputs * (widths[l] ?? 0)).map((list) => Float32Array.from(list)),
        biases: floats(outputs).map((list) => Float32Array.from(list)),
        relu: fc.boolean(),
      }),
    ),
  );

const networks = fc
  .array(fc.integer({ min: 1, max: 11 }), { minLength: 2, maxLength: 5 })
  .chain((widths) => fc.record({ layers: layersOf(widths), observation: floats(widths[0] ?? 0) }));

/** Bits of floats; all that are not numbers are equal. */
const bitsOf = (values: Float32Array): number[] =>
  Array.from(
    values,
    (value) => new Int32Array(Float32Array.of(Number.isNaN(value) ? Number.NaN : value).buffer)[0] ?? 0,
  );

/** A network of one layer whose weights and bias are one number. */
const createConstant = (value: number, inputs: number): NetworkCode =>
  new NetworkCode([{ weights: new Float32Array(inputs).fill(value), biases: Float32Array.of(value), relu: false }]);

test('this thread has the kernel', () => {
  expect(getNetworkKernel()).toBeInstanceOf(NetworkKernel);
});

describe.each(['release', 'debug'])('the %s kernel of networks', (build) => {
  test('computes the outputs of the model, bit for bit', () => {
    const kernel = openKernel(build);
    fc.assert(
      fc.property(networks, ({ layers, observation }) => {
        const found = kernel.run(new NetworkCode(layers), observation) ?? [];
        expect(bitsOf(Float32Array.from(found))).toEqual(bitsOf(computeOutputs(layers, observation)));
      }),
      { numRuns: 300, seed: 43 },
    );
  });

  test('rounds after each product and each sum, and adds inputs in ascending order', () => {
    const layer = { weights: Float32Array.of(2 ** 24, 1, 1, -(2 ** 24)), biases: Float32Array.of(0), relu: false };
    expect(openKernel(build).run(new NetworkCode([layer]), [1, 1, 1, 1])).toEqual(Float32Array.of(0));
    const product = { weights: Float32Array.of(1 + 2 ** -12, -1), biases: Float32Array.of(0), relu: false };
    const expected = Math.fround((1 + 2 ** -12) ** 2) - 1;
    expect(openKernel(build).run(new NetworkCode([product]), [1 + 2 ** -12, 1])).toEqual(Float32Array.of(expected));
  });

  test('keeps the sign of zero, and replaces negative outputs by 0 only with relu', () => {
    const weights = Float32Array.of(0, 1, 1);
    for (const relu of [true, false]) {
      const layer = { weights, biases: Float32Array.of(-0, -2, 2), relu };
      const found = openKernel(build).run(new NetworkCode([layer]), [-1]);
      expect(Array.from(found ?? [])).toEqual([-0, relu ? 0 : -3, 1]);
    }
  });

  test('keeps several networks, and writes them again when its memory is used up', () => {
    const kernel = openKernel(build);
    const inputs = 2 ** 19;
    const codes = Array.from({ length: 12 }, (_, n) => createConstant(n + 1, inputs));
    const observation = Array.from({ length: inputs }, (_, i) => Number(i === 0));
    for (const turn of [0, 1, 2])
      for (const [n, code] of codes.entries())
        expect([turn, kernel.run(code, observation)]).toEqual([turn, Float32Array.of(2 * (n + 1))]);
    expect(codes.some(({ generation }) => generation > 1)).toBe(true);
    const [first, second] = codes as [NetworkCode, NetworkCode];
    kernel.run(first, observation);
    kernel.run(second, observation);
    const { address, generation } = first;
    kernel.run(first, observation);
    expect(first).toMatchObject({ address, generation });
  });

  test('does not run a network beyond its memory', () => {
    const code = createConstant(1, 1);
    Object.defineProperty(code, 'bytes', { value: 2 ** 31 });
    expect(openKernel(build).run(code, [1])).toBeUndefined();
  });
});
