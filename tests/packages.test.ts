/** Hashes in the lock file, which `.ci/run` checks before the installation, and contents of the package. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { version } from '../src/core/version.ts';
import { DEPTH } from './depth.ts';
import { documents, slugs } from './docs/markdown.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly files: readonly string[];
};
const SCRIPT = fileURLToPath(new URL('../scripts/check-lock.js', import.meta.url));

function checked(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function lock(packages: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'warpool-lock-')), 'package-lock.json');
  writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages: { '': { version: '1.0.0' }, ...packages } }));
  return path;
}

test('every package in the lock file has a SHA-512 hash', () => {
  expect(checked()).toMatchObject({ status: 0, stderr: '' });
});

test('a package without a SHA-512 hash is rejected', () => {
  const good = { version: '1.0.0', integrity: 'sha512-AAAA' };
  expect(checked(lock({ 'node_modules/a': good, 'node_modules/b': { link: true } }))).toEqual({
    status: 0,
    stdout: '1 packages, each with its SHA-512\n',
    stderr: '',
  });
  const bad = { 'node_modules/b': { version: '2.0.0', optional: true }, 'node_modules/c': { integrity: 'sha1-AAAA' } };
  expect(checked(lock({ 'node_modules/a': good, ...bad }))).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'node_modules/b 2.0.0: expected a SHA-512 in "integrity"\nnode_modules/c without a version: expected a SHA-512 in "integrity"\n',
  });
});

test('version returns the version in package.json', () => {
  expect(version()).toBe(manifest.version);
});

test.runIf(DEPTH > 1)('packages that dist imports are dependencies or optional peers', () => {
  const files = ['library', 'threads', 'program'].flatMap((folder) =>
    readdirSync(join(ROOT, 'dist', folder))
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(ROOT, 'dist', folder, name)),
  );
  const imported = files.flatMap((file) =>
    ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName),
  );
  const packages = new Set(imported.filter((name) => !/^(\.|node:|#)/.test(name) && !builtinModules.includes(name)));
  // vega works without canvas: figures are drawn as SVG.
  packages.delete('canvas');
  const { dependencies, peerDependencies: peers, peerDependenciesMeta: meta } = manifest;
  const optional = Object.keys(peers).filter((name) => meta[name]?.optional === true);
  expect(optional).toEqual(Object.keys(peers));
  for (const name of packages) expect([...Object.keys(dependencies), ...optional]).toContain(name);
});

const packed = [...manifest.files, 'README.md', 'LICENSE', 'package.json'];

/** Checks whether the package contains a file, given by its path from the root. */
const isPacked = (file: string) =>
  existsSync(join(ROOT, file)) && packed.some((part) => file === part || file.startsWith(`${part}/`));

test('links in the documentation lead to files in the package and to existing anchors', () => {
  for (const page of documents()) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const file = target === '' ? page : join(page, '..', target);
      expect(isPacked(file), `${page}: ${target}`).toBe(true);
      if (anchor !== undefined)
        expect(slugs(readFileSync(join(ROOT, file), 'utf8')), `${page}: ${target}`).toContain(anchor);
    }
  }
});

test('documents named in sources and examples are in the package', () => {
  const sources = ['src', 'workers', 'assembly', 'bin', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|md|yaml)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const named = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(
      ([name]) => [file, name] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(([, name]) => !isPacked(name))).toEqual([]);
});

test.runIf(DEPTH > 1)('npm packs all documents and the files that they link to', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  type Packed = { readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] };
  const [made] = JSON.parse(stdout) as Packed[];
  // With piscina, 0.6 MB, an installation has less than 20 MB.
  expect(made?.unpackedSize).toBeLessThan(19_600_000);
  expect(Object.keys(manifest.dependencies)).toEqual(['piscina']);
  const paths = made?.files.map(({ path }) => path);
  for (const page of documents()) {
    expect(paths).toContain(page);
    for (const [, target = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(paths, page).toContain(join(page, '..', target));
  }
});
