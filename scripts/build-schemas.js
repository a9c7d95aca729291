/**
 * Writes JSON Schemas to dist/schemas/: of scenarios, expectations and sweeps, for editors, and of what commands print with
 * --json. Needs the compiled modules.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { enterRoot } from './files.js';

enterRoot();

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

const { jsonSchema, scenarioJsonSchema } = await compiled('scenario/json-schema.js');
const { expectationsJsonSchema } = await compiled('expectations/index.js');
const { OUTPUTS, outputJsonSchema } = await compiled('report/schemas/index.js');
const { sweepJsonSchema } = await compiled('sweep/read.js');
const { systems } = await compiled('systems/index.js');

/** @param {string} name @param {unknown} schema */
function write(name, schema) {
  writeFileSync(`dist/schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
}

rmSync('dist/schemas', { recursive: true, force: true });
mkdirSync('dist/schemas', { recursive: true });
write('scenario', scenarioJsonSchema());
write('expectations', expectationsJsonSchema());
write('sweep', sweepJsonSchema());
for (const { id } of systems) write(id, jsonSchema(id));
for (const name of Object.keys(OUTPUTS)) write(name, outputJsonSchema(name));
