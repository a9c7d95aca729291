import type { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { reflowText } from '../../src/cli/help.ts';
import { createProgram } from '../../src/cli/program.ts';

/** Returns the help of a command at a width, including the text after its options. */
function helpOf(command: Command, columns: string): string {
  vi.stubEnv('COLUMNS', columns);
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Returns lines that exceed the width although they could be wrapped. */
function tooLong(text: string, width: number): string[] {
  return text.split('\n').filter((line) => line.length > width && /\S [^\s\\]/.test(line));
}

const warpool = await createProgram();

describe.each([warpool, ...warpool.commands].map((command) => [command.name(), command] as const))(
  'the help of %s',
  (_, command) => {
    test.each([40, 60, 80, 100])('fits into %d columns', (width) => {
      expect(tooLong(helpOf(command, String(width)), width)).toEqual([]);
    });

    test('contains the same words at every width', () => {
      const words = (columns: string): string[] => helpOf(command, columns).replaceAll(' \\\n', ' ').split(/\s+/);
      expect(words('44')).toEqual(words('200'));
    });
  },
);

test('reflowText wraps paragraphs and keeps headings, examples and definitions on separate lines', () => {
  const text =
    '\nOne sentence\ngoes on here.\nExamples:\n  $ warpool run scenario.yaml --battles 7\n\nterm  what it is';
  expect(reflowText(text, 24).split('\n')).toEqual([
    '',
    'One sentence goes on',
    'here.',
    'Examples:',
    '  $ warpool run \\',
    '    scenario.yaml \\',
    '    --battles 7',
    '',
    'term  what it is',
  ]);
  expect(reflowText('term  what it is', 12)).toBe('term  what\n      it is');
});
