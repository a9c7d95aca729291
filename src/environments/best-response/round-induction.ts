/**
 * Backward induction over the remaining rounds of a game of one or two players (M. Puterman, Markov Decision Processes,
 * 1994, sections 4.3 and 7.2): from a battle that is called off at once to the whole battle, or until more rounds make
 * no difference.
 */
import { reportProgress } from '../../core/index.ts';
import { estimateRounds } from '../../engines/index.ts';
import type { GameTable } from './game-table.ts';
import { START } from './graph-builder.ts';

export abstract class RoundInduction {
  /** Rounds that were counted. */
  rounds = 0;
  /** Greatest mass of battles that continue after these rounds. */
  protected open = 1;
  protected readonly table: GameTable;
  /** Values of the position that was evaluated last. */
  protected abstract readonly found: Float64Array;

  constructor(table: GameTable) {
    this.table = table;
  }

  /** Computes the values of a position from its successors. */
  protected abstract evaluate(node: number): void;

  /** Stores the values of a position. */
  protected abstract store(node: number, found: Float64Array): void;

  /** True if the stored values of a position are these. */
  protected abstract hasValues(node: number, found: Float64Array): boolean;

  /** Returns the greatest mass of open battles at the start of a battle, from its values. */
  protected abstract getOpen(): number;

  /** True if more rounds matter, and the budget allows them. @param moves value updates so far */
  protected abstract continues(moves: number, roundsLeft: number): boolean;

  /** Called when the positions within a round have their values. */
  protected onRoundValues?(): void;

  /** Processes rounds up to the maximum. @returns true if further ones would not change values */
  protected processRounds(maxRounds: number): boolean {
    let isSettled = false;
    this.evaluate(START);
    for (let moves = 0; this.rounds < maxRounds && !isSettled; moves += this.table.targets.length) {
      if (!this.continues(moves, maxRounds - this.rounds)) break;
      reportProgress(this.rounds, Math.ceil(estimateRounds(this.open, this.rounds, maxRounds)), 'rounds');
      this.rounds++;
      isSettled = this.processRound();
      this.evaluate(START);
      this.open = this.getOpen();
    }
    return this.rounds === maxRounds || isSettled;
  }

  /** Processes one more round. @returns true if it changed nothing, so further ones will not either */
  protected processRound(): boolean {
    const { inRound, betweenRounds } = this.table;
    for (const node of inRound) {
      this.evaluate(node);
      this.store(node, this.found);
    }
    this.onRoundValues?.();
    // Values between rounds are all computed before any is set, because positions may lead to each other.
    const width = this.found.length;
    const found = new Float64Array(width * betweenRounds.length);
    for (const [r, node] of betweenRounds.entries()) {
      this.evaluate(node);
      found.set(this.found, width * r);
    }
    let isSettled = true;
    for (const [r, node] of betweenRounds.entries()) {
      const values = found.subarray(width * r, width * (r + 1));
      isSettled &&= this.hasValues(node, values);
      this.store(node, values);
    }
    return isSettled;
  }
}
