/** Limits of code size: lines of each module, and names that it exports to other modules. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import BUDGET from './budget.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the paths, from the root, of all code below a folder. */
function codeIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js|mjs|py)$/.test(file) && !/(^|\/)(node_modules|ready|\.venv)\//.test(file))
    .map((file) => join(folder, file));
}

/** Counts the lines that are neither blank nor only a comment. */
function linesOf(file: string): number {
  const comment = file.endsWith('.py') ? /^\s*($|#)/ : /^\s*($|\/\/|\/\*|\*)/;
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.filter((line) => !comment.test(line)).length;
}

/** Counts the names that the entry points of a module export. */
function namesOf(module: string): number {
  const points = readdirSync(join(ROOT, 'src', module)).filter((file) => /^(index|node)\.ts$/.test(file));
  const texts = points.map((file) => readFileSync(join(ROOT, 'src', module, file), 'utf8'));
  const clauses = texts.flatMap((text) => [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]);
  return clauses.flatMap(([, names = '']) => names.split(',').filter((name) => name.trim() !== '')).length;
}

const sum = (folder: string) => codeIn(folder).reduce((lines, file) => lines + linesOf(file), 0);

describe.each(Object.entries(BUDGET.lines))('%s', (folder, most) => {
  test(`has at most ${String(most)} lines of code`, () => {
    expect(
      sum(folder),
      `lines of ${folder}: delete some, or raise its budget in tests/budget.json`,
    ).toBeLessThanOrEqual(most);
  });
});

describe.each(Object.entries(BUDGET.names))('src/%s', (module, most) => {
  test(`exports at most ${String(most)} names to other modules`, () => {
    expect(namesOf(module), `names in src/${module}/index.ts and node.ts`).toBeLessThanOrEqual(most);
  });
});

test('every module of src has budgets of lines and names', () => {
  const modules = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = modules.map(({ name }) => name).filter((name) => name !== 'cli');
  expect(Object.keys(BUDGET.names).sort()).toEqual(names.sort());
  for (const { name } of modules) expect(Object.keys(BUDGET.lines)).toContain(`src/${name}`);
});
