/** Finds and compiles the kernel of a system. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Release kernels are the product; debug kernels keep every check and run in the tests. */
export type KernelBuild = 'release' | 'debug';

const require = createRequire(import.meta.url);

const pathOf = (system: string, build: KernelBuild): string => require.resolve(`#kernels/${build}/${system}.wasm`);

/** Compiles the kernel; the module may be shared with any number of threads. */
export async function loadKernel(system: string, build: KernelBuild = 'release'): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(pathOf(system, build)));
}

/** The same at once, for who cannot wait. */
export function loadKernelNow(system: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(pathOf(system, 'release')));
}
