/** The published types, as a project sees them that checks the libraries it uses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { DEPTH, some } from './depth.ts';

const PUBLISHED = fileURLToPath(new URL('../dist/types/', import.meta.url));

test.runIf(DEPTH > 1).each(some(['index.d.ts', 'rollout.d.ts', 'system.d.ts', 'testing.d.ts']))(
  '%s needs the types of the language and of Node, and no others',
  (entry) => {
    const program = ts.createProgram([join(PUBLISHED, entry)], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
    });
    const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(PUBLISHED));
    expect(sources.length).toBeGreaterThan(5);
    const errors = sources.flatMap((source) => program.getSemanticDiagnostics(source));
    const told = errors.map(
      ({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
    expect(told).toEqual([]);
  },
);

const declarations = () =>
  readdirSync(PUBLISHED, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));

test('what a declaration imports is published too', () => {
  const imports = declarations().flatMap((file) => {
    const code = readFileSync(join(PUBLISHED, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    return [...code.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, name = '']) => ({ file, name }));
  });
  expect(imports.length).toBeGreaterThan(100);
  for (const { file, name } of imports) {
    expect(name, file).toMatch(/\.js$/);
    const declared = join(PUBLISHED, dirname(file), name.replace(/\.js$/, '.d.ts'));
    expect(existsSync(declared), `${file}: ${name}`).toBe(true);
  }
});

test('typed arrays are named as TypeScript 5.4 knows them', () => {
  const files = declarations();
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(readFileSync(join(PUBLISHED, file), 'utf8'), file).not.toMatch(/\d+Array</);
});
