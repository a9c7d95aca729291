/** Frame of HTML reports: one file without external resources. */
import { createSha256 } from '#platform/hash';
import { formatBreakableName, Markup, markup } from './markup.ts';
import { SCRIPT, STYLE } from './stylesheet.ts';

/** Content security policy: allows only the own script and style, and no connections. */
function createContentPolicy(): string {
  const hex = createSha256().update(SCRIPT).hex();
  const hash = btoa(hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'`;
}

/** Section of a report, with a link in its navigation. */
export interface PageSection {
  readonly id: string;
  /** Text of the link. */
  readonly title: string;
  /** Content. Empty sections have no link. */
  readonly body: Markup;
}

export interface PageTemplate {
  readonly title: string;
  /** Text below the title. */
  readonly lead: string;
  /** Version of warpool. */
  readonly warpool: string;
  /** Content before the links. */
  readonly before?: Markup;
  /** Additional styles. */
  readonly style?: string;
  readonly sections: readonly PageSection[];
}

/** Renders a report. */
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
