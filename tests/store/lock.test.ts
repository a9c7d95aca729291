/** Locks of stores: one process at a time writes a store, regardless of files that others have left. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createDraftPath,
  createMark,
  createTemporaryFolder,
  getOwnWriter,
  getWriterState,
  parseMark,
  removeDrafts,
  removeTemporaryFolder,
  writeDurably,
} from '../../src/core/files/durable.ts';
import { writeText } from '../../src/core/files/output.ts';
import { lockStore } from '../../src/storage/folder/lock.ts';
import { DEPTH } from '../depth.ts';
import { place, run } from './folders.ts';

/** An id that no process has: above the maximum of Linux. */
const NOBODY = 2 ** 22 + 1;
const DEAD = { ...getOwnWriter(), pid: NOBODY };
const ELSEWHERE = { ...getOwnWriter(), host: 'pod_7', processNamespace: 'ffffffff' };

function folder(): string {
  const path = place();
  mkdirSync(path);
  return path;
}

/** Creates a lock of another process that was written `secondsAgo` seconds ago. */
function left(store: string, name: string, secondsAgo = 0): void {
  mkdirSync(join(store, 'lock'), { recursive: true });
  const path = join(store, 'lock', name);
  writeFileSync(path, 'null');
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
}

const rejection = async (store: string): Promise<string> => {
  try {
    await using _lock = await lockStore(store);
    return 'taken';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

describe('a lock', () => {
  test('is held once, even within one process, and leaves no files', async () => {
    const store = folder();
    {
      await using lock = await lockStore(store);
      await lock.check();
      expect(await rejection(store)).toBe(
        `InputError: ${store}: expected a store that no other process is writing, found this process`,
      );
    }
    expect(readdirSync(store)).toEqual([]);
    expect(await rejection(store)).toBe('taken');
  });

  test('of a dead process is ignored at once', async () => {
    const store = folder();
    left(store, createMark(DEAD));
    expect(await rejection(store)).toBe('taken');
    // Its process id belongs to another process by now.
    left(store, createMark({ ...getOwnWriter(), pid: process.ppid, startTime: '1' }));
    expect(await rejection(store)).toBe('taken');
    expect(readdirSync(store)).toEqual([]);
  });

  test('of a living process is valid at any age, even if signals are forbidden', async () => {
    const store = folder();
    left(store, createMark({ ...getOwnWriter(), pid: process.ppid, startTime: '0' }), 7200);
    expect(await rejection(store)).toContain(`found process ${String(process.ppid)} on`);
    const forbidden = Object.assign(new Error('EPERM'), { code: 'EPERM' });
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw forbidden;
    });
    expect(getWriterState({ ...DEAD, startTime: '0' })).toBe('alive');
    expect(await rejection(store)).toContain('expected a store that no other process is writing');
    kill.mockRestore();
  });

  test('of another machine is valid while it is renewed, and expires afterwards', async () => {
    const store = folder();
    left(store, createMark(ELSEWHERE), 40);
    expect(await rejection(store)).toMatch(
      /found process \d+ on pod_7 \(if it has ended, its lock expires in \d\d s\)$/,
    );
    rmSync(join(store, 'lock'), { recursive: true });
    left(store, createMark(ELSEWHERE), 70);
    expect(await rejection(store)).toBe('taken');
  });

  test('of another machine with a time in the future expires a minute from now', async () => {
    const store = folder();
    const name = createMark(ELSEWHERE);
    left(store, name, -946_000_000);
    expect(await rejection(store)).toMatch(/\(if it has ended, its lock expires in 60 s\)$/);
    const age = Date.now() - statSync(join(store, 'lock', name)).mtimeMs;
    expect(age).toBeGreaterThanOrEqual(-5000);
    expect(age).toBeLessThan(60_000);
    // A minute later.
    utimesSync(join(store, 'lock', name), Date.now() / 1000 - 70, Date.now() / 1000 - 70);
    expect(await rejection(store)).toBe('taken');
  });

  test('with unknown contents is reported or expires', async () => {
    const store = folder();
    left(store, 'notes.txt', 5);
    expect(await rejection(store)).toMatch(/found an unknown process \(if it has ended, its lock expires in \d\d s\)$/);
    rmSync(join(store, 'lock'), { recursive: true });
    left(store, 'notes.txt', 3600);
    expect(await rejection(store)).toBe('taken');
    mkdirSync(join(store, 'lock/inner'), { recursive: true });
    expect(await rejection(store)).toContain('found lock/inner, which is not a lock of a process');
    rmSync(join(store, 'lock'), { recursive: true });
    writeFileSync(join(store, 'lock'), 'null');
    expect(await rejection(store)).toContain('found a file lock; remove it if there is no such process');
    rmSync(join(store, 'lock'));
    mkdirSync(join(store, 'lock'));
    expect(await rejection(store)).toBe('taken');
    const target = folder();
    writeFileSync(join(target, 'thesis.txt'), 'years of work');
    symlinkSync(target, join(store, 'lock'));
    expect(await rejection(store)).not.toBe('taken');
    expect(readdirSync(target)).toEqual(['thesis.txt']);
  });

  test('detects that another process has taken it', async () => {
    const store = folder();
    const lock = await lockStore(store);
    rmSync(join(store, 'lock'), { recursive: true });
    left(store, createMark(ELSEWHERE));
    await expect(lock.check()).rejects.toThrow(`${store}: another process has taken its lock`);
    expect(lock.lost.aborted).toBe(true);
    await lock[Symbol.asyncDispose]();
    expect(readdirSync(join(store, 'lock'))).toHaveLength(1);
  });

  test('that cannot be written is an error', async () => {
    const store = join(folder(), 'file');
    writeFileSync(store, '');
    expect(await rejection(store)).toMatch(/^RunError: .*file\/lock cannot be written: ENOTDIR/);
  });
});

describe('mark of a writer', () => {
  test('identifies the process', () => {
    const own = getOwnWriter();
    expect(parseMark(createMark())).toEqual(own);
    expect(own.pid).toBe(process.pid);
    expect(getWriterState(own)).toBe('alive');
    expect(getWriterState(DEAD)).toBe('gone');
    expect(getWriterState(ELSEWHERE)).toBe('unknown');
    expect(createMark()).not.toBe(createMark());
    for (const other of ['', 'lock', '123', `${createMark()}x`, createMark().replace(/^[^-]+/, '..')])
      expect(parseMark(other)).toBeUndefined();
  });
});

test.runIf(process.platform === 'linux')('a zombie process is gone', async () => {
  // The shell starts a child and becomes a program that does not wait for this child. The child ends afterwards.
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(String(text));
  const state = (): string => readFileSync(`/proc/${String(pid)}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
  const become = async (expected: string, found: () => string): Promise<void> => {
    const isThere = (): void => {
      expect(found()).toBe(expected);
    };
    await vi.waitFor(isThere, { timeout: 30_000 });
  };
  await become('sleep\n', () => readFileSync(`/proc/${String(parent.pid)}/comm`, 'utf8'));
  parent.stdin.end();
  await become('Z', state);
  expect(getWriterState({ ...getOwnWriter(), pid, startTime: '0' })).toBe('gone');
});

describe('drafts', () => {
  test('of dead processes are removed, and drafts of other machines if they are old', async () => {
    const store = folder();
    const path = join(store, 'part');
    const draft = (mark: string, secondsAgo = 0): string => {
      const file = createDraftPath(path).replace(/[^.]+\.draft$/, `${mark}.draft`);
      writeFileSync(file, 'half');
      const then = Date.now() / 1000 - secondsAgo;
      utimesSync(file, then, then);
      return file;
    };
    const [own, dead, near, far] = [createMark(), createMark(DEAD), createMark(ELSEWHERE), createMark(ELSEWHERE)];
    const [alive, gone, young, old] = [draft(own, 9000), draft(dead), draft(near, 600), draft(far, 9000)];
    writeFileSync(join(store, 'thesis.draft'), 'years of work');
    await removeDrafts(store, Date.now());
    expect([alive, gone, young, old].map((file) => existsSync(file))).toEqual([true, false, true, false]);
    expect(existsSync(join(store, 'thesis.draft'))).toBe(true);
  });

  test('of a killed export are removed by the next one, and no other files', async () => {
    const store = folder();
    const path = join(store, 'rows.csv');
    const left = createDraftPath(path).replace(/[^.]+\.draft$/, `${createMark(DEAD)}.draft`);
    const others = ['.rows.csv.draft', '.rows.csv.mine.draft', `.rows.csv2.${createMark(DEAD)}.draft`];
    for (const name of [left, ...others.map((other) => join(store, other))]) writeFileSync(name, 'half');
    utimesSync(join(store, others[0] ?? ''), 1, 1);
    await writeText(path, 'whole');
    expect(readdirSync(store).sort()).toEqual([...others, 'rows.csv'].sort());
  });

  test('of one file do not conflict if it is written concurrently', async () => {
    const store = folder();
    const path = join(store, 'part');
    const contents = Array.from({ length: 60 }, (_, k) => String(k).repeat(50_000));
    await Promise.all(contents.map((content) => writeDurably(path, content)));
    expect(readdirSync(store)).toEqual(['part']);
    expect(contents).toContain(readFileSync(path, 'utf8'));
  });

  test('have names that are short enough for long file names', async () => {
    const store = folder();
    const path = join(store, 'ü'.repeat(120));
    await writeDurably(path, 'x');
    expect(readdirSync(store)).toEqual(['ü'.repeat(120)]);
  });
});

test.runIf(DEPTH > 1)('one of two sweeps of a process into the same folder is rejected', async () => {
  const store = place();
  const text = 'axes: [{ path: attacker.hp, range: [5, 9] }]\nbattles: 2100000\nexact: never';
  const results = await Promise.allSettled([run(text, store), run(text, store)]);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toContain('found this process');
});

/** Program that takes the lock repeatedly, and records in a file if another process also has it. */
const RIVAL = `
import { appendFileSync, existsSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
const [store, modules, wanted, kind] = process.argv.slice(2);
const { lockStore } = await import(modules + 'lock.js');
const counts = store + '.had';
let had = 0;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
while (!existsSync(counts) || statSync(counts).size < Number(wanted)) {
  try {
    const lock = await lockStore(store);
    had++;
    appendFileSync(counts, 'x');
    // Who is alone can always make this file.
    try { writeFileSync(join(store, 'alone'), '', { flag: 'wx' }); } catch { appendFileSync(join(store, 'met'), 'x'); }
    await sleep((had * 7) % 4);
    try { unlinkSync(join(store, 'alone')); } catch { appendFileSync(join(store, 'met'), 'y'); }
    if (kind === 'dies' && had === 3) process.kill(process.pid, 'SIGKILL');
    await lock[Symbol.asyncDispose]();
  } catch (error) {
    if (error.name !== 'InputError') { appendFileSync(join(store, 'wrong'), String(error.stack)); process.exit(3); }
    await sleep(had % 3);
  }
}
`;

describe('several processes', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const rivals = async (store: string, kinds: readonly string[], wanted: number): Promise<void> => {
    const script = join(store, '..', `rival-${basename(store)}.mjs`);
    writeFileSync(script, RIVAL);
    const modules = pathToFileURL(join(process.cwd(), 'dist/src/storage/folder/')).href;
    const ends = kinds.map(async (kind) => {
      const child = spawn(process.execPath, [script, store, modules, String(wanted), kind], { stdio: 'ignore' });
      children.push(child);
      await once(child, 'close');
    });
    await Promise.all(ends);
    expect(statSync(`${store}.had`).size).toBeGreaterThanOrEqual(wanted);
  };

  test.runIf(DEPTH > 1)(
    'never hold the lock together, starting with a lock of a dead process',
    { timeout: 60_000 },
    async () => {
      const store = folder();
      left(store, createMark(DEAD));
      await rivals(store, ['stays', 'stays', 'stays', 'stays'], 300);
      expect(existsSync(join(store, 'wrong'))).toBe(false);
      expect(existsSync(join(store, 'met'))).toBe(false);
      expect(readdirSync(store)).toEqual([]);
    },
  );

  test.runIf(DEPTH > 1)(
    'never hold the lock together if some of them are killed while they hold it',
    { timeout: 60_000 },
    async () => {
      const store = folder();
      await rivals(store, ['dies', 'stays', 'dies', 'stays', 'dies', 'stays'], 300);
      expect(existsSync(join(store, 'wrong'))).toBe(false);
      expect(existsSync(join(store, 'met'))).toBe(false);
    },
  );
});

test('temporary folders are removed at exit, and folders of dead processes by the next process', async () => {
  const [dead, elsewhere] = [DEAD, ELSEWHERE].map((writer) => join(tmpdir(), `warpool-shard-${createMark(writer)}`));
  for (const path of [dead, elsewhere]) mkdirSync(join(path ?? '', 'table'), { recursive: true });
  // A file of another program, whose name has the same form.
  const foreign = join(tmpdir(), createMark(DEAD));
  writeFileSync(foreign, '');
  const [one, other] = [await createTemporaryFolder('shard'), await createTemporaryFolder('scratch')];
  expect(existsSync(foreign)).toBe(true);
  rmSync(foreign);
  expect([dead, elsewhere, one, other].map((path) => existsSync(path ?? ''))).toEqual([false, true, true, true]);
  rmSync(elsewhere ?? '', { recursive: true });
  await removeTemporaryFolder(one);
  expect([existsSync(one), existsSync(other)]).toEqual([false, true]);
  process.listeners('exit').at(-1)?.(0);
  expect(existsSync(other)).toBe(false);
  await removeTemporaryFolder(other);
});
