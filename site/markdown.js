/** Markdown compatible with code hosts: the same anchors, and no extensions of VitePress. */

/**
 * Creates the anchor of a heading like GitHub; a repeated heading gets the suffix `-1`.
 * @param {string} heading its text, without markup
 */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Creates a fenced block with a sufficient number of backticks. @param {string} text @param {string} language */
export function fenced(text, language) {
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].map(([marks]) => marks.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text.trimEnd()}\n${marks}\n`;
}

/** Indented commands are highlighted like fenced ones. */
const COMMANDS = /^(?:\$ |(?:npx |npm |pip |python3? )|warpool |export )/;

/** Language names of code hosts that the highlighter does not know. */
const UNKNOWN = ['hexdump', 'caddyfile'];

/** Anchors in tables, the only supported tag, which TypeDoc writes. */
const ANCHOR = /^<a id="([\w-]+)"><\/a>/;

/** @type {import('vitepress').MarkdownRenderer['inline']['ruler'] extends { push(name: string, rule: infer R): void } ? R : never} */
function anchorRule(state, silent) {
  const [all, id] = ANCHOR.exec(state.src.slice(state.pos)) ?? [];
  if (all === undefined) return false;
  if (!silent) state.push('html_inline', '', 0).content = `<a id="${id}"></a>`;
  state.pos += all.length;
  return true;
}

/** Path of the web app on the site. It is a separate page that browsers must load completely. */
export const PAGE = 'page/index.html';

/** @param {import('vitepress').MarkdownRenderer} md */
function leaveToPage(md) {
  md.core.ruler.push('page', ({ tokens }) => {
    const links = tokens.flatMap(({ children }) => children?.filter(({ type }) => type === 'link_open') ?? []);
    for (const link of links)
      if (/(?:^|\/)page\/index\.html(?:$|[?#])/.test(link.attrGet('href') ?? '')) link.attrSet('target', '_self');
  });
}

/** @param {import('vitepress').MarkdownRenderer} md */
export function plainMarkdown(md) {
  leaveToPage(md);
  md.core.ruler.disable('emoji');
  md.inline.ruler.push('anchor', anchorRule);
  md.core.ruler.push('code', ({ tokens }) => {
    for (const token of tokens.filter(({ info }) => UNKNOWN.includes(info))) token.info = 'txt';
    for (const token of tokens.filter(({ type }) => type === 'code_block')) {
      Object.assign(token, {
        type: 'fence',
        tag: 'code',
        markup: '```',
        info: COMMANDS.test(token.content) ? 'sh' : '',
      });
    }
  });
  const { text } = md.renderer.rules;
  // Vue would evaluate text in double braces as an expression.
  md.renderer.rules.text = (...given) => (text?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
}
