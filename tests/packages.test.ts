/** What the lock file says of packages, as `.ci/run` checks it before any is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
