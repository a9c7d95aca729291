#!/usr/bin/env node
/** The command `warpool`. */
import { call } from './call.ts';

// A reader who has seen enough (`| head`) ends the command without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1;
  process.exit();
});
process.stderr.on('error', () => undefined);

process.exitCode = await call(process.argv.slice(2));

// At once, instead of after what V8 still compiles in the background: that takes up to 20 ms and serves nobody any more.
process.stderr.write('', () => process.stdout.write('', () => process.exit()));
