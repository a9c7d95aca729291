/**
 * Prepares the library for any bundler: kernels are embedded, so that `solve` works at once, and threads start from
 * a script that is loaded with the first of them.
 */
import { KERNELS } from '#kernels/embedded/common.js';
import { registerKernels } from './kernels.ts';
import { setWorkerFactory } from './threads.ts';

registerKernels(KERNELS);

let script: string | undefined;

setWorkerFactory(async (given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  const { text } = await import('#kernels/embedded/thread.js');
  script ??= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
});
