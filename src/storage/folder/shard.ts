/**
 * Shards of a sweep, or of a run: what each of n processes plays, on machines that know nothing of each other. Segments, or
 * ranges of battles, are dealt out in turn, for neighbours take about equally long.
 */

import { checkKind, InputError } from '../../core/index.ts';

/** A shard of a sweep or a run: number `index` of so many. */
export interface Shard {
  /** 1..of */
  readonly index: number;
  /** How many there are. */
  readonly of: number;
}

/** The most shards. */
export const SHARDS_MAX = 1_000_000;

/** @throws InputError unless it is one of so many */
export function checkShard(shard: Shard, place = 'shard'): void {
  checkKind(place, 'a shard such as { index: 1, of: 8 }', shard, 'of');
  const { index, of } = shard;
  const found = `${String(index)}/${String(of)}`;
  if (!Number.isSafeInteger(of) || of < 1 || of > SHARDS_MAX)
    throw new InputError(place, `1..${String(SHARDS_MAX)} shards`, found);
  if (!Number.isSafeInteger(index) || index < 1 || index > of)
    throw new InputError(place, `a shard 1..${String(of)} of ${String(of)}`, found);
}

/** True of the segments, or ranges, that a shard plays. */
export function isInShard({ index, of }: Shard, segment: number): boolean {
  return segment % of === index - 1;
}

/** The shard that plays a segment, 1..of. */
export function findShard(segment: number, of: number): number {
  return (segment % of) + 1;
}

/** How many of so many segments a shard plays. */
export function countShardSegments({ index, of }: Shard, segments: number): number {
  return Math.max(0, Math.ceil((segments - (index - 1)) / of));
}
