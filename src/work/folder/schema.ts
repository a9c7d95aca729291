/** Fields that the manifests of all kinds of folders have. */
import { z } from 'zod';
import { RULESET } from '../../answers/digest.ts';
import { PART_MAX, type StoredPart } from './regular.ts';

/** The most files: the manifest would be too large for more. */
const PARTS_MAX = 200_000;

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

const part = z.strictObject({ file: z.string().max(100), bytes: z.int().min(1).max(PART_MAX), sha256 });

/** What manifests of all kinds end with. */
export const SEALED = { parts: z.array(part).max(PARTS_MAX).optional(), seal: sha256 } as const;

/** What the manifests of all kinds tell. */
export interface MadeBy {
  readonly format: number;
  /** Version of the package that began it. */
  readonly warpool: string;
  readonly ruleset: string;
  /** SHA-256 of the module that the system was loaded from; a shipped one has none. */
  readonly systemHash?: string;
  /** The package that the module is of. */
  readonly systemPackage?: string;
  /** SHA-256 of the kernels that can have played. */
  readonly kernels: Readonly<Record<string, string>>;
  readonly scenarioHash: string;
  readonly complete: boolean;
  /** All parts in their order, once it is complete. */
  readonly parts?: readonly StoredPart[];
}
