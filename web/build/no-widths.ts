/** Columns of a terminal mean nothing in a page: tables are set as HTML, so that no text is measured in columns. */
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

export function createNoWidthsPlugin(): Plugin {
  return createVirtualModule('string-width', () => 'export default (text) => text.length;');
}
