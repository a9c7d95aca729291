/** Writes THIRD-PARTY.txt: packages of the page and its workers, with their licenses. */
import type { Plugin } from 'vite';
import { noticesOf, packageOf } from '../../scripts/bundle.js';

const packages = new Set<string>();

/** Collects the packages of one build; workers are built before the page. @param isPage true to write the file */
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
