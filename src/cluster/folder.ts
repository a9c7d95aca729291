/** Parts in a folder that is a store, which several machines may share. */
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { putDurably } from '../store/durable.ts';
import { partName } from '../store/files.ts';
import { bytesOf, sha256Of as hashOf, PART_MAX, withFile } from '../store/regular.ts';
import { sha256Of } from './names.ts';
import { PartConflict, type Parts } from './parts.ts';

/** True of the error of a file that is not there; one that is there and no regular file is another. */
function isMissing(error: unknown): boolean {
  const cause = error instanceof RunError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

export class FolderParts implements Parts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    this.#check(file);
    try {
      return await withFile(this.#folder, file, PART_MAX, async (opened) => {
        return { bytes: opened.size, sha256: await hashOf(opened) };
      });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** @throws RunError if it is missing, too large, or no regular file */
  async read(file: string): Promise<Uint8Array> {
    this.#check(file);
    return await withFile(this.#folder, file, PART_MAX, (opened) => bytesOf(opened, 0, opened.size));
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    this.#check(file);
    if (await putDurably(join(this.#folder, file), bytes)) return;
    const there = await this.find(file);
    if (there?.sha256 !== sha256Of(bytes)) throw new PartConflict(`${file} is there with other bytes`);
  }

  /** Names come from other machines: only those of parts are paths. */
  #check(file: string): void {
    if (partName(file) === undefined) throw new TypeError(`${JSON.stringify(file)} is no name of a part`);
  }
}
