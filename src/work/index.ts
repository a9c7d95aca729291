/** What other modules may use of work. */

export { checkShard, SHARDS_MAX, type Shard } from './folder/shard.ts';
export { makeCell, tidyRows } from './store/cell.ts';
export {
  type AxisValue,
  formOf,
  type HistogramRow,
  placesOf,
  type Row,
  rowNames,
  type Store,
  type StoredAxis,
  type StoreFacts,
  storedAxis,
  tableRecord,
} from './store/rows.ts';
export type { Column } from './sweep/axis.ts';
export { schema } from './sweep/file.ts';
export { openSweep, type Sweep, type SweepSpec, sweepHash } from './sweep/sweep.ts';
