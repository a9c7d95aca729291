/** The system of tests/custom-system in folders of its own: each is another module, with a text that can be changed. */
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
  /** The module of the system. */
  readonly path: string;
}

/** A folder of its own, with the system and these files. */
export function ownFolder(files: Readonly<Record<string, string>> = {}): Own {
  const folder = join(base, String(folders++));
  cpSync(join(ROOT, 'tests/custom-system'), folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, path: join(folder, 'my-duel.js') };
}

/** Changes a file. */
export function change(path: string, from: string, to: string): void {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(path, before.replace(from, to));
}
