/** `conform --watch`: repeats the checks when a module, its imports or a scenario change. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveModuleUrl } from '#platform/modules';
import { identifyModule } from '../rules/index.ts';
import { callInThread } from './command-thread-host.ts';

/** Milliseconds without a further change: editors write a file in several steps. */
const PAUSE_MS = 100;

/** Clears the screen and the scrollback. */
const CLEAR = '\u001B[2J\u001B[3J\u001B[H';

const formatFiles = (files: number): string => (files === 1 ? '1 file' : `${String(files)} files`);

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Lists a file and its imports from the same package, existing or not. */
async function listImports(path: string): Promise<string[]> {
  try {
    const url = await resolveModuleUrl(path, 'conform');
    const { files } = await identifyModule(url, 'conform');
    const own = files.filter((file) => file.package?.label === files[0]?.package?.label);
    const imported = own.flatMap(({ url: from, imports }) =>
      imports.flatMap(({ specifier }) => (specifier.startsWith('.') ? [new URL(specifier, from)] : [])),
    );
    return [...own.map((file) => file.url), ...imported].map((each) => fileURLToPath(each));
  } catch {
    // A missing file may be created later; the command reports it.
    return [resolve(path)];
  }
}

/** Watched files. */
class WatchedFiles {
  readonly files: ReadonlySet<string>;
  readonly #watchers: FSWatcher[];
  #notify: (() => void) | undefined;
  /** Resolves shortly after the first change. */
  readonly changed: Promise<void> = new Promise((done) => {
    this.#notify = done;
  });

  /** Watches folders instead of files: editors replace files on saving. */
  constructor(files: readonly string[]) {
    this.files = new Set(files);
    this.#watchers = [...new Set(files.map((file) => dirname(file)))].flatMap((folder) => this.#watch(folder));
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #watch(folder: string): FSWatcher[] {
    const names = new Set([...this.files].filter((file) => dirname(file) === folder).map((file) => basename(file)));
    let timer: NodeJS.Timeout | undefined;
    const handleEvent = (_: string, name: string | null): void => {
      if (name !== null && !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => this.#notify?.(), PAUSE_MS);
    };
    try {
      return [watch(folder, handleEvent).on('error', () => undefined)];
    } catch (error) {
      process.stderr.write(`warpool: cannot watch ${folder}: ${(error as Error).message}\n`);
      return [];
    }
  }
}

/** Waits for a change; resolves to an exit code if a signal comes first. */
function waitForChange(changed: Promise<void>): Promise<number | undefined> {
  return new Promise((done) => {
    const names = Object.keys(SIGNAL_CODES) as (keyof typeof SIGNAL_CODES)[];
    const handleEvent = (name: keyof typeof SIGNAL_CODES): void => {
      end(SIGNAL_CODES[name]);
    };
    const end = (code?: number): void => {
      for (const name of names) process.off(name, handleEvent);
      done(code);
    };
    for (const name of names) process.on(name, handleEvent);
    void changed.then(() => {
      end();
    });
  });
}

/**
 * Runs `conform` in a thread, and again after every change, with freshly loaded modules.
 * @returns the exit code after a signal
 */
export async function watchInThread(args: readonly string[]): Promise<number> {
  const once = args.filter((arg) => arg !== '--watch');
  const paths = once.slice(1).filter((arg) => !arg.startsWith('-'));
  for (;;) {
    const watched = new WatchedFiles((await Promise.all(paths.map(listImports))).flat());
    const code = await callInThread(once);
    const isOver = Object.values(SIGNAL_CODES).some((each) => each === code) || watched.files.size === 0;
    if (!isOver) process.stderr.write(`warpool: watching ${formatFiles(watched.files.size)}; Ctrl-C ends\n`);
    const end = isOver ? code : await waitForChange(watched.changed);
    watched.close();
    if (end !== undefined) return end;
    if (process.stdout.isTTY) process.stdout.write(CLEAR);
  }
}
