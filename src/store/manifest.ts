/** The manifest of a store: what was asked, by which program, and, once all is there, what came of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, RunError } from '../errors.ts';
import { kernelHash } from '../kernel/load.ts';
import { RULESET, scenarioHash } from '../stats/digest.ts';
import { segmentSize } from '../sweep/segments.ts';
import { type Sweep, type SweepSpec, sweepHash } from '../sweep/sweep.ts';
import { version } from '../version.ts';
import { writeDurably } from './durable.ts';
import { MANIFEST } from './files.ts';

/** Bumped when older programs could no longer read a store. */
const FORMAT = 1;

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
  readonly parts?: readonly StoredPart[];
}

/** The manifest of a store that is about to be filled. */
export function newManifest(sweep: Sweep): Manifest {
  const { spec } = sweep;
  const names = [spec.scenario.system, 'automaton'];
  return {
    format: FORMAT,
    warpool: version(),
    ruleset: RULESET,
    kernels: Object.fromEntries(names.map((name) => [name, kernelHash(name)])),
    scenarioHash: scenarioHash(spec.scenario),
    sweepHash: sweepHash(spec),
    segmentSize: segmentSize(sweep),
    sweep: spec,
    extended: [],
    complete: false,
  };
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @returns undefined if there is none */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST);
  const text = await textOf(path);
  if (text === undefined) return undefined;
  const manifest = parsed(text, path);
  if (manifest.format !== FORMAT)
    throw new InputError(path, `format ${String(FORMAT)}`, `${String(manifest.format)}, of another version of warpool`);
  return manifest;
}

function parsed(text: string, path: string): Manifest {
  try {
    const found = JSON.parse(text) as Manifest;
    if (typeof found === 'object' && 'format' in found) return found;
  } catch (error) {
    throw new RunError(`${path} cannot be read: it is no JSON`, { cause: error });
  }
  throw new InputError(path, 'the manifest of a sweep', 'another JSON text');
}

/** @throws InputError if the folder has none */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await findManifest(folder);
  if (manifest === undefined)
    throw new InputError(folder, 'a folder that warpool sweep has made', `no ${MANIFEST} in it`);
  return manifest;
}
