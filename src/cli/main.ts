#!/usr/bin/env node
/** The command `warpool`. */
import { Ended, failed } from './failure.ts';
import { program } from './program.ts';

// A reader who has seen enough (`| head`) ends the command without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1;
  process.exit();
});
process.stderr.on('error', () => undefined);

try {
  await program().parseAsync();
} catch (error) {
  const { code, message } = failed(error);
  if (message !== '') process.stderr.write(`${message}\n`);
  if (process.env['GITHUB_ACTIONS'] === 'true' && !(error instanceof Ended)) {
    const { annotateFailure } = await import('./github.ts');
    annotateFailure(error, message);
  }
  process.exitCode = code;
}

// At once, instead of after what V8 still compiles in the background: that takes up to 20 ms and serves nobody any more.
process.stderr.write('', () => process.stdout.write('', () => process.exit()));
