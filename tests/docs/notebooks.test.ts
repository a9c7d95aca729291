/** Notebooks: executed, small, in plain language, with labeled axes, and readable on the site. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notebooks, slugs } from './markdown.ts';

interface Notebooks {
  readonly renderNotebook: (
    file: string,
    content: string,
  ) => { readonly markdown: string; readonly figures: ReadonlyMap<string, string> };
}

interface Prose {
  readonly sentences: (markdown: string) => string[];
  readonly wordsIn: (text: string) => number;
  readonly idiomRate: (markdown: string) => number;
}

interface Cell {
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly { readonly output_type: string; readonly name?: string }[];
}

const imported = async <T>(path: string): Promise<T> =>
  (await import(/* @vite-ignore */ new URL(`../../${path}`, import.meta.url).href)) as T;

const { renderNotebook } = await imported<Notebooks>('site/notebooks.js');
const { idiomRate, sentences, wordsIn } = await imported<Prose>('scripts/prose.js');

const KILOBYTES_MAX = 150;

test('at least three notebooks exist', () => {
  expect(notebooks().length).toBeGreaterThanOrEqual(3);
});

describe.each(notebooks())('%s', (file) => {
  const content = readFileSync(file, 'utf8');
  const { cells } = JSON.parse(content) as { readonly cells: readonly Cell[] };
  const code = cells.filter(({ cell_type }) => cell_type === 'code');
  const { markdown, figures } = renderNotebook(file, content);

  test('is small, and was executed in order without errors and warnings', () => {
    expect(content.length).toBeLessThan(1024 * KILOBYTES_MAX);
    expect(code.map(({ execution_count }) => execution_count)).toEqual(code.map((_, c) => c + 1));
    const outputs = code.flatMap((cell) => cell.outputs ?? []);
    expect(outputs.length).toBeGreaterThan(3);
    expect(outputs.filter(({ output_type, name }) => output_type === 'error' || name === 'stderr')).toEqual([]);
  });

  test('has figures that name both axes', () => {
    expect(figures.size).toBeGreaterThan(0);
    const plots = code.map(({ source }) => source.join('')).filter((text) => text.includes('plt.show()'));
    expect(plots).toHaveLength(figures.size);
    for (const text of plots) {
      expect(text).toMatch(/xlabel="[^"]+"/);
      expect(text).toMatch(/ylabel="[^"]+"|yticklabels=/);
    }
  });

  test('has short sentences in plain language', () => {
    expect(idiomRate(markdown)).toBe(0);
    expect(sentences(markdown).filter((sentence) => wordsIn(sentence) > 35)).toEqual([]);
  });

  test('has links to existing files and anchors', () => {
    const links = [...markdown.matchAll(/(?<!!)\[[^\]]*\]\((?!https:)([^)#]+)(?:#([^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, target = '', anchor] of links) {
      const path = posix.join(posix.dirname(file), target);
      expect(existsSync(path), path).toBe(true);
      if (anchor !== undefined) expect(slugs(readFileSync(path, 'utf8')), path).toContain(anchor);
    }
  });
});

test('renderNotebook converts cells and outputs to Markdown and figures', () => {
  const cells = [
    { cell_type: 'markdown', source: ['# A\n', '\n', 'b'] },
    {
      cell_type: 'code',
      source: ['show()'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['1\n', '2\n'] },
        { output_type: 'display_data', data: { 'image/svg+xml': ['<svg>\n', '</svg>'], 'text/plain': ['<Figure>'] } },
      ],
    },
    { cell_type: 'code', source: 'x', outputs: [{ output_type: 'execute_result', data: { 'text/plain': '3' } }] },
  ];
  const { markdown, figures } = renderNotebook('docs/n.ipynb', JSON.stringify({ cells }));
  expect(markdown).toBe(
    '# A\n\nb\n\n```python\nshow()\n```\n\n```txt\n1\n2\n```\n\n![A](n-1.svg)\n\n```python\nx\n```\n\n```txt\n3\n```\n',
  );
  expect([...figures]).toEqual([['docs/n-1.svg', '<svg>\n</svg>']]);
});
