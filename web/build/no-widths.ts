/** Replaces the measurement of terminal columns: the page lays out tables in HTML. */
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

export function createNoWidthsPlugin(): Plugin {
  return createVirtualModule('string-width', () => 'export default (text) => text.length;');
}
