/** Rules of the package for Node, from which builds of the page read names and hashes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import type * as Games from '../../src/rules/games.ts';
import type * as Identity from '../../src/rules/identity.ts';
import type * as Shipped from '../../src/rules/shipped.ts';

export const resolvePath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const FOLDER = resolvePath('dist/page-system-hash');

type RulesBundle = typeof Games & typeof Identity & typeof Shipped;

/** Bundles and loads the rules, which are TypeScript. */
async function bundleRules(): Promise<RulesBundle> {
  const names = ['identity', 'shipped', 'games'];
  await build({
    input: Object.fromEntries(names.map((name) => [name, resolvePath(`src/rules/${name}.ts`)])),
    platform: 'node',
    tsconfig: resolvePath('tsconfig.json'),
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
    checks: { ineffectiveDynamicImport: false },
    output: { dir: FOLDER, format: 'esm' },
  });
  const loaded = names.map((name) => import(pathToFileURL(`${FOLDER}/${name}.js`).href) as Promise<object>);
  return Object.assign({}, ...(await Promise.all(loaded))) as RulesBundle;
}

let rulesBundle: Promise<RulesBundle> | undefined;

/** Loads the rules, bundled once for the page and all its workers. */
export function loadRules(): Promise<RulesBundle> {
  rulesBundle ??= bundleRules();
  return rulesBundle;
}

/** Computes the hash of a module, as the command line does. */
export async function computeModuleHash(path: string): Promise<string> {
  const { identifyModule } = await loadRules();
  return (await identifyModule(pathToFileURL(resolvePath(path)).href, path)).hash;
}

/** Computes the parts that imports of warpool/system and zod add to the hash of a module. */
export async function computeHashLines(): Promise<Readonly<Record<string, string>>> {
  const { identifyModule, createNameLine } = await loadRules();
  const { version } = JSON.parse(readFileSync(resolvePath('package.json'), 'utf8')) as { readonly version: string };
  const path = `${FOLDER}/zod-import.js`;
  writeFileSync(path, "import 'zod';\n");
  const { rest } = await identifyModule(pathToFileURL(path).href, path);
  return { 'warpool/system': createNameLine(`warpool@${version}`), zod: rest.join('') };
}
