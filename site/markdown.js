/** Markdown as code hosts read it: the same anchors, and nothing that only VitePress knows. */

/**
 * The anchor of a heading, as GitHub makes it; a second heading of the same text gets `-1` behind it.
 * @param {string} heading its text, without markup
 */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Commands of an indented block are highlighted as those of a fenced one. */
const COMMANDS = /^(?:\$ |(?:npx |npm |pip |python3? )|warpool |export )/;

/** Names of languages on code hosts that the highlighter lacks. */
const UNKNOWN = ['hexdump', 'caddyfile'];

/** Anchors in tables: the only tag that is read as one. TypeDoc writes them. */
const ANCHOR = /^<a id="([\w-]+)"><\/a>/;

/** @type {import('vitepress').MarkdownRenderer['inline']['ruler'] extends { push(name: string, rule: infer R): void } ? R : never} */
function anchorRule(state, silent) {
  const [all, id] = ANCHOR.exec(state.src.slice(state.pos)) ?? [];
  if (all === undefined) return false;
  if (!silent) state.push('html_inline', '', 0).content = `<a id="${id}"></a>`;
  state.pos += all.length;
  return true;
}

/** Where the site has the page of warpool, which is none of its own: browsers must load it as a whole. */
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
  // Vue would take what stands in such braces for an expression.
  md.renderer.rules.text = (...given) => (text?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
}
