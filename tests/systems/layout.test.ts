/** Words that encoders write and kernels read are declared once: a declaration that changes moves both. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Kernel } from '../../src/kernel/kernel.ts';
import { loadKernel } from '../../src/kernel/load.ts';
import { checkScenario } from '../../src/scenario/index.ts';
import { shapeOf } from '../../src/stats/tally.ts';
import { assemblyOf } from '../../src/systems/assembly.ts';
import { SHIPPED } from '../../src/systems/index.ts';
import * as layout from '../../src/systems/strength-cards/layout.ts';
import { head, i32, record, row, type Struct, u32 } from '../../src/systems/struct.ts';

/** What is used of the compiler. Its types declare methods of arrays otherwise than TypeScript does, for all files. */
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

test('words are written and read by name', () => {
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

test('kernels get structs as classes and word numbers, numbers, names of numbers and lists', () => {
  const declared = { PAIR, FATES: ['held', 'not-yet'], CODE: { over: -4 }, MOST: 3, LEAST: 0.5, ROWS: [1, 2], row };
  expect(assemblyOf(declared)).toBe(
    [
      '@unmanaged\nexport class Pair {\n  left: i32;\n  right: u32;\n}\n',
      'export const enum Fates {\n  held = 0,\n  notYet = 1,\n}\n',
      'export const enum Code {\n  over = -4,\n}\n',
      'export const MOST: i32 = 3;\n',
      'export const LEAST: f64 = 0.5;\n',
      'export const ROWS: usize = memory.data<i32>([1, 2]);\n',
    ].join('\n'),
  );
  expect(assemblyOf({ WORDS })).toContain('export const last: usize = 5;\n}\nexport const WORDS_WORDS: usize = 8;\n');
});

/** The same fields, the last one first. */
const reversed = <S extends Struct<never>>({ form, fields }: S): S =>
  new (layout.HEAD.constructor as new (form: string, fields: object) => S)(
    form,
    Object.fromEntries(Object.entries(fields).reverse()),
  );

/** The kernel of strength and cards with other declarations. */
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
        if (path === 'assembly/generated/strength-cards.ts') return assemblyOf({ ...declarations });
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

test('a declaration in another order moves encoder and kernel alike', async () => {
  const strengthCards = SHIPPED.system('strength-cards');
  const scenario = checkScenario(strengthCards.examples[0]?.scenario);
  const shape = shapeOf(strengthCards.model(scenario));
  const words = strengthCards.encode(scenario);
  const HEAD = reversed(layout.HEAD as never) as typeof layout.HEAD;
  const moved = words.slice();
  moved.set(HEAD.pack(layout.HEAD.read(words)));
  expect(moved).not.toEqual(words);
  const module = await compiled({ ...layout, HEAD, PLAY: reversed(layout.PLAY as never) });
  const kernel = new Kernel(await loadKernel('strength-cards'), shape, words);
  const twin = new Kernel(module, shape, moved);
  kernel.run(1n, 0, 2000);
  twin.run(1n, 0, 2000);
  expect(twin.take()).toEqual(kernel.take());
});
