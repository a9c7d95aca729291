/** The code of the kernels: modules with their bytes in Base64, which every bundler takes along and no policy refuses. */
import { KERNELS } from '#kernels/embedded/index.js';
import { RunError } from '../../errors.ts';

/** Kernels that are there, in Base64. */
const held = new Map<string, string>();

/** Holds kernels, in Base64 by their names. */
export function hold(kernels: Readonly<Record<string, string>>): void {
  for (const [name, base64] of Object.entries(kernels)) held.set(name, base64);
}

/** Loads kernels that are wanted at once later on, as by `solve`: `chain`, and that of the system if it has one. */
export async function holdKernels(names: readonly string[]): Promise<void> {
  await Promise.all(names.filter(hasKernel).map((name) => kernelBytes('release', name)));
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** @throws RunError if there is no such kernel: browsers have release kernels alone */
export async function kernelBytes(build: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = hasKernel(name) ? KERNELS[name] : undefined;
  if (load === undefined || build !== 'release') throw new RunError(`there is no kernel ${build}/${name} here`);
  const base64 = held.get(name) ?? (await load()).text;
  held.set(name, base64);
  return bytesOf(base64);
}

/** A release kernel. @throws RunError if it was not loaded before */
export function kernelBytesNow(name: string): Uint8Array<ArrayBuffer> {
  const base64 = held.get(name);
  if (base64 === undefined) throw new RunError(`the kernel of ${name} was not loaded before`);
  return bytesOf(base64);
}

/** Whether there is a release kernel of this name. */
export function hasKernel(name: string): boolean {
  return Object.hasOwn(KERNELS, name);
}
