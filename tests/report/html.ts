/** What tests look for in pages. */

/** Elements that have no end. */
const VOID: ReadonlySet<string> = new Set(['meta', 'wbr']);

const bare = (html: string): string =>
  html.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '').replace('<!doctype html>', '');

/** What is opened and not closed, or closed and not opened, scripts and styles left out. */
export function unbalanced(html: string): string[] {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of bare(html).matchAll(/<(\/?)([a-z0-9]+)[^<>]*>/gi)) {
    if (tag.endsWith('/>') || VOID.has(name)) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}

/** What a reader sees, in one line. */
export function textOf(html: string): string {
  return bare(html)
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** Ids that are given twice, and links that lead nowhere. */
export function astray(html: string): string[] {
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  const targets = [...html.matchAll(/\shref="#([^"]*)"|url\(#([^)]*)\)/g)].map(([, a, b]) => a ?? b ?? '');
  return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...targets.filter((target) => !ids.includes(target))].map(
    (id) => id ?? '',
  );
}

/** Tags that a name could have brought in: scripts beyond the page's own, images, handlers. */
export function intruders(html: string): string[] {
  const tags = [...bare(html).matchAll(/<[a-z][^<>]*>/gi)].map(([tag]) => tag);
  return tags.filter((tag) => /<(script|img|b on)|\son\w+=/i.test(tag.replaceAll(/"[^"]*"/g, '""')));
}
