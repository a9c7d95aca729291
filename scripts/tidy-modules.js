/**
 * Run before the incremental `tsc -p tsconfig.build.json`, which looks at sources only: takes away what was compiled
 * from a source that is gone, and makes tsc begin anew if something that it once wrote is missing.
 */
import { existsSync, rmSync } from 'node:fs';
import { enterRoot, filesUnder } from './files.js';

enterRoot();

const FOLDERS = ['src', 'workers', 'bench'];
const ENDINGS = ['.js', '.js.map', '.d.ts'];

const sources = FOLDERS.flatMap(filesUnder).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const wanted = new Set(sources.flatMap((file) => ENDINGS.map((ending) => `dist/${file.slice(0, -3)}${ending}`)));
const found = new Set(FOLDERS.flatMap((folder) => filesUnder(`dist/${folder}`)));

for (const file of found) if (!wanted.has(file)) rmSync(file);
if ([...wanted].some((file) => !found.has(file)) && existsSync('dist/.tsbuildinfo')) rmSync('dist/.tsbuildinfo');
