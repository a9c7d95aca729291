/** Examples of the help, the README and the docs: what they name is there, and their options are read. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

/** The help of a command with all that stands around it. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  // Long examples go on in the next line.
  return text.replaceAll(/ \\\n\s+/g, ' ');
}

/** Files of a folder that a pattern names. */
function matching(pattern: string): string[] {
  const [start = '', end = ''] = basename(pattern).split('*');
  const names = readdirSync(dirname(pattern)).filter((name) => name.startsWith(start) && name.endsWith(end));
  return names.sort().map((name) => join(dirname(pattern), name));
}

/** `{a,b}.yaml` as a shell has it. */
function braces(word: string): string[] {
  const [all = '', start = '', list, end = ''] = /^([^"'{]*)\{([^}]*)\}(.*)$/.exec(word) ?? [];
  return list === undefined ? [all || word] : list.split(',').map((part) => start + part + end);
}

/** The words of a command as a shell has them, up to what is done with its output. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.replace(/\s+# .*$/, '').split(/\s[|>&]\s?(?=(?:[^"']|"[^"]*"|'[^']*')*$)/);
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.flatMap(braces).flatMap((word) => {
    if (/^[^"'\s]*\*[^"'\s]*$/.test(word)) return matching(word);
    return [word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2')];
  });
}

const whole = await createProgram();
const helps = [whole, ...whole.commands].flatMap((command) =>
  [...helpOf(command).matchAll(/^ +\$ warpool (.*)$/gm)].map(([, line = '']) => line),
);

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].map((file) => readFileSync(file, 'utf8'));

const documents = pages.flatMap((page) =>
  [...page.matchAll(/^(?:\$ | {4})?(?:.*&& )?(?:npx )?warpool ([a-z-]+ [^`\n]*)$/gm)].map(([, line = '']) => line),
);

/** Arguments that are read, not written or the results of another example. */
const READ = new Set(['scenario', 'scenarios', 'sweep', 'expectations']);

/** Reads a command without doing it; returns the files that it would read. */
async function filesOf(words: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const warpool = await createProgram(words);
  for (const command of warpool.commands) {
    command.action((...given: unknown[]) => {
      command.registeredArguments.forEach((argument, a) => {
        if (READ.has(argument.name())) files.push(...[(given[a] ?? []) as string | string[]].flat());
      });
    });
  }
  await warpool.parseAsync(['node', 'warpool', ...words]);
  return files;
}

/** Scenarios that a page writes: their names stand in the first line of a block. */
const written = new Set(
  pages.flatMap((page) => [...page.matchAll(/^```yaml\n# ([\w-]+\.yaml)$/gm)].map(([, name = '']) => name)),
);

/** A file of this folder, or one that a page writes: `warpool new` has those of the tutorial. */
const isThere = (file: string): boolean =>
  existsSync(file) || written.has(file) || existsSync(join('examples/templates/system', file));

test('there are examples', () => {
  expect(helps.length).toBeGreaterThan(40);
  expect(documents.length).toBeGreaterThan(40);
});

describe.each([
  ['the help', helps],
  ['README and docs', documents],
])('examples of %s', (_, lines) => {
  test.each([...new Set(lines)])('%s', async (line) => {
    const words = wordsOf(line);
    const files = await filesOf(words);
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});
