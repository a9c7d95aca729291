/**
 * Computes the chunks of a run. Their sizes grow: several of one battle each, the same number of two, of four, and so
 * on, so that a thread knows the duration of battles before it claims many of them.
 */

/** The sizes of chunks. */
export interface ChunkSizes {
  /** Battles of a chunk of full size. */
  readonly chunk: number;
  /** Number of chunks of each smaller size; 0 or absent: all have the same size. */
  readonly ramp?: number | undefined;
}

/** Sizes below the full one: 1, 2, 4 ... */
function countTiers({ chunk, ramp = 0 }: ChunkSizes): number {
  return ramp === 0 ? 0 : Math.ceil(Math.log2(chunk));
}

/** Computes the number of battles before a chunk. */
export function computeChunkStart(sizes: ChunkSizes, index: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = countTiers(sizes);
  if (index >= ramp * tiers) return ramp * (2 ** tiers - 1) + (index - ramp * tiers) * chunk;
  const tier = Math.floor(index / ramp);
  return ramp * (2 ** tier - 1) + (index - ramp * tier) * 2 ** tier;
}

/** Counts the chunks of a number of battles; the last one may be shorter. */
export function countChunks(sizes: ChunkSizes, battles: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = countTiers(sizes);
  const grown = ramp * (2 ** tiers - 1);
  if (battles >= grown) return ramp * tiers + Math.ceil((battles - grown) / chunk);
  const tier = Math.floor(Math.log2(battles / ramp + 1));
  return ramp * tier + Math.ceil((battles - ramp * (2 ** tier - 1)) / 2 ** tier);
}

// The queue of a run, or of one leg of a long run: memory that the caller and all jobs share. It records the owner of
// each chunk of battles, the progress of each job, and whether the run is to stop.
//
// Chunks are claimed in order, by writing the number of the owner over a zero. So a claimed chunk always has an owner,
// even if the thread of the owner dies at the next instruction, and the claimed part is always a prefix of the run.

/** Division of battles from..to-1 into chunks of these sizes (the last may be shorter) for `jobs` jobs. */
export interface ChunkPlan extends ChunkSizes {
  readonly from: number;
  readonly to: number;
  /** Jobs are numbered 1..jobs. */
  readonly jobs: number;
}

/** Battles from..from+count-1. */
export interface BattleRange {
  readonly from: number;
  readonly count: number;
}

/** Maximum number of chunks. */
export const CHUNKS_MAX: number = 2 ** 16;

/**
 * Words: the first chunk that may be free, the stop flag, the requested size of chunks, then (AT, DONE) of each job,
 * then the owner of each chunk.
 */
const NEXT = 0;
const STOP = 1;
const REQUESTED_SIZE = 2;
const JOBS = 3;
/** One more than the last claimed chunk of the job; 0: none. */
const AT = 0;
/** Number of finished chunks of the job. */
const DONE = 1;
const JOB_WORDS = 2;

/** Without shared memory, as in pages that are not isolated, the queue stays with the caller. */
export type ChunkQueueMemory = SharedArrayBuffer | ArrayBuffer;

export const isShared = (memory: ChunkQueueMemory): memory is SharedArrayBuffer => !(memory instanceof ArrayBuffer);

function allocateMemory(bytes: number): ChunkQueueMemory {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}

export class ChunkQueue {
  readonly plan: ChunkPlan;
  readonly memory: ChunkQueueMemory;
  readonly #words: Int32Array;
  readonly #chunks: number;
  /** Offset of the owners. */
  readonly #owners: number;

  /** Creates a queue; or, with the memory of another, a view of that one. */
  constructor(cut: ChunkPlan, memory?: ChunkQueueMemory) {
    this.plan = cut;
    this.#chunks = countChunks(cut, cut.to - cut.from);
    this.#owners = JOBS + cut.jobs * JOB_WORDS;
    this.memory = memory ?? allocateMemory((this.#owners + this.#chunks) * 4);
    this.#words = new Int32Array(this.memory);
  }

  /** Yields the chunks of a job: assigned ones, then claimed ones until none is left or the run is to stop. */
  *claimChunks(job: number): Generator<BattleRange, void> {
    for (const chunk of this.#listOwnedChunks(job)) yield this.#begin(job, chunk);
    for (;;) {
      const chunk = this.#claim(job);
      if (chunk === undefined) return;
      yield this.#begin(job, chunk);
    }
  }

  /** Records that a job has finished a chunk. */
  finish(job: number): void {
    Atomics.add(this.#words, this.#getJobAddress(job) + DONE, 1);
  }

  /** Stops claiming chunks; claimed ones are finished. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOP) === 1;
  }

  /** Requests smaller chunks: ends claiming in this leg, and sets the chunk size of the next one. */
  requestChunkSize(battles: number): void {
    Atomics.store(this.#words, REQUESTED_SIZE, Math.max(1, Math.floor(battles)));
  }

  /** Requested chunk size of the next leg; undefined without a request. */
  get requestedChunkSize(): number | undefined {
    const wanted = Atomics.load(this.#words, REQUESTED_SIZE);
    return wanted === 0 ? undefined : wanted;
  }

  /** True if a new job would find something to claim. */
  get hasFreeChunks(): boolean {
    return this.#goesOn && this.#countClaimed() < this.#chunks;
  }

  get #goesOn(): boolean {
    return Atomics.load(this.#words, STOP) === 0 && Atomics.load(this.#words, REQUESTED_SIZE) === 0;
  }

  /** One past the last claimed battle. */
  get claimedTo(): number {
    return Math.min(this.plan.to, this.plan.from + computeChunkStart(this.plan, this.#countClaimed()));
  }

  /** Number of finished battles, except those of dead jobs; approximate for mixed chunk sizes. */
  get done(): number {
    let chunks = 0;
    for (let job = 1; job <= this.plan.jobs; job++)
      chunks += Atomics.load(this.#words, this.#getJobAddress(job) + DONE);
    return Math.min(computeChunkStart(this.plan, chunks), this.plan.to - this.plan.from);
  }

  /** Returns the last chunk that a job started; undefined if there is none. */
  lastChunkOf(job: number): BattleRange | undefined {
    const at = Atomics.load(this.#words, this.#getJobAddress(job) + AT);
    return at === 0 ? undefined : this.#getRange(at - 1);
  }

  /** Reassigns all chunks of a dead job to another that has not started. */
  reassign(dead: number, successor: number): void {
    for (const chunk of this.#listOwnedChunks(dead)) Atomics.store(this.#words, this.#owners + chunk, successor);
    Atomics.store(this.#words, this.#getJobAddress(dead) + DONE, 0);
  }

  #getJobAddress(job: number): number {
    return JOBS + (job - 1) * JOB_WORDS;
  }

  #getRange(chunk: number): BattleRange {
    const { plan } = this;
    const from = plan.from + computeChunkStart(plan, chunk);
    return { from, count: Math.min(plan.from + computeChunkStart(plan, chunk + 1), plan.to) - from };
  }

  #begin(job: number, chunk: number): BattleRange {
    Atomics.store(this.#words, this.#getJobAddress(job) + AT, chunk + 1);
    return this.#getRange(chunk);
  }

  #claim(job: number): number | undefined {
    while (this.#goesOn) {
      const chunk = Atomics.load(this.#words, NEXT);
      if (chunk >= this.#chunks) return undefined;
      const owner = Atomics.compareExchange(this.#words, this.#owners + chunk, 0, job);
      // The first job here advances the position, even if another job claimed the chunk.
      Atomics.compareExchange(this.#words, NEXT, chunk, chunk + 1);
      if (owner === 0) return chunk;
    }
    return undefined;
  }

  #countClaimed(): number {
    let chunk = Atomics.load(this.#words, NEXT);
    while (chunk < this.#chunks && Atomics.load(this.#words, this.#owners + chunk) !== 0) chunk++;
    return chunk;
  }

  #listOwnedChunks(job: number): number[] {
    const owned: number[] = [];
    for (let chunk = 0, claimed = this.#countClaimed(); chunk < claimed; chunk++) {
      if (Atomics.load(this.#words, this.#owners + chunk) === job) owned.push(chunk);
    }
    return owned;
  }
}
