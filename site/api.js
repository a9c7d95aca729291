/** Reference of the public modules, created by TypeDoc from the comments of the sources. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Application, LogLevel, ReflectionKind } from 'typedoc';
import { load } from 'typedoc-plugin-markdown';
import { filesUnder } from '../scripts/files.js';
import { PAGES } from './gather.js';

/** Public modules: the exports of package.json. */
const ENTRIES = ['src/index.ts', 'src/environments.ts', 'src/suite.ts', 'src/system.ts', 'src/testing.ts'];

const OPTIONS = {
  name: 'API',
  tsconfig: 'tsconfig.json',
  entryPoints: ENTRIES,
  plugin: [load],
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
  groupOrder: [
    ...['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
    ...['Constructors', 'Methods', 'Accessors', 'Properties'],
  ],
  validation: { invalidLink: true, invalidPath: true, notExported: false, notDocumented: true, rewrittenLink: true },
  // Exports need a comment; properties with self-explanatory names do not.
  requiredToBeDocumented: ['Module', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Enum', 'Method'],
  packagesRequiringDocumentation: ['warpool'],
  out: `${PAGES}/api`,
  entryFileName: 'index',
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: false,
  expandParameters: true,
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

/**
 * Merges the errors of a function under one heading, which TypeDoc repeats for each, and removes the origin of
 * inherited methods, as in the tables.
 * @param {string} text
 */
const tidied = (text) =>
  text
    .replaceAll(/(?<=^(#+ Throws)\n(?:(?!#).*\n)*)\1\n\n/gm, '')
    .replaceAll(/^#+ (?:Inherited from|Overrides)\n\n.+\n\n?/gm, '');

/** Lists exports without a description: rows of the page of a module that end with a dash. @param {string} text */
const unsaid = (text) => [...text.matchAll(/^\| \[(.+?)\]\(.*\| - \|$/gm)].map(([, name]) => name);

/** Adds the lists of functions of all modules to the start page. */
function startPage() {
  const start = readFileSync(`${PAGES}/api/index.md`, 'utf8');
  const modules = [...start.matchAll(/\]\(([\w/]+)\/index\.md\)/g)].map(([, path = '']) => path);
  const lists = modules.map((path) => {
    const text = readFileSync(`${PAGES}/api/${path}/index.md`, 'utf8');
    const [, rows = ''] = /^## Functions\n\n([\s\S]*?)(?:\n\n|\n*$)/m.exec(text) ?? [];
    return rows === '' ? '' : `## Functions of ${path}\n\n${rows.replaceAll('](', `](${path}/`)}\n`;
  });
  writeFileSync(`${PAGES}/api/index.md`, [start.trimEnd(), ...lists.filter((list) => list !== '')].join('\n\n'));
}

/** Writes the pages below `api/`, and `api.json` for the sidebar. */
export async function apiPages() {
  const app = await Application.bootstrapWithPlugins(/** @type {import('typedoc').TypeDocOptions} */ (OPTIONS));
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read the sources');
  // TypeDoc shows initializers of properties, such as settings and constants, as their defaults.
  for (const each of project.getReflectionsByKind(ReflectionKind.Property))
    if (each.isDeclaration()) delete each.defaultValue;
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc reported the problems above');
  for (const file of filesUnder(`${PAGES}/api`)) {
    const text = tidied(readFileSync(file, 'utf8'));
    const names = file.endsWith('index.md') ? unsaid(text) : [];
    if (names.length > 0) throw new Error(`${file}: expected a description of ${names.join(', ')}`);
    writeFileSync(file, text);
  }
  startPage();
}
