/** The manifest of a store: what was asked, by which program, and, once all is there, what came of it. */
import { join } from 'node:path';
import { ownRules, RULESET, rulesOf, scenarioHash } from '../../answers/digest.ts';
import { InputError, InputErrors, RunError } from '../../core/errors.ts';
import { version } from '../../core/version.ts';
import { kernelHash } from '../../engines/kernel/load.ts';
import { SHIPPED } from '../../rules/index.ts';
import type { Registry } from '../../rules/registry.ts';
import { describeFound } from '../../rules/scenario/finding.ts';
import { unreadable } from '../folder/regular.ts';
import { checkRules, kernelNames } from '../folder/rules.ts';
import { putSealed, readSealed, SEALED_MAX, sealedText, writeSealed } from '../folder/sealed.ts';
import { segmentSize } from '../sweep/segments.ts';
import { type Sweep, sweepHash } from '../sweep/sweep.ts';
import { checkedManifest } from './checked.ts';
import { MANIFEST } from './files.ts';
import { FORMAT, type Manifest } from './schema.ts';

export type { Manifest, StoredPart } from './schema.ts';

/** The most bytes of a manifest. */
export const MANIFEST_MAX: number = SEALED_MAX;

/** The manifest of a store that is about to be filled. */
export function newManifest(sweep: Sweep): Manifest {
  const { spec } = sweep;
  return {
    format: FORMAT,
    warpool: version(),
    ruleset: RULESET,
    ...ownRules(rulesOf(spec.scenario)),
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
  return sealedText(manifest);
}

/** @throws RunError if it cannot be written */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeSealed(folder, MANIFEST, manifest);
}

/** Writes it unless there is one. @throws RunError if it cannot be written */
export async function putManifest(folder: string, manifest: Manifest): Promise<void> {
  await putSealed(folder, MANIFEST, manifest);
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
  const found = await readSealed(folder, MANIFEST, { what: 'the manifest of a sweep', format: FORMAT });
  if (found === undefined) return undefined;
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
