/**
 * Writes JSON Schemas to dist/schemas/: of scenarios, expectations and sweeps, for editors, and of the output of
 * commands with --json. Needs the compiled modules.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { enterRoot } from './files.js';

enterRoot();

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const { listSchemaKinds } = await compiled('cli/schema.js');
const { GAME_IDS } = await compiled('rules/games.js');
const { SHIPPED_REGISTRY } = await compiled('rules/index.js');
const { addGames } = await compiled('rules/load-systems.js');

rmSync('dist/schemas', { recursive: true, force: true });
mkdirSync('dist/schemas', { recursive: true });
for (const { names, schema } of listSchemaKinds(await addGames(SHIPPED_REGISTRY, GAME_IDS))) {
  writeFileSync(`dist/schemas/${names[0]}.schema.json`, `${JSON.stringify(schema())}\n`);
}
