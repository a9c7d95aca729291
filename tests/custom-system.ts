/** Temporary copies of the system in tests/custom-system: each is another module, whose text a test can change. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const base = mkdtempSync(join(tmpdir(), 'warpool-own-'));
symlinkSync(join(ROOT, 'node_modules'), join(base, 'node_modules'));

let folders = 0;

export interface Own {
  readonly folder: string;
  /** Path of the module with the system. */
  readonly path: string;
}

/** Creates a temporary folder with a copy of the system and the given files. */
export function ownFolder(files: Readonly<Record<string, string>> = {}): Own {
  const folder = join(base, String(folders++));
  cpSync(join(ROOT, 'tests/custom-system'), folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, path: join(folder, 'my-duel.js') };
}

/** Replaces the first occurrence of a text in a file. */
export function change(path: string, from: string, to: string): void {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(path, before.replace(from, to));
}
