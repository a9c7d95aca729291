#!/usr/bin/env node
/** The command `warpool`. */
import { failed } from './failure.ts';
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
  process.exitCode = code;
}
