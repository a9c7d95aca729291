/**
 * The language of manuals, help, messages and the web app. words.json has limits that may only fall: marks of private
 * idiom per 1 000 words, banned phrases, and sentences of more than 35 words. The default limit is 0.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import LIMITS from './words.json' with { type: 'json' };

interface Prose {
  readonly manuals: () => string[];
  readonly paragraphs: (markdown: string) => string[];
  readonly sentences: (markdown: string) => string[];
  readonly wordsIn: (text: string) => number;
  readonly idiomsIn: (text: string) => number;
  readonly idiomRate: (markdown: string) => number;
}

const { idiomRate, idiomsIn, manuals, paragraphs, sentences, wordsIn } = (await import(
  new URL('../../scripts/prose.js', import.meta.url).href
)) as Prose;

type Limits = Readonly<Record<string, number>>;

const limits: Readonly<Record<'idioms' | 'banned' | 'long', Limits>> = LIMITS;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const WITHOUT_COMMENTS = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };

/** Returns texts of at least four words in the code of a folder: literals, parts of templates, text of elements. */
function textsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node);
    if (isText && wordsIn(node.text) >= 4) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    visit(ts.createSourceFile(file, read(join(folder, file)), WITHOUT_COMMENTS, false, kind));
  }
  return found;
}

/** Titles of tests that are plain strings, in the files of a folder. */
function titlesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...read(join(folder, file)).matchAll(/(?:\b(?:describe|test|it)|\))\(\s*(["'])(.+?)\1,/g)])
    .map(([, , title = '']) => title);
}

function helpTexts(command: Command): string[] {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return [text, ...command.commands.flatMap(helpTexts)];
}

const CODE: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  help: async () => helpTexts(await createProgram()),
  'texts of src': () => textsIn('src'),
  'titles of tests': () => titlesIn('tests'),
  'texts of web/app': () => textsIn('web/app'),
};

/** Rounds up to a tenth. */
const rounded = (rate: number): number => Math.ceil(rate * 10) / 10;

const BANNED = [/is come to/gi, /tells what there is/gi, /as it should be/gi, /unless given/gi, /not together with/gi];

describe('marks of private idiom per 1 000 words', () => {
  test.each(manuals())('%s is within its limit', (file) => {
    expect(rounded(idiomRate(read(file)))).toBeLessThanOrEqual(limits.idioms[file] ?? 0);
  });

  test.each(Object.entries(CODE))('%s are within their limit', async (name, texts) => {
    const text = (await texts()).join('\n');
    expect(rounded((1000 * idiomsIn(text)) / wordsIn(text))).toBeLessThanOrEqual(limits.idioms[name] ?? 0);
  });
});

test.each(manuals())('%s has no more banned phrases than its limit', (file) => {
  const text = paragraphs(read(file)).join('\n');
  const found = BANNED.flatMap((phrase) => text.match(phrase) ?? []);
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(limits.banned[file] ?? 0);
});

const GUIDES = manuals().filter((file) => /^README|^docs\/(?:tutorials|how-to)\//.test(file));

test.each(GUIDES)('%s has no more sentences of over 35 words than its limit', (file) => {
  const long = sentences(read(file)).filter((sentence) => wordsIn(sentence) > 35);
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(limits.long[file] ?? 0);
});

test('words.json has limits only for existing manuals and groups of texts', () => {
  const known = [...manuals(), ...Object.keys(CODE)];
  for (const each of Object.values(limits)) expect(known).toEqual(expect.arrayContaining(Object.keys(each)));
});

test.each([
  ...['heat map', 'deterministic', 'parameter sweep', 'sample size', 'vectorized', 'action mask', 'quick start'],
  ...['API reference', 'stable-baselines3', 'Slurm', 'battles per second', 'FAQ', 'troubleshooting', 'checkpoint'],
])('a search for "%s" finds a page', (term) => {
  expect(manuals().filter((file) => read(file).toLowerCase().includes(term.toLowerCase()))).not.toEqual([]);
});
