/**
 * Shared memory of a host and its threads: slices with one task each, and two counters to wait on. There is no polling:
 * the host sleeps until enough events have happened, threads until a task is posted.
 */
import { OPS, type PostedTask } from '../environment-kernel.ts';

/** Words of a cache line: data written by different threads is kept apart. */
const CACHE_LINE_WORDS = 16;

/** Counter of events: threads attached, slices finished, deaths. The host waits on it. */
const EVENTS = 0;
/** Number of events at which the host is woken. */
const WAKE_AT = CACHE_LINE_WORDS;
/** Counter of posted tasks. Threads wait on it. */
const POST_COUNT = 2 * CACHE_LINE_WORDS;
/** Number of attached threads. */
const JOINED = 3 * CACHE_LINE_WORDS;
/** 1 after the death of a thread. */
const DEAD = JOINED + 1;
/** Offset of the slices' lines, and words of each. */
const SLICES = 4 * CACHE_LINE_WORDS;
const STATE = 0;
const RESULT = 1;
const FROM = 2;
const TO = 3;
const OP = 4;
const ARGS = 5;

/** States of a slice: held by the host, posted, held by a thread, done. */
const IDLE = 0;
const POSTED = 1;
const TAKEN = 2;
const DONE = 3;

const ARGS_MAX = 3;

/** Atomics.waitAsync is from 2024; Node has it since 16, but the type library for 2023 lacks it. */
interface AsyncWaiter {
  waitAsync(words: Int32Array, index: number, value: number): { readonly value: Promise<string> | string };
}

export type MailboxMemory = SharedArrayBuffer;

export class Mailbox {
  readonly control: MailboxMemory;
  readonly slices: number;
  readonly #words: Int32Array;

  /** @param control memory from `controlFor` */
  constructor(control: MailboxMemory) {
    this.control = control;
    this.#words = new Int32Array(control);
    this.slices = this.#words.length / CACHE_LINE_WORDS - SLICES / CACHE_LINE_WORDS;
  }

  /** Divides environments into slices whose sizes differ by at most one. */
  static create(envs: number, slices: number): Mailbox {
    const mailbox = new Mailbox(new SharedArrayBuffer(4 * (SLICES + CACHE_LINE_WORDS * slices)));
    for (let s = 0; s < slices; s++) {
      mailbox.#set(s, FROM, Math.floor((s * envs) / slices));
      mailbox.#set(s, TO, Math.floor(((s + 1) * envs) / slices));
    }
    return mailbox;
  }

  from(slice: number): number {
    return this.#get(slice, FROM);
  }

  to(slice: number): number {
    return this.#get(slice, TO);
  }

  /** Host: posts a slice to the threads; `wake` notifies them. */
  post(slice: number, { op, args }: PostedTask): void {
    this.#set(slice, OP, OPS.indexOf(op));
    for (let a = 0; a < args.length; a++) this.#set(slice, ARGS + a, args[a] ?? 0);
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, POSTED);
  }

  /** Host: wakes up to this number of threads. */
  wake(threads: number): void {
    Atomics.add(this.#words, POST_COUNT, 1);
    Atomics.notify(this.#words, POST_COUNT, threads);
  }

  has(slice: number): boolean {
    return Atomics.load(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE) === IDLE;
  }

  isDone(slice: number): boolean {
    return Atomics.load(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE) === DONE;
  }

  /** Host: takes back a finished slice; returns the result of its task. */
  receive(slice: number): number {
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, IDLE);
    return this.#get(slice, RESULT) >>> 0;
  }

  /** Number of events so far. It wraps at 2^32. */
  get events(): number {
    return Atomics.load(this.#words, EVENTS);
  }

  get dead(): boolean {
    return Atomics.load(this.#words, DEAD) === 1;
  }

  /** Host: blocks until this number of events, or a death. */
  wait(target: number): void {
    Atomics.store(this.#words, WAKE_AT, target);
    for (;;) {
      const { events } = this;
      if (this.#awaitEvents(events, target)) return;
      Atomics.wait(this.#words, EVENTS, events);
    }
  }

  /** Host: waits like `wait`, without blocking the event loop. */
  async waitAsync(target: number): Promise<void> {
    Atomics.store(this.#words, WAKE_AT, target);
    for (;;) {
      const { events } = this;
      if (this.#awaitEvents(events, target)) return;
      await (Atomics as unknown as AsyncWaiter).waitAsync(this.#words, EVENTS, events).value;
    }
  }

  /** Reports a death and wakes the host; callable from any thread. */
  reportDeath(): void {
    Atomics.store(this.#words, DEAD, 1);
    Atomics.add(this.#words, EVENTS, 1);
    Atomics.notify(this.#words, EVENTS);
  }

  /** Thread: attaches after all threads with lower numbers, from 1 on. */
  join<T>(thread: number, work: () => T): T {
    for (;;) {
      const joined = Atomics.load(this.#words, JOINED);
      if (joined === thread - 1) break;
      Atomics.wait(this.#words, JOINED, joined);
    }
    const result = work();
    Atomics.store(this.#words, JOINED, thread);
    Atomics.notify(this.#words, JOINED);
    this.#signalEvent();
    return result;
  }

  /** Returns the first slice that a thread checks; the slices before the next thread's first one are its own. */
  homeSlice(thread: number, threads: number): number {
    return Math.floor(((thread - 1) * this.slices) / threads);
  }

  /**
   * Thread: takes a posted slice, and sleeps until there is one.
   * @param home first slice to check
   * @param count number of slices from there that it may take
   */
  take(home: number, count: number): number {
    for (;;) {
      const bell = Atomics.load(this.#words, POST_COUNT);
      for (let i = 0; i < count; i++) {
        const slice = (home + i) % this.slices;
        const at = SLICES + slice * CACHE_LINE_WORDS + STATE;
        if (Atomics.compareExchange(this.#words, at, POSTED, TAKEN) === POSTED) return slice;
      }
      Atomics.wait(this.#words, POST_COUNT, bell);
    }
  }

  /** Thread: returns the task of its slice. */
  task(slice: number): PostedTask {
    const args = Array.from({ length: ARGS_MAX }, (_, a) => this.#get(slice, ARGS + a) >>> 0);
    return { op: OPS[this.#get(slice, OP)] ?? 'step', args };
  }

  /** Thread: returns a slice to the host. */
  finish(slice: number, result: number): void {
    this.#set(slice, RESULT, result);
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, DONE);
    this.#signalEvent();
  }

  #signalEvent(): void {
    const events = (Atomics.add(this.#words, EVENTS, 1) + 1) | 0;
    if (events - Atomics.load(this.#words, WAKE_AT) >= 0) Atomics.notify(this.#words, EVENTS);
  }

  #awaitEvents(events: number, wanted: number): boolean {
    return ((events - wanted) | 0) >= 0 || this.dead;
  }

  #get(slice: number, word: number): number {
    return this.#words[SLICES + slice * CACHE_LINE_WORDS + word] ?? 0;
  }

  #set(slice: number, word: number, value: number): void {
    this.#words[SLICES + slice * CACHE_LINE_WORDS + word] = value;
  }
}
