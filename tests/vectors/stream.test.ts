/** Published known answers of every implementation: TypeScript, and the release and debug builds of the kernels. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findQuantile, getDifferenceTable, getHitsThresholds } from '../../src/core/chance/dice-tables.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { computeRunKey, computeWord, mix64, Stream } from '../../src/core/chance/stream.ts';
import { type KernelBuild, loadKernel } from '../../src/engines/kernel/kernel.ts';
import { LayoutBuilder } from '../../src/rules/layout.ts';

interface Vectors {
  readonly splitmix64: { readonly seed: string; readonly outputs: readonly string[] };
  readonly triple32: { readonly inputs: readonly number[]; readonly outputs: readonly number[] };
  readonly stream: readonly { seed: string; index: number; words: readonly (readonly [number, number])[] }[];
}

interface Door {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Global<'i32'>;
  mix(value: bigint): bigint;
  open(runKey: bigint, index: bigint): void;
  word(counter: number): number;
  quantile(word: number): number;
  difference(offset: number, place: number, half: number): number;
}

const vectors = JSON.parse(readFileSync(new URL('stream.json', import.meta.url), 'utf8')) as Vectors;
const GOLDEN = 0x9e3779b97f4a7c15n;

async function openDoor(build: KernelBuild): Promise<Door> {
  const module = await loadKernel('testing/chance', build);
  const { exports } = new WebAssembly.Instance(module, { env: { abort: () => expect.fail('abort') } });
  return exports as unknown as Door;
}

/** Writes a table into the memory of the chance source. */
function writeTable(chance: Door, words: Int32Array): void {
  new Int32Array(chance.memory.buffer, chance.table.value, words.length).set(words);
}

describe('TypeScript', () => {
  test('mix64 is the finalizer of splitmix64', () => {
    const { seed, outputs } = vectors.splitmix64;
    const found = outputs.map((_, n) => String(mix64(BigInt(seed) + BigInt(n + 1) * GOLDEN)));
    expect(found).toEqual(outputs);
  });

  test('words with the key 0 are triple32 of the counter', () => {
    expect(vectors.triple32.inputs.map((input) => computeWord(0, 0, input))).toEqual(vectors.triple32.outputs);
    expect(vectors.triple32.inputs.map((input) => computeWord(input, 0, 0))).toEqual(vectors.triple32.outputs);
  });

  test.each(vectors.stream)('the stream of seed $seed, battle $index has the known words', ({ seed, index, words }) => {
    const stream = Stream.forBattle(BigInt(seed), index);
    for (const [counter, word] of words) {
      stream.seek(counter);
      expect(stream.word()).toBe(word);
    }
  });
});

describe.each(['release', 'debug'] as const)('AssemblyScript, %s', (build) => {
  test('mix and word return the known answers', async () => {
    const chance = await openDoor(build);
    const { seed, outputs } = vectors.splitmix64;
    const mixed = outputs.map((_, n) => String(BigInt.asUintN(64, chance.mix(BigInt(seed) + BigInt(n + 1) * GOLDEN))));
    expect(mixed).toEqual(outputs);
    for (const { seed: run, index, words } of vectors.stream) {
      chance.open(computeRunKey(BigInt(run)), BigInt(index));
      expect(words.map(([counter]) => [counter, chance.word(counter) >>> 0])).toEqual(words);
    }
  });

  test('quantile equals findQuantile at both ends of every step', async () => {
    const chance = await openDoor(build);
    for (const [dice, value] of [
      [1, 3],
      [9, 2],
      [64, 5],
      [64, 1],
    ] as const) {
      const table = getHitsThresholds(dice, value);
      const layout = new LayoutBuilder(0);
      layout.quantiles(table);
      writeTable(chance, layout.finish());
      const words = [0, 2 ** 32 - 1, ...[...table].flatMap((end) => [end, Math.max(0, end - 1)])];
      expect(words.map((word) => chance.quantile(word))).toEqual(words.map((word) => findQuantile(table, word)));
    }
  });

  test.each([
    ['3d10: few escapes', { count: 3, sides: 10 }],
    ['8d100: nearly all escape', { count: 8, sides: 100 }],
    ['1d2: none', { count: 1, sides: 2 }],
  ])('difference equals the value of SampledChance, %s', async (_name, dice) => {
    const chance = await openDoor(build);
    const layout = new LayoutBuilder(2);
    const offset = layout.difference(getDifferenceTable(dice));
    writeTable(chance, layout.finish());
    const bonus = 1000;
    let escapes = 0;
    for (let index = 0; index < 3000; index++) {
      chance.open(computeRunKey(8n), BigInt(index));
      const sampled = new SampledChance(Stream.forBattle(8n, index));
      for (const half of [0, 1] as const) {
        sampled.seek(index, half);
        const difference = sampled.excess(dice, bonus) - bonus;
        expect(chance.difference(offset, index, half)).toBe(difference);
        escapes += Number(Math.abs(difference) > 20);
      }
    }
    expect(escapes > 0).toBe(dice.count > 1);
  });
});
