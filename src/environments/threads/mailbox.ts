/**
 * Words that a host and its threads share: slices with a task each, and two counters to sleep on. Nobody ever polls: the
 * host sleeps until enough has happened, threads until something is posted.
 */
import { OPS, type PostedTask } from '../environment-kernel.ts';

/** Words of a line of the processor's cache: what is written by different threads lies apart. */
const CACHE_LINE_WORDS = 16;

/** Counts what has happened: threads that have joined, slices that are done, deaths. The host sleeps on it. */
const EVENTS = 0;
/** The count of events at which the host is woken. */
const WAKE_AT = CACHE_LINE_WORDS;
/** Counts what has been posted. Threads sleep on it. */
const POST_COUNT = 2 * CACHE_LINE_WORDS;
/** How many threads have joined. */
const JOINED = 3 * CACHE_LINE_WORDS;
/** 1 once a thread is dead. */
const DEAD = JOINED + 1;
/** Where the lines of slices begin, and words of each. */
const SLICES = 4 * CACHE_LINE_WORDS;
const STATE = 0;
const RESULT = 1;
const FROM = 2;
const TO = 3;
const OP = 4;
const ARGS = 5;

/** Who has a slice: the host, the threads to take it, one of the threads, the host to receive it. */
const IDLE = 0;
const POSTED = 1;
const TAKEN = 2;
const DONE = 3;

const ARGS_MAX = 3;

/** JavaScript of 2024, in Node since 16: libraries of types for 2023 do not have it yet. */
interface AsyncWaiter {
  waitAsync(words: Int32Array, index: number, value: number): { readonly value: Promise<string> | string };
}

export type MailboxMemory = SharedArrayBuffer;

export class Mailbox {
  readonly control: MailboxMemory;
  readonly slices: number;
  readonly #words: Int32Array;

  /** @param control what a host has made room for with `controlFor` */
  constructor(control: MailboxMemory) {
    this.control = control;
    this.#words = new Int32Array(control);
    this.slices = this.#words.length / CACHE_LINE_WORDS - SLICES / CACHE_LINE_WORDS;
  }

  /** Cuts environments into slices of sizes that differ by one at most. */
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

  /** Host: gives a slice that it has to the threads, who hear of it by `ring`. */
  post(slice: number, { op, args }: PostedTask): void {
    this.#set(slice, OP, OPS.indexOf(op));
    for (let a = 0; a < args.length; a++) this.#set(slice, ARGS + a, args[a] ?? 0);
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, POSTED);
  }

  /** Host: wakes so many threads. */
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

  /** Host: takes back a slice that is done; what its task gave. */
  receive(slice: number): number {
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, IDLE);
    return this.#get(slice, RESULT) >>> 0;
  }

  /** Events so far. They wrap after 2^32. */
  get events(): number {
    return Atomics.load(this.#words, EVENTS);
  }

  get dead(): boolean {
    return Atomics.load(this.#words, DEAD) === 1;
  }

  /** Host: sleeps until there have been so many events, or a thread is dead. */
  wait(target: number): void {
    Atomics.store(this.#words, WAKE_AT, target);
    for (;;) {
      const { events } = this;
      if (this.#come(events, target)) return;
      Atomics.wait(this.#words, EVENTS, events);
    }
  }

  /** Host: the same, with its event loop going on. */
  async waitAsync(target: number): Promise<void> {
    Atomics.store(this.#words, WAKE_AT, target);
    for (;;) {
      const { events } = this;
      if (this.#come(events, target)) return;
      await (Atomics as unknown as AsyncWaiter).waitAsync(this.#words, EVENTS, events).value;
    }
  }

  /** Somebody who has heard of a death: wakes the host. */
  reportDeath(): void {
    Atomics.store(this.#words, DEAD, 1);
    Atomics.add(this.#words, EVENTS, 1);
    Atomics.notify(this.#words, EVENTS);
  }

  /** Thread: joins after all those of lower numbers, from 1 on. */
  join<T>(thread: number, work: () => T): T {
    for (;;) {
      const joined = Atomics.load(this.#words, JOINED);
      if (joined === thread - 1) break;
      Atomics.wait(this.#words, JOINED, joined);
    }
    const result = work();
    Atomics.store(this.#words, JOINED, thread);
    Atomics.notify(this.#words, JOINED);
    this.#happen();
    return result;
  }

  /** The slice at which a thread begins to look; those up to that of the next one are the thread's own. */
  homeSlice(thread: number, threads: number): number {
    return Math.floor(((thread - 1) * this.slices) / threads);
  }

  /**
   * Thread: takes a slice that is posted, sleeping until there is one.
   * @param home  where it looks first
   * @param count of the slices from there on that it may take
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

  /** Thread: what is to be done with a slice that it has taken. */
  task(slice: number): PostedTask {
    const args = Array.from({ length: ARGS_MAX }, (_, a) => this.#get(slice, ARGS + a) >>> 0);
    return { op: OPS[this.#get(slice, OP)] ?? 'step', args };
  }

  /** Thread: gives a slice back to the host. */
  finish(slice: number, result: number): void {
    this.#set(slice, RESULT, result);
    Atomics.store(this.#words, SLICES + slice * CACHE_LINE_WORDS + STATE, DONE);
    this.#happen();
  }

  #happen(): void {
    const events = (Atomics.add(this.#words, EVENTS, 1) + 1) | 0;
    if (events - Atomics.load(this.#words, WAKE_AT) >= 0) Atomics.notify(this.#words, EVENTS);
  }

  #come(events: number, wanted: number): boolean {
    return ((events - wanted) | 0) >= 0 || this.dead;
  }

  #get(slice: number, word: number): number {
    return this.#words[SLICES + slice * CACHE_LINE_WORDS + word] ?? 0;
  }

  #set(slice: number, word: number, value: number): void {
    this.#words[SLICES + slice * CACHE_LINE_WORDS + word] = value;
  }
}
