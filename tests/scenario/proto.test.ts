/** `__proto__` as a name is rejected in all documents, because libraries silently drop its value. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadExpectations } from '../../src/analysis/expectations/index.ts';
import { InputError } from '../../src/core/errors.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { applyChanges, parseScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { formatPath, type Path } from '../../src/rules/scenario/problem.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-proto-'));
let names = 0;
function file(text: string): string {
  const path = join(folder, `${String(names++)}.yaml`);
  writeFileSync(path, text);
  return path;
}

async function rejection(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Lists the paths of all mappings in a value. */
function mappingsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, inner]) =>
    mappingsIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return Array.isArray(value) ? inside : [at, ...inside];
}

/** Copies a value and adds the field `__proto__` to the mapping at a path. */
function spoilt(value: unknown, path: Path): unknown {
  const copy = structuredClone(value);
  const mapping = path.reduce<unknown>((here, step) => (here as Record<string | number, unknown>)[step], copy);
  const own = { value: 900, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(mapping, '__proto__', own);
  return copy;
}

const DUEL = `system: attrition
mode: direct
attacker: { attack: 1, defense: 1, hp: 9 }
defender: { attack: 1, defense: 1, hp: 8 }
`;
const duel = file(DUEL);

describe.each(shippedSystems.map(({ id, examples }) => ({ id, examples })))('$id', ({ examples }) => {
  test('__proto__ is rejected in every mapping of every example, as object and as text', async () => {
    for (const { scenario } of examples) {
      const complete = validateScenario(scenario);
      for (const path of mappingsIn(complete)) {
        const [object, place] = [spoilt(complete, path), formatPath([...path, '__proto__'])];
        const due = `${place}: expected a name other than __proto__, found "__proto__"`;
        expect(await rejection(() => validateScenario(object))).toContain(due);
        expect(await rejection(() => parseScenario(JSON.stringify(object), { source: 'x.yaml' }))).toMatch(
          /^x\.yaml:1:\d+ .*__proto__: expected a name other than __proto__, found "__proto__"$/m,
        );
      }
    }
  });
});

test('the error of __proto__ has its position', async () => {
  const text = DUEL.replace('hp: 9 }', 'hp: 9, __proto__: { hp: 900 } }');
  expect(await rejection(() => parseScenario(text, { source: 'x.yaml' }))).toBe(
    'x.yaml:3:43 attacker.__proto__: expected a name other than __proto__, found "__proto__"',
  );
});

test.each(['__proto__=1', 'attacker.__proto__=1', 'attacker.__proto__.hp=1', 'attacker.hp={ __proto__: 1 }'])(
  '--set %s is rejected',
  async (change) => {
    expect(await rejection(() => applyChanges(parseScenario(DUEL), [change]))).toMatch(
      /^--set \S*__proto__: expected a name other than __proto__/m,
    );
  },
);

test.each([
  'axes: [{ path: attacker.hp, values: [1] }]\n__proto__: 5',
  'axes: [{ path: attacker.hp, values: [1], name: __proto__ }]',
  'axes: [{ path: attacker.__proto__.hp, values: [1] }]',
  'axes: [{ path: attacker.__proto__, range: [1, 2] }]',
  'axes: [{ path: [attacker.hp, __proto__.hp], values: [1] }]',
  'axes: [{ path: attacker, values: [{ attack: 1, defense: 1, hp: 1, __proto__: 9 }] }]',
  'axes: [{ name: orders, cases: { __proto__: { attacker.hp: 1 }, run: {} } }]',
  'axes: [{ name: orders, cases: { stand: { __proto__: 1 }, run: {} } }]',
  'axes: [{ name: orders, cases: { stand: { attacker.__proto__.hp: 1 }, run: {} } }]',
])('a sweep with %s is rejected', async (text) => {
  const path = file(`scenario: ${duel}\n${text}\n`);
  expect(await rejection(() => loadSweep(path))).toContain('expected a name other than __proto__');
});

test('__proto__ is rejected in the scenario of a sweep', async () => {
  const inside = DUEL.replace('hp: 9 }', 'hp: 9, __proto__: 1 }').replaceAll(/^/gm, '  ');
  const path = file(`scenario:\n${inside}\naxes: [{ path: attacker.hp, values: [1] }]\n`);
  expect(await rejection(() => loadSweep(path))).toContain('scenario.attacker.__proto__: expected a name other');
});

test.each([
  '[{ name: a, expect: attacker at least 0.1, set: { __proto__: 1 } }]',
  '[{ name: a, expect: attacker at least 0.1, set: { attacker.__proto__: 1 } }]',
  '[{ name: a, expect: attacker at least 0.1, set: { attacker.hp: { __proto__: 1 } } }]',
  '[{ name: a, expect: attacker at least 0.1, __proto__: 1 }]',
])('expectations with %s are rejected', async (text) => {
  const path = file(`scenario: ${duel}\nexpectations: ${text}\n`);
  expect(await rejection(() => loadExpectations(path))).toContain('expected a name other than __proto__');
});

test('circular and very deep values are rejected', async () => {
  const circle: Record<string, unknown> = { system: 'attrition' };
  circle['self'] = circle;
  expect(await rejection(() => validateScenario(circle))).not.toBe('accepted');
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(await rejection(() => validateScenario({ system: 'attrition', deep }))).not.toBe('accepted');
});
