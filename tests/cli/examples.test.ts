/** Example commands of the help, the README and the docs: their files exist and their options are valid. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

/** Returns the help of a command, including the texts before and after it. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  // Long examples continue on the next line.
  return text.replaceAll(/ \\\n\s+/g, ' ');
}

/** Returns the files of a folder that match a pattern. */
function matching(pattern: string): string[] {
  const [start = '', end = ''] = basename(pattern).split('*');
  const names = readdirSync(dirname(pattern)).filter((name) => name.startsWith(start) && name.endsWith(end));
  return names.sort().map((name) => join(dirname(pattern), name));
}

/** Expands `{a,b}.yaml` like a shell. */
function braces(word: string): string[] {
  const [all = '', start = '', list, end = ''] = /^([^"'{]*)\{([^}]*)\}(.*)$/.exec(word) ?? [];
  return list === undefined ? [all || word] : list.split(',').map((part) => start + part + end);
}

/** Splits a command into words like a shell, without comments, pipes and redirections. */
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

/** Arguments that are input files, but not the results of another example. */
const READ = new Set(['scenario', 'scenarios', 'sweep', 'expectations']);

/** Parses a command without running it; returns its input files. */
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

/** Scenarios that a page defines: the first line of their code block contains the file name. */
const written = new Set(
  pages.flatMap((page) => [...page.matchAll(/^```yaml\n# ([\w-]+\.yaml)$/gm)].map(([, name = '']) => name)),
);

/** Returns whether a file exists, is defined by a page, or is created by `warpool new` as in the tutorial. */
const isThere = (file: string): boolean =>
  existsSync(file) || written.has(file) || existsSync(join('examples/templates/system', file));

test('the help and the documents each contain more than 40 examples', () => {
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
