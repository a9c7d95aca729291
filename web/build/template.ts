/** Module `virtual:template`: the first game of docs/tutorials/custom-rules.md, the template of custom rules. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

const MANUAL = new URL('../../docs/tutorials/custom-rules.md', import.meta.url);

/** Extracts the first module of a manual. @throws Error if its first block is not a system */
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
