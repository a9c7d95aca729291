/** Renders the manuals for users of the web app to help/*.html, which need no script. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

const resolvePath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Files of docs/ without extension, in the order of the list. */
export const MANUAL_NAMES = [
  'tutorials/custom-rules',
  ...['web-app', 'compare', 'sweep', 'balance', 'matchups', 'balance-scenarios'].map((name) => `how-to/${name}`),
  ...['exact', 'statistics', 'sensitivity', 'best-response'].map((name) => `explanation/${name}`),
  ...[
    'glossary',
    'tables',
    'expectations',
    'rule-api',
    'distributions',
    'conform',
    'games',
    'loading-systems',
    'cli',
  ].map((name) => `reference/${name}`),
  ...['attrition', 'cube-bag', 'phased-dice', 'strength-cards', 'token-conflict'].map(
    (id) => `reference/systems/${id}`,
  ),
  ...['block-dice', 'combined-arms', 'conquest-dice', 'hit-wound-save', 'space-fleets', 'symbol-dice'].map(
    (id) => `reference/games/${id}`,
  ),
];

const CONTENT_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Creates an anchor from a heading, as GitHub does. */
const createSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

function renderHelpPage(title: string, body: string, depth: number): string {
  const up = '../'.repeat(depth);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · warpool</title>
    <link rel="icon" href="${up}../icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${up}help.css" />
  </head>
  <body>
    <header><a href="${up}../index.html">warpool</a> · <a href="${up}index.html">Help</a></header>
    <main>
${body}
    </main>
  </body>
</html>
`;
}

/** Resolves a link to another help page; undefined for other targets. */
function resolveHelpLink(href: string, from: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${from}.md`);
  const name = decodeURIComponent(pathname.slice(1)).replace(/\.md$/, '');
  if (!pathname.endsWith('.md') || !MANUAL_NAMES.includes(name)) return undefined;
  return `${'../'.repeat(from.split('/').length - 1)}${name}.html${hash}`;
}

type Tokens = ReturnType<MarkdownIt['parse']>;

/** Rewrites inline content: links to other help pages are kept, other links become text, and images are removed. */
function rewriteInline(children: Tokens, from: string): Tokens {
  let open = true;
  return children.filter((child) => {
    if (child.type === 'link_open') {
      const to = resolveHelpLink(child.attrGet('href') ?? '', from);
      open = to !== undefined;
      if (to !== undefined) child.attrSet('href', to);
      return open;
    }
    return child.type === 'link_close' ? open : child.type !== 'image';
  });
}

function rewriteTokens(tokens: Tokens, from: string): void {
  for (const [t, token] of tokens.entries()) {
    const heading = token.type === 'heading_open' ? tokens[t + 1]?.content : undefined;
    if (heading !== undefined) token.attrSet('id', createSlug(heading.replaceAll(/[`*]/g, '')));
    if (token.children !== null) token.children = rewriteInline(token.children, from);
  }
}

/** Renders a manual as a page. */
export function renderManual(markdown: string, name: string): { readonly title: string; readonly html: string } {
  const md = new MarkdownIt();
  const tokens = md.parse(markdown, {});
  const title = tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1]?.content ?? name;
  rewriteTokens(tokens, name);
  const body = md.renderer
    .render(tokens, md.options, {})
    // The policy allows no inline styles.
    .replaceAll(' style="text-align:right"', ' class="n"')
    .replaceAll(/ style="text-align:\w+"/g, '')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { title, html: renderHelpPage(md.utils.escapeHtml(title), body, name.split('/').length - 1) };
}

export function createHelpPlugin(): Plugin {
  return {
    name: 'warpool-help',
    apply: 'build',
    generateBundle() {
      const emit = (name: string, source: string): void => {
        this.emitFile({ type: 'asset', fileName: `help/${name}`, source });
      };
      const all = MANUAL_NAMES.map((name) => ({
        name,
        ...renderManual(readFileSync(resolvePath(`docs/${name}.md`), 'utf8'), name),
      }));
      for (const { name, html } of all) emit(`${name}.html`, html);
      const items = all.map(({ name, title }) => `<li><a href="${name}.html">${title}</a></li>`);
      emit('index.html', renderHelpPage('Help', `<h1>Help</h1>\n<ul>\n${items.join('\n')}\n</ul>`, 0));
      emit('help.css', readFileSync(resolvePath('web/style/help.css'), 'utf8'));
    },
  };
}
