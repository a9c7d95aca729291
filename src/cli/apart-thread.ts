/** The thread of a command with rules of one's own. */
import { parentPort, workerData } from 'node:worker_threads';
import { exit } from '#platform/guard';
import type { Answer, ApartSetup, Told } from './apart.ts';
import { call } from './call.ts';
import { guarded } from './guarded.ts';

const { args, terminal, late } = workerData as ApartSetup;
const say = (answer: Answer): void => {
  parentPort?.postMessage(answer);
};

for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.assign(process[name], terminal[name]);

parentPort?.on('message', (told: Told) => {
  // In a thread no signal comes by itself: who listens in it is told here.
  const heard = told === 'answer' || process.emit(told, told);
  say(heard ? 'listening' : 'deaf');
});

// It keeps no thread alive that waits for what never comes.
parentPort?.unref();

/** At once: what is left to do serves nobody any more. */
function end(code: number): void {
  say({ code });
  process.stderr.write('', () => process.stdout.write('', () => exit(code)));
}

const command = async (): Promise<number> =>
  late === undefined ? await call(args) : (await import('./conform.ts')).tellLate(late, args);

end(
  await guarded(command, () => {
    end(1);
  }),
);
