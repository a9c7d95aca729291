/** The documents of the package, and their anchors as code hosts make them. */
import { readdirSync } from 'node:fs';

/** Paths from the root of the project. */
export function documents(): string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'python/README.md', ...docs.map((name) => `docs/${name}`)];
}

/** Paths of the Jupyter notebooks from the root of the project. */
export const notebooks = (): string[] =>
  readdirSync('docs/notebooks')
    .filter((name) => name.endsWith('.ipynb'))
    .map((name) => `docs/notebooks/${name}`);

/** The headings of a document, without what stands in code. */
export function headings(text: string): string[] {
  const prose = text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1`*$/gm, '');
  return [...prose.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(([, heading = '']) =>
    heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''),
  );
}

/** The anchors of a document: words of the headings, joined by hyphens; a number behind those that come again. */
export function slugs(text: string): Set<string> {
  const found = new Set<string>();
  for (const heading of headings(text)) {
    const letters = heading.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Pc} -]/gu) ?? [];
    const anchor = letters.join('').replaceAll(' ', '-');
    let times = 0;
    while (found.has(times === 0 ? anchor : `${anchor}-${String(times)}`)) times++;
    found.add(times === 0 ? anchor : `${anchor}-${String(times)}`);
  }
  return found;
}
