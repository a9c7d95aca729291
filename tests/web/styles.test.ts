/** Style sheets are loaded in sequence, and apply to the whole page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../../web');

/** Style sheets of separate pages. */
const APART = ['help.css', 'embed.css'];

const SHEETS = [...readdirSync(join(WEB, 'style')).filter((file) => !APART.includes(file)), '../app/editor/editor.css'];

/** Classes whose elements are positioned or printed by another style sheet. */
const SHARED = ['side', 'progress'];

test('a class that is a complete selector belongs to one style sheet', () => {
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
