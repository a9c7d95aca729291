/**
 * Commands with rules of one's own run in a thread: a thread that is in such a rule hears nothing, but the process has to
 * hear signals, and to see which rule does not end. The main thread does nothing else.
 */
import { writeSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type CallWatchdog, createBoard, releaseSlots, startCallWatchdog } from '#platform/heartbeat';
import { type RulesCall, RulesTimeoutError } from '../core/platform/rules-call.ts';
import { findConfigFor } from './find-config.ts';

/** What the thread is started with. */
export interface CommandThreadSetup {
  readonly args: readonly string[];
  /** What the thread's own streams do not know of the terminal. */
  readonly terminal: Readonly<Record<'stdin' | 'stdout' | 'stderr', object>>;
  /** The call that did not end when the command ran before: it is to tell that, instead of running again. */
  readonly late?: RulesCall | undefined;
}

/** What the thread is told: a signal, or that it is to show that it can hear one. */
export type ThreadMessage = keyof typeof CODES | 'answer';

/** What it says: whether anybody in it listens to signals, or that the command is over and has this exit code. */
export type ThreadReply = 'listening' | 'deaf' | { readonly code: number };

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds within which the thread must answer after a signal: at first, and while it saves what it has. */
const REPLY_MS = { first: 700, later: 10_000 };

/** Seconds that a rule may take after a signal. */
const RULE_SECONDS_AFTER_SIGNAL = 0.6;

/** More seconds that a rule may take in a thread that the command has started. */
const WORKER_RULE_SECONDS = 2;

/**
 * Milliseconds within which the thread can be ended, on a busy machine too; else it is in the middle of what only the
 * system can end.
 */
const TERMINATE_MS = 5000;

/** The server of environments: it reads standard input, and its socket is made with a mask that only the process can set. */
const SERVER_COMMAND = 'serve-environments';

/** Only who has started the server may connect. */
export const SOCKET_MASK = 0o177;

const SYSTEMS_FLAG = /^--systems(=|$)/;

/** Whether a call may run rules of one's own. */
export function needsThread(args: readonly string[], folder: string): boolean {
  if (args[0] === 'conform' || args.some((arg) => SYSTEMS_FLAG.test(arg))) return true;
  if (args.includes('--no-config')) return false;
  return args.some((arg) => findConfigFor(arg.startsWith('-') ? undefined : arg, folder) !== undefined);
}

/** Whether a call is to be repeated. */
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
  const isServer = args[0] === SERVER_COMMAND;
  if (isServer) process.umask(SOCKET_MASK);
  const thread = new Worker(new URL('./command-thread.js', import.meta.url), {
    ...{ workerData, stdin: isServer, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb } },
  });
  if (thread.stdin !== null) stdin.pipe(thread.stdin);
  return thread;
}

/** How a command ended: its exit code, and what is still to be said on standard error. */
interface CommandEnd {
  readonly code: number;
  readonly message?: string;
  /** The signal that ended it in the middle of something. */
  readonly signal?: keyof typeof CODES;
  /** The call that was not over in time. */
  readonly late?: RulesCall;
}

/** How such calls get more time. */
export const RULE_LIMIT_HINT = '"--rule-limit 300" allows 300 s, 0 removes the limit.';

const createLateEnd = (late: RulesCall): CommandEnd => ({
  code: 1,
  message: `warpool: ${new RulesTimeoutError(late).message} ${RULE_LIMIT_HINT}`,
  late,
});

/** Why a thread ended that did not say that it had done its work. */
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
    let tell: ((end: CommandEnd) => void) | undefined;
    this.ended = new Promise((resolve) => {
      tell = resolve;
    });
    this.#end = (how) => tell?.(how);
    const end = (call: RulesCall): void => {
      this.#end(this.#signal === undefined ? createLateEnd(call) : this.#cut());
    };
    // Who has started other threads looks after them, and tells more of what they were doing.
    this.#watch = startCallWatchdog(end, (id) => (id === thread.threadId ? 0 : WORKER_RULE_SECONDS));
    let code: number | undefined;
    thread.on('message', (answer: ThreadReply) => {
      if (typeof answer === 'object') ({ code } = answer);
      else this.#answered(answer);
    });
    thread.on('error', (error) => {
      this.#end(createErrorEnd(error));
    });
    thread.on('exit', (status) => {
      this.#end(code === undefined ? createSilentEnd(status) : { code });
    });
    for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) {
      process.on(name, () => {
        this.#hear(name);
      });
    }
  }

  #signal: keyof typeof CODES | undefined;

  /** Waits until all that the thread has written is on its way; ends it if it is still at work. */
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
    // It is within a call of the system that nothing ends but the end of the process.
    if (message !== undefined) writeSync(process.stderr.fd, `${message}\n`);
    process.kill(process.pid, signal ?? 'SIGKILL');
  }

  /** Passes on what the thread writes; resolves when it has written all. */
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

  #hear(signal: keyof typeof CODES): void {
    this.#signal ??= signal;
    this.#watch.shortenLimit(RULE_SECONDS_AFTER_SIGNAL);
    this.#expect(REPLY_MS.first);
    this.#thread.postMessage(signal satisfies ThreadMessage);
  }

  /** Ends the process unless the thread answers within so many milliseconds. */
  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end(this.#cut());
    }, ms);
  }

  #answered(answer: 'listening' | 'deaf'): void {
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

/** Runs a command in a thread of its own. @returns its exit code */
export async function callInThread(args: readonly string[], late?: RulesCall): Promise<number> {
  const host = new CommandThread(args, late);
  const written = host.relay();
  const end = await host.ended;
  await host.close(end);
  await written;
  // There it is a finding like others.
  if (args[0] === 'conform' && end.late !== undefined) return await callInThread(args, end.late);
  if (end.message !== undefined) process.stderr.write(`${end.message}\n`);
  return end.code;
}
