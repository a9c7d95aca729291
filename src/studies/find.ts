/** Finds battles of a run by how they ended. */
import { parseCount } from '../core/chance/seed.ts';
import { checkSignal } from '../engines/pool/run.ts';
import { opened } from '../rules/opened.ts';
import { optionsOf } from '../rules/scenario/options.ts';
import { type Asked, count, type Settings } from '../rules/setting.ts';
import type { Scenario } from '../rules/system.ts';
import { MANY, PLACE, stretchOf } from './asked.ts';
import { lookAt, openPlay } from './look.ts';
import { type Ending, endingOf } from './replay.ts';
import { parseWhere } from './where.ts';

/** What `find` is asked with. */
export const FIND = {
  /** How many battles to find; 5 unless said otherwise. */
  limit: { ...count(1, 1_000_000, 'how many battles to find'), default: 5 },
  /** How many to look at; 1 000 000 unless said otherwise. */
  battles: MANY,
  ...PLACE,
} as const satisfies Settings;

/** Which battles `find` looks for, and where. */
export interface FindOptions extends Asked<typeof FIND> {
  /** The condition, as `parseWhere` reads it: `winner=defender && rounds>12`; of several all must hold. */
  readonly where: string | readonly string[];
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
  const { seed, from: first, battles } = stretchOf(options);
  checkSignal(options.signal);
  const limit = parseCount(options.limit ?? FIND.limit.default, 'limit', 1);
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
