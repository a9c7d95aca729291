/** The rules of the package as Node runs them: builds of the page ask them for names and hashes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import type * as Games from '../../src/rules/games.ts';
import type * as Identity from '../../src/rules/identity.ts';
import type * as Shipped from '../../src/rules/shipped.ts';

export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const FOLDER = at('dist/page-system-hash');

type Rules = typeof Games & typeof Identity & typeof Shipped;

/** The code is TypeScript: it is bundled, and run from there. */
async function bundled(): Promise<Rules> {
  const names = ['identity', 'shipped', 'games'];
  await build({
    input: Object.fromEntries(names.map((name) => [name, at(`src/rules/${name}.ts`)])),
    platform: 'node',
    tsconfig: at('tsconfig.json'),
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
    checks: { ineffectiveDynamicImport: false },
    output: { dir: FOLDER, format: 'esm' },
  });
  const loaded = names.map((name) => import(pathToFileURL(`${FOLDER}/${name}.js`).href) as Promise<object>);
  return Object.assign({}, ...(await Promise.all(loaded))) as Rules;
}

let made: Promise<Rules> | undefined;

/** Bundled once, for the page and all its workers. */
export function rules(): Promise<Rules> {
  made ??= bundled();
  return made;
}

/** The hash of a module, as the command line has it. */
export async function hashOf(path: string): Promise<string> {
  const { identityOf } = await rules();
  return (await identityOf(pathToFileURL(at(path)).href, path)).hash;
}

/** What imports of warpool/system and zod add to the hash of a module, as the command line has it. */
export async function hashLines(): Promise<Readonly<Record<string, string>>> {
  const { identityOf, namedLine } = await rules();
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { readonly version: string };
  const path = `${FOLDER}/zod-import.js`;
  writeFileSync(path, "import 'zod';\n");
  const { rest } = await identityOf(pathToFileURL(path).href, path);
  return { 'warpool/system': namedLine(`warpool@${version}`), zod: rest.join('') };
}
