import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readTextStyle } from '../../src/cli/terminal.ts';

const BOLD = '\u001B[1mx\u001B[22m';
const terminal = { isTTY: true };

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'COLUMNS']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a terminal has colors', () => {
  expect(readTextStyle(terminal).paint.bold('x')).toBe(BOLD);
});

test.each([
  ['NO_COLOR', '1'],
  ['TERM', 'dumb'],
])('%s=%s disables colors', (name, value) => {
  vi.stubEnv(name, value);
  expect(readTextStyle(terminal).paint.bold('x')).toBe('x');
});

test('an empty NO_COLOR has no effect', () => {
  vi.stubEnv('NO_COLOR', '');
  expect(readTextStyle(terminal).paint.bold('x')).toBe(BOLD);
});

test.each(['', '0', 'false'])('a file has no colors with FORCE_COLOR=%s', (value) => {
  vi.stubEnv('FORCE_COLOR', value);
  expect(readTextStyle({}).paint.bold('x')).toBe('x');
});

test('a file has colors with FORCE_COLOR=1 unless NO_COLOR is set', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  expect(readTextStyle({}).paint.bold('x')).toBe(BOLD);
  vi.stubEnv('NO_COLOR', '1');
  expect(readTextStyle({}).paint.bold('x')).toBe('x');
});

test.each([
  ['120', { width: 120, tableWidth: 120 }],
  ['10', { width: 40, tableWidth: 40 }],
  ['9999', { width: 200, tableWidth: 9999 }],
])('COLUMNS=%s sets the width without a terminal', (columns, expected) => {
  vi.stubEnv('COLUMNS', columns);
  expect(readTextStyle({})).toMatchObject(expected);
});

test.each([undefined, 'wide', '0', '-3'])('a file has no limit on the table width if COLUMNS is %s', (columns) => {
  vi.stubEnv('COLUMNS', columns);
  expect(readTextStyle({})).toMatchObject({ width: 80, tableWidth: Number.POSITIVE_INFINITY });
});

test('the width of a terminal overrides COLUMNS', () => {
  vi.stubEnv('COLUMNS', '60');
  expect(readTextStyle({ isTTY: true, columns: 132 })).toMatchObject({ width: 132, tableWidth: 132 });
  expect(readTextStyle({ isTTY: true, columns: 0 })).toMatchObject({ width: 80, tableWidth: 80 });
});
