/** Architecture of the code base: checks the rules in docs and CONTRIBUTING against the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { shippedSystems } from '../src/rules/index.ts';

/**
 * Modules of src with their folders, in the order of imports: a folder may import only itself and earlier ones. `rules`
 * among the folders of `rules` means the files of the module itself and the folders of systems.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: ['core', 'platform', 'files', 'chance', 'distributions'],
  rules: ['rules', 'scenario', 'custom'],
  stats: ['stats'],
  engines: ['exact', 'automaton', 'kernel', 'pool'],
  analysis: [
    'designs',
    'analysis',
    'comparing',
    'sensitivity',
    'balance',
    'balance-problem',
    'fit',
    'rare-outcome',
    'expectations',
    'matchup',
  ],
  storage: ['folder', 'sweep', 'store', 'balance', 'matchup', 'cluster'],
  environments: ['environments'],
  conformance: ['conformance'],
  report: ['link', 'report'],
  cli: ['cli'],
  rpc: ['rpc'],
};

const ORDER = Object.entries(ROOMS).flatMap(([room, folders]) => folders.map((folder) => `${room}/${folder}`));

/** Entry points of a module for other modules: index.ts for portable code, node.ts for code that needs Node. */
const ENTRY_POINT = /^src\/(\w+)\/(?:index|node)\.ts$/;

/** Other entry points: platforms, specifications of options, and files that a bundle replaces. */
const OTHER_ENTRY_POINTS = /^src\/(core\/platform\/.*|rules\/(option-spec|shipped|[a-z-]+\/layout))\.ts$/;

/** Entry points of the package for Node and for browsers. */
const ENTRIES: readonly string[] = [
  'browser',
  'index',
  'light',
  'portable',
  'environments',
  'environments-browser',
  'suite',
  'system',
  'testing',
];

/** Files that every system with a kernel has. */
const PARTS: readonly string[] = ['index', 'schema', 'model', 'rules', 'encode', 'layout', 'environment'];

const LINES_MAX = 500;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the paths, from the root, of all TypeScript files below a folder. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const WITHOUT_COMMENTS = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };

const trees = new Map<string, ts.SourceFile>();

/** Parses a file once for all tests. */
function parsed(file: string): ts.SourceFile {
  const tree = trees.get(file) ?? ts.createSourceFile(file, read(file), WITHOUT_COMMENTS);
  trees.set(file, tree);
  return tree;
}

const imported = new Map<string, readonly string[]>();

/** Lists all imports and re-exports of a file, including types. Relative paths become paths from the root. */
function importsOf(file: string): readonly string[] {
  const known = imported.get(file);
  if (known !== undefined) return known;
  const names = ts
    .preProcessFile(read(file))
    .importedFiles.map(({ fileName }) => (fileName.startsWith('.') ? join(dirname(file), fileName) : fileName));
  imported.set(file, names);
  return names;
}

/** Returns the files that import each other in a cycle, and the files that import these. */
function circling(files: readonly string[]): string[] {
  // AssemblyScript imports files without their extension.
  const named = (to: string) => [to, `${to}.ts`].filter((each) => files.includes(each));
  const open = new Map(files.map((file) => [file, importsOf(file).flatMap(named)]));
  for (let before = 0; before !== open.size; ) {
    before = open.size;
    // A file that imports none of the remaining files is in no cycle.
    for (const [file, to] of open) if (!to.some((each) => open.has(each))) open.delete(file);
  }
  return [...open.keys()];
}

/** Lists the files in import and export statements of a file, including types. */
function staticImportsOf(file: string): string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const to = statement.moduleSpecifier;
    if (to === undefined || !ts.isStringLiteral(to) || !to.text.startsWith('.')) return [];
    return [join(dirname(file), to.text)];
  });
}

/** Returns a line for each import in `folder` that is not allowed. */
function strayImports(folder: string, allowed: (to: string, from: string) => boolean): string[] {
  return sourcesIn(folder).flatMap((from) =>
    importsOf(from)
      .filter((to) => !allowed(to, from))
      .map((to) => `${from} imports ${to}`),
  );
}

/** Returns the module and folder of a file of src. */
function folderOf(file: string): string {
  const [, room = '', ...rest] = file.split('/');
  const [folder = ''] = rest.length > 1 ? rest : [];
  return `${room}/${ROOMS[room]?.includes(folder) === true ? folder : room}`;
}

const isEntry = (file: string) => ENTRIES.some((name) => file === `src/${name}.ts`);

/**
 * Returns the position of a file in the order of imports. Entry points of the package may import everything except rpc,
 * and only they and rpc import them. Entry points of modules come after all files of their module.
 */
function rank(file: string): number {
  if (isEntry(file)) return ORDER.indexOf('rpc/rpc') - 0.5;
  const room = ENTRY_POINT.exec(file)?.[1];
  const last = room === undefined ? undefined : ROOMS[room]?.at(-1);
  return ORDER.indexOf(last === undefined ? folderOf(file) : `${room ?? ''}/${last}`);
}

/** Lists static imports of other modules that bypass their entry points. Dynamic imports may name any file. */
function pastEntryPoints(file: string): string[] {
  const roomOf = (path: string) => /^src\/(\w+)\//.exec(path)?.[1];
  return staticImportsOf(file)
    .filter((to) => roomOf(to) !== undefined && roomOf(to) !== roomOf(file))
    .filter((to) => !ENTRY_POINT.test(to) && !OTHER_ENTRY_POINTS.test(to))
    .map((to) => `${file} imports ${to}`);
}

/** Returns the shipped system whose folder contains a file. */
const systemOf = (file: string) => shippedSystems.find(({ id }) => file.startsWith(`src/rules/${id}/`))?.id;

const isRelative = (to: string) => /^(src|assembly|workers|tests|bench|scripts|dist|\.\.)\//.test(to);

/** Lists uses of command-line arguments, standard streams and the console, which only the command line may use. */
function talksToPeople(file: string): string[] {
  const found: string[] = [];
  const source = parsed(file);
  const visit = (node: ts.Node): void => {
    const text = ts.isPropertyAccessExpression(node) ? node.getText(source) : '';
    if (/^process\.(argv|stdin|stdout|stderr|exit|exitCode)$/.test(text) || text.startsWith('console.')) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${String(line + 1)} uses ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const name of importsOf(file))
    if (/^(node:)?(process|console)$/.test(name)) found.push(`${file} imports ${name}`);
  return found;
}

describe('imports', () => {
  test('every file of src belongs to a module or is an entry point', () => {
    const homeless = sourcesIn('src').filter((file) => rank(file) < 0);
    expect(homeless, `files that are in none of ${Object.keys(ROOMS).join(', ')}`).toEqual([]);
  });

  test('files of src import only earlier modules and folders', () => {
    const strays = strayImports('src', (to, from) => !to.startsWith('src/') || rank(to) <= rank(from));
    expect(strays, `imports against the order ${ORDER.join(' < ')}`).toEqual([]);
  });

  test('modules, workers and the web app import other modules through their entry points', () => {
    const files = [
      ...sourcesIn('src').filter((file) => !isEntry(file)),
      ...sourcesIn('workers'),
      ...sourcesIn('web/app'),
      ...sourcesIn('web/engine'),
    ];
    expect(files.flatMap(pastEntryPoints), 'imports past src/<module>/index.ts and src/<module>/node.ts').toEqual([]);
  });

  test('no files import each other in a cycle, including types', () => {
    for (const folders of [['src', 'workers'], ['assembly']])
      expect(circling(folders.flatMap(sourcesIn)), 'files in circles, and those that import them').toEqual([]);
  });

  test('src imports no files of this project outside src', () => {
    const isThinFile = (from: string, to: string) => from === 'src/cli/bench.ts' && to === 'bench/gate/command.ts';
    const strays = strayImports('src', (to, from) => !isRelative(to) || to.startsWith('src/') || isThinFile(from, to));
    expect(strays, 'imports that leave src: tests, benches, workers and scripts come after it').toEqual([]);
  });

  test('systems do not import each other', () => {
    const strays = strayImports(
      'src/rules',
      (to, from) =>
        ['src/rules/index.ts', 'src/rules/shipped.ts'].includes(from) ||
        [undefined, systemOf(from)].includes(systemOf(to)),
    );
    expect(strays, 'imports across systems: what they share belongs into src/rules itself').toEqual([]);
  });

  test('workers import only modules of src that have jobs for them', () => {
    const strays = strayImports(
      'workers',
      (to) =>
        !isRelative(to) ||
        to === 'workers/face.ts' ||
        to === 'bench/gate/sample.ts' ||
        /^src\/(core\/platform\/|(analysis|conformance|engines|environments|storage)\/(index|node)\.ts$|environments\/answer-functions\.ts$)/.test(
          to,
        ),
    );
    expect(strays, 'imports of workers from elsewhere: workers know no rules').toEqual([]);
  });

  test('assembly imports only assembly; kernels import only core, environments and their own folder', () => {
    const partsOf = (file: string) => file.replace('assembly/systems/', 'assembly/').replace(/(\/[^/]+)[.]ts$/, '$1/');
    const strays = strayImports('assembly', (to, from) => {
      if (from.startsWith('assembly/testing/')) return to.startsWith('assembly/');
      const own = from.startsWith('assembly/systems/') ? partsOf(from) : `${dirname(from)}/`;
      if (to.startsWith('assembly/generated/'))
        return basename(to) === basename(own) || !shippedSystems.some(({ id }) => id === basename(to));
      return (
        /^assembly\/(core|environments)\//.test(to) || to.startsWith(own) || from === 'assembly/environments/game.ts'
      );
    });
    expect(strays, 'imports of kernels from elsewhere than assembly/core and assembly/<id>').toEqual([]);
  });
});

/** Lists the imports and re-exports of a file at run time, without types. */
function loadedBy(file: string): string[] {
  const { statements } = parsed(file);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    const to = statement.moduleSpecifier;
    if (isType || to === undefined || !ts.isStringLiteral(to)) return [];
    return [to.text.startsWith('.') ? join(dirname(file), to.text) : to.text];
  });
}

describe('platforms', () => {
  const platform = (file: string) => /^src\/core\/platform\/(node|browser)\//.exec(file)?.[1];

  test('both have the same files, except for those that are imported by path', () => {
    const [node, browser] = ['node', 'browser'].map((each) =>
      sourcesIn(`src/core/platform/${each}`).map((file) => basename(file)),
    );
    expect(node?.filter((file) => !['files.ts', 'process-guard.ts'].includes(file))).toEqual(
      browser?.filter((file) => !['embedded.d.ts', 'ready.ts'].includes(file)),
    );
  });

  test('entry points for browsers load no files of Node', () => {
    const waiting = [
      'src/browser.ts',
      'src/environments-browser.ts',
      'src/light.ts',
      'src/system.ts',
      'workers/browser.ts',
    ];
    const seen = new Set(waiting);
    const strays: string[] = [];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const to of loadedBy(file).map((name) =>
        name.replace(/^#platform\/(.*)/, 'src/core/platform/browser/$1.ts'),
      )) {
        if (to.startsWith('node:') || platform(to) === 'node') strays.push(`${file} imports ${to}`);
        if (!/^(src|workers)\//.test(to) || seen.has(to)) continue;
        seen.add(to);
        waiting.push(to);
      }
    }
    expect(seen.size).toBeGreaterThan(100);
    expect(strays, 'what differs between platforms belongs behind #platform').toEqual([]);
  });

  test('platform files are imported only through #platform, except for files.ts of Node', () => {
    const entries = /^(src\/core\/platform\/|src\/((environments-)?browser|light)[.]ts$|workers\/(browser|face)[.]ts$)/;
    const strays = ['src', 'workers'].flatMap((folder) =>
      strayImports(
        folder,
        (to, from) => platform(to) === undefined || entries.test(from) || to === 'src/core/platform/node/files.ts',
      ),
    );
    expect(strays).toEqual([]);
  });
});

/** Lists string literals in a file that equal the name of a shipped system. */
function namesOfSystems(file: string): string[] {
  const found: string[] = [];
  const source = parsed(file);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && shippedSystems.some(({ id }) => id === node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${String(line + 1)} names ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('systems are neither named outside their folders nor imported outside src/rules', () => {
  const others = sourcesIn('src').filter((file) => systemOf(file) === undefined);
  expect(others.flatMap(namesOfSystems), 'special cases outside the folders of systems').toEqual([]);
  const strays = ['src', 'workers', 'web'].flatMap((folder) =>
    strayImports(folder, (to, from) => from.startsWith('src/rules/') || systemOf(to) === undefined),
  );
  expect(strays, 'imports from the folders of systems').toEqual([]);
});

test('only the command line reads arguments and writes to the terminal', () => {
  // The process guard prevents user code from using them.
  const may = (file: string): boolean =>
    ['src/rpc/main.ts', 'src/core/platform/node/process-guard.ts'].includes(file) || folderOf(file) === 'cli/cli';
  const quiet = [...sourcesIn('src').filter((file) => !may(file)), ...sourcesIn('workers')];
  expect(quiet.flatMap(talksToPeople), 'only src/cli and src/rpc/main.ts may do this').toEqual([]);
});

test('every system has the same file names for its parts', () => {
  const lacking = shippedSystems.flatMap(({ id }) => {
    const files = readdirSync(join(ROOT, 'src/rules', id));
    return PARTS.filter((name) => !files.includes(`${name}.ts`)).map((name) => `src/rules/${id}/${name}.ts`);
  });
  expect(lacking, `parts of every system: ${PARTS.join(', ')}`).toEqual([]);
});

test('folders of src/rules, kernels, the registry and the conformance tests name the same systems', () => {
  const folders = readdirSync(join(ROOT, 'src/rules'), { withFileTypes: true });
  const kernels = sourcesIn('assembly/systems').map((file) => basename(file, '.ts'));
  const registered = shippedSystems.map(({ id }) => id).sort();
  const named = folders
    .filter((entry) => entry.isDirectory() && !ROOMS['rules']?.includes(entry.name))
    .map(({ name }) => name);
  expect(named.sort(), 'folders of src/rules against ids in src/rules/index.ts').toEqual(registered);
  expect(kernels, 'files of assembly/systems against ids in src/rules/index.ts').toEqual(registered);
  const tested = sourcesIn('tests/conformance').filter((file) => file.endsWith('.test.ts'));
  expect(
    tested.map((file) => basename(file, '.test.ts')),
    'files of tests/conformance against ids in src/rules/index.ts',
  ).toEqual(registered);
});

/** Returns the names of the types that a file exports. */
function typesOf(file: string): string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (
      !ts.isInterfaceDeclaration(statement) &&
      !ts.isTypeAliasDeclaration(statement) &&
      !ts.isClassDeclaration(statement)
    )
      return [];
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    return isExported && statement.name !== undefined ? [statement.name.text] : [];
  });
}

test('no two files of src and web export types of the same name', () => {
  const places = new Map<string, string[]>();
  for (const file of ['src', 'web'].flatMap(sourcesIn).filter((each) => !each.endsWith('.d.ts')))
    for (const name of typesOf(file)) places.set(name, [...(places.get(name) ?? []), file]);
  const shared = [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
  expect(shared, 'types of one name in several files: give one of them another name').toEqual([]);
});

test(`files have at most ${String(LINES_MAX)} lines`, () => {
  const long = ['src', 'assembly', 'workers']
    .flatMap(sourcesIn)
    .map((file) => [file, read(file).trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > LINES_MAX)
    .map(([file, lines]) => `${file} has ${String(lines)}`);
  expect(long, `files longer than ${String(LINES_MAX)} lines: divide them`).toEqual([]);
});

describe.each(['assembly', 'web', ...Object.keys(ROOMS).map((room) => `src/${room}`)])('%s/README.md', (room) => {
  const text = (): string => read(`${room}/README.md`);
  /** Paths in backticks that end with a known extension or a slash. */
  const named = (): string[] =>
    [...text().matchAll(/`([\w./-]+(?:\.(?:[jt]sx?|md|json|yaml)|\/))`/g)].map(([, path = '']) => path);

  test('has the parts "Read first" and "Not here" in at most 60 lines', () => {
    expect(text()).toMatch(/^Read first$/m);
    expect(text()).toMatch(/^Not here: /m);
    expect(text().split('\n').length).toBeLessThanOrEqual(60);
  });

  test('names existing files, relative to the module or to the root', () => {
    const isThere = (path: string): boolean => [room, '.'].some((from) => existsSync(join(ROOT, from, path)));
    expect(named().length).toBeGreaterThanOrEqual(3);
    expect(named().filter((path) => !isThere(path))).toEqual([]);
  });
});

test('CONTRIBUTING.md lists every dependency of the library', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const table = /## Packages\n([\s\S]*?)\n## /.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
  const missing = Object.keys(dependencies).filter((name) => !table.includes(`\`${name}\``));
  expect(missing, 'packages that the table of CONTRIBUTING.md lacks').toEqual([]);
});

test('packages whose internal files are imported are pinned to an exact version', () => {
  const pinned = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const versions = { ...pinned.devDependencies, ...pinned.dependencies };
  const inner = sourcesIn('src')
    .flatMap(importsOf)
    .map((to) => /^(hyparquet[\w-]*)\/src\//.exec(to)?.[1]);
  const names = [...new Set(inner)].filter((name) => name !== undefined);
  expect(names.sort()).toEqual(['hyparquet', 'hyparquet-writer']);
  for (const name of names) expect(versions[name], name).toMatch(/^\d+\.\d+\.\d+$/);
});
