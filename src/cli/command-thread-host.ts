/**
 * Runs commands with custom rules in a thread: a busy thread cannot receive signals, but the process must handle them
 * and name the rule that does not return. The main thread does nothing else.
 */
import { writeSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type CallWatchdog, createBoard, releaseSlots, startCallWatchdog } from '#platform/heartbeat';
import { type RulesCall, RulesTimeoutError } from '../core/platform/rules-call.ts';
import { findConfigFor } from './find-config.ts';

/** Setup of the command thread. */
export interface CommandThreadSetup {
  readonly args: readonly string[];
  /** Properties of the terminal that the thread's streams lack. */
  readonly terminal: Readonly<Record<'stdin' | 'stdout' | 'stderr', object>>;
  /** Call that did not return in the previous run: the thread reports it instead of running again. */
  readonly late?: RulesCall | undefined;
}

/** Message to the thread: a signal, or a ping. */
export type ThreadMessage = keyof typeof CODES | 'answer';

/** Reply of the thread: whether it listens to signals, or the exit code at the end of the command. */
export type ThreadReply = 'listening' | 'deaf' | { readonly code: number };

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds for a reply after a signal: at first, and while the thread saves its results. */
const REPLY_MS = { first: 700, later: 10_000 };

/** Seconds that a rule may take after a signal. */
const RULE_SECONDS_AFTER_SIGNAL = 0.6;

/** Additional seconds for rules in threads that the command has started. */
const WORKER_RULE_SECONDS = 2;

/**
 * Milliseconds for terminating the thread, also on a busy machine; otherwise it is in a system call that only the end
 * of the process can stop.
 */
const TERMINATE_MS = 5000;

const SYSTEMS_FLAG = /^--systems(=|$)/;

/** True if a command may run custom rules. */
export function needsThread(args: readonly string[], folder: string): boolean {
  if (args[0] === 'conform' || args.some((arg) => SYSTEMS_FLAG.test(arg))) return true;
  if (args.includes('--no-config')) return false;
  return args.some((arg) => findConfigFor(arg.startsWith('-') ? undefined : arg, folder) !== undefined);
}

/** True if a command repeats on changes. */
export const isWatching = (args: readonly string[]): boolean =>
  args[0] === 'conform' && args.includes('--watch') && !args.some((arg) => arg === '--help' || arg === '-h');

function describeTerminal({ isTTY, columns }: Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>): object {
  return isTTY === true ? { isTTY, columns } : {};
}

function startThread(args: readonly string[], late?: RulesCall): Worker {
  const { stdin, stdout, stderr } = process;
  const terminal = {
    stdin: describeTerminal(stdin),
    stdout: describeTerminal(stdout),
    stderr: describeTerminal(stderr),
  };
  const workerData: CommandThreadSetup = { args, terminal, late };
  const maxOldGenerationSizeMb = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
  const readsInput = args.includes('--pipe');
  const thread = new Worker(new URL('./command-thread.cjs', import.meta.url), {
    ...{ workerData, stdin: readsInput, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb } },
  });
  if (thread.stdin !== null) stdin.pipe(thread.stdin);
  return thread;
}

/** End of a command: exit code and remaining message for standard error. */
interface CommandEnd {
  readonly code: number;
  readonly message?: string;
  /** Signal that ended it during its work. */
  readonly signal?: keyof typeof CODES;
  /** Call that exceeded its time limit. */
  readonly late?: RulesCall;
}

/** Advice for calls that exceed the time limit. */
export const RULE_LIMIT_HINT = '"--rule-limit 300" allows 300 s, 0 removes the limit.';

const createLateEnd = (late: RulesCall): CommandEnd => ({
  code: 1,
  message: `warpool: ${new RulesTimeoutError(late).message} ${RULE_LIMIT_HINT}`,
  late,
});

/** Describes the end of a thread that did not report its exit code. */
function createSilentEnd(code: number): CommandEnd {
  if (Object.values(CODES).some((known) => known === code)) return { code };
  const message = 'warpool: the command ended early: by process.exit, or by a promise that never settles';
  return { code: code === 0 ? 1 : code, message };
}

function createErrorEnd(error: Error & { readonly code?: unknown }): CommandEnd {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { code: 1, message: 'warpool: out of memory' };
  const shown = process.env['WARPOOL_DEBUG'] ? (error.stack ?? error.message) : error.message;
  return { code: 1, message: `warpool: unexpected error: ${shown} (WARPOOL_DEBUG=1 shows where)` };
}

class CommandThread {
  readonly #thread: Worker;
  readonly #watch: CallWatchdog;
  readonly #end: (end: CommandEnd) => void;
  #timer: NodeJS.Timeout | undefined;
  readonly ended: Promise<CommandEnd>;

  constructor(args: readonly string[], late?: RulesCall) {
    createBoard();
    const thread = startThread(args, late);
    this.#thread = thread;
    let resolveEnd: ((end: CommandEnd) => void) | undefined;
    this.ended = new Promise((resolve) => {
      resolveEnd = resolve;
    });
    this.#end = (how) => resolveEnd?.(how);
    const end = (call: RulesCall): void => {
      this.#end(this.#signal === undefined ? createLateEnd(call) : this.#cut());
    };
    // A thread that has started others monitors them, and gives more detail about their work.
    this.#watch = startCallWatchdog(end, (id) => (id === thread.threadId ? 0 : WORKER_RULE_SECONDS));
    let code: number | undefined;
    thread.on('message', (answer: ThreadReply) => {
      if (typeof answer === 'object') ({ code } = answer);
      else this.#handleAnswer(answer);
    });
    thread.on('error', (error) => {
      this.#end(createErrorEnd(error));
    });
    thread.on('exit', (status) => {
      this.#end(code === undefined ? createSilentEnd(status) : { code });
    });
    for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) {
      process.on(name, () => {
        this.#handleSignal(name);
      });
    }
  }

  #signal: keyof typeof CODES | undefined;

  /** Waits until all output of the thread is written; terminates the thread if it is still running. */
  async close({ signal, message }: CommandEnd): Promise<void> {
    this.#watch.end();
    clearTimeout(this.#timer);
    for (const name of Object.keys(CODES)) process.removeAllListeners(name);
    const late = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, TERMINATE_MS, 'late');
    });
    const how = await Promise.race([this.#thread.terminate(), late]);
    clearTimeout(this.#timer);
    releaseSlots();
    if (how !== 'late') return;
    // It is in a system call that only the end of the process can stop.
    if (message !== undefined) writeSync(process.stderr.fd, `${message}\n`);
    process.kill(process.pid, signal ?? 'SIGKILL');
  }

  /** Relays the output of the thread; resolves at its end. */
  async relay(): Promise<void> {
    const { stdout, stderr } = this.#thread;
    const pass = (from: NodeJS.ReadableStream, to: NodeJS.WritableStream): Promise<void> => {
      from.pipe(to, { end: false });
      return new Promise((resolve) => {
        from.once('end', resolve).once('close', resolve);
      });
    };
    await Promise.all([pass(stdout, process.stdout), pass(stderr, process.stderr)]);
  }

  #handleSignal(signal: keyof typeof CODES): void {
    this.#signal ??= signal;
    this.#watch.shortenLimit(RULE_SECONDS_AFTER_SIGNAL);
    this.#expect(REPLY_MS.first);
    this.#thread.postMessage(signal satisfies ThreadMessage);
  }

  /** Ends the process unless the thread replies within `ms` milliseconds. */
  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end(this.#cut());
    }, ms);
  }

  #handleAnswer(answer: 'listening' | 'deaf'): void {
    clearTimeout(this.#timer);
    if (answer === 'deaf') {
      this.#end(this.#cut());
      return;
    }
    this.#timer = setTimeout(() => {
      this.#expect(REPLY_MS.later);
      this.#thread.postMessage('answer' satisfies ThreadMessage);
    }, REPLY_MS.first);
  }

  #cut(): CommandEnd {
    const signal = this.#signal ?? 'SIGTERM';
    return { code: CODES[signal], signal };
  }
}

/** Runs a command in a separate thread. @returns its exit code */
export async function callInThread(args: readonly string[], late?: RulesCall): Promise<number> {
  const host = new CommandThread(args, late);
  const written = host.relay();
  const end = await host.ended;
  await host.close(end);
  await written;
  // conform reports it like other failures.
  if (args[0] === 'conform' && end.late !== undefined) return await callInThread(args, end.late);
  if (end.message !== undefined) process.stderr.write(`${end.message}\n`);
  return end.code;
}
