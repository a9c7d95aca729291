/**
 * Heartbeat of custom rules: each thread counts its calls of them in shared memory, so that another thread detects a
 * call that does not end. During such a call a thread receives neither messages nor timers.
 */
import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads';
import { CALLS, type RulesCall, type RulesCallKind } from '../rules-call.ts';

/** Threads receive the board with their environment, and pass it on. */
const BOARD_KEY = 'warpool.rules';

/** Maximum number of monitored threads. */
const SLOTS = 512;

/** Words of a slot: the thread, its calls (odd during one), the kind of call, round, phase, then bytes of the name. */
const SLOT_WORDS = 64;
const SLOT_FIELDS = { thread: 0, calls: 1, kind: 2, round: 3, phase: 4, length: 5, name: 6 } as const;

/** Before the slots: time limit of a call in seconds. */
const HEAD = 1;

/** Interval between checks in milliseconds. */
const CHECK_EVERY = 200;

/** Default time limit of a call in seconds. */
const CALL_SECONDS = 30;

interface HeartbeatBoard {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
}

function createBoardView(memory: SharedArrayBuffer): HeartbeatBoard {
  return { words: new Int32Array(memory), bytes: new Uint8Array(memory) };
}

function openInheritedBoard(): HeartbeatBoard | undefined {
  const memory = getEnvironmentData(BOARD_KEY);
  return memory instanceof SharedArrayBuffer ? createBoardView(memory) : undefined;
}

let board = openInheritedBoard();

/** Offset of the slot of this thread, in words; undefined before its first call, and without monitoring. */
let slot: number | undefined;
let depth = 0;
let calls = 0;
let named = '';

/** Claims a free slot. */
function claimSlot({ words }: HeartbeatBoard): number | undefined {
  for (let at = HEAD; at < words.length; at += SLOT_WORDS)
    if (Atomics.compareExchange(words, at + SLOT_FIELDS.thread, 0, threadId + 1) === 0) return at;
  return undefined;
}

/** True if another thread monitors this one. */
const isWatched = board !== undefined;

function writeName({ words, bytes }: HeartbeatBoard, at: number, name: string): void {
  const { written } = new TextEncoder().encodeInto(name, new Uint8Array(4 * (SLOT_WORDS - SLOT_FIELDS.name)));
  const text = new TextEncoder().encode(name).subarray(0, written);
  bytes.set(text, 4 * (at + SLOT_FIELDS.name));
  words[at + SLOT_FIELDS.length] = text.length;
  named = name;
}

/**
 * Marks the start of a call of custom rules; `endCall` marks its end. Nested calls are part of it.
 * @param whose name of the system in messages
 */
export function beginCall(kind: RulesCallKind, whose: string, round = 0, phase = 0): void {
  if (!isWatched || board === undefined || depth++ > 0) return;
  slot ??= claimSlot(board);
  if (slot === undefined) return;
  const { words } = board;
  if (calls === 0) calls = Atomics.load(words, slot + SLOT_FIELDS.calls);
  if (named !== whose) writeName(board, slot, whose);
  words[slot + SLOT_FIELDS.kind] = CALLS.indexOf(kind);
  if (kind === 'step') {
    words[slot + SLOT_FIELDS.round] = round;
    words[slot + SLOT_FIELDS.phase] = phase;
  }
  // Only this thread writes here during its life: a plain write takes a tenth of the time of Atomics.add.
  words[slot + SLOT_FIELDS.calls] = ++calls;
}

/** Marks the end of the last call. */
export function endCall(): void {
  if (!isWatched || board === undefined || --depth > 0 || slot === undefined) return;
  board.words[slot + SLOT_FIELDS.calls] = ++calls;
}

/** Makes the threads that this one starts, and their threads, monitorable. */
export function createBoard(): void {
  if (board !== undefined) return;
  const memory = new SharedArrayBuffer(4 * (HEAD + SLOTS * SLOT_WORDS));
  setEnvironmentData(BOARD_KEY, memory);
  board = createBoardView(memory);
  setCallLimit(CALL_SECONDS);
}

/** Sets the time limit of a call in seconds; 0: no limit. */
export function setCallLimit(seconds: number): void {
  if (board !== undefined) Atomics.store(board.words, 0, seconds);
}

/** Releases the slots of threads that have ended, possibly within a call; default: all slots. */
export function releaseSlots(threads?: readonly number[]): void {
  if (board === undefined) return;
  const { words } = board;
  for (let at = HEAD; at < words.length; at += SLOT_WORDS)
    if (threads?.includes(Atomics.load(words, at + SLOT_FIELDS.thread) - 1) !== false) {
      if (Atomics.load(words, at + SLOT_FIELDS.calls) % 2 !== 0) Atomics.add(words, at + SLOT_FIELDS.calls, 1);
      Atomics.store(words, at + SLOT_FIELDS.thread, 0);
    }
}

function readCall({ words, bytes }: HeartbeatBoard, at: number): Omit<RulesCall, 'seconds'> {
  const readWord = (index: number): number => words[at + index] ?? 0;
  const from = 4 * (at + SLOT_FIELDS.name);
  const whose = new TextDecoder().decode(bytes.slice(from, from + readWord(SLOT_FIELDS.length)));
  return {
    kind: CALLS[readWord(SLOT_FIELDS.kind)] ?? 'step',
    owner: whose,
    round: readWord(SLOT_FIELDS.round),
    phase: readWord(SLOT_FIELDS.phase),
  };
}

export interface CallWatchdog {
  /** Reduces the time limit of a call to a number of seconds from now. */
  shortenLimit(seconds: number): void;
  end(): void;
}

/**
 * Monitors the calls of threads that this one has started, and of their threads. Time is counted in checks, so that a
 * suspended process causes no errors.
 * @param late called once for a call that exceeds its limit
 * @param more additional seconds of a thread; undefined: not monitored
 */
export function startCallWatchdog(
  late: (call: RulesCall) => void,
  more: (thread: number) => number | undefined,
): CallWatchdog {
  const seen = new Map<number, { calls: number; looks: number }>();
  let hurried: number | undefined;
  const look = (): void => {
    if (board === undefined) return;
    const { words } = board;
    const seconds = hurried ?? Atomics.load(words, 0);
    for (let at = HEAD; at < words.length; at += SLOT_WORDS) {
      const thread = Atomics.load(words, at + SLOT_FIELDS.thread) - 1;
      const calls = Atomics.load(words, at + SLOT_FIELDS.calls);
      const before = seen.get(at);
      const extra = more(thread);
      if (thread < 0 || calls % 2 === 0 || before?.calls !== calls || extra === undefined) {
        seen.set(at, { calls, looks: 0 });
        continue;
      }
      before.looks++;
      const due = hurried ?? seconds + extra;
      if (seconds === 0 || before.looks * CHECK_EVERY < 1000 * due) continue;
      clearInterval(timer);
      late({ ...readCall(board, at), seconds });
      return;
    }
  };
  const timer = setInterval(look, CHECK_EVERY);
  timer.unref();
  return {
    shortenLimit(seconds) {
      hurried = seconds;
      seen.clear();
    },
    end() {
      clearInterval(timer);
    },
  };
}
