/** The fields of a manifest. */

import { z } from 'zod';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import type { StoredPart } from '../folder/regular.ts';
import { MADE_BY, type MadeBy, SEALED, sha256 } from '../folder/schema.ts';
import { POINTS_MAX, schema as sweepFile } from '../sweep/file.ts';
import type { SweepSpec } from '../sweep/sweep.ts';

/** Bumped when older programs could no longer read a store. */
export const FORMAT = 2;

/** Times that a sweep can be extended. */
export const EXTENSIONS_MAX = 100;

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...MADE_BY,
  sweepHash: sha256,
  segmentSize: z.int().min(1).max(POINTS_MAX),
  sweep: sweepFile,
  extended: z.array(z.int().min(0).max(MAX_BATTLES)).max(EXTENSIONS_MAX),
  complete: z.boolean(),
  cells: z.int().min(0).max(POINTS_MAX).optional(),
  rows: z.int().min(0).optional(),
  digest: sha256.optional(),
  ...SEALED,
});

export interface Manifest extends MadeBy {
  readonly sweepHash: string;
  /** Points of a segment. */
  readonly segmentSize: number;
  /** The whole sweep file with all defaults, its scenario in it. */
  readonly sweep: SweepSpec;
  /** Battles of a cell before each extension. */
  readonly extended: readonly number[];
  /** Cells, and rows of `table/`, once the store is complete. */
  readonly cells?: number;
  readonly rows?: number;
  /** SHA-256 over number, scenario and digest of every cell. */
  readonly digest?: string;
  /** While a store is extended: the parts that are not written anew; all of them once it is complete. */
  readonly parts?: readonly StoredPart[];
}
