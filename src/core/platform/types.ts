/** Interfaces of the platform modules; `#platform` imports resolve to node/ or browser/. */

/** Incremental hash; texts count as UTF-8. */
export interface Sha256 {
  update(data: string | Uint8Array): Sha256;
  /** Returns the hash, 64 hexadecimal digits. No update can follow. */
  hex(): string;
  /** Returns the first 8 bytes, the low one first. No update can follow. */
  word(): bigint;
}

/** Import of a module: its specifier and kind. */
export interface ImportReference {
  readonly specifier: string;
  readonly how: 'import' | 'require' | 'file';
}

/** The package of a file. */
export interface PackageInfo {
  /** `skirmish-game@1.2.0` */
  readonly label: string;
  /** Its folder. */
  readonly root: URL;
}

/** A file and its package. */
export interface ResolvedFile {
  readonly url: URL;
  readonly package: PackageInfo | undefined;
}

/** Target of an import: a file, or only a name. */
export type ResolvedImport = { readonly name: string; readonly url?: undefined } | ResolvedFile;

/** Chunks of bytes. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Task of a thread. */
export interface ThreadTask {
  /** Name of the function: in Node the file of workers/ whose export has the same name. */
  readonly name: string;
  readonly task: unknown;
}

/** Threads that perform tasks. */
export interface ThreadGroup {
  readonly workers: number;
  /** Increases the number of threads to this number, if there are fewer. */
  grow(workers: number): void;
  /**
   * Performs a task in a free thread; rejects if it dies.
   * @param end terminates the thread that performs it, or withdraws the task; another thread replaces it
   */
  perform(task: ThreadTask, end?: AbortSignal): Promise<unknown>;
  /** Reserves a thread for several tasks in sequence. Only on platforms whose threads share no memory. */
  withThread?<R>(use: (perform: ThreadGroup['perform']) => Promise<R>): Promise<R>;
  /** Terminates all threads. */
  destroy(): Promise<void>;
}

export interface ThreadGroupOptions {
  readonly workers: number;
  /** Time limit for the start of a thread in milliseconds. */
  readonly bootTimeoutMs: number;
  /** Module of the tasks, if it is not the one of the package: in Node the module of the task `batch`. */
  readonly worker: URL | undefined;
  /** Reports why an idle thread died. */
  readonly onDeath: (why: string) => void;
}
