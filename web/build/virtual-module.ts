/** Creates a plugin that provides a generated module. */
import type { Plugin } from 'vite';

const escapePattern = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);

/** @param make returns the module text; called once per bundle */
export function createVirtualModule(name: string, make: () => string | Promise<string>): Plugin {
  // The id is part of a URL in the development server, where a # would end it.
  const id = `\0made:${name.replace('#', '')}`;
  return {
    name: `warpool-made-${name}`,
    enforce: 'pre',
    resolveId: { filter: { id: new RegExp(`^${escapePattern(name)}$`) }, handler: () => id },
    load: { filter: { id: new RegExp(`^${escapePattern(id)}$`) }, handler: make },
  };
}
