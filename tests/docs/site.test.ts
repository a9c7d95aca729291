/** The documentation site: its list of pages, its links, and its check. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLink } from '../../src/report/link/link.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { documents, headings, notebooks, slugs } from './markdown.ts';

interface Pages {
  readonly FILES: readonly string[];
  readonly SECTIONS: readonly { readonly title: string; readonly pages: readonly (readonly [string, string])[] }[];
}

interface Gather {
  readonly pageOf: (file: string) => string;
  readonly moved: (file: string, target: string, wanted: (file: string) => void) => string;
  readonly withLinks: (text: string, change: (target: string) => string) => string;
}

interface Markdown {
  readonly fenced: (text: string, language: string) => string;
  readonly slug: (heading: string) => string;
}

interface Check {
  readonly checkSite: (site: string, base?: string, url?: string) => { pages: number; links: number; faults: string[] };
}

interface Meta {
  readonly placeOf: (base: string | undefined, url: string | undefined) => { base: string; site: string | undefined };
  readonly cardTags: (
    about: Readonly<Record<'page' | 'title' | 'description' | 'image' | 'alt', string>>,
    site: string | undefined,
  ) => [string, Record<string, string>][];
}

/** Imports a JavaScript module of the site. */
const imported = async <T>(path: string): Promise<T> =>
  (await import(/* @vite-ignore */ new URL(`../../${path}`, import.meta.url).href)) as T;

const { FILES, SECTIONS } = await imported<Pages>('site/pages.js');
const { fenced, slug } = await imported<Markdown>('site/markdown.js');
const { moved, pageOf, withLinks } = await imported<Gather>('site/gather.js');
const { cardTags, placeOf } = await imported<Meta>('site/meta.js');
const { checkSite } = await imported<Check>('scripts/check-links.js');

describe('the list of pages', () => {
  test('contains exactly the documents and notebooks, each once', () => {
    expect([...FILES].sort()).toEqual([...documents(), ...notebooks()].sort());
  });

  test('has unique titles within each section', () => {
    for (const { title, pages } of SECTIONS)
      expect(new Set(pages.map(([, name]) => name)).size, title).toBe(pages.length);
  });
});

describe('documents on a code host', () => {
  test.each(documents())('%s uses no syntax that only the site supports', (file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$|^ {4}.*$|`[^`]+`/gm, '');
    expect(text).not.toMatch(/^:::|^<<<|^---$|^\[\[?toc\]\]?$|\{#|\{\{|<!--\s*@include|^> \[!code/im);
    expect(text, 'tags').not.toMatch(/<\/?[a-z][\w-]*[\s/>]/i);
  });
});

test('slug returns the same anchors as code hosts', () => {
  expect(slug('1. An empty folder')).toBe('1-an-empty-folder');
  expect(slug('`VectorEnv.create`: what & why')).toBe('vectorenvcreate-what--why');
  expect(slug('[0.2.0] - unreleased')).toBe('020---unreleased');
  expect(slug('Überzahl und snake_case')).toBe('überzahl-und-snake_case');
});

test('slug and the function slugs of the tests return the same anchors', () => {
  for (const file of documents()) {
    const all = headings(readFileSync(file, 'utf8'));
    const seen = new Map<string, number>();
    const expected = all.map((heading) => {
      const plain = slug(heading);
      const times = seen.get(plain) ?? 0;
      seen.set(plain, times + 1);
      return times === 0 ? plain : `${plain}-${String(times)}`;
    });
    expect(slugs(readFileSync(file, 'utf8')), file).toEqual(new Set(expected));
  }
});

describe('links', () => {
  /** Returns the target of a link on the site, and the files that it requests. */
  function requested(file: string, target: string): [string, string[]] {
    const files: string[] = [];
    return [moved(file, target, (linked) => files.push(linked)), files];
  }

  test('pageOf returns the page of a document, notebook, scenario or source file', () => {
    expect(['README.md', 'python/README.md', 'docs/how-to/sweep.md'].map(pageOf)).toEqual([
      'overview.md',
      'python/index.md',
      'docs/how-to/sweep.md',
    ]);
    expect(pageOf('docs/notebooks/a.ipynb')).toBe('docs/notebooks/a.md');
    expect(pageOf('scenarios/attrition-direct.yaml')).toBe('scenarios/attrition-direct.md');
    expect(pageOf('src/index.ts')).toBe('src/index.ts.md');
  });

  test.each([
    ['docs/explanation/exact.md', '../../README.md#systems', '../../overview.md#systems', ['README.md']],
    [
      'docs/explanation/exact.md',
      '../reference/systems/attrition.md',
      '../reference/systems/attrition.md',
      ['docs/reference/systems/attrition.md'],
    ],
    [
      'docs/reference/systems/cube-bag.md',
      '../../explanation/exact.md#budgets',
      '../../explanation/exact.md#budgets',
      ['docs/explanation/exact.md'],
    ],
    ['docs/reference/abi.md', '../../python/README.md', '../../python/index.md', ['python/README.md']],
    ['README.md', 'scenarios/x.yaml', 'scenarios/x.md', ['scenarios/x.yaml']],
    ['docs/explanation/design.md', '../../src/index.ts', '../../src/index.ts.md', ['src/index.ts']],
    ['README.md', 'docs/images/web-app.png', 'docs/images/web-app.png', ['docs/images/web-app.png']],
    ['README.md', 'https://example.org/a.md', 'https://example.org/a.md', []],
    ['README.md', '#speed', '#speed', []],
  ])('in %s are rewritten for the site: %s', (file, target, expected, files) => {
    expect(requested(file, target)).toEqual([expected, files]);
  });

  test('a link out of the project is rejected', () => {
    expect(() => requested('docs/explanation/exact.md', '../../../other.md')).toThrow(
      'docs/explanation/exact.md: ../../../other.md leads out of the project',
    );
  });

  test('code that looks like a link remains unchanged', () => {
    const text = 'a [b](c) `[d](e)`\n\n```md\n[f](g)\n```\n\n![h](i)\n';
    expect(withLinks(text, (target) => target.toUpperCase())).toBe(
      'a [b](C) `[d](e)`\n\n```md\n[f](g)\n```\n\n![h](I)\n',
    );
  });

  test('fenced uses a longer fence for text that contains fences', () => {
    expect(fenced('```js\n1\n```\n', 'md')).toBe('````md\n```js\n1\n```\n````\n');
  });
});

describe('previews of links', () => {
  const about = { page: 'scenarios/a.html', title: 'A', description: 'B', image: 'cards/a.png', alt: 'C' };

  test('have an image with its size, and its full address if the site has one', () => {
    const tags = new Map(
      cardTags(about, 'https://example.org/war/').map(([, tag]) => [tag['property'] ?? tag['name'], tag['content']]),
    );
    expect(Object.fromEntries(tags)).toMatchObject({
      'og:title': 'A',
      'og:description': 'B',
      'og:url': 'https://example.org/war/scenarios/a.html',
      'og:image': 'https://example.org/war/cards/a.png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'C',
      'twitter:card': 'summary_large_image',
    });
  });

  test('have a relative path of the image if the site has no address', () => {
    const contents = cardTags(about, undefined).map(([, { content }]) => content);
    expect(contents).toContain('../cards/a.png');
    expect(cardTags({ ...about, page: 'index.html' }, undefined).map(([, { content }]) => content)).toContain(
      'cards/a.png',
    );
    expect(contents.some((content) => content?.startsWith('http'))).toBe(false);
  });

  test('have the address of the home page without a file name', () => {
    const [url] = cardTags({ ...about, page: 'index.html' }, 'https://example.org/').filter(
      ([, tag]) => tag['property'] === 'og:url',
    );
    expect(url?.[1]['content']).toBe('https://example.org/');
  });

  test.each([
    [undefined, undefined, { base: '/', site: undefined }],
    ['/war/', undefined, { base: '/war/', site: undefined }],
    [undefined, 'https://example.org/war/', { base: '/war/', site: 'https://example.org/war/' }],
    ['/war/', 'https://example.org/war/', { base: '/war/', site: 'https://example.org/war/' }],
    [undefined, '', { base: '/', site: undefined }],
  ])('placeOf accepts --base %s --url %s', (base, url, expected) => {
    expect(placeOf(base, url)).toEqual(expected);
  });

  test.each([
    ['war', undefined, '--base: expected a path such as /warpool/, found "war"'],
    [undefined, 'example.org', '--url: expected an address such as https://example.org/warpool/, found "example.org"'],
    [undefined, 'https://example.org/war', '--url: expected an address such as https://example.org/warpool/'],
    ['/a/', 'https://example.org/b/', '--base: expected the path of --url, /b/, found "/a/"'],
  ])('placeOf rejects --base %s --url %s', (base, url, message) => {
    expect(() => placeOf(base, url)).toThrow(message);
  });
});

describe('checkSite', () => {
  /** Writes the files of a site. @returns its folder */
  function site(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'warpool-site-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  }

  test('accepts valid links', () => {
    const folder = site({
      'index.html':
        '<link rel="icon" href="data:,"><a href="/a/b.html#there">b</a> <a href=\'a/\'>a</a><a href="https://example.org">x</a>',
      'a/b.html': '<h1 id="there">B</h1><a href="../index.html">up</a><a href="#there">here</a><a href="?q=1">q</a>',
      'a/index.html': '<img alt="1 > 0" src="c%20d.png"><style>a { background: none }</style>',
      'a/c d.png': '',
      'style.css': 'a { background: url("a/c d.png") }',
    });
    expect(checkSite(folder)).toEqual({ pages: 3, links: 9, faults: [] });
  });

  test('reports dead links and anchors with their file', () => {
    const folder = site({
      'a/index.html':
        '<a href="none.html">x</a><a href="../b.html#none">y</a><a href="/gone/">z</a><a href="../b.html">b</a>',
      'b.html': '<p id="some">',
      'c.css': "@import 'd.css';",
    });
    expect(checkSite(folder).faults).toEqual([
      'a/index.html: dead link: none.html',
      'a/index.html: dead anchor: ../b.html#none',
      'a/index.html: dead link: /gone/',
      'c.css: dead link: d.css',
    ]);
  });

  test('reports sources on other machines', () => {
    const folder = site({
      'index.html':
        '<script src="https://cdn.example.org/a.js"></script><link rel="stylesheet" href="//fonts.example.org/css"><img src="http://example.org/a.png">',
      'a.css': '@font-face { src: url(https://fonts.example.org/a.woff2) }',
    });
    expect(checkSite(folder).faults).toEqual([
      'a.css: source on another machine: https://fonts.example.org/a.woff2',
      'index.html: source on another machine: https://cdn.example.org/a.js',
      'index.html: source on another machine: //fonts.example.org/css',
      'index.html: source on another machine: http://example.org/a.png',
    ]);
  });

  test('reports invalid fragments of links to the web app', async () => {
    const requested = { seed: '1', effort: { kind: 'battles', battles: 9 }, panel: 'answer', notes: {} } as const;
    const link = await createLink({ ...requested, text: 'system: attrition', file: 'a.yaml', ruleset: RULESET });
    const targets = ['', link, link.slice(0, -3), link.replace('.', '.A'), '#top', '#1.abc.12345678'];
    const pages = targets.map((target) => `<a href="page/index.html${target}">x</a>`);
    const folder = site({ 'page/index.html': '<p id="top">', 'index.html': pages.join('') });
    const dead = targets.slice(2).map((target) => `index.html: no question of the page: page/index.html${target}`);
    expect(checkSite(folder).faults).toEqual(dead);
  });

  test('checks images of link previews, including those with the address of the site', () => {
    const picture = (content: string): string => `<meta property="og:image" content="${content}">`;
    const folder = site({
      'a.html': picture('cards/a.png') + picture('https://example.org/war/cards/a.png'),
      'b.html':
        picture('cards/b.png') + picture('https://example.org/war/cards/b.png') + picture('https://example.com/a.png'),
      'c.html': '<meta property="og:title" content="none.png"><meta name="x" content="none.png">',
      'cards/a.png': '',
    });
    expect(checkSite(folder, '/war/', 'https://example.org/war/').faults).toEqual([
      'b.html: dead link: cards/b.png',
      'b.html: dead link: https://example.org/war/cards/b.png',
      'b.html: source on another machine: https://example.com/a.png',
    ]);
  });

  test('resolves links below the base path of the site', () => {
    const folder = site({ 'index.html': '<a href="/war/a.html">a</a><a href="/a.html">b</a>', 'a.html': '' });
    expect(checkSite(folder, '/war/').faults).toEqual(['index.html: dead link: /a.html']);
  });
});
