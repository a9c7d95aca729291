/** A module whose text is made by the build, in the place of what would be found under its name. */
import type { Plugin } from 'vite';

/** @param make gives the text; asked once for each bundle */
export function made(name: string, make: () => string | Promise<string>): Plugin {
  const literal = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  return {
    name: `warpool-made-${name}`,
    enforce: 'pre',
    resolveId: { filter: { id: new RegExp(`^${literal}$`) }, handler: () => `\0made:${name}` },
    load: { filter: { id: new RegExp(`^\0made:${literal}$`) }, handler: make },
  };
}
