/** Finds battles of a run by how they ended. */
import { MAX_BATTLES, parseCount, parseSeed, type SeedLike } from '../core/chance/stream.ts';
import { BATTLES } from '../core/limits.ts';
import { optionsOf } from '../core/names.ts';
import { checkSignal } from '../engines/pool/run.ts';
import { opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';
import { lookAt, openPlay } from './look.ts';
import { type Ending, endingOf } from './replay.ts';
import { parseWhere } from './where.ts';

/** Which battles `find` looks for, and where. */
export interface FindOptions {
  /** The condition, as `parseWhere` reads it: `winner=defender && rounds>12`; of several all must hold. */
  readonly where: string | readonly string[];
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

const checkOptions = optionsOf<FindOptions>('find', {
  where: true,
  limit: true,
  seed: true,
  from: true,
  battles: true,
  signal: true,
});

/** A battle that was found. */
export interface Found extends Ending {
  /** The battle's index, for `replay`. */
  readonly battle: number;
}

/** What `find` found. */
export interface Search {
  /** In ascending order of their indices. */
  readonly found: readonly Found[];
  /** Battles that were looked at, from the first on. */
  readonly looked: number;
}

/**
 * Looks at battles in order until enough of them meet the condition.
 * @throws InputError if the condition cannot be read or an option is out of range
 * @throws RunError if the kernel is not built
 */
export async function find(scenario: Scenario, options: FindOptions): Promise<Search> {
  checkOptions(options);
  const seed = parseSeed(options.seed ?? 1n);
  const first = parseCount(options.from ?? 0, 'from', 0, MAX_BATTLES - 1);
  const battles = parseCount(options.battles ?? BATTLES, 'battles', 1, MAX_BATTLES - first);
  checkSignal(options.signal);
  const limit = parseCount(options.limit ?? 5, 'limit', 1);
  const model = opened(scenario).model;
  const conditions = [options.where].flat().map((where) => parseWhere(where, model));
  const play = await openPlay(scenario, battles, options.signal);
  const found: Found[] = [];
  const looked = await lookAt(first, battles, options.signal, (battle) => {
    const result = play(seed, battle);
    if (conditions.every((meets) => meets(result))) found.push({ battle, ...endingOf(model, result) });
    return found.length < limit;
  });
  return { found, looked };
}
