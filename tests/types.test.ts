/** Published types, in a project that also checks the types of its libraries. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DEPTH } from './depth.ts';

const PUBLISHED = fileURLToPath(new URL('../dist/types/', import.meta.url));

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Compilers by version. Slow ones are used only in deep runs. */
const COMPILERS = [
  ['5.4', 'tests/typescript/5.4/node_modules/typescript'],
  ['5.9', 'tests/typescript/5.9/node_modules/typescript'],
  ['6.0', 'node_modules/typescript'],
  ['7.0', 'tests/typescript/7.0/node_modules/typescript'],
].filter(([version]) => DEPTH > 1 || version === '7.0');

/** Entry points of the package by condition of exports. */
const ENTRIES = {
  node: ['', '/environments', '/light', '/suite', '/system', '/systems/attrition', '/testing'],
  browser: ['', '/environments', '/light', '/system', '/systems/attrition'],
};

/** Compiles a project, inside the package so that imports of warpool resolve to it. @returns the printed text */
async function check(compiler: string, condition: keyof typeof ENTRIES): Promise<string> {
  const folder = mkdtempSync(join(ROOT, 'dist/types-test-'));
  const imports = ENTRIES[condition].map((entry, e) => `export * as entry${String(e)} from 'warpool${entry}';\n`);
  const use =
    "import { ThreadPool, solve, solveSync } from 'warpool';\nexport const all = [ThreadPool, solve, solveSync] as const;\n";
  writeFileSync(join(folder, 'index.ts'), [...imports, use].join(''));
  const conditions = condition === 'browser' ? { customConditions: ['browser'] } : {};
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', skipLibCheck: false, ...conditions };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
  try {
    const tsc = join(ROOT, compiler, 'bin/tsc');
    return await new Promise((resolve) => {
      execFile(process.execPath, [tsc, '-p', folder], (_error, stdout, stderr) => {
        resolve(stdout + stderr);
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(COMPILERS)(
  'TypeScript %s accepts the declarations with its default options',
  async (_version, compiler = '') => {
    expect(await check(compiler, 'node')).toBe('');
    expect(await check(compiler, 'browser')).toBe('');
  },
);

const declarations = () =>
  readdirSync(PUBLISHED, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));

test('all relative imports of declarations are published', () => {
  const imports = declarations().flatMap((file) => {
    const code = readFileSync(join(PUBLISHED, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    return [...code.matchAll(/(?:from |import\(|import )['"](\.[^'"]+)['"]/g)].map(([, name = '']) => ({ file, name }));
  });
  expect(imports.length).toBeGreaterThan(100);
  for (const { file, name } of imports) {
    expect(name, file).toMatch(/\.js$/);
    const declared = join(PUBLISHED, dirname(file), name.replace(/\.js$/, '.d.ts'));
    expect(existsSync(declared), `${file}: ${name}`).toBe(true);
  }
});

test('typed arrays have no type arguments, which TypeScript 5.4 does not support', () => {
  const files = declarations();
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(readFileSync(join(PUBLISHED, file), 'utf8'), file).not.toMatch(/\d+Array</);
});
