/**
 * Words of a scenario for assembly/decision-automaton: a head, leaves, options, metrics, rows of observations, and the
 * records of an automaton (src/engines/automaton/layout.ts), whose final states are the leaves. Tables are at offsets
 * from the head in bytes.
 */
import { i32, record, u32 } from '../../rules/index.ts';

export const DECISION_AUTOMATON = record({
  /** Record at which a battle starts, and the end of the records of leaves, from the first record on. */
  start: u32,
  nodes: u32,
  /** Words of a round and maximum number of rounds; 0 if states contain the round. */
  roundWords: u32,
  maxRounds: u32,
  /** Index of the metric that counts rounds, or NONE. */
  roundsMetric: i32,
  metrics: i32,
  /** Number of leaves. */
  leaves: u32,
  leafTable: i32,
  optionTable: i32,
  metricTable: i32,
  rowTable: i32,
  records: i32,
});

/** A point at which a battle stops: a decision, or its end. */
export const LEAF = record({
  /** Index of the decision point; NONE at the end of the battle. */
  point: i32,
  player: i32,
  /** Action of the policy of the scenario, by its own index, unless the policy draws; at the end, the outcome. */
  result: i32,
  /** Number of options, and the first one; at the end, the first metric. */
  options: i32,
  first: u32,
  /** Rows of observations: of the player, and without secrets. */
  row: u32,
  openRow: u32,
  /** Record of a policy that draws: it leads to a leaf whose result is the action; otherwise 0. */
  policy: u32,
});

/** An option of a decision. */
export const OPTION = record({
  /** By its own index. */
  action: i32,
  /** Record with which the battle continues. */
  target: u32,
});
