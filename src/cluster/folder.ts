/** Parts in a folder that is a store, which several machines may share. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../store/durable.ts';
import { partName } from '../store/files.ts';
import { PartConflict, type Parts } from './parts.ts';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export class FolderParts implements Parts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    try {
      const bytes = await this.read(file);
      return { bytes: bytes.length, sha256: sha256Of(bytes) };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async read(file: string): Promise<Uint8Array> {
    return await readFile(this.#pathOf(file));
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    const there = await this.find(file);
    if (there === undefined) await writeDurably(this.#pathOf(file), bytes);
    else if (there.sha256 !== sha256Of(bytes)) throw new PartConflict(`${file} is there with other bytes`);
  }

  /** Names come from other machines: only those of parts are paths. */
  #pathOf(file: string): string {
    if (partName(file) === undefined) throw new TypeError(`${JSON.stringify(file)} is no name of a part`);
    return join(this.#folder, file);
  }
}
