/** Finds and compiles the kernel of a system. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { kernelFile } from './files.ts';

/**
 * Release kernels are the product; debug kernels keep every check and run in the tests; shared ones import a memory that
 * threads share.
 */
export type KernelBuild = 'release' | 'debug' | 'shared';

/**
 * Kernels by their path: compiling one takes some ten milliseconds, and studies open thousands of scenarios. One that is
 * kept also keeps its optimised code from run to run and thread to thread.
 */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(path: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(path));
}

/**
 * Compiles the kernel, once; the module may be shared with any number of threads.
 * @throws RunError if the kernel is not built
 */
export async function loadKernel(system: string, build: KernelBuild = 'release'): Promise<WebAssembly.Module> {
  const path = kernelFile(build, system);
  const known = compiled.get(path) ?? compile(path);
  compiled.set(path, known);
  try {
    return await known;
  } catch (error) {
    compiled.delete(path);
    throw error;
  }
}

/** Compiles a kernel synchronously, anew at every call. @throws RunError if it is not built */
export function compileNow(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(kernelFile('release', name)));
}

/** As `compileNow`, but undefined if the kernel is not built. */
export function loadKernelNow(system: string): WebAssembly.Module | undefined {
  try {
    kernelFile('release', system);
  } catch {
    return undefined;
  }
  return compileNow(system);
}

/**
 * The path of a system's kernel.
 * @throws RunError if it is not built
 */
export function kernelPath(system: string): string {
  return kernelFile('release', system);
}

/**
 * The SHA-256 of a kernel, in hexadecimal.
 * @throws RunError if the kernel is not built
 */
export function kernelHash(system: string): string {
  return createHash('sha256')
    .update(readFileSync(kernelPath(system)))
    .digest('hex');
}
