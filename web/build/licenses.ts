/** Names the packages that the page and its workers hold, with their licenses: THIRD-PARTY.txt. */
import type { Plugin } from 'vite';
import { noticesOf, packageOf } from '../../scripts/bundle.js';

export const LICENSES = 'THIRD-PARTY.txt';

const packages = new Set<string>();

/** Collects the packages of one build; workers are built before the page ends. @param isPage writes the file */
export function licenses(isPage: boolean): Plugin {
  return {
    name: 'warpool-licenses',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const id of part.moduleIds) {
          const folder = packageOf(id.replace(/^\0/, ''));
          if (folder !== undefined) packages.add(folder);
        }
      }
      if (isPage) this.emitFile({ type: 'asset', fileName: LICENSES, source: noticesOf(packages) });
    },
  };
}
