/** The fields of `run.json`. */

import { z } from 'zod';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { ENGINES, type Engine } from '../../engines/pool/run.ts';
import { fieldsOf } from '../../rules/scenario/settings.ts';
import type { Scenario } from '../../rules/system.ts';
import { LENGTH, type Length } from '../../studies/asked.ts';
import { MADE_BY, type MadeBy, SEALED, sha256 } from '../folder/schema.ts';

/** Bumped when older programs could no longer read the folder of a run. */
export const RUN_FORMAT = 1;

// 2^53, the most, is one more than zod takes for an integer.
const battle = z.number().multipleOf(1).min(0).max(MAX_BATTLES);

export const runSchema = z.strictObject({
  format: z.literal(RUN_FORMAT),
  ...MADE_BY,
  scenario: z.looseObject({ system: z.string() }),
  seed: z.string().regex(/^(0|[1-9]\d{0,19})$/, 'an integer in decimal'),
  engine: z.enum(ENGINES),
  battles: battle.optional(),
  ...fieldsOf(LENGTH),
  from: battle,
  to: battle,
  rangeSize: battle,
  complete: z.boolean(),
  end: battle.optional(),
  digest: sha256.optional(),
  ...SEALED,
});

/** A run that is kept in a folder. */
export interface RunManifest extends MadeBy, Length {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** In decimal. */
  readonly seed: string;
  readonly engine: Engine;
  /** Battles from..to-1 are played; with a precision, at most. */
  readonly from: number;
  readonly to: number;
  /** Battles of a range. */
  readonly rangeSize: number;
  /** Once the run is complete: one past its last battle, and its digest. */
  readonly end?: number;
  readonly digest?: string;
}
