/** The fields of a manifest. */
import { z } from 'zod';
import { RULESET } from '../../answers/digest.ts';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { PART_MAX } from '../folder/regular.ts';
import { POINTS_MAX, schema as sweepFile } from '../sweep/file.ts';
import type { SweepSpec } from '../sweep/sweep.ts';

/** Bumped when older programs could no longer read a store. */
export const FORMAT = 2;

/** Times that a sweep can be extended. */
export const EXTENSIONS_MAX = 100;

/** The most files: the manifest would be too large for more. */
export const PARTS_MAX = 200_000;

/** A hash, in hexadecimal digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits');

/** By which program, kernels and rules something was made: what manifests of all kinds begin with. */
export const MADE_BY = {
  warpool: z
    .string()
    .max(60)
    .regex(/^(\d+\.\d+\.\d+([-+][\w.+-]+)?|unknown)$/, 'the version of a package'),
  ruleset: z.literal(RULESET),
  systemHash: sha256.optional(),
  systemPackage: z.string().max(300).optional(),
  kernels: z.record(z.string(), sha256),
  scenarioHash: sha256,
} as const;

/** A file, as manifests list it. */
export const part = z.strictObject({ file: z.string().max(100), bytes: z.int().min(1).max(PART_MAX), sha256 });

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
  parts: z.array(part).max(PARTS_MAX).optional(),
  seal: sha256,
});

export interface StoredPart {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  /** Version of the package that began the store. */
  readonly warpool: string;
  readonly ruleset: string;
  /** SHA-256 of the module that the system was loaded from; a shipped one has none. */
  readonly systemHash?: string;
  /** The package that the module is of. */
  readonly systemPackage?: string;
  /** SHA-256 of the kernels that can have played. */
  readonly kernels: Readonly<Record<string, string>>;
  readonly scenarioHash: string;
  readonly sweepHash: string;
  /** Points of a segment. */
  readonly segmentSize: number;
  /** The whole sweep file with all defaults, its scenario in it. */
  readonly sweep: SweepSpec;
  /** Battles of a cell before each extension. */
  readonly extended: readonly number[];
  readonly complete: boolean;
  /** The rest is there once the store is complete: cells, rows of `table/`, and all parts. */
  readonly cells?: number;
  readonly rows?: number;
  /** SHA-256 over number, scenario and digest of every cell. */
  readonly digest?: string;
  /** While a store is extended: the parts that are not written anew. */
  readonly parts?: readonly StoredPart[];
}
