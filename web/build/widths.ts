/** Columns of a terminal mean nothing in a page: tables are set as HTML, so that no text is measured in columns. */
import type { Plugin } from 'vite';

const NAME = 'string-width';

export function noWidths(): Plugin {
  return {
    name: 'warpool-widths',
    enforce: 'pre',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? 'export default (text) => text.length;' : undefined),
  };
}
