/** The command `warpool`. */
import { exitProcess } from '#platform/process-guard';
import { callInThread, isWatching, needsThread } from './command-thread-host.ts';
import { followParent } from './follow-parent.ts';
import { runCommandLine } from './run-command-line.ts';
import { runGuarded } from './run-guarded.ts';

// If the reader closes the pipe (`| head`), the command ends silently.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') exitProcess();
  // System errors also name the call: `write ENOSPC`, or `ENOSPC: no space left on device, write`.
  const why = error.message.replace(/^write |, write$/, '');
  process.stderr.write(`warpool: cannot write to standard output: ${why}\n`, () => exitProcess(1));
});
process.stderr.on('error', () => undefined);

followParent();
const args = process.argv.slice(2);
const leave = (): void => void exitProcess(1);

async function callCommand(): Promise<number> {
  if (isWatching(args)) return await (await import('./watch.ts')).watchInThread(args);
  return await (needsThread(args, process.cwd()) ? callInThread(args) : runGuarded(() => runCommandLine(args), leave));
}

// A CommonJS module cannot wait at its top.
void callCommand().then((code) => {
  process.exitCode = code;
  // Exits at once instead of waiting up to 20 ms for background compilation of V8.
  process.stderr.write('', () => process.stdout.write('', () => exitProcess()));
});
