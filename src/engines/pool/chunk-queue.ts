/**
 * Where the chunks of a cut begin. The first ones grow: some of one battle each, as many of two, of four, and so on, so that
 * a thread knows how long battles take before it claims many of them.
 */

/** The sizes of chunks. */
export interface ChunkSizes {
  /** Battles of a chunk, once they have grown. */
  readonly chunk: number;
  /** How many chunks there are of each smaller size; 0 or none: all are of the same size. */
  readonly ramp?: number | undefined;
}

/** Sizes below the full one: 1, 2, 4 ... */
function countTiers({ chunk, ramp = 0 }: ChunkSizes): number {
  return ramp === 0 ? 0 : Math.ceil(Math.log2(chunk));
}

/** Battles before a chunk. */
export function computeChunkStart(sizes: ChunkSizes, index: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = countTiers(sizes);
  if (index >= ramp * tiers) return ramp * (2 ** tiers - 1) + (index - ramp * tiers) * chunk;
  const tier = Math.floor(index / ramp);
  return ramp * (2 ** tier - 1) + (index - ramp * tier) * 2 ** tier;
}

/** Chunks that so many battles make; the last may be shorter. */
export function countChunks(sizes: ChunkSizes, battles: number): number {
  const { chunk, ramp = 0 } = sizes;
  const tiers = countTiers(sizes);
  const grown = ramp * (2 ** tiers - 1);
  if (battles >= grown) return ramp * tiers + Math.ceil((battles - grown) / chunk);
  const tier = Math.floor(Math.log2(battles / ramp + 1));
  return ramp * tier + Math.ceil((battles - ramp * (2 ** tier - 1)) / 2 ** tier);
}

// The ledger of a run, or of one leg of a long run: memory that the caller and all jobs share. It says which job owns which chunk of
// battles, how far each job has come, and whether the run is to stop.
//
// Chunks are claimed in order, by writing the owner's number over a zero. So a claimed chunk always has
// an owner, even if that owner's thread dies at the next instruction, and what is claimed is always a
// prefix of the run.

/** How a run is cut: battles from..to-1 in chunks of these sizes (the last may be shorter) for `jobs` jobs. */
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

/** As many chunks as a ledger has. */
export const CHUNKS_MAX: number = 2 ** 16;

/**
 * Words: the least chunk that may be free, the stop flag, the size of chunks that is wanted, then (AT, DONE) of each job,
 * then the owner of each chunk.
 */
const NEXT = 0;
const STOP = 1;
const REQUESTED_SIZE = 2;
const JOBS = 3;
/** One more than the chunk that the job claimed last; 0: it has not begun. */
const AT = 0;
/** Chunks that the job has finished. */
const DONE = 1;
const JOB_WORDS = 2;

/** Where no memory can be shared, as in pages that are not isolated, the ledger stays with the caller. */
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
  /** Where the owners begin. */
  readonly #owners: number;

  /** A new ledger; or, with the memory of another, a view of that one. */
  constructor(cut: ChunkPlan, memory?: ChunkQueueMemory) {
    this.plan = cut;
    this.#chunks = countChunks(cut, cut.to - cut.from);
    this.#owners = JOBS + cut.jobs * JOB_WORDS;
    this.memory = memory ?? allocateMemory((this.#owners + this.#chunks) * 4);
    this.#words = new Int32Array(this.memory);
  }

  /** The chunks a job is to play: those it was given, then those it claims until none is left or the run is to stop. */
  *claimChunks(job: number): Generator<BattleRange, void> {
    for (const chunk of this.#ownedBy(job)) yield this.#begin(job, chunk);
    for (;;) {
      const chunk = this.#claim(job);
      if (chunk === undefined) return;
      yield this.#begin(job, chunk);
    }
  }

  /** Notes that a job has finished a chunk. */
  finish(job: number): void {
    Atomics.add(this.#words, this.#jobWord(job) + DONE, 1);
  }

  /** No chunk will be claimed any more; claimed ones will be finished. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOP) === 1;
  }

  /** Chunks take too long: no more will be claimed in this leg, the next one is to have chunks of so many battles. */
  requestChunkSize(battles: number): void {
    Atomics.store(this.#words, REQUESTED_SIZE, Math.max(1, Math.floor(battles)));
  }

  /** Battles of a chunk that the next leg is to have; undefined if nobody has wanted that. */
  get requestedChunkSize(): number | undefined {
    const wanted = Atomics.load(this.#words, REQUESTED_SIZE);
    return wanted === 0 ? undefined : wanted;
  }

  /** True if a new job would find something to claim. */
  get hasFreeChunks(): boolean {
    return this.#goesOn && this.#claimed() < this.#chunks;
  }

  get #goesOn(): boolean {
    return Atomics.load(this.#words, STOP) === 0 && Atomics.load(this.#words, REQUESTED_SIZE) === 0;
  }

  /** One past the last battle that is claimed. */
  get claimedTo(): number {
    return Math.min(this.plan.to, this.plan.from + computeChunkStart(this.plan, this.#claimed()));
  }

  /** Battles that are finished, but for those of dead jobs; about, where chunks of several sizes are under way. */
  get done(): number {
    let chunks = 0;
    for (let job = 1; job <= this.plan.jobs; job++) chunks += Atomics.load(this.#words, this.#jobWord(job) + DONE);
    return Math.min(computeChunkStart(this.plan, chunks), this.plan.to - this.plan.from);
  }

  /** The chunk that a job began last; undefined if it never began one. */
  lastChunkOf(job: number): BattleRange | undefined {
    const at = Atomics.load(this.#words, this.#jobWord(job) + AT);
    return at === 0 ? undefined : this.#range(at - 1);
  }

  /** Gives all chunks of a dead job to another that has not begun. */
  reassign(dead: number, successor: number): void {
    for (const chunk of this.#ownedBy(dead)) Atomics.store(this.#words, this.#owners + chunk, successor);
    Atomics.store(this.#words, this.#jobWord(dead) + DONE, 0);
  }

  #jobWord(job: number): number {
    return JOBS + (job - 1) * JOB_WORDS;
  }

  #range(chunk: number): BattleRange {
    const { plan } = this;
    const from = plan.from + computeChunkStart(plan, chunk);
    return { from, count: Math.min(plan.from + computeChunkStart(plan, chunk + 1), plan.to) - from };
  }

  #begin(job: number, chunk: number): BattleRange {
    Atomics.store(this.#words, this.#jobWord(job) + AT, chunk + 1);
    return this.#range(chunk);
  }

  #claim(job: number): number | undefined {
    while (this.#goesOn) {
      const chunk = Atomics.load(this.#words, NEXT);
      if (chunk >= this.#chunks) return undefined;
      const owner = Atomics.compareExchange(this.#words, this.#owners + chunk, 0, job);
      // Whoever comes here first moves on, whether the chunk was its own or that of another who was slow to.
      Atomics.compareExchange(this.#words, NEXT, chunk, chunk + 1);
      if (owner === 0) return chunk;
    }
    return undefined;
  }

  #claimed(): number {
    let chunk = Atomics.load(this.#words, NEXT);
    while (chunk < this.#chunks && Atomics.load(this.#words, this.#owners + chunk) !== 0) chunk++;
    return chunk;
  }

  #ownedBy(job: number): number[] {
    const owned: number[] = [];
    for (let chunk = 0, claimed = this.#claimed(); chunk < claimed; chunk++) {
      if (Atomics.load(this.#words, this.#owners + chunk) === job) owned.push(chunk);
    }
    return owned;
  }
}
