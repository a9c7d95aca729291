/**
 * Where everything lies. The host writes the configuration (src/rollout/configuration.ts), the rest follows from it:
 * fields of all environments, each beginning at a multiple of 64 bytes, then records, then working memory of threads.
 * docs/abi.md describes configuration and fields for other hosts.
 */
import { HEAD_BYTES } from './record';

export const ABI: i32 = 1;

/** Words of the configuration before the variants, and of a variant. */
const HEAD_WORDS: usize = 16;
const VARIANT_WORDS: usize = 16;

/** Working memory of a thread before the part that depends on the configuration: metrics of the battle at hand. */
const VALUES_BYTES: usize = 2048;

@unmanaged
export class Configuration {
  abi: i32;
  variants: i32;
  actions: i32;
  features: i32;
  agents: i32;
  metrics: i32;
  /** Index among next-step, same-step, disabled. */
  autoreset: i32;
  /** Actions after which an episode is truncated; 0: never. */
  maxSteps: i32;
  seedLow: u32;
  seedHigh: u32;
  points: i32;
  /** Decision points at which agents are not asked but follow their scenario's policies: a bit for each. */
  unasked: u32;
}

/** One scenario. Offsets are in bytes from the start of the configuration. */
@unmanaged
export class Variant {
  /** The scenario as battles are played of it. */
  body: i32;
  /** The variant is drawn by the words below, unless one before it is; the last one by all others. */
  threshold: u32;
  players: i32;
  /** For each player the index of the agent, or -1. */
  agents: i32;
  /** Its actions: how many, their numbers among all, and for each of all its own number or -1. */
  actions: i32;
  actionOf: i32;
  localOf: i32;
  /** Its features: where each stands in an observation, and how many. */
  slotOf: i32;
  features: i32;
  outcomes: i32;
  /** Rewards of a battle that is over: doubles by outcome and agent, and by metric and agent. */
  byOutcome: i32;
  metrics: i32;
  byMetric: i32;
  /** Words of the system's own. */
  extras: i32;
  /** 1: rewards look at metrics; 2: there are features that it does not have. */
  flags: i32;
  unused: i32;
}

export const REWARDS_METRICS: i32 = 1;
export const LACKS_FEATURES: i32 = 2;

/** Kinds of numbers in fields. */
const I32: u32 = 0;
const F32: u32 = 1;
const U8: u32 = 2;

/** Fields by number, and words of each in the table: kind, columns, address, bytes of a row. */
const FIELDS: usize = 20;
const FIELD_WORDS: usize = 4;
export const table: usize = memory.data(20 * 4 * 4, 8);

let config: usize = 0;
export let configBytes: usize = 0;

/** Environments, and the index of the first. */
export let envs: i32 = 0;
export let first: u32 = 0;

export let acts: usize = 0;
export let observations: usize = 0;
export let masks: usize = 0;
export let rewards: usize = 0;
export let terminated: usize = 0;
export let truncated: usize = 0;
export let players: usize = 0;
export let phases: usize = 0;
export let finalObservations: usize = 0;
export let finalReturns: usize = 0;
export let episodes: usize = 0;
export let invalid: usize = 0;
export let finished: usize = 0;
export let outcomes: usize = 0;
export let metrics: usize = 0;
export let variantOf: usize = 0;
export let lengths: usize = 0;
export let finalVariants: usize = 0;
export let resets: usize = 0;
export let records: usize = 0;

/** Bytes of rows and of a record. */
export let observationRow: usize = 0;
export let maskRow: usize = 0;
export let rewardRow: usize = 0;
export let metricRow: usize = 0;
export let stride: usize = 0;

/** Working memory of this instance: a mask, an observation, a record; counts of playouts by outcome, sums by metric. */
export let values: usize = 0;
export let spareMask: usize = 0;
export let spareRecord: usize = 0;
export let counts: usize = 0;
export let sums: usize = 0;

/** Outcomes of the variant that has most. */
export let outcomesMax: i32 = 0;

let end: usize = 0;
let field: usize = 0;

function aligned(at: usize): usize {
  return (at + 63) & ~63;
}

export class Fields {
  @inline static of(): Configuration {
    return changetype<Configuration>(config);
  }

  @inline static variant(index: i32): Variant {
    return changetype<Variant>(config + ((HEAD_WORDS + <usize>index * VARIANT_WORDS) << 2));
  }

  /** What lies so many bytes behind the start of the configuration. */
  @inline static at(offset: i32): usize {
    return config + <usize>offset;
  }

  /** Whether agents are asked at a decision point. */
  @inline static asks(point: i32): bool {
    return ((Fields.of().unasked >>> point) & 1) === 0;
  }

  static place(at: usize, bytes: usize): void {
    config = at;
    configBytes = bytes;
  }

  /** Gives the next field its place; returns it. */
  static next(kind: u32, columns: i32): usize {
    const at = aligned(end);
    const row = (kind === U8 ? <usize>1 : <usize>4) * <usize>columns;
    const entry = table + ((field * FIELD_WORDS) << 2);
    store<u32>(entry, kind);
    store<i32>(entry, columns, 4);
    store<u32>(entry, <u32>at, 8);
    store<u32>(entry, <u32>row, 12);
    field++;
    end = at + row * <usize>envs;
    return at;
  }

  /** Lays everything out for `count` environments, the battles of which take `battleBytes` at most; returns the end. */
  static lay(count: i32, from: u32, threads: i32, thread: i32, battleBytes: usize): u64 {
    const so = Fields.of();
    envs = count;
    first = from;
    observationRow = (<usize>so.features) << 2;
    maskRow = <usize>so.actions;
    rewardRow = (<usize>so.agents) << 2;
    metricRow = (<usize>so.metrics) << 2;
    stride = (HEAD_BYTES + battleBytes + 15) & ~15;
    field = 0;
    end = config + configBytes;
    acts = Fields.next(I32, 1);
    observations = Fields.next(F32, so.features);
    masks = Fields.next(U8, so.actions);
    rewards = Fields.next(F32, so.agents);
    terminated = Fields.next(U8, 1);
    truncated = Fields.next(U8, 1);
    players = Fields.next(I32, 1);
    phases = Fields.next(U8, 1);
    finalObservations = Fields.next(F32, so.features);
    finalReturns = Fields.next(F32, so.agents);
    episodes = Fields.next(I32, 1);
    invalid = Fields.next(U8, 1);
    finished = Fields.next(I32, 1);
    outcomes = Fields.next(I32, 1);
    metrics = Fields.next(I32, so.metrics);
    variantOf = Fields.next(I32, 1);
    lengths = Fields.next(I32, 1);
    finalVariants = Fields.next(I32, 1);
    resets = Fields.next(U8, 1);
    records = Fields.next(U8, <i32>stride);
    return Fields.desks(threads, thread);
  }

  /** Gives each thread its working memory; returns the end. */
  static desks(threads: i32, thread: i32): u64 {
    outcomesMax = 0;
    for (let v = 0, n = Fields.of().variants; v < n; v++) outcomesMax = max(outcomesMax, Fields.variant(v).outcomes);
    const countBytes = aligned((<usize>outcomesMax) << 2);
    const sumBytes = aligned((<usize>Fields.of().metrics) << 3);
    const desk = VALUES_BYTES + aligned(maskRow) + aligned(stride) + countBytes + sumBytes;
    const desks = aligned(end);
    values = desks + <usize>thread * desk;
    spareMask = values + VALUES_BYTES;
    spareRecord = spareMask + aligned(maskRow);
    counts = spareRecord + aligned(stride);
    sums = counts + countBytes;
    return <u64>desks + <u64>threads * desk;
  }

  /** What `lay` needs, worked out in 64 bits: addresses beyond memory would wrap. */
  static bytesFor(count: i32, battleBytes: usize): u64 {
    const so = Fields.of();
    const row =
      <u64>so.features * 8 + <u64>so.actions + <u64>so.agents * 8 + <u64>so.metrics * 4 + 32 + <u64>battleBytes + 64;
    return row * <u64>count + 64 * FIELDS;
  }
}
