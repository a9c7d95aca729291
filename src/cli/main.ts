#!/usr/bin/env node
/** The command `warpool`. */
import { exit, guard, watchStrays } from '#platform/guard';
import { cleanLines } from '../report/text/clean.ts';
import { thrownAt } from '../systems/thrown.ts';
import { call } from './call.ts';

// A reader who has seen enough (`| head`) ends the command without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1;
  exit();
});
process.stderr.on('error', () => undefined);

// Rules of users end no command, and write nothing into its answer.
guard();
let strays = 0;
watchStrays((error) => {
  if (strays++ === 0)
    process.stderr.write(`warpool: an error that nobody waited for: ${cleanLines(thrownAt(error))}\n`, () => exit(1));
});

const code = await call(process.argv.slice(2));

// Node tells of rejected promises that nobody waited for at the end of a turn.
await new Promise((resolve) => setImmediate(resolve));
process.exitCode = strays > 0 ? 1 : code;

// At once, instead of after what V8 still compiles in the background: that takes up to 20 ms and serves nobody any more.
process.stderr.write('', () => process.stdout.write('', () => exit()));
