/** What is installed: the lock file, as `.ci/run` checks it before anything is, and what the package itself needs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { version } from '../src/version.ts';

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

test('every package of this project has its SHA-512', () => {
  expect(checked()).toMatchObject({ status: 0, stderr: '' });
});

test('a package without one, or with a weaker hash, is refused', () => {
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

test('the library tells the version of the package', () => {
  expect(version()).toBe(manifest.version);
});

test('what modules and threads import is installed with the package', () => {
  const files = ['library', 'threads', 'program'].flatMap((folder) =>
    readdirSync(join(ROOT, 'dist', folder))
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(ROOT, 'dist', folder, name)),
  );
  const imported = files.flatMap((file) =>
    ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName),
  );
  const packages = new Set(imported.filter((name) => !/^(\.|node:|#)/.test(name) && !builtinModules.includes(name)));
  // vega asks for canvas and goes without: pictures are drawn as SVG.
  packages.delete('canvas');
  const { dependencies, peerDependencies: peers, peerDependenciesMeta: meta } = manifest;
  const optional = Object.keys(peers).filter((name) => meta[name]?.optional === true);
  expect(optional).toEqual(Object.keys(peers));
  for (const name of packages) expect([...Object.keys(dependencies), ...optional]).toContain(name);
});

test('links of the documentation lead to files that are in the package', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'python/README.md', ...manifest.files]
    .flatMap((part) => (part === 'docs' ? readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' }) : part))
    .flatMap((name) => (name.endsWith('.md') ? [existsSync(join(ROOT, name)) ? name : join('docs', name)] : []));
  expect(pages.length).toBeGreaterThan(20);
  const packed = [...manifest.files, 'README.md', 'LICENSE', 'package.json'];
  for (const page of new Set(pages)) {
    for (const [, target = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const file = join(page, '..', target);
      expect(existsSync(join(ROOT, file)), `${page}: ${target}`).toBe(true);
      expect(
        packed.some((part) => file === part || file.startsWith(`${part}/`)),
        `${page}: ${target}`,
      ).toBe(true);
    }
  }
});
