/** The site's configuration for VitePress. scripts/build-site.js gathers the pages that it reads, and starts it. */
import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { plainMarkdown, slug } from './markdown.js';
import { sidebars } from './sidebar.js';

/** @param {string} name of a file beside the pages */
const gathered = (name) => JSON.parse(readFileSync(`dist/site-source/${name}`, 'utf8'));
const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'));

// A page of its own, which VitePress must not take for one of its own.
const page = existsSync('dist/page/index.html') ? [{ text: 'In the browser', link: '/page/index.html', target: '_self' }] : [];

export default defineConfig({
  title: 'warpool',
  description,
  lang: 'en',
  outDir: '../site',
  cacheDir: '../site-cache',
  // One page after the other: the index of the search is then the same in every build.
  buildConcurrency: 1,
  lastUpdated: false,
  metaChunk: true,
  markdown: {
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slug },
    config: plainMarkdown,
  },
  themeConfig: {
    siteTitle: `warpool ${version}`,
    nav: [
      { text: 'Docs', link: '/', activeMatch: '^/($|docs/|python/)' },
      { text: 'Scenarios', link: '/scenarios/', activeMatch: '^/(scenarios|examples)/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      ...page,
    ],
    sidebar: sidebars(gathered('scenarios.json'), gathered('api.json')),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
