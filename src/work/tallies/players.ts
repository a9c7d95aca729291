/** Plays runs out of a folder: what is there is read, what is not is played by others and kept. */

import { emptyTally, mergeTally, type Tally } from '../../answers/tally.ts';
import { RunError } from '../../core/errors.ts';
import type { Players } from '../../engines/pool/own.ts';
import type { PlayOptions, PreparedRun, Progress, Run, RunResult } from '../../engines/pool/run.ts';
import { prepare } from '../../engines/pool/setup.ts';
import { filesIn } from '../folder/regular.ts';
import { partFile } from './files.ts';
import { RUNS } from './manifest.ts';
import { cutAt, type Range } from './ranges.ts';
import type { RunStore } from './store.ts';

/** A part of the run is not there, and nobody is to play it. */
export class MissingPart extends RunError {
  readonly range: Range;

  constructor(folder: string, file: string, range: Range) {
    super(`${folder} has no ${file}`);
    this.range = range;
  }
}

/** Battles of a run that are there before it is played. */
async function battlesThere({ folder, run }: RunStore): Promise<(asked: Range) => number> {
  const files = new Set(await filesIn(folder, RUNS.folders));
  return (asked) => {
    let battles = 0;
    for (const { from, to } of cutAt(run, asked)) if (files.has(partFile(run, { from, to }))) battles += to - from;
    return battles;
  };
}

export class StoredPlayers implements Players {
  /** Files that were read or written, in the order of their battles. */
  readonly files: string[] = [];
  /** Battles that were read; the others were played. */
  before = 0;
  readonly #store: RunStore;
  readonly #others: Players | undefined;
  #prepared: PreparedRun | undefined;
  #there: ((asked: Range) => number) | undefined;

  /** @param others play what is not there; undefined if nobody is to */
  constructor(store: RunStore, others: Players | undefined) {
    this.#store = store;
    this.#others = others;
  }

  /**
   * Progress is told of those battles that are not there yet.
   * @throws MissingPart if a part is not there and nobody is to play it
   * @throws RunError if one is damaged, or cannot be written
   */
  async play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    const { run: whole, shape } = this.#store;
    this.#there ??= await battlesThere(this.#store);
    const tally = emptyTally(shape);
    const prepared = options.prepared ?? (await this.#ready(run, options.signal));
    const result = {
      tally,
      player: prepared.setup.form,
      why: prepared.why,
      from: run.from,
      to: run.from,
      seconds: 0,
      workers: 0,
    };
    const due = run.to - run.from - this.#there(run);
    let played = 0;
    for (const range of cutAt(whole, run)) {
      if (options.signal?.aborted === true) break;
      const onProgress = ({ done }: Progress): void => options.onProgress?.({ done: played + done, asked: due });
      const part = await this.#part({ ...run, ...range }, { ...options, prepared, onProgress });
      mergeTally(tally, part.tally);
      result.to = part.to;
      result.seconds += part.seconds;
      result.workers = Math.max(result.workers, part.workers);
      if (!part.there) played += part.to - part.from;
      if (!part.complete) break;
      this.files.push(partFile(whole, range));
    }
    return { ...result, complete: result.to === run.to };
  }

  /** What a run of the whole would be played with: its parts are too short to be worth what that takes. */
  async #ready(run: Run, signal: AbortSignal | undefined): Promise<PreparedRun> {
    this.#prepared ??= await prepare({ ...run, from: this.#store.run.from, to: this.#store.run.to }, { signal });
    return this.#prepared;
  }

  /** @throws RunError if the part is damaged, with what helps where somebody can play it again */
  async #read(range: Range): Promise<Tally> {
    try {
      return await this.#store.read(range);
    } catch (error) {
      if (this.#others === undefined || !(error instanceof RunError)) throw error;
      throw new RunError(`${error.message}; remove it, and its battles are played again`, { cause: error });
    }
  }

  async #part(run: Run, options: PlayOptions): Promise<Omit<RunResult, 'player'> & { readonly there: boolean }> {
    const range = { from: run.from, to: run.to };
    if (await this.#store.has(range)) {
      this.before += run.to - run.from;
      const tally = await this.#read(range);
      return { tally, ...range, complete: true, there: true, seconds: 0, workers: 0 };
    }
    if (this.#others === undefined) throw new MissingPart(this.#store.folder, partFile(this.#store.run, range), range);
    const result = await this.#others.play(run, options);
    if (result.complete) await this.#store.write(range, result.tally);
    return { ...result, there: false };
  }
}
