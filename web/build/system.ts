/**
 * What modules of users import as warpool/system, as one file with all that it needs. It shares nothing with the engine: what
 * shares would have to come along with the first answer.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const NAME = 'virtual:system';
const FOLDER = at('dist/page-system');

export function systemFile(): Plugin {
  return {
    name: 'warpool-system',
    enforce: 'pre',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      await build({
        input: { system: at('src/system.ts') },
        platform: 'browser',
        tsconfig: at('tsconfig.json'),
        resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
        transform: { target: 'es2023' },
        output: { dir: FOLDER, format: 'esm', minify: true, codeSplitting: false },
      });
      return `export { default as url } from ${JSON.stringify(`${FOLDER}/system.js?url`)};`;
    },
  };
}
