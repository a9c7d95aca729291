/** Parts in a folder that is a store, which several machines may share. */
import { dirname, join } from 'node:path';
import { RunError } from '../../core/errors.ts';
import { putFlushed, sync } from '../../core/files/durable.ts';
import { bytesOf, sha256Of as hashOf, type Opened, PART_MAX, withFile } from '../folder/regular.ts';
import { FOLDERS, partName } from '../store/files.ts';
import type { EncodedPart } from '../store/segment.ts';
import { sha256Of } from './names.ts';
import { PartConflict, PartMissing, type Parts } from './parts.ts';

/** The error of a file that is not there, as such; one that is there and no regular file is another. */
function told(error: unknown): unknown {
  const cause = error instanceof RunError ? error.cause : undefined;
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return error instanceof RunError && isMissing ? new PartMissing(error.message, { cause }) : error;
}

export class FolderParts implements Parts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    try {
      return await this.#open(file, PART_MAX, async (opened) => {
        return { bytes: opened.size, sha256: await hashOf(opened) };
      });
    } catch (error) {
      if (error instanceof PartMissing) return undefined;
      throw error;
    }
  }

  /** @throws PartMissing if it is not there; RunError if it is too large, or no regular file */
  async read(file: string, most = PART_MAX): Promise<Uint8Array> {
    return await this.#open(file, most, (opened) => bytesOf(opened, 0, opened.size));
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    await this.#putFlushed(file, bytes);
    await sync(join(this.#folder, dirname(file)));
  }

  /** All of `histograms/` before those of `table/`; each folder is flushed once. */
  async putAll(segments: readonly (readonly EncodedPart[])[]): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    for (const folder of FOLDERS) {
      const whole = segments.filter((parts) => !parts.some(({ file }) => failures.has(file)));
      const here = whole.flat().filter(({ file }) => dirname(file) === folder);
      const put = async ({ file, content }: EncodedPart): Promise<void> => {
        await this.#putFlushed(file, content).catch((error: unknown) => failures.set(file, error));
      };
      await Promise.all(here.map(put));
      if (here.length > 0) await sync(join(this.#folder, folder));
    }
    return failures;
  }

  async #putFlushed(file: string, bytes: Uint8Array): Promise<void> {
    this.#check(file);
    if (await putFlushed(join(this.#folder, file), bytes)) return;
    const there = await this.find(file);
    if (there?.sha256 !== sha256Of(bytes)) throw new PartConflict(`${file} is there with other bytes`);
  }

  async #open<T>(file: string, most: number, act: (opened: Opened) => Promise<T>): Promise<T> {
    this.#check(file);
    try {
      return await withFile(this.#folder, file, most, act);
    } catch (error) {
      throw told(error);
    }
  }

  /** Names come from other machines: only those of parts are paths. */
  #check(file: string): void {
    if (partName(file) === undefined) throw new TypeError(`${JSON.stringify(file)} is no name of a part`);
  }
}
