/** A module whose text is made by the build, in the place of what would be found under its name. */
import type { Plugin } from 'vite';

const escapePattern = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);

/** @param make gives the text; asked once for each bundle */
export function createVirtualModule(name: string, make: () => string | Promise<string>): Plugin {
  // A server gives the module under an address, which a # would end.
  const id = `\0made:${name.replace('#', '')}`;
  return {
    name: `warpool-made-${name}`,
    enforce: 'pre',
    resolveId: { filter: { id: new RegExp(`^${escapePattern(name)}$`) }, handler: () => id },
    load: { filter: { id: new RegExp(`^${escapePattern(id)}$`) }, handler: make },
  };
}
