/**
 * Primitives in WebAssembly and in TypeScript: words of a stream, keys of battles, a quantile, the difference of
 * attrition, a draw from a bag, a policy network. Each sample sums over new battles; both languages must give the same
 * sum.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { findQuantile, getDifferenceTable, getSumThresholds } from '../src/core/chance/dice-tables.ts';
import { sampleMarked } from '../src/core/chance/distribution-cache.ts';
import { SampledChance } from '../src/core/chance/sampled-chance.ts';
import { computeRunKey, Stream } from '../src/core/chance/stream.ts';
import { LayoutBuilder } from '../src/rules/layout.ts';
import { getNetworkKernel, type Layer, NetworkCode } from '../src/rules/network-kernel.ts';
import { computeOutputs } from '../src/rules/policy-network.ts';
import { type Contender, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';
import { median, timesAsFast } from './times.ts';

/** Computes the sum, modulo 2^32, of a number of draws from battle `index`. */
type Loop = (index: number, count: number) => number;

interface Primitive {
  readonly name: string;
  /** Export of assembly/testing/loops.ts, or the loop of another kernel. */
  readonly loop: string | Loop;
  readonly table?: Int32Array;
  readonly script: Loop;
}

interface Loops {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Global<'i32'>;
  readonly [loop: string]: unknown;
}

const COUNT = 2048;

const DICE = { count: 3, sides: 10 };

/** Computes the sum of `draw` over the words 0..count-1 of a battle. */
function overWords(draw: (word: number) => number): Loop {
  return (index, count) => {
    const stream = Stream.forBattle(SEED, index);
    let sum = 0;
    for (let j = 0; j < count; j++) sum = (sum + draw(stream.word())) >>> 0;
    return sum;
  };
}

function layout(write: (to: LayoutBuilder) => unknown): Int32Array {
  const to = new LayoutBuilder(0);
  write(to);
  return to.finish();
}

/** A network of 25 features, two layers of 64 units and 13 actions, with weights from a stream. */
function createLayers(): Layer[] {
  const stream = Stream.forBattle(SEED, 0);
  const floats = (count: number) => Float32Array.from({ length: count }, () => stream.word() / 2 ** 31 - 1);
  const widths = [25, 64, 64, 13];
  return widths.slice(1).map((outputs, l) => ({
    weights: floats(outputs * (widths[l] ?? 0)),
    biases: floats(outputs),
    relu: l < 2,
  }));
}

/** Sums the bits of the first outputs of networks. */
function overNetworks(run: (observation: readonly number[]) => Float32Array): Loop {
  const observation = new Array<number>(25).fill(1);
  const output = new Float32Array(1);
  const bits = new Uint32Array(output.buffer);
  return (index, count) => {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      observation[j % 25] = (index + j) % 17;
      output[0] = run(observation)[0] ?? 0;
      sum = (sum + (bits[0] ?? 0)) >>> 0;
    }
    return sum;
  };
}

function createNetworkPrimitive(): Primitive {
  const layers = createLayers();
  const code = new NetworkCode(layers);
  const run = (observation: readonly number[]) => getNetworkKernel()?.run(code, observation) ?? new Float32Array(0);
  return {
    name: 'policy network 25-64-64-13',
    loop: overNetworks(run),
    script: overNetworks((observation) => computeOutputs(layers, observation)),
  };
}

const PRIMITIVES: readonly Primitive[] = [
  { name: 'word of a stream', loop: 'words', script: overWords((word) => word) },
  {
    name: 'key of a battle, and a word',
    loop: 'keys',
    script: (from, count) => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum = (sum + Stream.forBattle(SEED, from + i).word()) >>> 0;
      return sum;
    },
  },
  {
    name: 'quantile of 3d10',
    loop: 'quantiles',
    table: layout((to) => to.quantiles(getSumThresholds(DICE))),
    script: overWords((word) => findQuantile(getSumThresholds(DICE), word)),
  },
  {
    name: 'two differences of 3d10',
    loop: 'differences',
    table: layout((to) => to.difference(getDifferenceTable(DICE))),
    script: (index, count) => {
      const chance = new SampledChance(Stream.forBattle(SEED, index));
      // A bonus that no difference takes below zero.
      const bonus = 100;
      let sum = 0;
      for (let j = 0; j < count; j++) {
        chance.seek(j);
        sum += chance.excess(DICE, bonus) + chance.excess(DICE, bonus) - 2 * bonus;
      }
      return sum >>> 0;
    },
  },
  { name: 'draw from a bag of 14', loop: 'draws', script: overWords((word) => sampleMarked(14, 5, 4, word)) },
];

async function loopsModule(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('#kernels/release/testing/loops.wasm');
  return WebAssembly.compile(await readFile(path));
}

/** Creates the loop in a fresh instance. */
function compiled(module: WebAssembly.Module, { loop, table }: Primitive): Loop {
  if (typeof loop === 'function') return loop;
  const exports = new WebAssembly.Instance(module, {}).exports as unknown as Loops;
  if (table !== undefined) new Int32Array(exports.memory.buffer, exports.table.value).set(table);
  const call = exports[loop] as (key: bigint, index: bigint, count: number) => number;
  return (index, count) => call(computeRunKey(SEED), BigInt(index), count) >>> 0;
}

function check(name: string, wasm: Loop, script: Loop): void {
  for (let index = 0; index < 50; index++) {
    const [found, expected] = [wasm(index, COUNT), script(index, COUNT)];
    if (found !== expected) throw new Error(`${name}: ${String(found)} in WASM, ${String(expected)} in TypeScript`);
  }
}

function fresh(loop: Loop): Contender {
  let index = 1000;
  return () => () => {
    loop(index, COUNT);
    index += COUNT;
    return COUNT;
  };
}

export async function primitives({ quick }: Options): Promise<Row[]> {
  const module = await loopsModule();
  const rows: Row[] = [];
  let wordTime = 0;
  for (const primitive of [...PRIMITIVES, createNetworkPrimitive()]) {
    const { name, script } = primitive;
    check(name, compiled(module, primitive), script);
    const contenders = { wasm: () => fresh(compiled(module, primitive))(), script: fresh(script) };
    const times = await race(contenders, quick ? { turns: 3, time: 15 } : { turns: 15, time: 30 });
    const wasm = median(times.get('wasm') ?? []);
    wordTime ||= wasm;
    rows.push({
      suite: 'primitives',
      name,
      value: wasm,
      unit: 'ns in WASM',
      ratio: timesAsFast(times, 'wasm', 'script'),
      of: 'times TypeScript',
      note: `${(wasm / wordTime).toFixed(2)} words`,
    });
  }
  return rows;
}
