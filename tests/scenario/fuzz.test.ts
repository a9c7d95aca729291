/** Random inputs: each is a valid scenario or causes an InputError in short time. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineCounter } from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { parseYaml } from '../../src/rules/scenario/document.ts';
import { parseScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH, some } from '../depth.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);
const TEXTS = [
  ...readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(new URL(file, FOLDER), 'utf8')),
  ...shippedSystems.flatMap(({ examples }) => examples.map(({ scenario }) => JSON.stringify(scenario, null, 1))),
];

/** Format of each line of a message. */
const LINE = /^(\S.*: expected .+, found .+|and [0-9]+ more)$/u;

/** Fails unless the action returns a scenario or throws an InputError. */
function behaves(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const line of error.message.split('\n')) expect(line).toMatch(LINE);
  }
}

interface Edit {
  readonly kind: 'insert' | 'remove' | 'double' | 'swap' | 'replace';
  readonly at: number;
  readonly length: number;
  readonly with: string;
}

const SNIPPETS = [
  ...['{', '}', '[', ']', ':', ': ', ',', '-', '- ', '?', '#', '&a ', '*a', '!x ', '!!set ', '!!map ', '|', '>', '%'],
  ...['"', "'", '\t', '\n', '\n\n', '\r\n', '\r', '---\n', '...\n', '<<: *a', '\u0000', '\uFEFF', '\u2028', '\uD800'],
  ...['null', '~', '.nan', '.inf', '1e999', '-0', '0x', 'true', '__proto__', 'constructor', 'toString', 'mode', 'hp'],
  ...['%YAML 1.1\n---\n', '{}', '[]', '[[[[', '9'.repeat(400), 'a'.repeat(2000)],
];

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'remove', 'double', 'swap', 'replace'),
  at: fc.nat(10_000),
  length: fc.integer({ min: 1, max: 12 }),
  with: fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ unit: 'binary', maxLength: 6 })),
});

function edited(text: string, { kind, at, length, with: other }: Edit): string {
  const from = at % (text.length + 1);
  const [before, part, after] = [text.slice(0, from), text.slice(from, from + length), text.slice(from + length)];
  switch (kind) {
    case 'insert':
      return before + other + part + after;
    case 'remove':
      return before + after;
    case 'double':
      return before + part + part + after;
    case 'swap':
      return before + part.split('').reverse().join('') + after;
    case 'replace':
      return before + other + after;
  }
}

describe('parseScenario returns a scenario or throws an InputError for', () => {
  test('scenarios with random edits', () => {
    const changes = fc.tuple(fc.constantFrom(...TEXTS), fc.array(edit, { minLength: 1, maxLength: 5 }));
    fc.assert(
      fc.property(changes, ([text, edits]) => {
        behaves(() => parseScenario(edits.reduce(edited, text)));
      }),
      { numRuns: 100 * DEPTH ** 2, seed: 3, endOnFailure: true },
    );
  });

  test('scenarios with shuffled lines', () => {
    const lines = fc.constantFrom(...TEXTS).chain((text) => fc.shuffledSubarray(text.split('\n'), { minLength: 1 }));
    fc.assert(
      fc.property(lines, (some) => {
        behaves(() => parseScenario(some.join('\n')));
      }),
      { numRuns: 30 * DEPTH ** 2, seed: 4, endOnFailure: true },
    );
  });

  test('random strings and JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.json()), (text) => {
        behaves(() => parseScenario(text));
      }),
      { numRuns: 30 * DEPTH ** 2, seed: 5, endOnFailure: true },
    );
  });

  /** Returns the number of parse errors in a text, or the message of its InputError. */
  function errorsIn(text: string): number | string {
    try {
      return parseYaml(text, new LineCounter(), {}, (_at, [expected]) => {
        throw new InputError('', expected, 'more');
      }).errors.length;
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  }

  test.each(
    some([
      ...['[', '{', '[,', '[[,', '{a: ', '- ', '? ', 'a: b: ', ']', '}', '[]', '{}\n', '"\n', '%\n', '---\n', ':\n'],
      ...['&a ', '!!str ', '!x ', '*a, ', '"\\n"', "''", '{},', '[1,', '|\n', 'a: *a\n', '- 1\n', '"'],
    ]),
  )('1 MiB of %j with fewer than 1000 errors', (part) => {
    const [head, more] = /^\[[^[]/.test(part) && part !== '[]' ? ['[', part.slice(1)] : ['', part];
    const errors = errorsIn(head + more.repeat(Math.floor((2 ** 20 - 1) / more.length)));
    if (typeof errors === 'number') expect(errors).toBeLessThan(1000);
    else expect(errors).toMatch(/expected at most \d+ (values|levels of nesting|directives)/);
  });

  test.runIf(DEPTH > 1)('lists of almost 100 000 values', () => {
    const many = Array.from({ length: 99_990 }, (_, k) => k % 10).join(',');
    expect(() => parseScenario(`system: attrition\nmode: [${many}]`)).toThrow(
      /mode: expected .* found a list of 99990/,
    );
    expect(() => parseScenario(`system: attrition\nmode: [${many},1,2,3,4,5,6,7,8,9,10]`)).toThrow(
      /at most 100000 values/,
    );
  });
});

describe('validateScenario returns a scenario or throws an InputError for', () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
  });
  const id = fc.constantFrom(...shippedSystems.map((system) => system.id));

  test('values of every type', () => {
    fc.assert(
      fc.property(value, id, (anything, system) => {
        behaves(() => validateScenario(anything));
        behaves(() => validateScenario(Object.assign({}, anything, { system })));
      }),
      { numRuns: 30 * DEPTH ** 2, seed: 6, endOnFailure: true },
    );
  });

  test('scenarios with one replaced field', () => {
    const examples = shippedSystems.flatMap((system) => system.examples.map(({ scenario }) => scenario as object));
    const change = fc
      .constantFrom(...examples)
      .chain((example) => fc.tuple(fc.constant(example), fc.constantFrom(...Object.keys(example)), value));
    fc.assert(
      fc.property(change, ([example, name, other]) => {
        behaves(() => validateScenario({ ...example, [name]: other }));
      }),
      { numRuns: 60 * DEPTH ** 2, seed: 7, endOnFailure: true },
    );
  });

  test('objects that contain themselves', () => {
    const attacker: Record<string, unknown> = { attack: 1, defense: 1, hp: 1 };
    attacker['tags'] = [attacker];
    attacker['self'] = attacker;
    behaves(() => validateScenario({ system: 'attrition', mode: 'direct', attacker, defender: attacker }));
  });
});
