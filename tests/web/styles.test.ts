/** Style sheets are loaded one after the other, and all hold for the whole page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../../web');

/** Of pages of their own. */
const APART = ['help.css', 'embed.css'];

const SHEETS = [...readdirSync(join(WEB, 'style')).filter((file) => !APART.includes(file)), '../app/editor/editor.css'];

/** What one sheet says of a thing that another one has: where it stands, or how it is printed. */
const SHARED = ['side', 'progress'];

test('a class that stands by itself in a selector belongs to one style sheet', () => {
  const owners = new Map<string, Set<string>>();
  for (const sheet of SHEETS) {
    const text = readFileSync(join(WEB, 'style', sheet), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    for (const [, name = ''] of text.matchAll(/^\.([\w-]+)(?:,$| \{$)/gm))
      owners.set(name, (owners.get(name) ?? new Set()).add(sheet));
  }
  expect(owners.size).toBeGreaterThan(100);
  const several = [...owners].filter(([name, sheets]) => sheets.size > 1 && !SHARED.includes(name));
  expect(several.map(([name, sheets]) => `${name}: ${[...sheets].join(', ')}`)).toEqual([]);
});
