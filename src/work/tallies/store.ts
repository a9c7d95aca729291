/** A run in a folder, with the tallies that it has. */

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Played, rulesOf } from '../../answers/digest.ts';
import type { Tally, TallyShape } from '../../answers/tally.ts';
import { opened } from '../../rules/opened.ts';
import type { StoredPart } from '../folder/regular.ts';

import { partFile } from './files.ts';
import type { RunManifest } from './manifest.ts';
import { readTally, writeTally } from './part.ts';
import type { Range } from './ranges.ts';

export class RunStore {
  readonly folder: string;
  readonly run: RunManifest;
  readonly shape: TallyShape;
  readonly #listed: ReadonlyMap<string, StoredPart>;

  constructor(folder: string, run: RunManifest) {
    this.folder = folder;
    this.run = run;
    this.shape = opened(run.scenario).shape;
    this.#listed = new Map(run.parts?.map((part) => [part.file, part]));
  }

  /** The battles of a range, as digests name them. */
  played({ from, to }: Range): Played {
    const { scenario, scenarioHash, seed, engine } = this.run;
    return { ...rulesOf(scenario), scenarioHash, seed: BigInt(seed), from, to, drawn: engine === 'sampled' };
  }

  async has(range: Range): Promise<boolean> {
    const found = await lstat(join(this.folder, partFile(this.run, range))).catch(() => undefined);
    return found !== undefined;
  }

  /** @throws RunError if there is none, or it is damaged or of other battles */
  async read(range: Range): Promise<Tally> {
    const file = partFile(this.run, range);
    return await readTally(this.folder, file, this.#listed.get(file), this.played(range), this.shape);
  }

  /** @throws RunError if it cannot be written */
  async write(range: Range, tally: Tally): Promise<void> {
    await writeTally(this.folder, partFile(this.run, range), this.played(range), this.shape, tally);
  }
}
