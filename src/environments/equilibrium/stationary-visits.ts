/** Visits to positions under policies that do not depend on the remaining rounds, component by component. */

import { NEGLIGIBLE } from '../../engines/index.ts';
import type { GameTable } from '../best-response/game-table.ts';
import { OVER, START } from '../best-response/graph-builder.ts';
import type { MassVisitor, OptionProbabilities } from '../best-response/outcome-probabilities.ts';
import type { Components } from './components.ts';

class VisitFlow {
  readonly outcomes: number[];
  readonly #table: GameTable;
  readonly #shares: OptionProbabilities;
  /** By position: mass that has not moved on, and all mass that was there. */
  readonly #mass: Float64Array;
  readonly #visits: Float64Array;

  constructor(table: GameTable, outcomes: number, shares: OptionProbabilities) {
    this.#table = table;
    this.#shares = shares;
    this.#mass = new Float64Array(table.nodes);
    this.#visits = new Float64Array(table.nodes);
    this.outcomes = new Array<number>(outcomes).fill(0);
    this.#mass[START] = 1;
  }

  run({ nodes, first, isCyclic }: Components, maxRounds: number, onMass: MassVisitor): this {
    for (let c = isCyclic.length - 1; c >= 0; c--) {
      const members = nodes.subarray(first[c], first[c + 1]).toReversed();
      this.#moveAll(members, isCyclic[c] === 1 ? maxRounds + 1 : 1);
      for (const node of members) {
        const visits = this.#visits[node] ?? 0;
        if (visits > 0 && (this.#table.decisionIndex[node] ?? -1) >= 0) onMass(node, visits, maxRounds);
      }
    }
    return this;
  }

  /**
   * Moves the mass of a component until almost nothing is left. @param members those between rounds, then the others after
   * those that lead to them within a round
   */
  #moveAll(members: Int32Array, sweeps: number): void {
    const sumMass = (): number => members.reduce((sum, node) => sum + (this.#mass[node] ?? 0), 0);
    const entered = sumMass();
    for (let left = sweeps; left > 0 && sumMass() > NEGLIGIBLE * entered; left--)
      for (const node of members) this.#move(node);
  }

  #move(node: number): void {
    const { firstOption, kinds } = this.#table;
    const mass = this.#mass[node] ?? 0;
    if (mass === 0) return;
    this.#mass[node] = 0;
    this.#visits[node] = (this.#visits[node] ?? 0) + mass;
    const outcome = this.#table.outcomes[node] ?? -1;
    if (kinds[node] === OVER && outcome >= 0) this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + mass;
    const from = firstOption[node] ?? 0;
    for (let option = from, last = firstOption[node + 1] ?? 0; option < last; option++)
      this.#spread(option, mass * this.#shares(node, option - from, 1));
  }

  #spread(option: number, mass: number): void {
    if (mass === 0) return;
    const { firstEdge, targets, probabilities } = this.#table;
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      this.#mass[target] = (this.#mass[target] ?? 0) + mass * (probabilities[edge] ?? 0);
    }
  }
}

/**
 * Computes the probabilities of outcomes, by index.
 * @param received called once for each position with a decision that is visited
 */
export function computeStationaryOutcomes(
  table: GameTable,
  components: Components,
  { outcomes, maxRounds }: { readonly outcomes: readonly string[]; readonly maxRounds: number },
  shares: OptionProbabilities,
  received: MassVisitor,
): readonly number[] {
  return new VisitFlow(table, outcomes.length, shares).run(components, maxRounds, received).outcomes;
}
