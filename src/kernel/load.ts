/** Finds and compiles the kernel of a system. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Release kernels are the product; debug kernels keep every check and run in the tests. */
export type KernelBuild = 'release' | 'debug';

const require = createRequire(import.meta.url);

/** Compiles the kernel; the module may be shared with any number of threads. */
export async function loadKernel(system: string, build: KernelBuild = 'release'): Promise<WebAssembly.Module> {
  const path = require.resolve(`#kernels/${build}/${system}.wasm`);
  return WebAssembly.compile(await readFile(path));
}
