/** Encodes a decision graph for assembly/decision-automaton. */

import { encodeAutomaton } from '../../engines/index.ts';
import type { EnvSpec, Variant } from '../env-spec.ts';
import { NONE } from '../layout.ts';
import type { DecisionGraph, DecisionLeaf } from './decision-graph.ts';
import { DECISION_AUTOMATON, LEAF, OPTION } from './layout.ts';

/** Rows of observations without duplicates: the features of the configuration after the player and the points. */
class ObservationRows {
  readonly #rows: number[][] = [];
  readonly #known = new Map<string, number>();
  readonly #slotOf: readonly number[];
  readonly #columns: number;

  constructor({ features, decisionPoints }: EnvSpec, { slotOf }: Variant) {
    const first = 1 + decisionPoints.length;
    this.#columns = features.length - first;
    this.#slotOf = slotOf.map((slot) => slot - first);
  }

  indexOf(observation: readonly number[]): number {
    const name = observation.join();
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const row = new Array<number>(this.#columns).fill(0);
    for (const [f, slot] of this.#slotOf.entries()) if (slot >= 0) row[slot] = observation[f] ?? 0;
    this.#known.set(name, this.#rows.length);
    return this.#rows.push(row) - 1;
  }

  /** Returns the words of all rows. */
  encode(): Int32Array {
    return new Int32Array(Float32Array.from(this.#rows.flat()).buffer);
  }
}

/** Tables of leaves, options and metrics. @param entries addresses of the policy and of the options of each leaf */
function encodeLeaves(
  leaves: readonly DecisionLeaf[],
  entries: readonly number[],
  observations: ObservationRows,
): [leaves: number[], options: number[], metrics: number[]] {
  const [leafWords, optionWords, metricWords]: [number[], number[], number[]] = [[], [], []];
  let entry = 0;
  for (const { point, player, result, options, policy, metrics, seen, shown } of leaves) {
    const first = point === NONE ? metricWords.length : optionWords.length / OPTION.size;
    const rows = { row: observations.indexOf(seen), openRow: observations.indexOf(shown) };
    const drawn = entries[entry++] ?? 0;
    const leaf = { point, player, result, options: options.length, first, ...rows };
    leafWords.push(...LEAF.pack({ ...leaf, policy: policy === undefined ? 0 : drawn }));
    for (const { action } of options) optionWords.push(action, entries[entry++] ?? 0);
    metricWords.push(...metrics);
  }
  return [leafWords, optionWords, metricWords];
}

/** Encodes a decision graph. */
export function encodeDecisions(
  { graph, leaves, start, roundWords }: DecisionGraph,
  configuration: EnvSpec,
  variant: Variant,
): Int32Array<ArrayBuffer> {
  const { roundsMetric, metrics, maxRounds: roundsMax } = variant.model;
  const { nodes, finalStates } = graph;
  const maxRounds = roundWords === 0 ? 0 : roundsMax;
  const requested = leaves.flatMap(({ options, policy }) => [policy ?? start, ...options.map(({ target }) => target)]);
  const rounds = { metric: 0, words: roundWords, maxRounds };
  const code = encodeAutomaton({ start, nodes, finalStates, rounds }, requested);
  const observations = new ObservationRows(configuration, variant);
  const tables: ArrayLike<number>[] = encodeLeaves(leaves, code.entries, observations);
  tables.push(observations.encode(), code.words);
  const offsets = [DECISION_AUTOMATON.size];
  for (const { length } of tables) offsets.push((offsets.at(-1) ?? 0) + length);
  const words = new Int32Array(offsets.pop() ?? 0);
  for (const [t, table] of tables.entries()) words.set(table, offsets[t]);
  const [leafTable = 0, optionTable = 0, metricTable = 0, rowTable = 0, records = 0] = offsets.map((at) => 4 * at);
  const head = { start: code.start, nodes: code.nodes, roundWords, maxRounds, roundsMetric: roundsMetric ?? NONE };
  const counts = { metrics: metrics.length, leaves: leaves.length };
  words.set(DECISION_AUTOMATON.pack({ ...head, ...counts, leafTable, optionTable, metricTable, rowTable, records }));
  return words;
}
