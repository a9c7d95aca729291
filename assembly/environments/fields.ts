/**
 * Memory layout. The host writes the configuration (src/environments/env-spec.ts), from which the rest is derived:
 * buffers of all environments, each aligned to 64 bytes, then records, then working memory of threads.
 * docs/reference/abi.md describes configuration and buffers for other hosts.
 */

import { VALUES_BYTES } from '../core/counts';
import { aligned } from '../core/memory';
import {
  Columns,
  Configuration,
  FIELD_COLUMNS,
  FIELD_KINDS,
  FIELDS_COUNT,
  Buffers as Field,
  Kinds,
  Place,
  Record,
  Variant,
} from '../generated/environments';

/** Addresses of buffers. */
export const table: usize = memory.data(FIELDS_COUNT * offsetof<Place>(), 8);

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
export let finalMasks: usize = 0;
export let finalPlayers: usize = 0;
export let finalPhases: usize = 0;
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

export class Fields {
  @inline static of(): Configuration {
    return changetype<Configuration>(config);
  }

  @inline static variant(index: i32): Variant {
    return changetype<Variant>(config + offsetof<Configuration>() + <usize>index * offsetof<Variant>());
  }

  /** Returns the address at an offset from the start of the configuration. */
  @inline static at(offset: i32): usize {
    return config + <usize>offset;
  }

  /** Returns true if agents decide at a decision point. */
  @inline static asks(point: i32): bool {
    return ((Fields.of().unasked >>> point) & 1) === 0;
  }

  static place(at: usize, bytes: usize): void {
    config = at;
    configBytes = bytes;
  }

  /** Lays everything out for `count` environments, the battles of which take `battleBytes` at most; returns the end. */
  static lay(count: i32, from: u32, threads: i32, thread: i32, battleBytes: usize): u64 {
    envs = count;
    first = from;
    stride = (offsetof<Record>() + battleBytes + 15) & ~15;
    const end = Fields.tabulate(config + configBytes);
    acts = Fields.entry(Field.act).address;
    observations = Fields.entry(Field.obs).address;
    observationRow = Fields.entry(Field.obs).row;
    masks = Fields.entry(Field.mask).address;
    maskRow = Fields.entry(Field.mask).row;
    rewards = Fields.entry(Field.reward).address;
    rewardRow = Fields.entry(Field.reward).row;
    terminated = Fields.entry(Field.terminated).address;
    truncated = Fields.entry(Field.truncated).address;
    players = Fields.entry(Field.player).address;
    phases = Fields.entry(Field.phase).address;
    finalObservations = Fields.entry(Field.finalObs).address;
    finalReturns = Fields.entry(Field.finalReturn).address;
    episodes = Fields.entry(Field.episode).address;
    invalid = Fields.entry(Field.invalid).address;
    finished = Fields.entry(Field.finished).address;
    outcomes = Fields.entry(Field.outcome).address;
    metrics = Fields.entry(Field.metrics).address;
    metricRow = Fields.entry(Field.metrics).row;
    variantOf = Fields.entry(Field.variant).address;
    lengths = Fields.entry(Field.length).address;
    finalVariants = Fields.entry(Field.finalVariant).address;
    resets = Fields.entry(Field.resetMask).address;
    finalMasks = Fields.entry(Field.finalMask).address;
    finalPlayers = Fields.entry(Field.finalPlayer).address;
    finalPhases = Fields.entry(Field.finalPhase).address;
    records = Fields.entry(Field.record).address;
    return Fields.desks(aligned(end), threads, thread);
  }

  @inline static entry(field: i32): Place {
    return changetype<Place>(table + <usize>field * offsetof<Place>());
  }

  /**
   * Describes all buffers, the first of which starts behind `at`; returns their end. In 64 bits: it may exceed memory.
   */
  static tabulate(at: usize): u64 {
    let end = <u64>at;
    for (let field = 0; field < FIELDS_COUNT; field++) {
      const entry = Fields.entry(field);
      const start = aligned(end);
      entry.kind = load<u32>(FIELD_KINDS + ((<usize>field) << 2));
      entry.columns = Fields.columns(load<i32>(FIELD_COLUMNS + ((<usize>field) << 2)));
      entry.address = <u32>start;
      entry.row = entry.columns << (entry.kind === Kinds.u8 ? 0 : 2);
      end = start + <u64>entry.row * <u64>envs;
    }
    return end;
  }

  /** Returns the number of columns of a row. */
  static columns(columns: i32): i32 {
    const so = Fields.of();
    if (columns === Columns.features) return so.features;
    if (columns === Columns.actions) return so.actions;
    if (columns === Columns.agents) return so.agents;
    if (columns === Columns.metrics) return so.metrics;
    return columns === Columns.record ? <i32>stride : 1;
  }

  /** Assigns working memory to each thread; returns the end. */
  static desks(at: u64, threads: i32, thread: i32): u64 {
    outcomesMax = 0;
    for (let v = 0, n = Fields.of().variants; v < n; v++) outcomesMax = max(outcomesMax, Fields.variant(v).outcomes);
    const countBytes = aligned((<usize>outcomesMax) << 2);
    const sumBytes = aligned((<usize>Fields.of().metrics) << 3);
    const desk = VALUES_BYTES + aligned(maskRow) + aligned(stride) + countBytes + sumBytes;
    values = <usize>at + <usize>thread * desk;
    spareMask = values + VALUES_BYTES;
    spareRecord = spareMask + aligned(maskRow);
    counts = spareRecord + aligned(stride);
    sums = counts + countBytes;
    return at + <u64>threads * desk;
  }
}
