/**
 * Writes JSON Schemas to dist/schemas/: of scenarios, expectations and sweeps, for editors, and of what commands print with
 * --json. Needs the compiled modules.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { enterRoot } from './files.js';

enterRoot();

const { kinds } = await import(new URL('../dist/src/cli/schemas.js', import.meta.url).href);

rmSync('dist/schemas', { recursive: true, force: true });
mkdirSync('dist/schemas', { recursive: true });
for (const { names, schema } of kinds) {
  writeFileSync(`dist/schemas/${names[0]}.schema.json`, `${JSON.stringify(schema(), null, 2)}\n`);
}
