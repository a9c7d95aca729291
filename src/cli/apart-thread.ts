/** The thread of a command with rules of one's own. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, ApartSetup, Told } from './apart.ts';
import { call } from './call.ts';

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

const code = late === undefined ? await call(args) : (await import('./conform-late.ts')).tellLate(late, args);
say({ code });

// At once: what is left to do serves nobody any more.
process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));
