/**
 * Serves kernels as files. The library bundle for browsers has them as Base64 text, which any bundler includes, but
 * which is twice as large when compressed.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

const FOLDER = fileURLToPath(new URL('../../dist/kernels/release/', import.meta.url));

const LOAD = `async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error('failed to load a kernel: HTTP status ' + response.status);
  return { bytes: new Uint8Array(await response.arrayBuffer()) };
}
`;

export function createKernelFilesPlugin(): Plugin {
  return createVirtualModule('#kernels/embedded/index.js', async () => {
    const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.wasm'));
    const imports = files.map((file, f) => `import url${String(f)} from ${JSON.stringify(`${FOLDER}${file}?url`)};\n`);
    const entries = files.map((file, f) => `${JSON.stringify(file.replace('.wasm', ''))}: () => load(url${String(f)})`);
    return `${imports.join('')}${LOAD}export const KERNELS = { ${entries.join(', ')} };`;
  });
}
