/**
 * Makes the library ready wherever a bundler takes it: all kernels are held, so that `solve` need not wait for one, and
 * threads are started from a text that is loaded with the first of them.
 */
import { ALL } from '#kernels/embedded/all.js';
import { registerKernels } from './kernels.ts';
import { setWorkerFactory } from './threads.ts';

registerKernels(ALL);

let script: string | undefined;

setWorkerFactory(async (given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  const { text } = await import('#kernels/embedded/thread.js');
  script ??= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
});
