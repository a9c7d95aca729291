/** Layouts of words are declared once for encoders and kernels: a changed declaration changes both. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createStreamLayout, UNBOUNDED } from '../../src/core/chance/stream-layout.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { writeAssemblyScript, writeCHeader, writePython } from '../../src/rules/declaration-writers.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import * as layout from '../../src/rules/strength-cards/layout.ts';
import { each, head, i32, many, metrics, one, record, row, type Struct, u32 } from '../../src/rules/struct.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { DEPTH } from '../depth.ts';

/** Part of the compiler's interface that is used here. Its own types redeclare methods of arrays for all files. */
interface Compiler {
  readonly main: (
    args: readonly string[],
    io: {
      readonly readFile: (path: string) => string | null;
      readonly writeFile: (path: string, content: Uint8Array | string) => void;
    },
  ) => Promise<{ readonly error: Error | null }>;
}

const COMPILER = 'assemblyscript/asc';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAIR = record({ left: i32, right: u32 });
const WORDS = head({ first: i32, pairs: row(PAIR, 2), last: row(i32, 3) });

test('structs write and read words by name', () => {
  const pairs = [
    { left: -1, right: 2 ** 32 - 1 },
    { left: 4, right: 5 },
  ];
  const words = Int32Array.from([9, ...WORDS.pack({ first: true, pairs, last: [6, 7, 8] })]);
  expect([...words]).toEqual([9, 1, -1, -1, 4, 5, 6, 7, 8]);
  expect(WORDS.read(words, 1)).toEqual({ first: 1, pairs, last: [6, 7, 8] });
  expect(WORDS.at).toEqual({ first: 0, pairs: 1, last: 5 });
  expect(() => WORDS.pack({ first: 0, pairs: [], last: [6, 7, 8] })).toThrow('0 values for 2');
});

test('writeAssemblyScript writes structs, numbers, names and lists', () => {
  const declared = { PAIR, FATES: ['held', 'not-yet'], CODE: { over: -4 }, MOST: 3, LEAST: 0.5, ROWS: [1, 2], row };
  expect(writeAssemblyScript(declared)).toBe(
    [
      '@unmanaged\nexport class Pair {\n  left: i32;\n  right: u32;\n}\n',
      'export const enum Fates {\n  held = 0,\n  notYet = 1,\n}\n',
      'export const enum Code {\n  over = -4,\n}\n',
      'export const MOST: i32 = 3;\n',
      'export const LEAST: f64 = 0.5;\n',
      'export const ROWS: usize = memory.data<i32>([1, 2]);\n',
    ].join('\n'),
  );
  expect(writeAssemblyScript({ WORDS })).toContain(
    'export const last: usize = 5;\n}\nexport const WORDS_WORDS: usize = 8;\n',
  );
});

const DRAWN = createStreamLayout({ round: UNBOUNDED, side: 2 }, 4, { card: 0, dice: 2 });
const SHARED = createStreamLayout({ round: UNBOUNDED, fighter: 'fighters' }, 3);
const MEASURED = metrics({ rounds: one, hp: each(['left', 'right']), by: many('<type>', 'types', 'hp'), marks: one });

test('stream positions are numbers whose digits are indices', () => {
  expect([DRAWN.positionOf(0), DRAWN.positionOf(3), DRAWN.positionOf(3, 1), DRAWN.end(3)]).toEqual([0, 24, 28, 32]);
  expect([SHARED.withSize(5).positionOf(1), SHARED.withSize(5).positionOf(2, 4)]).toEqual([15, 42]);
  expect(() => createStreamLayout({ a: 1, b: 'one', c: 'two' }, 1)).toThrow('a second size');
});

test('metrics are named, bounded and measured in the order of their declaration', () => {
  const bounded = MEASURED.declare({
    marks: { min: -2, max: 2, unit: 0.5 },
    rounds: 9,
    hp: [3, 4],
    by: [['archer', 5]],
  });
  expect(bounded).toEqual([
    { name: 'rounds', min: 0, max: 9 },
    { name: 'hp.left', min: 0, max: 3 },
    { name: 'hp.right', min: 0, max: 4 },
    { name: 'hp.archer', min: 0, max: 5 },
    { name: 'marks', min: -2, max: 2, unit: 0.5 },
  ]);
  expect(MEASURED.values({ marks: 1, by: [5], rounds: 2, hp: [3, 4] })).toEqual([2, 3, 4, 5, 1]);
  expect(MEASURED.at('by')).toBe(3);
  expect(() => MEASURED.at('marks')).toThrow('has no number');
  expect(() => MEASURED.declare({ marks: 1, rounds: 1, hp: [3], by: [] })).toThrow('hp: 1 bounds');
});

test('writeAssemblyScript and writeCHeader write stream positions and metrics as numbers', () => {
  const kernels = writeAssemblyScript({ DRAWN, SHARED, MEASURED });
  expect(kernels).toContain('at(round: u32, side: u32): u32 {\n    return (round << 3) | (side << 2);');
  expect(kernels).toContain('static readonly dice: u32 = 2;');
  expect(kernels).toContain('return round * 3 * fighters + fighter * 3;');
  expect(kernels).toContain('static readonly hpRight: i32 = 2;');
  expect(kernels).toContain('static marks(types: i32): i32 {\n    return 3 + types;');
  const header = writeCHeader({ DRAWN, SHARED, MEASURED, PAIR, WORDS, FATES: ['held', 'not-yet'], MOST: 2 ** 31 });
  expect(header).toContain('enum { PAIR_LEFT = 0, PAIR_RIGHT = 1, PAIR_WORDS = 2 };');
  expect(header).toContain('#define PAIR_FIELDS int32_t left; uint32_t right;');
  expect(header).toContain('enum { FATES_HELD = 0, FATES_NOT_YET = 1 };');
  expect(header).toContain('{ return 0u + round * 8u + side * 4u; }');
  expect(header).toContain('MEASURED_marks(int32_t types) { return 3 + 1 * types; }');
});

test('writePython writes words and names', () => {
  expect(writePython({ PAIR, FATES: ['held'], CODE: { over: -4 }, MOST: 3, DRAWN, ROWS: [1] })).toBe(
    [
      'class Pair:\n    """Indices of words, and their number."""\n\n    LEFT = 0\n    RIGHT = 1\n    SIZE = 2\n\n\n',
      'FATES = (\n    "held",\n)\n\n\n',
      'class Code:\n    """Numbers by name."""\n\n    OVER = -4\n\n\n',
      'MOST = 3\n',
    ].join(''),
  );
});

/** Returns a struct with the same fields in reverse order. */
const reversed = <S extends Struct<never>>({ form, fields }: S): S =>
  new (layout.HEAD.constructor as new (form: string, fields: object) => S)(
    form,
    Object.fromEntries(Object.entries(fields).reverse()),
  );

/** Compiles the kernel of strength-cards with other declarations. */
async function compiled(declarations: object): Promise<WebAssembly.Module> {
  let module: WebAssembly.Module | undefined;
  const { main } = (await import(COMPILER)) as Compiler;
  const { error } = await main(
    [
      'assembly/systems/strength-cards.ts',
      '--config',
      'asconfig.json',
      '--target',
      'debug',
      '--outFile',
      'kernel.wasm',
    ],
    {
      readFile(path) {
        if (path === 'assembly/generated/strength-cards.ts') return writeAssemblyScript({ ...declarations });
        const file = join(ROOT, path);
        if (!existsSync(file)) return null;
        return readFileSync(file, 'utf8').replace('../attrition/environment', '../strength-cards/environment');
      },
      writeFile(name, content) {
        if (name.endsWith('.wasm')) module = new WebAssembly.Module(content as Uint8Array<ArrayBuffer>);
      },
    },
  );
  if (module === undefined) throw error ?? new Error('nothing compiled');
  return module;
}

test.runIf(DEPTH > 1)('a declaration in another order changes encoder and kernel alike', async () => {
  const strengthCards = SHIPPED_REGISTRY.system('strength-cards');
  const scenario = validateScenario(strengthCards.examples[0]?.scenario);
  const shape = createCountsShape(strengthCards.model(scenario));
  const words = strengthCards.encode(scenario);
  const HEAD = reversed(layout.HEAD as never) as typeof layout.HEAD;
  const moved = words.slice();
  moved.set(HEAD.pack(layout.HEAD.read(words)));
  expect(moved).not.toEqual(words);
  const module = await compiled({ ...layout, HEAD, PLAY: reversed(layout.PLAY as never) });
  const kernel = new SystemKernel(await loadKernel('strength-cards'), shape, words);
  const counterpart = new SystemKernel(module, shape, moved);
  kernel.run(1n, 0, 2000);
  counterpart.run(1n, 0, 2000);
  expect(counterpart.take()).toEqual(kernel.take());
});
