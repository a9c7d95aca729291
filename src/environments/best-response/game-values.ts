/** Values of the positions of a game of one player against chance, by backward induction. */

import { BudgetError, formatGrouped } from '../../core/index.ts';
import { isNearLimit, NEGLIGIBLE } from '../../engines/index.ts';
import type { State } from '../../rules/index.ts';
import type { GameGraph } from './game-graph.ts';
import { computePayoffRange, computeRoundRange, type GameTable } from './game-table.ts';
import { BETWEEN_ROUNDS, computeMoveLimit, type LengthPayoff, suggestBudget } from './graph-builder.ts';
import { RoundInduction } from './round-induction.ts';

/** Differences below this share of the range of values are rounding. */
export const TIE = 1e-12;

/** Maximum numbers to store by round, for battles with few rounds. */
const STORED_LOSSES_MAX = 2 ** 23;

/** Optimal choices and their values, by the number of remaining rounds. */
export interface GameValues {
  /** Values at the start of a battle: of the optimal policy, and of the scenario's policy. */
  readonly best: number;
  readonly policyValue: number;
  /** Maximum error of both due to omitted rounds. */
  readonly error: number;
  /** Rounds that were counted. */
  readonly rounds: number;
  readonly payoffRange: number;
  /** Returns the optimal option of a position, counted from its first. @param left rounds */
  choice(node: number, left: number): number;
  /** Returns the loss of the scenario's policy in a position, with optimal decisions afterwards. */
  loss(node: number, left: number): number;
}

/** Receives the values of the options of some positions. */
export interface OptionValueListener {
  readonly nodes: readonly number[];
  /**
   * @param left remaining rounds, this one included
   * @param best values of the options under the optimal policy afterwards, and under the scenario's policy
   */
  readonly onValues: (node: number, left: number, best: readonly number[], given: readonly number[]) => void;
}

class PolicyInduction extends RoundInduction implements GameValues {
  best = 0;
  policyValue = 0;
  error = 0;
  payoffRange: number;
  readonly #lengthPayoff: LengthPayoff;
  readonly #roundRange: number;
  readonly #budget: number;
  /** By position: value of the optimal policy, value of the scenario's policy, and greatest mass of open battles. */
  readonly #best: Float64Array;
  readonly #given: Float64Array;
  readonly #open: Float64Array;
  /** Same values of the current position. */
  protected readonly found = new Float64Array(3);
  /** Same values of the current option. */
  readonly #sums = new Float64Array(3);
  /** By remaining rounds; unchanged arrays are shared. */
  readonly #choices: Uint16Array[] = [];
  /** By remaining rounds if stored, otherwise only of the last round. */
  readonly #losses: Float64Array[] = [];
  #choice: Uint16Array;
  #loss: Float64Array;
  readonly #listener: OptionValueListener | undefined;
  /** True if no two values have different signs, so that sums do not cancel. */
  readonly #oneSigned: boolean;
  /** Nonzero values between rounds. Their number grows until all final states are reached. */
  #worthy = 0;
  #isNew = true;

  constructor(game: GameGraph<State>, table: GameTable, budget: number, listener?: OptionValueListener) {
    super(table);
    this.#listener = listener;
    this.#lengthPayoff = game.lengthPayoff;
    this.#roundRange = computeRoundRange(table);
    this.#budget = budget;
    this.#best = game.payoffs.slice();
    this.#given = game.payoffs.slice();
    this.#open = Float64Array.from(game.kinds, (kind) => (kind === BETWEEN_ROUNDS ? 1 : 0));
    this.payoffRange = computePayoffRange(game);
    this.#oneSigned = [1, -1].some((sign) =>
      [game.payoffs, Object.values(game.lengthPayoff)].every((worths) => worths.every((value) => sign * value >= 0)),
    );
    this.#choice = new Uint16Array(game.questions.size);
    this.#loss = new Float64Array(game.questions.size);
  }

  /** True if the losses of all rounds fit. */
  get #keepsLosses(): boolean {
    return this.#loss.length * this.rounds <= STORED_LOSSES_MAX;
  }

  choice(node: number, left: number): number {
    return this.#choices[Math.min(left, this.rounds)]?.[this.table.decisionIndex[node] ?? 0] ?? 0;
  }

  loss(node: number, left: number): number {
    const losses = this.#losses[Math.min(left, this.rounds)] ?? this.#loss;
    return losses[this.table.decisionIndex[node] ?? 0] ?? 0;
  }

  /** Processes rounds up to the maximum, or until more make no difference. */
  run(maxRounds: number): this {
    this.payoffRange += this.#roundRange * maxRounds;
    const isWhole = this.processRounds(maxRounds);
    [this.best = 0, this.policyValue = 0] = this.found;
    this.error = isWhole ? 0 : this.open * this.payoffRange;
    // If battles can reach the limit, the loss of an option depends on the remaining rounds; otherwise it has converged.
    if (this.rounds < maxRounds && this.open <= NEGLIGIBLE) this.#losses.length = 0;
    return this;
  }

  protected getOpen(): number {
    return this.found[2] ?? 0;
  }

  protected continues(moves: number, roundsLeft: number): boolean {
    if (!this.#isSignificant(this.open) && !isNearLimit(roundsLeft, this.table.targets.length)) return false;
    if (moves <= computeMoveLimit(this.#budget)) return true;
    if (this.open <= NEGLIGIBLE) return false;
    return this.#throwBudgetError();
  }

  /** True if open battles can change a value noticeably; without cancellation, the relative change counts. */
  #isSignificant(open: number): boolean {
    if (open > NEGLIGIBLE) return true;
    if (!this.#oneSigned || open === 0) return false;
    const values = [this.found[0] ?? 0, this.found[1] ?? 0].map(Math.abs).filter((value) => value > 0);
    return this.#isNew || open * this.payoffRange > NEGLIGIBLE * Math.min(this.payoffRange, ...values);
  }

  protected override processRound(): boolean {
    const before = this.#choice;
    this.#choice = before.slice();
    if (this.#keepsLosses) this.#loss = new Float64Array(this.#loss.length);
    const isSettled = super.processRound();
    let worthy = 0;
    for (const node of this.table.betweenRounds)
      worthy += Number(this.#best[node] !== 0) + Number(this.#given[node] !== 0);
    this.#isNew = worthy > this.#worthy;
    this.#worthy = worthy;
    if (this.rounds > 1 && this.#choice.every((option, q) => option === before[q])) this.#choice = before;
    this.#choices[this.rounds] = this.#choice;
    if (this.#keepsLosses) this.#losses[this.rounds] = this.#loss;
    else this.#losses.length = 0;
    return isSettled;
  }

  protected override onRoundValues(): void {
    for (const node of this.#listener?.nodes ?? []) this.#reportOptionValues(node);
  }

  /** Reports the values of the options of a position in the current round. */
  #reportOptionValues(node: number): void {
    const { firstOption } = this.table;
    const [best, given]: [number[], number[]] = [[], []];
    for (let option = firstOption[node] ?? 0, end = firstOption[node + 1] ?? 0; option < end; option++) {
      this.#evaluateOption(option);
      best.push(this.#sums[0] ?? 0);
      given.push(this.#sums[1] ?? 0);
    }
    this.#listener?.onValues(node, this.rounds, best, given);
  }

  protected hasValues(node: number, found: Float64Array): boolean {
    return found[0] === this.#best[node] && found[1] === this.#given[node];
  }

  protected store(node: number, found: Float64Array): void {
    this.#best[node] = found[0] ?? 0;
    this.#given[node] = found[1] ?? 0;
    this.#open[node] = found[2] ?? 0;
  }

  /** Computes the value of an option. */
  #evaluateOption(option: number): void {
    const { firstEdge, targets, probabilities, stepPayoffs } = this.table;
    const start = stepPayoffs.length === 0 ? 0 : (stepPayoffs[option] ?? 0);
    let [best, given, open] = [start, start, 0];
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      const probability = probabilities[edge] ?? 0;
      best += probability * (this.#best[target] ?? 0);
      given += probability * (this.#given[target] ?? 0);
      open += probability * (this.#open[target] ?? 0);
    }
    this.#sums[0] = best;
    this.#sums[1] = given;
    this.#sums[2] = open;
  }

  /** Computes the value of a position from its successors, and the optimal option. */
  protected evaluate(node: number): void {
    const { firstOption, policy } = this.table;
    const [from, to] = [firstOption[node] ?? 0, firstOption[node + 1] ?? 0];
    const sums = this.#sums;
    let [top, topOption] = [Number.NEGATIVE_INFINITY, from];
    let [likeliest, ownTop, ownOption] = [-1, Number.NEGATIVE_INFINITY, from];
    let [own, given, open] = [0, 0, 0];
    for (let option = from; option < to; option++) {
      this.#evaluateOption(option);
      const best = sums[0] ?? 0;
      const share = policy[option] ?? 0;
      own += share * best;
      given += share * (sums[1] ?? 0);
      open = Math.max(open, sums[2] ?? 0);
      if (best > top) [top, topOption] = [best, option];
      if (share > likeliest) [likeliest, ownTop, ownOption] = [share, best, option];
    }
    const started = this.table.kinds[node] === BETWEEN_ROUNDS ? this.#lengthPayoff.round : 0;
    this.found[0] = top + started;
    this.found[1] = given + started;
    this.found[2] = open;
    // Among equal options, the policy's option is chosen.
    this.#recordChoice(node, (ownTop >= top - TIE * this.payoffRange ? ownOption : topOption) - from, top - own);
  }

  /** Records the choice in a position in which the player decides, and the loss of the policy. */
  #recordChoice(node: number, option: number, loss: number): void {
    const q = this.table.decisionIndex[node] ?? -1;
    if (q < 0) return;
    this.#choice[q] = option;
    this.#loss[q] = loss;
  }

  #throwBudgetError(): never {
    const { targets, nodes } = this.table;
    throw new BudgetError(
      `the optimal policy needs more than ${formatGrouped(computeMoveLimit(this.#budget))} value updates: ${formatGrouped(nodes)} positions, ` +
        `${formatGrouped(targets.length)} edges, and after ${formatGrouped(this.rounds)} rounds battles still continue`,
      { suggested: suggestBudget(this.#budget) },
    );
  }
}

/**
 * Computes the values of a game for its player.
 * @param maxRounds round limit
 * @param budget steps; 1000 value updates are allowed per step
 * @param listener called for its positions once per processed round
 * @throws BudgetError if battles last too long
 */
export function computeGameValues(
  game: GameGraph<State>,
  table: GameTable,
  maxRounds: number,
  budget: number,
  listener?: OptionValueListener,
): GameValues {
  return new PolicyInduction(game, table, budget, listener).run(maxRounds);
}
