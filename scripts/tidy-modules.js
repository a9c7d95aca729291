/**
 * Removes compiled files of deleted sources, before the incremental `tsc -p tsconfig.build.json`, which checks only
 * sources.
 */
import { rmSync } from 'node:fs';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const FOLDERS = ['src', 'workers', 'bench'];
const ENDINGS = ['.js', '.d.ts'];

const files = FOLDERS.flatMap(filesUnder);
const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const wanted = new Set(sources.flatMap((file) => ENDINGS.map((ending) => `dist/${file.slice(0, -3)}${ending}`)));
for (const file of files) if (file.endsWith('.json')) wanted.add(`dist/${file}`);

for (const folder of FOLDERS) for (const file of filesUnder(`dist/${folder}`)) if (!wanted.has(file)) rmSync(file);
