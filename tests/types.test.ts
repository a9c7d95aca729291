/** The published types, as a project sees them that checks the libraries it uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { some } from './depth.ts';

const PUBLISHED = fileURLToPath(new URL('../dist/types/', import.meta.url));

test.each(some(['index.d.ts', 'rollout/index.d.ts', 'system.d.ts', 'testing/index.d.ts']))(
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

test('typed arrays are named as TypeScript 5.4 knows them', () => {
  const files = readdirSync(PUBLISHED, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(readFileSync(join(PUBLISHED, file), 'utf8'), file).not.toMatch(/\d+Array</);
});
