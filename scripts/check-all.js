/** Checks style, types, lint and unused code: `npm run check`. Two chains of scripts of package.json run in parallel. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs scripts until one fails. @param {string[]} names */
async function run(...names) {
  for (const name of names) {
    const child = spawn('npm', ['run', name], { stdio: 'inherit', shell: process.platform === 'win32' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`npm run ${name} failed`);
  }
}

// ESLint needs as much time as everything else, and the web app is a project of its own for it.
const chains = [run('check:lint'), run('check:style', 'check:types', 'check:unused', 'check:lint-web')];
for (const chain of await Promise.allSettled(chains)) {
  if (chain.status === 'fulfilled') continue;
  process.stderr.write(`${String(chain.reason)}\n`);
  process.exitCode = 1;
}
