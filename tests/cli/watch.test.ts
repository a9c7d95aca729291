/** Option --watch of conform: new checks after every change, also of files that editors replace, until Ctrl-C. */
import { spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { change, ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';
import { ROOT } from './warpool.ts';

const TABLE = `export const SIDES = 6;\n`;

/** Starts the program in a folder and records its output. */
function watching(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/warpool.js'), 'conform', ...args, '--quick', '--watch'], {
    cwd: folder,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const over = new Promise<number | null>((resolve) => void child.on('close', resolve));
  let turns = 0;
  return {
    /** Returns the output of the next check, once the program waits again. */
    async next(): Promise<string> {
      turns++;
      await expect.poll(() => printed.err.match(/Ctrl-C ends\n/g)?.length ?? 0, { timeout: 40_000 }).toBe(turns);
      const found = printed.out;
      printed.out = '';
      return found;
    },
    said: printed,
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return await over;
    },
  };
}

test.runIf(DEPTH > 1)('--watch checks changed modules, imports and scenarios again', { timeout: 120_000 }, async () => {
  const { folder, path } = ownFolder({ 'table.js': TABLE, 'usual.yaml': 'system: my-duel\nname: usual\n' });
  change(path, 'import ', "import './table.js';\nimport ");
  const watched = watching(folder, './my-duel.js', 'usual.yaml');
  expect(await watched.next()).toContain('my-duel conforms');
  expect(watched.said.err).toContain('warpool: watching 4 files; Ctrl-C ends\n');

  // Editors write a new file and rename it to the old name.
  writeFileSync(join(folder, 'new'), 'export const SIDES = ;\n');
  renameSync(join(folder, 'new'), join(folder, 'table.js'));
  await watched.next();
  expect(watched.said.err).toContain('expected a module that can be loaded, found SyntaxError');

  rmSync(join(folder, 'table.js'));
  await watched.next();
  writeFileSync(join(folder, 'table.js'), TABLE);
  expect(await watched.next()).toContain('my-duel conforms');

  writeFileSync(join(folder, 'usual.yaml'), 'system: my-duel\nname: usual\nlifes: 1\n');
  await watched.next();
  expect(watched.said.err).toContain('usual.yaml:3:1');

  // Changes of files that are not watched have no effect.
  writeFileSync(join(folder, 'notes.txt'), 'hello');
  await setTimeout(600);
  expect(await watched.end('SIGINT')).toBe(130);
  expect(watched.said.out).toBe('');
});

test.runIf(DEPTH > 1)('SIGINT ends conform --watch while a module loops', { timeout: 60_000 }, async () => {
  const { folder } = ownFolder({ 'loop.js': 'for (;;) {}\n' });
  const watched = watching(folder, './loop.js');
  await setTimeout(1500);
  // On a busy machine, the signal can come before the program listens. Then the system ends the program.
  expect([130, null]).toContain(await watched.end('SIGINT'));
});
