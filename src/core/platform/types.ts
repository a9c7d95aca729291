/** What differs between platforms, as all of them have it; `#platform` imports lead to node/ or browser/. */

/** A hash that is fed piece by piece; texts count as UTF-8. */
export interface Sha256 {
  update(data: string | Uint8Array): Sha256;
  /** The hash, 64 hexadecimal digits. Ends it. */
  hex(): string;
  /** The first 8 bytes, the low one first. Ends it. */
  word(): bigint;
}

/** An import of a module: what it names, and how. */
export interface ImportReference {
  readonly specifier: string;
  readonly how: 'import' | 'require' | 'file';
}

/** A package that files belong to. */
export interface PackageInfo {
  /** `skirmish-game@1.2.0` */
  readonly label: string;
  /** Its folder. */
  readonly root: URL;
}

/** A file, and the package that it is of. */
export interface ResolvedFile {
  readonly url: URL;
  readonly package: PackageInfo | undefined;
}

/** Where an import leads: to a file, or to what is known by name alone. */
export type ResolvedImport = { readonly name: string; readonly url?: undefined } | ResolvedFile;

/** Bytes in pieces. */
export type ByteChunks = AsyncIterable<Uint8Array>;

/** What a thread is to do. */
export interface ThreadTask {
  /** What does it: in Node the file of workers/ whose export has the same name. */
  readonly name: string;
  readonly task: unknown;
}

/** Threads that do tasks. */
export interface ThreadGroup {
  readonly workers: number;
  /** Lets there be so many threads, if there are fewer. */
  grow(workers: number): void;
  /**
   * Has a task done by a thread that is free; rejects if it dies.
   * @param end ends the thread that does it, or takes the task back; another thread takes its place
   */
  perform(task: ThreadTask, end?: AbortSignal): Promise<unknown>;
  /**
   * Keeps a thread for several tasks, one after the other. Only there where threads share no memory, and have to be told
   * what others share.
   */
  withThread?<R>(use: (perform: ThreadGroup['perform']) => Promise<R>): Promise<R>;
  /** Ends all threads at once. */
  destroy(): Promise<void>;
}

export interface ThreadGroupOptions {
  readonly workers: number;
  /** Milliseconds within which a thread must be up. */
  readonly bootTimeoutMs: number;
  /** What the threads run, if it is not the package's own: in Node the module of the task `batch`. */
  readonly worker: URL | undefined;
  /** Is told why a thread died that had no task. */
  readonly onDeath: (why: string) => void;
}
