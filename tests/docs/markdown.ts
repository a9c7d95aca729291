/** Documents of the package, and their anchors as on code hosts. */
import { readdirSync } from 'node:fs';

/** Returns the paths of all documents from the root of the project. */
export function documents(): string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'python/README.md', ...docs.map((name) => `docs/${name}`)];
}

/** Returns the paths of the Jupyter notebooks from the root of the project. */
export const notebooks = (): string[] =>
  readdirSync('docs/notebooks')
    .filter((name) => name.endsWith('.ipynb'))
    .map((name) => `docs/notebooks/${name}`);

/** Returns the headings of a document, without code blocks. */
export function headings(text: string): string[] {
  const prose = text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1`*$/gm, '');
  return [...prose.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(([, heading = '']) =>
    heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''),
  );
}

/** Returns the anchors of a document: words of headings joined by hyphens, with a number after repeated ones. */
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
