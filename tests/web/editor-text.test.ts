/** Positions of marks in the editor, and changes of its text from outside. */
import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDiagnostics, findProblemRange } from '../../web/app/editor/diagnostics.ts';
import { findDifference } from '../../web/app/editor/difference.ts';
import { check } from '../../web/engine/editing/check.ts';

const doc = (text: string): Text => Text.of(text.split('\n'));

/** Returns the text that is marked at a line and column. */
function marked(text: string, line: number, column: number): string {
  const { from, to } = findProblemRange(doc(text), { line, column });
  return text.slice(from, to);
}

test.each([
  ['hp: 30, x', 1, 5, '30'],
  ['a: 1\nhp: "a, b" # c', 2, 5, '"a, b"'],
  ["n: 'x y'", 1, 4, "'x y'"],
  ['n: "never closed', 1, 4, '"never closed'],
  ['a: [1, 2]', 1, 4, '['],
  ['a: { hp: 1 }', 1, 6, 'hp'],
  ['a: b', 1, 5, 'b'],
  ['a: b', 9, 99, 'b'],
  ['a:\n\n', 3, 1, ''],
  ['', 1, 1, ''],
])('in %j, line %d, column %d, findProblemRange marks %j', (text, line, column, expected) => {
  expect(marked(text, line, column)).toBe(expected);
});

test('createDiagnostics returns the messages of the library without the position', () => {
  const text = 'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: no }\ndefender: 3\n';
  const found = createDiagnostics(doc(text), check.check(text));
  expect(found.map(({ from, to, message }) => [text.slice(from, to), message])).toEqual([
    ['no', 'attacker.hp: expected an integer 1..100000, found "no"'],
    ['3', 'defender: expected a mapping, found 3'],
  ]);
  const right = text.replace('no }', '3 }').replace('defender: 3', 'defender: { attack: 1, defense: 1, hp: 3 }');
  expect(createDiagnostics(doc(right), check.check(right))).toEqual([]);
});

test('findDifference turns one text into the other by a shortest change', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, text, (head, before, after, tail) => {
      const [from, to] = [head + before + tail, head + after + tail];
      const change = findDifference(from, to);
      expect(from.slice(0, change.from) + change.insert + from.slice(change.to)).toBe(to);
      expect(change.to - change.from).toBeLessThanOrEqual(before.length);
      expect(change.insert.length).toBeLessThanOrEqual(after.length);
    }),
  );
});
