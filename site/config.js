/** VitePress configuration. scripts/build-site.js collects the pages and starts VitePress. */
import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { PAGE, plainMarkdown, slug } from './markdown.js';
import { cardTags } from './meta.js';
import { sidebars } from './sidebar.js';

/** @param {string} name of a file next to the pages */
const gathered = (name) => JSON.parse(readFileSync(`dist/site-source/${name}`, 'utf8'));
/** Data of the home page, created by scripts/build-site.js. */
const home = gathered('home.json');
/** @type {{ rules: string, card: string }[]} */
const scenarios = gathered('scenarios.json');

/**
 * Selects the preview image: for rules, their first scenario; for all other pages, the home page.
 * @param {string} page its Markdown
 */
const imageOf = (page) => scenarios.find(({ rules }) => rules === page)?.card ?? home.image;
const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'));

// The web app is a separate page, which VitePress must not handle.
const page = existsSync(`dist/${PAGE}`) ? [{ text: 'In the browser', link: `/${PAGE}`, target: '_self' }] : [];

/** Icon: a die that shows three, as a data URL without a request. */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='#3451b2'/><g fill='#fff'><circle cx='4' cy='4' r='1.6'/><circle cx='8' cy='8' r='1.6'/><circle cx='12' cy='12' r='1.6'/></g></svg>";

export default defineConfig(
  /** @type {import('vitepress').UserConfig<import('vitepress').DefaultTheme.Config & { home: unknown }>} */ ({
    title: 'warpool',
    description,
    lang: 'en',
    head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
    outDir: '../site',
    cacheDir: '../site-cache',
    vite: {
      // The home page creates links with the code of the web app, so #platform must resolve to the browser.
      resolve: { conditions: ['source', 'browser', 'module', 'import', 'default'] },
      // The search index is one file, loaded on demand.
      build: { chunkSizeWarningLimit: 4000 },
    },
    // Pages are rendered one after the other, so that the search index is equal in every build.
    buildConcurrency: 1,
    transformHead: ({ page, title, description: about, pageData: { frontmatter } }) =>
      cardTags(
        {
          page: page.replace(/\.md$/, '.html'),
          title: String(frontmatter['shared'] ?? frontmatter['title'] ?? title.replace(/ \| warpool$/, '')),
          description: about,
          image: String(frontmatter['image'] ?? imageOf(page)),
          alt: String(frontmatter['alt'] ?? 'The odds of a battle, as a bar'),
        },
        process.env['WARPOOL_SITE_URL'],
      ),
    lastUpdated: false,
    metaChunk: true,
    markdown: {
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      html: false,
      attrs: { disable: true },
      anchor: { slugify: slug },
      config: plainMarkdown,
    },
    themeConfig: {
      siteTitle: `warpool ${version}`,
      nav: [
        { text: 'Docs', link: '/overview', activeMatch: '^/(overview|docs/|python/)' },
        { text: 'Scenarios', link: '/scenarios/', activeMatch: '^/(scenarios|examples)/' },
        { text: 'API', link: '/api/', activeMatch: '^/api/' },
        ...page,
      ],
      sidebar: sidebars(gathered('scenarios.json'), gathered('api.json')),
      home,
      outline: [2, 3],
      search: { provider: 'local', options: { detailedView: true } },
      docFooter: { prev: 'Previous', next: 'Next' },
    },
  }),
);
