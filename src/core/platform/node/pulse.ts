/**
 * The pulse of rules of one's own: each thread counts its calls of them in shared memory, so that another thread sees when a
 * call does not end. A thread that is in such a call hears nothing, neither messages nor timers.
 */
import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads';
import { CALLS, type Call, type CallKind } from '../calls.ts';

/** Threads get the board with their environment, and hand it on to their own. */
const BOARD = 'warpool.rules';

/** Threads that have a place of their own at one time; others are not watched. */
const PLACES = 512;

/** Words of a place: the thread, its calls (odd within one), what was called, round, phase, then bytes of the name. */
const WORDS = 64;
const AT = { thread: 0, calls: 1, kind: 2, round: 3, phase: 4, length: 5, name: 6 } as const;

/** Before the places: seconds that a call may take. */
const HEAD = 1;

/** Milliseconds between two looks. */
const LOOK_EVERY = 200;

/** Seconds that a call may take unless said otherwise. */
const SECONDS = 30;

interface Board {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
}

function boardOver(memory: SharedArrayBuffer): Board {
  return { words: new Int32Array(memory), bytes: new Uint8Array(memory) };
}

function given(): Board | undefined {
  const memory = getEnvironmentData(BOARD);
  return memory instanceof SharedArrayBuffer ? boardOver(memory) : undefined;
}

let board = given();

/** Where this thread counts, in words; undefined before its first call, and where nobody watches. */
let place: number | undefined;
let depth = 0;
let named = '';

/** Takes a place that nobody has. */
function taken({ words }: Board): number | undefined {
  for (let at = HEAD; at < words.length; at += WORDS)
    if (Atomics.compareExchange(words, at + AT.thread, 0, threadId + 1) === 0) return at;
  return undefined;
}

/** Whether this thread is watched by another. */
const isWatched = board !== undefined;

function writeName({ words, bytes }: Board, at: number, name: string): void {
  const { written } = new TextEncoder().encodeInto(name, new Uint8Array(4 * (WORDS - AT.name)));
  const text = new TextEncoder().encode(name).subarray(0, written);
  bytes.set(text, 4 * (at + AT.name));
  words[at + AT.length] = text.length;
  named = name;
}

/**
 * A call of rules of one's own begins; `leave` ends it. Calls within a call are part of it.
 * @param whose the system, as messages name it
 */
export function enter(kind: CallKind, whose: string, round = 0, phase = 0): void {
  if (!isWatched || board === undefined || depth++ > 0) return;
  place ??= taken(board);
  if (place === undefined) return;
  const { words } = board;
  if (named !== whose) writeName(board, place, whose);
  words[place + AT.kind] = CALLS.indexOf(kind);
  words[place + AT.round] = round;
  words[place + AT.phase] = phase;
  Atomics.add(words, place + AT.calls, 1);
}

/** The call that began last ends. */
export function leave(): void {
  if (!isWatched || board === undefined || --depth > 0 || place === undefined) return;
  Atomics.add(board.words, place + AT.calls, 1);
}

/** From now on the threads that this one starts, and theirs, can be watched. */
export function openBoard(): void {
  if (board !== undefined) return;
  const memory = new SharedArrayBuffer(4 * (HEAD + PLACES * WORDS));
  setEnvironmentData(BOARD, memory);
  board = boardOver(memory);
  limitCalls(SECONDS);
}

/** Says how many seconds a call may take; 0: as long as it likes. */
export function limitCalls(seconds: number): void {
  if (board !== undefined) Atomics.store(board.words, 0, seconds);
}

/** The places of threads that have ended, perhaps within a call, are free: of all unless some are named. */
export function forget(threads?: readonly number[]): void {
  if (board === undefined) return;
  const { words } = board;
  for (let at = HEAD; at < words.length; at += WORDS)
    if (threads?.includes(Atomics.load(words, at + AT.thread) - 1) !== false) {
      if (Atomics.load(words, at + AT.calls) % 2 !== 0) Atomics.add(words, at + AT.calls, 1);
      Atomics.store(words, at + AT.thread, 0);
    }
}

function callAt({ words, bytes }: Board, at: number): Omit<Call, 'seconds'> {
  const word = (index: number): number => words[at + index] ?? 0;
  const from = 4 * (at + AT.name);
  const whose = new TextDecoder().decode(bytes.slice(from, from + word(AT.length)));
  return { kind: CALLS[word(AT.kind)] ?? 'step', whose, round: word(AT.round), phase: word(AT.phase) };
}

export interface PulseWatch {
  /** From now on a call may take no longer than so many seconds, counted from now. */
  hurry(seconds: number): void;
  end(): void;
}

/**
 * Looks after the calls of threads that this one has started, and of theirs. Time is counted in looks: a process that was
 * stopped meanwhile is not blamed.
 * @param late is told once of a call that takes longer than it may
 * @param more seconds that a thread has beyond that; undefined: it is not looked after
 */
export function watchCalls(late: (call: Call) => void, more: (thread: number) => number | undefined): PulseWatch {
  const seen = new Map<number, { calls: number; looks: number }>();
  let hurried: number | undefined;
  const look = (): void => {
    if (board === undefined) return;
    const { words } = board;
    const seconds = hurried ?? Atomics.load(words, 0);
    for (let at = HEAD; at < words.length; at += WORDS) {
      const thread = Atomics.load(words, at + AT.thread) - 1;
      const calls = Atomics.load(words, at + AT.calls);
      const before = seen.get(at);
      const extra = more(thread);
      if (thread < 0 || calls % 2 === 0 || before?.calls !== calls || extra === undefined) {
        seen.set(at, { calls, looks: 0 });
        continue;
      }
      before.looks++;
      const due = hurried ?? seconds + extra;
      if (seconds === 0 || before.looks * LOOK_EVERY < 1000 * due) continue;
      clearInterval(timer);
      late({ ...callAt(board, at), seconds });
      return;
    }
  };
  const timer = setInterval(look, LOOK_EVERY);
  timer.unref();
  return {
    hurry(seconds) {
      hurried = seconds;
      seen.clear();
    },
    end() {
      clearInterval(timer);
    },
  };
}
