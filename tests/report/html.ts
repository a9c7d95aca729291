/** Checks of HTML pages. */

/** Elements without an end tag. */
const VOID: ReadonlySet<string> = new Set(['meta', 'wbr']);

const bare = (html: string): string =>
  html.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '').replace('<!doctype html>', '');

/** Returns tags that are opened and not closed, or closed and not opened, outside scripts and styles. */
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

/** Returns the visible text in one line. */
export function textOf(html: string): string {
  return bare(html)
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** Returns duplicate ids, and ids that are the target of a link but do not exist. */
export function astray(html: string): string[] {
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  const targets = [...html.matchAll(/\shref="#([^"]*)"|url\(#([^)]*)\)/g)].map(([, a, b]) => a ?? b ?? '');
  return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...targets.filter((target) => !ids.includes(target))].map(
    (id) => id ?? '',
  );
}

/** Returns tags that a name may have injected: scripts, images, event handlers. */
export function intruders(html: string): string[] {
  const tags = [...bare(html).matchAll(/<[a-z][^<>]*>/gi)].map(([tag]) => tag);
  return tags.filter((tag) => /<(script|img|b on)|\son\w+=/i.test(tag.replaceAll(/"[^"]*"/g, '""')));
}
