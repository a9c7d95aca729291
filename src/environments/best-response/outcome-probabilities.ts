/**
 * Visits under a policy: probability mass is moved round by round over the positions of a game, like in exact answers,
 * until all reachable positions are visited and the rest is below 1e-15 of the least likely outcome.
 */

import { isNearLimit, NEGLIGIBLE } from '../../engines/index.ts';
import type { GameTable } from './game-table.ts';
import { computeMoveLimit, OVER, START } from './graph-builder.ts';

/**
 * Returns the probability of an option of a position. @param option counted from its first @param left remaining
 * rounds, this one included
 */
export type OptionProbabilities = (node: number, option: number, left: number) => number;

/** Receives the mass in a position in which the player decides. */
export type MassVisitor = (node: number, mass: number, left: number) => void;

/** Limits the sum of rounded probabilities to 0..1. */
export const clampProbability = (sum = 0): number => Math.min(1, Math.max(0, sum));

class MassPropagation {
  readonly outcomes: number[];
  readonly #table: GameTable;
  readonly #shares: OptionProbabilities;
  readonly #onMass: MassVisitor;
  readonly #mass: Float64Array;
  /** Positions that have had mass, and whether one of them is new in this round. */
  readonly #met: Uint8Array;
  #isNew = true;

  constructor(table: GameTable, outcomes: number, shares: OptionProbabilities, received: MassVisitor) {
    this.#table = table;
    this.#shares = shares;
    this.#onMass = received;
    this.#mass = new Float64Array(table.nodes);
    this.#met = new Uint8Array(table.nodes);
    this.outcomes = new Array<number>(outcomes).fill(0);
  }

  run(maxRounds: number, budget: number): this {
    const { inRound, betweenRounds, targets } = this.#table;
    this.#moveMass(START, 1, 0);
    let [open, left] = [1, maxRounds];
    for (let moves = computeMoveLimit(budget); left > 0 && this.#shouldContinue(open, left, moves); left--) {
      this.#isNew = false;
      // All mass between rounds is taken before any of it moves.
      const taken = Float64Array.from(betweenRounds, (node) => this.#takeMass(node));
      for (const [r, node] of betweenRounds.entries()) this.#moveMass(node, taken[r] ?? 0, left);
      for (const node of inRound.toReversed()) this.#moveMass(node, this.#takeMass(node), left);
      open = betweenRounds.reduce((sum, node) => sum + (this.#mass[node] ?? 0), 0);
      moves -= targets.length;
    }
    if (left === 0) for (const node of betweenRounds) this.#recordOutcome(node, this.#takeMass(node));
    return this;
  }

  /** @param moves remaining value updates; no more are made only for rare outcomes */
  #shouldContinue(open: number, left: number, moves: number): boolean {
    if (open > NEGLIGIBLE) return true;
    if (open === 0 || moves < 0) return false;
    return (
      this.#isNew || open > NEGLIGIBLE * this.#findLeastProbability() || isNearLimit(left, this.#table.targets.length)
    );
  }

  /** Returns the current probability of the least likely observed outcome. */
  #findLeastProbability(): number {
    return Math.min(1, ...this.outcomes.filter((mass) => mass > 0));
  }

  #takeMass(node: number): number {
    const mass = this.#mass[node] ?? 0;
    this.#mass[node] = 0;
    return mass;
  }

  #moveMass(node: number, mass: number, left: number): void {
    if (mass === 0) return;
    const { firstOption, decisionIndex } = this.#table;
    if ((decisionIndex[node] ?? -1) >= 0) this.#onMass(node, mass, left);
    const first = firstOption[node] ?? 0;
    for (let option = first, last = firstOption[node + 1] ?? 0; option < last; option++) {
      const share = this.#shares(node, option - first, left);
      if (share > 0) this.#spreadMass(option, mass * share);
    }
  }

  #spreadMass(option: number, mass: number): void {
    const { firstEdge, targets, probabilities, kinds } = this.#table;
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      const moved = mass * (probabilities[edge] ?? 0);
      if (this.#met[target] === 0) {
        this.#met[target] = 1;
        this.#isNew = true;
      }
      if (kinds[target] === OVER) this.#recordOutcome(target, moved);
      else this.#mass[target] = (this.#mass[target] ?? 0) + moved;
    }
  }

  #recordOutcome(node: number, mass: number): void {
    const outcome = this.#table.outcomes[node] ?? -1;
    if (outcome >= 0) this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + mass;
  }
}

/**
 * Computes the probabilities of outcomes, by index.
 * @param budget steps; 1000 moves are allowed per step if only rare outcomes need them
 * @param received called for every visit to a position in which the player decides
 */
export function computeOutcomeProbabilities(
  table: GameTable,
  { outcomes, maxRounds }: { readonly outcomes: readonly string[]; readonly maxRounds: number },
  budget: number,
  shares: OptionProbabilities,
  received: MassVisitor,
): readonly number[] {
  return new MassPropagation(table, outcomes.length, shares, received).run(maxRounds, budget).outcomes;
}
