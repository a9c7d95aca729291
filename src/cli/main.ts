#!/usr/bin/env node
/** The command `warpool`. */
import { exit } from '#platform/guard';
import { callApart, needsThread, watches } from './apart.ts';
import { call } from './call.ts';
import { guarded } from './guarded.ts';
import { followParent } from './parent.ts';

// A reader who has seen enough (`| head`) ends the command without a word.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') exit();
  // Errors of the system name the call as well: `write ENOSPC`, or `ENOSPC: no space left on device, write`.
  const why = error.message.replace(/^write |, write$/, '');
  process.stderr.write(`warpool: standard output cannot be written: ${why}\n`, () => exit(1));
});
process.stderr.on('error', () => undefined);

followParent();
const args = process.argv.slice(2);
const leave = (): void => void exit(1);
if (watches(args)) process.exitCode = await (await import('./watch.ts')).watchApart(args);
else process.exitCode = await (needsThread(args, process.cwd()) ? callApart(args) : guarded(() => call(args), leave));

// At once, instead of after what V8 still compiles in the background: that takes up to 20 ms and serves nobody any more.
process.stderr.write('', () => process.stdout.write('', () => exit()));
