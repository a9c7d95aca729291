/**
 * Values of one position of a game of two players from those of its successors, with a matrix game if somebody decides
 * (L. Shapley 1953): of the equilibrium, of the best responses to both of its policies, and of the policies of the scenario and
 * the best responses to them.
 */

import { GAP_ROUNDING, GAP_TOLERANCE, isUniqueSolution, type MatrixGame, solveMatrixGame } from '../../core/index.ts';
import type { State } from '../../rules/index.ts';
import type { GameTable } from '../best-response/game-table.ts';
import { BETWEEN_ROUNDS, START } from '../best-response/graph-builder.ts';
import type { JointGraph } from './joint-graph.ts';
import type { Stage } from './stage.ts';

/**
 * Values of a position, in this order: of the equilibrium; guaranteed to the first and to the second player by its
 * policy; of the best response of the first player to the scenario's policy of the second, and the reverse; of both
 * policies of the scenario. Then probabilities that the battle is still open: under the policy of the first and of the second
 * player in the equilibrium, and under the scenario's policy of the second and of the first, at most.
 */
export const [VALUE, LOW, HIGH, ROW_BEST, COLUMN_BEST, GIVEN] = [0, 1, 2, 3, 4, 5] as const;
export const [OPEN_LOW, OPEN_HIGH, OPEN_ROW, OPEN_COLUMN] = [6, 7, 8, 9] as const;
export const KINDS = 10;

/** Choices in all stages for a number of remaining rounds. */
export interface RoundChoices {
  /** Probabilities of the strategies of the first player in the equilibrium, by stage; of the second. */
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  /** By stage: best response of each player to the scenario's policy of the other. */
  readonly bestRows: Int32Array;
  readonly bestColumns: Int32Array;
  /** By stage: loss of the scenario's policy of each player against them, with the equilibrium afterwards. */
  readonly rowLoss: Float64Array;
  readonly columnLoss: Float64Array;
  /** By stage: 1 if the equilibrium is certainly unique. */
  readonly isUnique: Uint8Array;
}

interface NumberArray<T> extends ArrayLike<number> {
  slice(): T;
}

/** Applies a function to each array of choices. @param others passed as the second argument */
export function mapChoices(
  choices: RoundChoices,
  change: <T extends NumberArray<T>>(values: T, other: T) => T,
  others: RoundChoices = choices,
): RoundChoices {
  return {
    rows: change(choices.rows, others.rows),
    columns: change(choices.columns, others.columns),
    bestRows: change(choices.bestRows, others.bestRows),
    bestColumns: change(choices.bestColumns, others.bestColumns),
    rowLoss: change(choices.rowLoss, others.rowLoss),
    columnLoss: change(choices.columnLoss, others.columnLoss),
    isUnique: change(choices.isUnique, others.isUnique),
  };
}

/** Offsets of stages in the arrays of choices. */
export interface StageLayout {
  readonly firstRow: Int32Array;
  readonly firstColumn: Int32Array;
  /** Number of columns of each stage. */
  readonly columns: Int32Array;
}

function createLayout({ questions }: JointGraph<State>): StageLayout {
  const layout = {
    firstRow: new Int32Array(questions.size + 1),
    firstColumn: new Int32Array(questions.size + 1),
    columns: new Int32Array(questions.size),
  };
  for (const [q, { players }] of [...questions.values()].entries()) {
    const [rows, columns] = [players[0].strategies.length, players[1].strategies.length];
    layout.firstRow[q + 1] = (layout.firstRow[q] ?? 0) + rows;
    layout.firstColumn[q + 1] = (layout.firstColumn[q] ?? 0) + columns;
    layout.columns[q] = columns;
  }
  return layout;
}
/** For a position without a stage. */
const NO_POLICY = { policy: undefined };

/** Treatment of matrix games: solve them, solve those for which the current choices are no equilibrium, or solve none. */
export type MatrixTreatment = 'solve' | 'check' | 'keep';

/** Maximum number of first stages, for example after a random start. */
const FIRST_STAGES_MAX = 100;

/** Lists the stages that a battle reaches before any other stage. */
function listFirstStages({ decisionIndex, firstOption, firstEdge, targets }: GameTable): number[] {
  const stages: number[] = [];
  const [seen, waiting] = [new Set<number>([START]), [START]];
  for (let node = waiting.pop(); node !== undefined && stages.length < FIRST_STAGES_MAX; node = waiting.pop()) {
    const stage = decisionIndex[node] ?? -1;
    if (stage >= 0) stages.push(stage);
    const [from, to] = [firstOption[node] ?? 0, firstOption[node + 1] ?? 0];
    const next = stage >= 0 ? [] : targets.subarray(firstEdge[from], firstEdge[to]);
    for (const target of next) {
      if (seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return stages;
}

export class PositionEvaluator {
  readonly layout: StageLayout;
  /** By position: its values. */
  readonly values: Float64Array;
  /** Values of the position that is evaluated. */
  readonly found = new Float64Array(KINDS);
  choices: RoundChoices;
  /** Matrix games of the first stages of a battle, as they were evaluated last. */
  readonly firstGames: ReadonlyMap<number, MatrixGame>;
  /** Number of values of each position: with or without the probabilities that the battle is open. */
  readonly kinds: number;
  readonly #table: GameTable;
  readonly #roundPayoff: number;
  readonly #stages: readonly Stage<State>[];
  /** Values of the pairs of strategies of the current stage: kind by kind, then by rows. */
  #sums = new Float64Array(KINDS);
  /** Its numbers of rows and of columns, and the best strategy that was found last. */
  #rows = 1;
  #width = 1;
  #best = 0;

  /** @param kinds number of values to compute */
  constructor(graph: JointGraph<State>, table: GameTable, kinds: number) {
    this.kinds = kinds;
    this.#table = table;
    this.#roundPayoff = graph.lengthPayoff.round;
    this.layout = createLayout(graph);
    this.#stages = [...graph.questions.values()];
    this.values = new Float64Array(kinds * table.nodes);
    for (const [node, payoff] of graph.payoffs.entries()) {
      this.values.fill(payoff, kinds * node, kinds * node + OPEN_LOW);
      if (graph.kinds[node] === BETWEEN_ROUNDS) this.values.fill(1, kinds * node + OPEN_LOW, kinds * (node + 1));
    }
    this.firstGames = new Map(
      listFirstStages(table).map((stage) => {
        const [rows = 1, columns = 1] = this.#stages[stage]?.players.map(({ strategies }) => strategies.length) ?? [];
        return [stage, { rows, columns, payoffs: new Float64Array(rows * columns) }];
      }),
    );
    const stages = graph.questions.size;
    this.choices = {
      rows: new Float64Array(this.layout.firstRow[stages] ?? 0),
      columns: new Float64Array(this.layout.firstColumn[stages] ?? 0),
      bestRows: new Int32Array(stages),
      bestColumns: new Int32Array(stages),
      rowLoss: new Float64Array(stages),
      columnLoss: new Float64Array(stages),
      isUnique: new Uint8Array(stages),
    };
  }

  /** Computes the values of a position from its successors. */
  evaluate(node: number, treatment: MatrixTreatment): void {
    const { firstOption, decisionIndex, kinds } = this.#table;
    const [from, to] = [firstOption[node] ?? 0, firstOption[node + 1] ?? 0];
    const stage = decisionIndex[node] ?? -1;
    if (stage < 0) this.#sumEdges(from, this.found, 0, 1);
    else this.#evaluateStage(stage, from, to - from, treatment);
    if (this.#roundPayoff === 0 || kinds[node] !== BETWEEN_ROUNDS) return;
    for (let kind = 0; kind < OPEN_LOW; kind++) this.found[kind] = (this.found[kind] ?? 0) + this.#roundPayoff;
  }

  /** Stores the values of the position that was evaluated. */
  store(node: number): void {
    const [kinds, from] = [this.kinds, this.kinds * node];
    for (let kind = 0; kind < kinds; kind++) this.values[from + kind] = this.found[kind] ?? 0;
  }

  /** Adds the values after an option: kind k of it is written to place `at + k * step`. */
  #sumEdges(option: number, into: Float64Array, at: number, step: number): void {
    const { firstEdge, targets, probabilities, stepPayoffs } = this.#table;
    const start = stepPayoffs.length === 0 ? 0 : (stepPayoffs[option] ?? 0);
    for (let kind = 0; kind < this.kinds; kind++) into[at + kind * step] = kind < OPEN_LOW ? start : 0;
    for (let edge = firstEdge[option] ?? 0, end = firstEdge[option + 1] ?? 0; edge < end; edge++) {
      const from = this.kinds * (targets[edge] ?? 0);
      const probability = probabilities[edge] ?? 0;
      for (let kind = 0; kind < this.kinds; kind++) {
        const place = at + kind * step;
        into[place] = (into[place] ?? 0) + probability * (this.values[from + kind] ?? 0);
      }
    }
  }

  #evaluateStage(stage: number, from: number, cells: number, treatment: MatrixTreatment): void {
    if (this.#sums.length < this.kinds * cells) this.#sums = new Float64Array(2 * this.kinds * cells);
    for (let cell = 0; cell < cells; cell++) this.#sumEdges(from + cell, this.#sums, cell, cells);
    this.firstGames.get(stage)?.payoffs.set(this.#sums.subarray(0, cells));
    const { firstRow, firstColumn, columns } = this.layout;
    this.#width = columns[stage] ?? 1;
    this.#rows = cells / this.#width;
    const { rows: ofRows, columns: ofColumns } = this.choices;
    const [row, column] = [firstRow[stage] ?? 0, firstColumn[stage] ?? 0];
    if (treatment === 'solve') this.#solveStage(stage, row, column);
    else if (treatment === 'check') this.#checkStage(stage, row, column);
    const found = this.found;
    const upper = this.#scanRows(VALUE, ofColumns, column);
    const lower = -this.#scanColumns(VALUE, ofRows, row, -1);
    found[VALUE] = lower + (upper - lower) / 2;
    found[LOW] = -this.#scanColumns(LOW, ofRows, row, -1);
    found[HIGH] = this.#scanRows(HIGH, ofColumns, column);
    this.#evaluatePolicies(stage);
    if (this.kinds === KINDS) this.#evaluateOpen(stage, row, column);
  }

  /** Solves the matrix game unless the current choices are an equilibrium of it, up to rounding. */
  #checkStage(stage: number, row: number, column: number): void {
    const { rows: ofRows, columns: ofColumns } = this.choices;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let cell = 0; cell < this.#rows * this.#width; cell++) {
      const payoff = this.#sums[cell] ?? 0;
      if (payoff < least) least = payoff;
      if (payoff > most) most = payoff;
    }
    const gap = this.#scanRows(VALUE, ofColumns, column) + this.#scanColumns(VALUE, ofRows, row, -1);
    if (gap > GAP_ROUNDING * (most - least) + Number.EPSILON * Math.max(Math.abs(least), Math.abs(most)))
      this.#solveStage(stage, row, column);
    else this.#checkTies(stage, row, column, GAP_TOLERANCE * (most - least));
  }

  /** Finds out whether an equilibrium in pure strategies of another round is now the only one. */
  #checkTies(stage: number, row: number, column: number, tolerance: number): void {
    const { rows, columns, isUnique } = this.choices;
    const best = rows.subarray(row, row + this.#rows).indexOf(1);
    const left = columns.subarray(column, column + this.#width).indexOf(1);
    if (best < 0 || left < 0) return;
    const [width, sums] = [this.#width, this.#sums];
    const value = sums[best * width + left] ?? 0;
    let ties = 0;
    for (let other = 0; other < this.#rows; other++)
      ties += Number((sums[other * width + left] ?? 0) >= value - tolerance);
    for (let other = 0; other < width; other++) ties += Number((sums[best * width + other] ?? 0) <= value + tolerance);
    isUnique[stage] = Number(ties === 2);
  }

  #solveStage(stage: number, row: number, column: number): void {
    const { rows, columns, isUnique } = this.choices;
    const payoffs = this.#sums.slice(0, this.#rows * this.#width);
    const game = { rows: this.#rows, columns: this.#width, payoffs };
    const solution = solveMatrixGame(game);
    rows.set(solution.rows, row);
    columns.set(solution.columns, column);
    isUnique[stage] = Number(isUniqueSolution(game, solution));
  }

  /** Returns the value of a row against a mixture of columns. @param at its first share */
  #sumRow(kind: number, row: number, mixture: ArrayLike<number>, at: number): number {
    const [width, sums] = [this.#width, this.#sums];
    let [sum, cell] = [0, (kind * this.#rows + row) * width];
    for (let column = 0; column < width; column++, cell++) sum += (mixture[at + column] ?? 0) * (sums[cell] ?? 0);
    return sum;
  }

  /** Returns the value of a column against a mixture of rows. @param at its first share */
  #sumColumn(kind: number, column: number, mixture: ArrayLike<number>, at: number): number {
    const [width, sums] = [this.#width, this.#sums];
    let [sum, cell] = [0, kind * this.#rows * width + column];
    for (let row = 0; row < this.#rows; row++, cell += width) sum += (mixture[at + row] ?? 0) * (sums[cell] ?? 0);
    return sum;
  }

  /** Returns the greatest value of a row against a mixture of columns; `#best` is its index. */
  #scanRows(kind: number, mixture: ArrayLike<number>, at: number): number {
    let most = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < this.#rows; row++) {
      const sum = this.#sumRow(kind, row, mixture, at);
      if (sum > most) [most, this.#best] = [sum, row];
    }
    return most;
  }

  /** Returns the greatest value of a column times a sign against a mixture of rows; `#best` is its index. */
  #scanColumns(kind: number, mixture: ArrayLike<number>, at: number, sign: 1 | -1): number {
    let most = Number.NEGATIVE_INFINITY;
    for (let column = 0; column < this.#width; column++) {
      const sum = sign * this.#sumColumn(kind, column, mixture, at);
      if (sum > most) [most, this.#best] = [sum, column];
    }
    return most;
  }

  /** Evaluates the policies of the scenario in a stage, and the best responses to them. */
  #evaluatePolicies(stage: number): void {
    const found = this.found;
    const { bestRows, bestColumns, rowLoss, columnLoss } = this.choices;
    const [{ policy: row }, { policy: column }] = this.#stages[stage]?.players ?? [NO_POLICY, NO_POLICY];
    const value = found[VALUE] ?? 0;
    found.fill(Number.NaN, ROW_BEST, OPEN_LOW);
    if (column !== undefined) {
      found[ROW_BEST] = this.#scanRows(ROW_BEST, column, 0);
      bestRows[stage] = this.#best;
      columnLoss[stage] = this.#sumRow(VALUE, this.#best, column, 0) - value;
    }
    if (row !== undefined) {
      found[COLUMN_BEST] = -this.#scanColumns(COLUMN_BEST, row, 0, -1);
      bestColumns[stage] = this.#best;
      rowLoss[stage] = value - this.#sumColumn(VALUE, this.#best, row, 0);
    }
    if (row === undefined || column === undefined) return;
    found[GIVEN] = row.reduce((sum, share, r) => sum + share * this.#sumRow(GIVEN, r, column, 0), 0);
  }

  /** Computes the probabilities that the battle is still open. */
  #evaluateOpen(stage: number, row: number, column: number): void {
    const { found, choices } = this;
    const [{ policy: ofRows }, { policy: ofColumns }] = this.#stages[stage]?.players ?? [NO_POLICY, NO_POLICY];
    found[OPEN_LOW] = this.#scanColumns(OPEN_LOW, choices.rows, row, 1);
    found[OPEN_HIGH] = this.#scanRows(OPEN_HIGH, choices.columns, column);
    found[OPEN_ROW] = ofColumns === undefined ? 0 : this.#scanRows(OPEN_ROW, ofColumns, 0);
    found[OPEN_COLUMN] = ofRows === undefined ? 0 : this.#scanColumns(OPEN_COLUMN, ofRows, 0, 1);
  }
}
