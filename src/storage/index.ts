/** Public exports of the storage module. */

export { parseBalanceProblem } from './balance/parse-problem.ts';
export { checkShard, SHARDS_MAX, type Shard } from './folder/shard.ts';
export { MORE_BATTLES } from './matchup/add-battles.ts';
export { computeMatchup } from './matchup/compute-matchup.ts';
export type { MatchupResult } from './matchup/matchup-cells.ts';
export type { Army } from './matchup/price-list.ts';
export { changeRoster, parseRoster, ROSTER_CHANGES, type Roster } from './matchup/roster.ts';
export { removeUnitType } from './matchup/unit-types.ts';
export { computeCell, createRows } from './store/cell.ts';
export type { AxisColumn } from './sweep/axis.ts';
export {
  type AxisValue,
  createCsvFormat,
  createStoredAxis,
  createTableRecord,
  type HistogramRow,
  listCellColumns,
  listRowColumns,
  type ResultRow,
  type Store,
  type StoredAxis,
  type StoreInfo,
} from './sweep/rows.ts';
export { computeSweepHash, openSweep, type Sweep, type SweepSpec } from './sweep/sweep.ts';
export { schema } from './sweep/sweep-file.ts';
