/** More battles for simulated matchups whose intervals leave results open. */
import { analyzeMatchups } from '../../analysis/index.ts';
import { createConflictError, InputError, MAX_BATTLES } from '../../core/index.ts';
import { count, type OptionSpecs } from '../../rules/option-spec.ts';
import { type ComputeMatchupOptions, computeRows } from './matchup-cells.ts';
import { type CellPayoffs, computePayoffs, type MatchupPayoffs } from './read-payoffs.ts';
import { changeRoster, type Roster } from './roster.ts';

/** Options of `addBattles`. */
export const MORE_BATTLES = {
  /**
   * Maximum number of battles of a simulated matchup whose interval leaves a result of `analyzeMatchups` open. Such matchups
   * get four times the battles until no result is open; default: the number of battles of all matchups.
   */
  maxBattles: count(1, MAX_BATTLES, 'maximum number of battles of a matchup that leaves a result open'),
} as const satisfies OptionSpecs;

/** Factor of the number of battles from stage to stage. */
const GROWTH = 4;

/** Lists the battles of a matchup by stage. @throws InputError if there are fewer than in the roster */
function listStages({ sweep: { battles, spec } }: Roster, most: number | undefined): number[] {
  if (most === undefined) return [battles];
  if (spec.exact === 'always') throw createConflictError('maxBattles', 'exact always');
  if (spec.precision !== undefined) throw createConflictError('maxBattles', 'precision');
  if (most < battles)
    throw new InputError('maxBattles', `at least the ${String(battles)} battles of all matchups`, String(most));
  const stages = [battles];
  for (let next = battles * GROWTH; next <= most; next *= GROWTH) stages.push(next);
  return stages;
}

/** Lists the simulated cells of matchups that leave results open. */
function listOpenCells(
  { attackers, defenders, terrains }: Roster,
  { simulated }: CellPayoffs,
  { matrix }: MatchupPayoffs,
) {
  const matchups = analyzeMatchups(matrix).undecided.map(({ row, column }) => row * defenders.length + column);
  const size = attackers.length * defenders.length;
  const cells = terrains.flatMap((_, terrain) => matchups.map((each) => terrain * size + each));
  return cells.filter((cell) => simulated.get(cell)?.some(({ exact }) => exact === null) === true);
}

/**
 * Simulates matchups that leave results open again, in stages with four times the battles, up to `most` battles each. The
 * intervals of all stages hold together, because each stage has an equal part of the error rate.
 * @param cells all cells; the simulated ones are replaced
 * @param most undefined for no more battles
 * @throws InputError if `most` is below the battles of the roster, or no matchup can be simulated
 */
export async function addBattles(
  roster: Roster,
  cells: CellPayoffs,
  most: number | undefined,
  options: ComputeMatchupOptions,
): Promise<MatchupPayoffs> {
  const stages = listStages(roster, most);
  let payoffs = computePayoffs(roster, cells, stages.length);
  for (const battles of stages.slice(1)) {
    const open = listOpenCells(roster, cells, payoffs);
    if (open.length === 0) break;
    const { sweep } = changeRoster(roster, { battles });
    for await (const rows of computeRows(sweep, options, open)) cells.simulated.set(rows[0]?.cell ?? 0, rows);
    payoffs = computePayoffs(roster, cells, stages.length);
  }
  return payoffs;
}
