/** The reference of the public modules, by TypeDoc, from the comments of the sources. */
import { readFileSync } from 'node:fs';
import { Application, LogLevel } from 'typedoc';
import { PAGES } from './gather.js';

/** The public modules: what package.json exports. */
export const ENTRIES = ['src/index.ts', 'src/rollout/index.ts', 'src/system.ts', 'src/testing/index.ts'];

const OPTIONS = {
  name: 'API',
  tsconfig: 'tsconfig.json',
  entryPoints: ENTRIES,
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  // `npm run check` has checked the types.
  skipErrorChecking: true,
  disableGit: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  sort: ['alphabetical'],
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  validation: { invalidLink: true, invalidPath: true, notExported: false, notDocumented: true, rewrittenLink: true },
  // What a module exports has a comment; properties whose names say all need none.
  requiredToBeDocumented: ['Module', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Enum', 'Method'],
  packagesRequiringDocumentation: ['warpool'],
  out: `${PAGES}/api`,
  entryFileName: 'index',
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: false,
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true },
  navigationJson: `${PAGES}/api.json`,
  logLevel: LogLevel.Warn,
};

/** Writes the pages below `api/`, and `api.json` for the sidebar. */
export async function apiPages() {
  const app = await Application.bootstrapWithPlugins(/** @type {import('typedoc').TypeDocOptions} */ (OPTIONS));
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read the sources');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc has found what is told above');
  return JSON.parse(readFileSync(`${PAGES}/api.json`, 'utf8'));
}
