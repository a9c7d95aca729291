/** Thread of a command with custom rules. */
import { parentPort, workerData } from 'node:worker_threads';
import { exitProcess } from '#platform/process-guard';
import type { CommandThreadSetup, ThreadMessage, ThreadReply } from './command-thread-host.ts';
import { runCommandLine } from './run-command-line.ts';
import { runGuarded } from './run-guarded.ts';

const { args, terminal, late } = workerData as CommandThreadSetup;
const postReply = (answer: ThreadReply): void => {
  parentPort?.postMessage(answer);
};

for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.assign(process[name], terminal[name]);

parentPort?.on('message', (reported: ThreadMessage) => {
  // Threads do not receive signals, so they are forwarded to listeners here.
  const received = reported === 'answer' || process.emit(reported, reported);
  postReply(received ? 'listening' : 'deaf');
});

// The port does not keep a thread alive that waits forever.
parentPort?.unref();

/** Ends at once: no remaining work matters. */
function endProcess(code: number): void {
  postReply({ code });
  process.stderr.write('', () => process.stdout.write('', () => exitProcess(code)));
}

const runCommand = async (): Promise<number> =>
  late === undefined ? await runCommandLine(args) : (await import('./conform.ts')).printLateCall(late, args);

void runGuarded(runCommand, () => {
  endProcess(1);
}).then(endProcess);
