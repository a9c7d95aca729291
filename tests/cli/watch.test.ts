/** `conform --watch`: again after every change, also of files that editors replace; Ctrl-C ends it. */
import { spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { change, ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';
import { ROOT } from './warpool.ts';

const TABLE = `export const SIDES = 6;\n`;

/** The program in a folder, and what it has said. */
function watching(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/warpool.js'), 'conform', ...args, '--quick', '--watch'], {
    cwd: folder,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const over = new Promise<number | null>((resolve) => void child.on('close', resolve));
  let turns = 0;
  return {
    /** What it says the next time, once it waits again. */
    async next(): Promise<string> {
      turns++;
      await expect.poll(() => said.err.match(/Ctrl-C ends\n/g)?.length ?? 0, { timeout: 40_000 }).toBe(turns);
      const found = said.out;
      said.out = '';
      return found;
    },
    said,
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return await over;
    },
  };
}

test.runIf(DEPTH > 1)('a module, what it imports, and a scenario', { timeout: 120_000 }, async () => {
  const { folder, path } = ownFolder({ 'table.js': TABLE, 'usual.yaml': 'system: my-duel\nname: usual\n' });
  change(path, 'import ', "import './table.js';\nimport ");
  const watched = watching(folder, './my-duel.js', 'usual.yaml');
  expect(await watched.next()).toContain('my-duel conforms');
  expect(watched.said.err).toContain('warpool: watching 4 files; Ctrl-C ends\n');

  // Editors write a new file and put it in the place of the old one.
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

  // Files that it does not look at change nothing.
  writeFileSync(join(folder, 'notes.txt'), 'hello');
  await setTimeout(600);
  expect(await watched.end('SIGINT')).toBe(130);
  expect(watched.said.out).toBe('');
});

test.runIf(DEPTH > 1)('a signal that comes while a module keeps it ends it too', { timeout: 60_000 }, async () => {
  const { folder } = ownFolder({ 'loop.js': 'for (;;) {}\n' });
  const watched = watching(folder, './loop.js');
  await setTimeout(1500);
  // Where the machine is so busy that it does not listen yet, the system ends it.
  expect([130, null]).toContain(await watched.end('SIGINT'));
});
