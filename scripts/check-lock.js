/**
 * Rejects a lock file with packages that would be installed unverified: each entry must have the SHA-512 of its
 * archive. Runs before packages are installed, so it uses none of them.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

const [path = new URL('../package-lock.json', import.meta.url)] = process.argv.slice(2);

/** @type {{ packages: Record<string, { version?: string, integrity?: string, link?: boolean }> }} */
const { packages } = JSON.parse(readFileSync(path, 'utf8'));

// The other entries are the project, its workspaces, and links to them.
const installed = Object.entries(packages).filter(
  ([name, { link }]) => name.includes('node_modules/') && link !== true,
);
const unverified = installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true);

for (const [name, { version }] of unverified)
  process.stderr.write(`${name} ${version ?? 'without a version'}: expected a SHA-512 in "integrity"\n`);
if (unverified.length > 0) process.exitCode = 1;
else process.stdout.write(`${String(installed.length)} packages, each with its SHA-512\n`);
