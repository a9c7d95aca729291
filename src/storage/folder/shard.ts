/**
 * Shards of a sweep or a run: the work of each of n processes on machines that do not communicate. Segments, or ranges
 * of battles, are assigned in turn, because neighbors take about equally long.
 */

import { checkKind, InputError } from '../../core/index.ts';

/** One of several shards of a sweep or a run. */
export interface Shard {
  /** 1..of */
  readonly index: number;
  /** Number of shards. */
  readonly of: number;
}

/** Maximum number of shards. */
export const SHARDS_MAX = 1_000_000;

/** @throws InputError if the shard is out of range */
export function checkShard(shard: Shard, place = 'shard'): void {
  checkKind(place, 'a shard such as { index: 1, of: 8 }', shard, 'of');
  const { index, of } = shard;
  const found = `${String(index)}/${String(of)}`;
  if (!Number.isSafeInteger(of) || of < 1 || of > SHARDS_MAX)
    throw new InputError(place, `1..${String(SHARDS_MAX)} shards`, found);
  if (!Number.isSafeInteger(index) || index < 1 || index > of)
    throw new InputError(place, `a shard 1..${String(of)} of ${String(of)}`, found);
}

/** True if the segment, or range, belongs to the shard. */
export function isInShard({ index, of }: Shard, segment: number): boolean {
  return segment % of === index - 1;
}

/** Returns the shard of a segment, 1..of. */
export function findShard(segment: number, of: number): number {
  return (segment % of) + 1;
}

/** Returns how many of the segments belong to a shard. */
export function countShardSegments({ index, of }: Shard, segments: number): number {
  return Math.max(0, Math.ceil((segments - (index - 1)) / of));
}
