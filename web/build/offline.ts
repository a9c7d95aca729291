/** Writes the service worker of a build, with the list of files and a version that depends on their content. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Plugin, transformWithOxc } from 'vite';
import { LOOPBACK } from '../offline/loopback.ts';

const SOURCE = new URL('../offline/service-worker.ts', import.meta.url);

/** Folder whose files Vite copies. */
const PUBLIC = new URL('../public/', import.meta.url);

export function createOfflinePlugin(): Plugin {
  return {
    name: 'warpool-offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = [...Object.keys(bundle), ...(await readdir(PUBLIC))].sort();
        const hash = createHash('sha256').update(files.join('\n'));
        const page = bundle['index.html'];
        if (page?.type === 'asset') hash.update(page.source);
        const source = await readFile(SOURCE, 'utf8');
        const { code } = await transformWithOxc(source, 'service-worker.ts');
        const version = hash.digest('hex').slice(0, 16);
        const constants = `const FILES = ${JSON.stringify(files)};\nconst VERSION = '${version}';\nconst LOOPBACK = ${String(LOOPBACK)};\n`;
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: constants + code });
      },
    },
  };
}
