/** Code of the kernels: Base64 in modules, which every bundler includes and no policy blocks; or files of a page. */
import { KERNELS } from '#kernels/embedded/index.js';
import { RunError } from '../../errors.ts';

/** In Base64; or as bytes, if a page has them as files. */
type EmbeddedKernel = { readonly text: string } | { readonly bytes: Uint8Array<ArrayBuffer> };

/** Available kernels. */
const kernelsByName = new Map<string, EmbeddedKernel>();

/** Registers kernels, in Base64 by name. */
export function registerKernels(kernels: Readonly<Record<string, string>>): void {
  for (const [name, base64] of Object.entries(kernels)) kernelsByName.set(name, { text: base64 });
}

/** Loads kernels for later synchronous use. Systems without a kernel may be among the names. */
export async function preloadKernels(names: readonly string[]): Promise<void> {
  await Promise.all(names.filter(hasKernel).map((name) => loadKernelBytes('release', name)));
}

/** Loads the kernels of the exact answer: chains, the system if it has one, and networks if policies can have them. */
export function preloadSolver(scenario: { readonly system: string; readonly policies?: unknown }): Promise<void> {
  return preloadKernels(['chain', scenario.system, ...(scenario.policies === undefined ? [] : ['network'])]);
}

function decodeKernel(kernel: EmbeddedKernel): Uint8Array<ArrayBuffer> {
  return 'bytes' in kernel ? kernel.bytes : Uint8Array.from(atob(kernel.text), (letter) => letter.charCodeAt(0));
}

/** @throws RunError if there is no such kernel: browsers only have release kernels */
export async function loadKernelBytes(build: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const kernel = kernelsByName.get(name) ?? (hasKernel(name) ? await KERNELS[name]?.() : undefined);
  if (kernel === undefined || build !== 'release') throw new RunError(`the kernel ${build}/${name} is missing`);
  kernelsByName.set(name, kernel);
  return decodeKernel(kernel);
}

/** Returns a loaded release kernel. @throws RunError if it was not loaded */
export function loadKernelBytesSync(name: string): Uint8Array<ArrayBuffer> {
  const kernel = kernelsByName.get(name);
  if (kernel === undefined) throw new RunError(`the kernel of ${name} is not loaded`);
  return decodeKernel(kernel);
}

/** Returns true if there is a release kernel of this name. */
export function hasKernel(name: string): boolean {
  return kernelsByName.has(name) || Object.hasOwn(KERNELS, name);
}
