/**
 * What modules of users import as warpool/system, as one file with all that it needs. It shares nothing with the engine: what
 * shares would have to come along with the first answer.
 */
import { build } from 'rolldown';
import type { Plugin } from 'vite';
import { computeHashLines, resolvePath } from './rules.ts';

const NAME = 'virtual:system';
const FOLDER = resolvePath('dist/page-system');

export function createSystemFilePlugin(): Plugin {
  return {
    name: 'warpool-system',
    enforce: 'pre',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      await build({
        input: { system: resolvePath('src/system.ts') },
        platform: 'browser',
        tsconfig: resolvePath('tsconfig.json'),
        resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
        transform: { target: 'es2023' },
        output: { dir: FOLDER, format: 'esm', minify: true, codeSplitting: false },
      });
      const lines = JSON.stringify(await computeHashLines());
      return `export { default as url } from ${JSON.stringify(`${FOLDER}/system.js?url`)};\nexport const lines = ${lines};`;
    },
  };
}
