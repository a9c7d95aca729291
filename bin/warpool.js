#!/usr/bin/env node
/**
 * Starts the program that the build leaves in dist. It stands at a path of its own because npx links the command of a
 * clone once and for all: had the build not been there at that moment, the command would stay lost after it.
 */
import { existsSync } from 'node:fs';
import * as modules from 'node:module';

// From Node 22.1 on; what was compiled once is then read from a folder of the system's for temporary files.
if ('enableCompileCache' in modules) /** @type {{ enableCompileCache(): void }} */ (modules).enableCompileCache();

const program = new URL('../dist/program/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('warpool: not built yet; run "npm run build" first\n');
  process.exitCode = 1;
}
