/** JSON files that say what a folder holds: written whole, with a seal by which damage is found. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RULESET } from '../../answers/digest.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { putDurably, writeDurably } from '../../core/files/durable.ts';
import { isMapping } from '../../rules/scenario/problem.ts';
import { bytesOf, unreadable, withFile } from './regular.ts';

/** The most bytes of such a file: a manifest of ten thousand segments that were extended ten times. */
export const SEALED_MAX: number = 2 ** 25;

/** An object as its file has it: with a seal, the SHA-256 of all the rest. */
export function sealedText(content: object): string {
  const seal = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${JSON.stringify({ ...content, seal }, undefined, 2)}\n`;
}

function checkedText(path: string, content: object): string {
  const text = sealedText(content);
  if (Buffer.byteLength(text) <= SEALED_MAX) return text;
  throw new RunError(`${path} would have more than ${String(SEALED_MAX)} bytes: too many parts`);
}

/** @throws RunError if it cannot be written */
export async function writeSealed(folder: string, file: string, content: object): Promise<void> {
  const path = join(folder, file);
  await writeDurably(path, checkedText(path, content));
}

/** Writes it unless there is one. @throws RunError if it cannot be written */
export async function putSealed(folder: string, file: string, content: object): Promise<void> {
  const path = join(folder, file);
  await putDurably(path, checkedText(path, content));
}

/** The text of such a file; undefined if there is none. */
async function textIn(folder: string, name: string): Promise<string | undefined> {
  try {
    return await withFile(folder, name, SEALED_MAX, async (file) =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytesOf(file, 0, file.size)),
    );
  } catch (error) {
    const cause = error instanceof RunError ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** What a file of this kind is called, and which format this version reads. */
export interface SealedKind {
  readonly what: string;
  readonly format: number;
}

function parsed(text: string, path: string, what: string): Readonly<Record<string, unknown>> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new RunError(`${path} cannot be read: it is no JSON`);
  }
  if (isMapping(found) && 'format' in found) return found;
  throw new InputError(path, what, 'another JSON text');
}

/** Refuses what this version cannot read before anything else is said of it. */
function checkVersion(found: Readonly<Record<string, unknown>>, due: number, path: string): void {
  const { format, ruleset, warpool } = found;
  const told = (value: unknown): string => ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 40);
  if (format !== due)
    throw new InputError(path, `format ${String(due)}`, `${told(format)}, of another version of warpool`);
  if (ruleset === RULESET) return;
  const other = `ruleset ${told(ruleset)}, of warpool ${told(warpool)}, whose battles end otherwise`;
  throw new InputError(path, `ruleset ${RULESET}`, other);
}

/** Refuses a text that is not, byte by byte, what `sealedText` gives. */
function checkSeal({ seal: _seal, ...content }: Readonly<Record<string, unknown>>, text: string): void {
  if (sealedText(content) === text) return;
  throw new Error('its seal is not that of its contents: it is damaged, or somebody has changed it');
}

/**
 * What a sealed file holds, its seal with it; its form is not checked.
 * @returns undefined if there is none
 * @throws InputError if it is of another version
 * @throws RunError if it is damaged
 */
export async function readSealed(
  folder: string,
  file: string,
  { what, format }: SealedKind,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = join(folder, file);
  const text = await textIn(folder, file);
  if (text === undefined) return undefined;
  const found = parsed(text, path, what);
  checkVersion(found, format, path);
  try {
    checkSeal(found, text);
  } catch (error) {
    throw unreadable(path, error);
  }
  return found;
}
