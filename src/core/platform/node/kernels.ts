/** The code of the kernels, read from the package. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getKernelFile } from './files.ts';

/** @throws RunError if the kernel is not built */
export async function loadKernelBytes(build: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await readFile(getKernelFile(build, name));
}

/** Loads a release kernel. @throws RunError if it is not built */
export function loadKernelBytesSync(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(getKernelFile('release', name));
}

/** Returns true if there is a release kernel of this name. */
export function hasKernel(name: string): boolean {
  try {
    getKernelFile('release', name);
    return true;
  } catch {
    return false;
  }
}
