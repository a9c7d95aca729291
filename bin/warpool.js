#!/usr/bin/env node
/**
 * Starts the program that the build leaves in dist. It stands at a path of its own because npx links the command of a
 * clone once and for all: had the build not been there at that moment, the command would stay lost after it. This
 * folder contains CommonJS, because the loader of modules takes 7 ms to start.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { createCachedLoader } = require('./code-cache.js');

// Optimizing fewer functions saves 0.1 to 0.2 CPU seconds of a short sweep or shard, and costs a long one no more.
if (process.argv[2] === 'sweep') setFlagsFromString('--interrupt-budget=400000');

const dist = join(__dirname, '../dist');
const [command = ''] = /^[a-z-]+$/.exec(process.argv[2] ?? '') ?? [];
if (existsSync(join(dist, 'program/main.cjs'))) {
  createCachedLoader(
    join(dist, 'program'),
    join(dist, 'cache', `${process.version}-${process.arch}`, command),
  )('main.cjs');
} else {
  process.stderr.write('warpool: not built yet; run "npm run build" first\n');
  process.exitCode = 1;
}
