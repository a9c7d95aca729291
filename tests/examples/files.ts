/** Files of the systems in examples/systems and the games in examples/games. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['examples/games', 'examples/systems'];

/** Lists the files with an extension, by their paths from the folder of the package. */
export const examples = (end: '.mjs' | '.yaml'): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(end) ? [`${folder}/${name}`] : [])),
  );

/** Returns the path of a file by its name, from the folder of the package. */
export function example(name: string): string {
  const path = FOLDERS.map((folder) => `${folder}/${name}`).find((each) => existsSync(join(ROOT, each)));
  if (path === undefined) throw new Error(`neither ${FOLDERS.join(' nor ')} has ${name}`);
  return path;
}
