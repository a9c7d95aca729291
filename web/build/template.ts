/** The smallest game of docs/tutorials/custom-rules.md as a module, `virtual:template`: what own rules begin with. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

const MANUAL = new URL('../../docs/tutorials/custom-rules.md', import.meta.url);

/** @throws Error if the manual does not begin with one */
export function extractFirstModule(manual: string): string {
  const [, code] = /^```js\n([\s\S]*?)^```/m.exec(manual) ?? [];
  if (code === undefined || !code.includes('defineSystem('))
    throw new Error('docs/tutorials/custom-rules.md: expected a system as its first block of JavaScript');
  return code;
}

export function createTemplatePlugin(): Plugin {
  return createVirtualModule(
    'virtual:template',
    async () => `export const TEMPLATE = ${JSON.stringify(extractFirstModule(await readFile(MANUAL, 'utf8')))};`,
  );
}
