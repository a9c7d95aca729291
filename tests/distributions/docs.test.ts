/** Runs the examples of docs/reference/distributions.md and compares their values with the comments after `//`. */
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as laws from '../../src/core/distributions/index.ts';

const PAGE = readFileSync('docs/reference/distributions.md', 'utf8');

const EXAMPLES = [...PAGE.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

/** Statements with the expected value in a comment. */
const TOLD = /^(?!const|import|return)(.+); \/\/ (.+)$/gm;

type Check = (given: unknown, reported: unknown) => void;

/** Returns the names of values that an example imports. */
function imported(example: string): string[] {
  const names = [...example.matchAll(/^import \{(.*)\} from 'warpool\/system';$/gm)].flatMap(([, list = '']) =>
    list.split(','),
  );
  return names.map((name) => name.trim()).filter((name) => !name.startsWith('type '));
}

/** Converts an example to a function of its imports, with a check for every statement with an expected value. */
function runnable(example: string): (all: typeof laws, check: Check) => void {
  const body = example.replace(/^import .*;\n/gm, '').replaceAll(TOLD, 'check(($1), ($2));');
  const text = `(function ({ ${imported(example).join(', ')} }, check) {${body}})`;
  const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  return runInThisContext(outputText) as (all: typeof laws, check: Check) => void;
}

test('docs/reference/distributions.md has examples', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(7);
  expect([...PAGE.matchAll(TOLD)].length).toBeGreaterThanOrEqual(20);
});

test.each(EXAMPLES)('example %# gives the documented values', (example) => {
  for (const name of imported(example)) expect(laws, 'what the example imports').toHaveProperty(name);
  let checked = 0;
  runnable(example)(laws, (given, reported) => {
    expect(given).toEqual(reported);
    checked++;
  });
  expect(checked).toBe([...example.matchAll(TOLD)].length);
});

test('every function has a row in the tables', () => {
  const functions = Object.keys(laws).filter((name) => !new RegExp(`^\\| .*\`${name}[(\`]`, 'm').test(PAGE));
  expect(functions).toEqual([]);
});
