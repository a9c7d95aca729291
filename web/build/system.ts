/**
 * What modules of users import as warpool/system, as one file with all that it needs. It shares nothing with the engine: what
 * shares would have to come along with the first answer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'vite';
import type * as Identity from '../../src/rules/identity.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const NAME = 'virtual:system';
const FOLDER = at('dist/page-system');

/**
 * What imports of warpool/system and zod add to the hash of a module, as the command line has it. The code that hashes
 * is TypeScript: it is bundled, and run from there.
 */
async function hashLines(): Promise<Readonly<Record<string, string>>> {
  await build({
    input: { identity: at('src/rules/identity.ts') },
    platform: 'node',
    tsconfig: at('tsconfig.json'),
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
    output: { dir: `${FOLDER}-hash`, format: 'esm', codeSplitting: false },
  });
  const { identityOf, namedLine } = (await import(pathToFileURL(`${FOLDER}-hash/identity.js`).href)) as typeof Identity;
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { readonly version: string };
  const path = `${FOLDER}-hash/zod-import.js`;
  writeFileSync(path, "import 'zod';\n");
  const { rest } = await identityOf(pathToFileURL(path).href, path);
  return { 'warpool/system': namedLine(`warpool@${version}`), zod: rest.join('') };
}

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
      const lines = JSON.stringify(await hashLines());
      return `export { default as url } from ${JSON.stringify(`${FOLDER}/system.js?url`)};\nexport const lines = ${lines};`;
    },
  };
}
