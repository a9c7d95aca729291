/** Finds and compiles the kernel of a system. */
import { sha256 } from '#platform/hash';
import { hasKernel, kernelBytes, kernelBytesNow } from '#platform/kernels';

/**
 * Release kernels are the product; debug kernels keep every check and run in the tests; shared ones import a memory that
 * threads share.
 */
export type KernelBuild = 'release' | 'debug' | 'shared';

/**
 * Kernels by their build and name: compiling one takes some ten milliseconds, and studies open thousands of scenarios. One
 * that is kept also keeps its optimised code from run to run and thread to thread.
 */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(build: KernelBuild, name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await kernelBytes(build, name));
}

/**
 * Compiles the kernel, once; the module may be shared with any number of threads.
 * @throws RunError if the kernel is not built
 */
export async function loadKernel(system: string, build: KernelBuild = 'release'): Promise<WebAssembly.Module> {
  const key = `${build}/${system}`;
  const known = compiled.get(key) ?? compile(build, system);
  compiled.set(key, known);
  try {
    return await known;
  } catch (error) {
    compiled.delete(key);
    throw error;
  }
}

/** Compiles a kernel synchronously, anew at every call. @throws RunError if it is not built */
export function compileNow(name: string): WebAssembly.Module {
  return new WebAssembly.Module(kernelBytesNow(name));
}

/** As `compileNow`, but undefined if there is no such kernel. */
export function loadKernelNow(system: string): WebAssembly.Module | undefined {
  return hasKernel(system) ? compileNow(system) : undefined;
}

/**
 * The SHA-256 of a kernel, in hexadecimal.
 * @throws RunError if the kernel is not built
 */
export function kernelHash(system: string): string {
  return sha256().update(kernelBytesNow(system)).hex();
}
