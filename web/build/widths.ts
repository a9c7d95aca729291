/** Columns of a terminal mean nothing in a page: tables are set as HTML, so that no text is measured in columns. */
import type { Plugin } from 'vite';
import { made } from './made.ts';

export function noWidths(): Plugin {
  return made('string-width', () => 'export default (text) => text.length;');
}
