/** Names the packages that the page and its workers hold, with their licenses: THIRD-PARTY.txt. */
import type { Plugin } from 'vite';
import { noticesOf, packageOf } from '../../scripts/bundle.js';

const packages = new Set<string>();

/** Collects the packages of one build; workers are built before the page ends. @param isPage writes the file */
export function createLicensesPlugin(isPage: boolean): Plugin {
  return {
    name: 'warpool-licenses',
    apply: 'build',
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      for (const id of ids) {
        const folder = packageOf(id.replace(/^\0/, ''));
        if (folder !== undefined) packages.add(folder);
      }
      if (isPage) this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: noticesOf(packages) });
    },
  };
}
