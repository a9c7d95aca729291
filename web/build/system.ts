/**
 * Bundles warpool/system for custom modules as one file with all dependencies. It shares no code with the engine,
 * because shared code would be loaded with the first answer.
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
