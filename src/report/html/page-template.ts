/** The frame of every page: one HTML file that needs nothing else. */
import { createHash } from 'node:crypto';
import { formatBreakableName, Markup, markup } from './markup.ts';
import { SCRIPT, STYLE } from './stylesheet.ts';

/** The page allows itself its own script and style, and no connection at all. */
function createContentPolicy(): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'`;
}

/** A part of a page that links lead to. */
export interface PageSection {
  readonly id: string;
  /** Of the link. */
  readonly title: string;
  /** Empty if there is nothing to tell: then there is no link either. */
  readonly body: Markup;
}

export interface PageTemplate {
  readonly title: string;
  /** Beneath the title, in small print. */
  readonly lead: string;
  /** The version of the package. */
  readonly warpool: string;
  /** What stands before the links. */
  readonly before?: Markup;
  /** Beyond that of all pages. */
  readonly style?: string;
  readonly sections: readonly PageSection[];
}

/** A whole page as text. */
export function renderPage({ title, lead, warpool, before = markup``, style = '', sections }: PageTemplate): string {
  const filled = sections.filter(({ body }) => body.text !== '');
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${createContentPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="warpool ${warpool}">
<title>${title}</title>
<style>${new Markup(STYLE + style)}</style>
</head>
<body>
<header><h1>${formatBreakableName(title)}</h1>
<p class="lead">${lead}</p>
${before}
<nav>${filled.map((section) => markup`<a href="#${section.id}">${section.title}</a>`)}</nav></header>
<main>
${filled.map(({ body }) => body)}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
