/** The manifest of a store: what was asked, by which program, and, once all is there, what came of it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { InputError, InputErrors, RunError } from '../errors.ts';
import { kernelHash } from '../kernel/load.ts';
import { describeFound, isMapping } from '../scenario/finding.ts';
import { RULESET, rulesOf, scenarioHash } from '../stats/digest.ts';
import { segmentSize } from '../sweep/segments.ts';
import { type Sweep, sweepHash } from '../sweep/sweep.ts';
import { SHIPPED } from '../systems/index.ts';
import type { Registry } from '../systems/registry.ts';
import { version } from '../version.ts';
import { checkedManifest } from './checked.ts';
import { putDurably, writeDurably } from './durable.ts';
import { MANIFEST } from './files.ts';
import { bytesOf, unreadable, withFile } from './regular.ts';
import { checkRules, kernelNames } from './rules.ts';
import { FORMAT, type Manifest } from './schema.ts';

export type { Manifest, StoredPart } from './schema.ts';

/** The most bytes of a manifest: those of ten thousand segments that were extended ten times. */
export const MANIFEST_MAX: number = 2 ** 25;

/** The manifest of a store that is about to be filled. */
export function newManifest(sweep: Sweep): Manifest {
  const { spec } = sweep;
  const { systemHash } = rulesOf(spec.scenario);
  return {
    format: FORMAT,
    warpool: version(),
    ruleset: RULESET,
    ...(systemHash !== undefined && { systemHash }),
    kernels: Object.fromEntries(kernelNames(sweep).map((name) => [name, kernelHash(name)])),
    scenarioHash: scenarioHash(spec.scenario),
    sweepHash: sweepHash(spec),
    segmentSize: segmentSize(sweep),
    sweep: spec,
    extended: [],
    complete: false,
  };
}

/** A manifest as its file has it: with a seal, the SHA-256 of all the rest. */
export function manifestText(manifest: Manifest): string {
  const seal = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  return `${JSON.stringify({ ...manifest, seal }, undefined, 2)}\n`;
}

function checkedText(path: string, manifest: Manifest): string {
  const text = manifestText(manifest);
  if (Buffer.byteLength(text) <= MANIFEST_MAX) return text;
  throw new RunError(`${path} would have more than ${String(MANIFEST_MAX)} bytes: too many parts`);
}

/** @throws RunError if it cannot be written */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST);
  await writeDurably(path, checkedText(path, manifest));
}

/** Writes it unless there is one. @throws RunError if it cannot be written */
export async function putManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST);
  await putDurably(path, checkedText(path, manifest));
}

/** The text of a manifest; undefined if there is none. */
async function textIn(folder: string): Promise<string | undefined> {
  try {
    return await withFile(folder, MANIFEST, MANIFEST_MAX, async (file) =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytesOf(file, 0, file.size)),
    );
  } catch (error) {
    const cause = error instanceof RunError ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function parsed(text: string, path: string): Readonly<Record<string, unknown>> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new RunError(`${path} cannot be read: it is no JSON`);
  }
  if (isMapping(found) && 'format' in found) return found;
  throw new InputError(path, 'the manifest of a sweep', 'another JSON text');
}

/** Refuses what this version cannot read before anything else is said of it. */
function checkVersion({ format, ruleset, warpool }: Readonly<Record<string, unknown>>, path: string): void {
  const told = (value: unknown): string => ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 40);
  if (format !== FORMAT)
    throw new InputError(path, `format ${String(FORMAT)}`, `${told(format)}, of another version of warpool`);
  if (ruleset === RULESET) return;
  const found = `ruleset ${told(ruleset)}, of warpool ${told(warpool)}, whose battles end otherwise`;
  throw new InputError(path, `ruleset ${RULESET}`, found);
}

/** Refuses a text that is not, byte by byte, what `manifestText` gives. */
function checkSeal({ seal: _seal, ...content }: Readonly<Record<string, unknown>>, text: string): void {
  if (manifestText(content as unknown as Manifest) === text) return;
  throw new Error('its seal is not that of its contents: it is damaged, or somebody has changed it');
}

/**
 * The manifest in a folder, checked: its seal, its form, and all that follows from the sweep in it.
 * @param registry in which its system is found
 * @returns undefined if there is none
 * @throws InputError if it is of another version, or was made with other rules
 * @throws RunError if it is damaged or contradicts itself; the message tells where
 */
export async function findManifest(folder: string, registry: Registry = SHIPPED): Promise<Manifest | undefined> {
  if (typeof (folder as unknown) !== 'string') throw new InputError('folder', 'a path', describeFound(folder));
  const path = join(folder, MANIFEST);
  const text = await textIn(folder);
  if (text === undefined) return undefined;
  const found = parsed(text, path);
  checkVersion(found, path);
  try {
    checkSeal(found, text);
  } catch (error) {
    throw unreadable(path, error);
  }
  checkRules(found, path, registry);
  try {
    return checkedManifest(found, path, registry);
  } catch (error) {
    const told = error instanceof InputError || error instanceof InputErrors;
    throw told ? new RunError(error.message, { cause: error }) : unreadable(path, error);
  }
}

/** @throws InputError if the folder has none */
export async function readManifest(folder: string, registry: Registry = SHIPPED): Promise<Manifest> {
  const manifest = await findManifest(folder, registry);
  if (manifest === undefined)
    throw new InputError(folder, 'a folder that warpool sweep has made', `no ${MANIFEST} in it`);
  return manifest;
}
