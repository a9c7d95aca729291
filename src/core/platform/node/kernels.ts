/** The code of the kernels, read from the package. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { kernelFile } from './files.ts';

/** @throws RunError if the kernel is not built */
export async function kernelBytes(build: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await readFile(kernelFile(build, name));
}

/** A release kernel. @throws RunError if it is not built */
export function kernelBytesNow(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(kernelFile('release', name));
}

/** Whether there is a release kernel of this name. */
export function hasKernel(name: string): boolean {
  try {
    kernelFile('release', name);
    return true;
  } catch {
    return false;
  }
}
