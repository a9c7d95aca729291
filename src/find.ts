/** Finds battles of a run by how they ended. */
import { setImmediate } from 'node:timers/promises';
import { parseCount, parseSeed, type SeedLike } from './chance/seed.ts';
import { MAX_BATTLES } from './chance/stream.ts';
import { Kernel } from './kernel/kernel.ts';
import { loadKernel } from './kernel/load.ts';
import { type Ending, endingOf } from './replay.ts';
import { shapeOf } from './stats/tally.ts';
import { requireSystem } from './systems/index.ts';
import type { Scenario } from './systems/system.ts';
import { parseWhere } from './where.ts';

export interface FindOptions {
  /** The condition, as `parseWhere` reads it: `winner=defender && rounds>12`. */
  readonly where: string;
  /** How many battles to find; 5 unless said otherwise. */
  readonly limit?: number;
  /** 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Index of the first battle to look at; 0 unless said otherwise. */
  readonly from?: number;
  /** How many to look at; 1 000 000 unless said otherwise. */
  readonly battles?: number;
  /** Ends the search early; what was found is returned. */
  readonly signal?: AbortSignal;
}

export interface Found extends Ending {
  /** The battle's index, for `replay`. */
  readonly battle: number;
}

export interface Search {
  /** In ascending order of their indices. */
  readonly found: readonly Found[];
  /** Battles that were looked at, from the first on. */
  readonly looked: number;
}

/** Battles between two looks at the signal. */
const PAUSE = 4096;

/**
 * Looks at battles in order until enough of them meet the condition.
 * @throws InputError if the condition cannot be read or an option is out of range
 */
export async function find(scenario: Scenario, options: FindOptions): Promise<Search> {
  const seed = parseSeed(options.seed ?? 1n);
  const first = parseCount(options.from ?? 0, 'from', 0, MAX_BATTLES - 1);
  const battles = parseCount(options.battles ?? 1_000_000, 'battles', 1, MAX_BATTLES - first);
  const limit = parseCount(options.limit ?? 5, 'limit', 1);
  const system = requireSystem(scenario.system);
  const model = system.model(scenario);
  const meets = parseWhere(options.where, model);
  const kernel = new Kernel(await loadKernel(system.id), shapeOf(model), system.encode(scenario));
  const found: Found[] = [];
  let looked = 0;
  while (looked < battles && found.length < limit && options.signal?.aborted !== true) {
    const battle = first + looked++;
    const result = kernel.play(seed, battle);
    if (meets(result)) found.push({ battle, ...endingOf(model, result) });
    if (looked % PAUSE === 0) await setImmediate();
  }
  return { found, looked };
}
