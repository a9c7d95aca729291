import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { look } from '../../src/cli/terminal.ts';

const BOLD = '\u001B[1mx\u001B[22m';
const terminal = { isTTY: true };

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'COLUMNS']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a terminal has colours', () => {
  expect(look(terminal).paint.bold('x')).toBe(BOLD);
});

test.each([
  ['NO_COLOR', '1'],
  ['TERM', 'dumb'],
])('%s=%s takes them away', (name, value) => {
  vi.stubEnv(name, value);
  expect(look(terminal).paint.bold('x')).toBe('x');
});

test('an empty NO_COLOR means nothing', () => {
  vi.stubEnv('NO_COLOR', '');
  expect(look(terminal).paint.bold('x')).toBe(BOLD);
});

test('a file has none', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  expect(look({}).paint.bold('x')).toBe('x');
});

test.each([
  ['120', 120],
  ['10', 80],
  ['wide', 80],
  ['9999', 200],
])('COLUMNS=%s gives %d columns where there is no terminal', (columns, expected) => {
  vi.stubEnv('COLUMNS', columns);
  expect(look({}).width).toBe(expected);
});

test('a terminal has its own width', () => {
  vi.stubEnv('COLUMNS', '60');
  expect(look({ isTTY: true, columns: 132 }).width).toBe(132);
});
