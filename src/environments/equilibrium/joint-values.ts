/**
 * Values of a game of two players. If the round limit matters, by backward induction over the remaining rounds. Otherwise
 * once for each position, successors first; positions that lead back to themselves are evaluated repeatedly until
 * nothing changes.
 */

import { type MatrixGame, reportProgress } from '../../core/index.ts';
import { NEGLIGIBLE } from '../../engines/index.ts';
import type { State } from '../../rules/index.ts';
import { computePayoffRange, computeRoundRange, type GameTable } from '../best-response/game-table.ts';
import { BETWEEN_ROUNDS, computeMoveLimit, OVER, START } from '../best-response/graph-builder.ts';
import { RoundInduction } from '../best-response/round-induction.ts';
import { boundRounds, type Components, countEdges, findComponents, type RoundBounds } from './components.ts';
import type { JointGraph } from './joint-graph.ts';
import {
  COLUMN_BEST,
  GIVEN,
  HIGH,
  KINDS,
  LOW,
  type MatrixTreatment,
  mapChoices,
  OPEN_COLUMN,
  OPEN_HIGH,
  OPEN_LOW,
  OPEN_ROW,
  PositionEvaluator,
  ROW_BEST,
  type RoundChoices,
  type StageLayout,
  VALUE,
} from './position-values.ts';
import type { PlayerIndex } from './stage.ts';

/** Maximum number of probabilities to store for policies that depend on the remaining rounds. */
const STORED_MAX = 2 ** 24;

/** Share of the value updates of a best response that are allowed. */
const UPDATES = 1 / KINDS;

/** Maximum number of passes over the matrix games of positions that lead back to themselves. */
const PASSES_MAX = 300;

/** Changes in a pass, relative to the range of payoffs, that are rounding. */
const UNCHANGED = 1e-14;

/** Passes between extrapolations; changes differ by less than this share from those before times a ratio of at most that. */
const [EXTRAPOLATION, ALIGNED, RATIO_MAX] = [3, 1e-2, 0.9999] as const;

/** Values at the beginning of a battle, for the first player. */
export interface JointValues {
  readonly value: number;
  /** Interval of the value: best responses to the policies of the equilibrium. */
  readonly lower: number;
  readonly upper: number;
  /** Best response of the first player to the scenario's policy of the second; of the second to that of the first. */
  readonly bestRow: number;
  readonly bestColumn: number;
  readonly given: number;
  /** Maximum error of the last three because of omitted rounds. */
  readonly error: number;
  /** Rounds that were counted back; without a round limit, passes over positions that lead back to themselves. */
  readonly rounds: number;
  /** Greatest difference between the payoffs of two battles. */
  readonly range: number;
  readonly layout: StageLayout;
  /** Matrix games of the first stages of a battle, by stage. */
  readonly firstGames: ReadonlyMap<number, MatrixGame>;
  /** Order of the positions if the round limit does not matter: then the policies do not depend on the rounds. */
  readonly components: Components | undefined;
  /** @param left remaining rounds, this one included */
  readonly choices: (left: number) => RoundChoices;
}

function hasEqualNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false;
  return true;
}

/** Parameters of a solution. */
interface JointLimits {
  readonly maxRounds: number;
  /** Steps of exploration; 100 value updates are allowed per step. */
  readonly budget: number;
}

class JointInduction extends RoundInduction {
  readonly #evaluator: PositionEvaluator;
  readonly #byRounds: RoundChoices[] = [];
  readonly #range: number;
  readonly #moveLimit: number;
  #stored = 0;

  constructor(graph: JointGraph<State>, table: GameTable, { maxRounds, budget }: JointLimits) {
    super(table);
    this.#evaluator = new PositionEvaluator(graph, table, KINDS);
    this.#range = computePayoffRange(graph) + computeRoundRange(table) * maxRounds;
    this.#moveLimit = UPDATES * computeMoveLimit(budget);
  }

  /** Processes rounds up to the maximum, or until more make no difference, or the updates are used up. */
  run(maxRounds: number): JointValues {
    const isWhole = this.processRounds(maxRounds);
    const { found, layout, firstGames } = this.#evaluator;
    const boundError = (kind: number): number => (isWhole ? 0 : (found[kind] ?? 0) * this.#range);
    return {
      value: found[VALUE] ?? 0,
      lower: (found[LOW] ?? 0) - boundError(OPEN_LOW),
      upper: (found[HIGH] ?? 0) + boundError(OPEN_HIGH),
      bestRow: found[ROW_BEST] ?? 0,
      bestColumn: found[COLUMN_BEST] ?? 0,
      given: found[GIVEN] ?? 0,
      error: Math.max(boundError(OPEN_ROW), boundError(OPEN_COLUMN)),
      rounds: this.rounds,
      range: this.#range,
      layout,
      firstGames,
      components: undefined,
      choices: (left) => this.#byRounds[Math.min(left, this.rounds)] ?? this.#evaluator.choices,
    };
  }

  protected get found(): Float64Array {
    return this.#evaluator.found;
  }

  protected getOpen(): number {
    return Math.max(...this.found.subarray(OPEN_LOW));
  }

  protected continues(moves: number): boolean {
    return this.open > NEGLIGIBLE && (this.rounds === 0 || moves <= this.#moveLimit);
  }

  protected evaluate(node: number): void {
    this.#evaluator.evaluate(node, this.rounds > 1 ? 'check' : 'solve');
  }

  protected hasValues(node: number, found: Float64Array): boolean {
    return hasEqualNumbers(found, this.#evaluator.values.subarray(KINDS * node, KINDS * (node + 1)));
  }

  protected store(node: number, found: Float64Array): void {
    this.#evaluator.values.set(found, KINDS * node);
  }

  protected override processRound(): boolean {
    const before = this.#evaluator.choices;
    this.#evaluator.choices = mapChoices(before, (values) => values.slice());
    const isSettled = super.processRound() && this.rounds > 1;
    this.#storeChoices(before);
    return isSettled;
  }

  /** Stores the choices of this round; equal arrays are shared. Those of the last round stay if there are too many. */
  #storeChoices(before: RoundChoices): void {
    const share = <T extends ArrayLike<number>>(now: T, old: T): T => {
      if (this.rounds > 1 && hasEqualNumbers(now, old)) return old;
      this.#stored += now.length;
      return now;
    };
    this.#evaluator.choices = mapChoices(this.#evaluator.choices, share, before);
    if (this.#stored > STORED_MAX) this.#byRounds.length = 0;
    else this.#byRounds[this.rounds] = this.#evaluator.choices;
  }
}

/** Changes of the values between rounds in two passes: by position, then by kind of value. */
class PassChanges {
  readonly #now: Float64Array;
  readonly #before: Float64Array;

  constructor(positions: number) {
    this.#now = new Float64Array(OPEN_LOW * positions);
    this.#before = new Float64Array(OPEN_LOW * positions);
  }

  set(position: number, kind: number, change: number): void {
    const at = OPEN_LOW * position + kind;
    this.#before[at] = this.#now[at] ?? 0;
    this.#now[at] = change;
  }

  /** Returns the greatest change in the last pass. */
  findGreatest(kind: number): number {
    let most = 0;
    for (let at = kind; at < this.#now.length; at += OPEN_LOW) {
      const change = Math.abs(this.#now[at] ?? 0);
      if (change > most) most = change;
    }
    return most;
  }

  /**
   * Predicts the sum of all further changes if all decrease by the same factor (A. Aitken 1926), as they do in the end.
   * @returns times the last change; 0 if they do not
   */
  extrapolate(kind: number): number {
    let [product, squares, all] = [0, 0, 0];
    for (let at = kind; at < this.#now.length; at += OPEN_LOW) {
      const [now, before] = [this.#now[at] ?? 0, this.#before[at] ?? 0];
      product += now * before;
      squares += before * before;
      all += now * now;
    }
    const ratio = product / squares;
    const isAligned = all - ratio * product < ALIGNED ** 2 * all;
    return isAligned && ratio > 0 && ratio < RATIO_MAX ? ratio / (1 - ratio) : 0;
  }

  get(position: number, kind: number): number {
    return this.#now[OPEN_LOW * position + kind] ?? 0;
  }
}

/** Values of positions in the order of their components. */
class StationarySolver {
  readonly #table: GameTable;
  readonly #components: Components;
  readonly #evaluator: PositionEvaluator;
  /** Greatest payoff of a round; greatest difference between the payoffs of two battles of one round, and of all. */
  readonly #roundRange: number;
  readonly #scale: number;
  readonly #range: number;
  /** Remaining value updates. */
  #updates: number;
  #passes = 1;
  /** By kind of value: greatest change in the last pass over a component. */
  readonly #change = new Float64Array(OPEN_LOW);

  constructor(graph: JointGraph<State>, table: GameTable, components: Components, { maxRounds, budget }: JointLimits) {
    this.#table = table;
    this.#components = components;
    this.#evaluator = new PositionEvaluator(graph, table, OPEN_LOW);
    this.#roundRange = computeRoundRange(table);
    this.#scale = computePayoffRange(graph) + this.#roundRange;
    this.#range = computePayoffRange(graph) + this.#roundRange * maxRounds;
    this.#updates = UPDATES * computeMoveLimit(budget);
  }

  run({ limit, rounds }: RoundBounds): JointValues {
    const { found, layout, firstGames, choices } = this.#evaluator;
    this.#evaluateComponents();
    this.#evaluator.evaluate(START, 'keep');
    // Battles that continue after the limit, and the changes that further passes would make in each round.
    const rest = limit === 0 ? 0 : limit * (this.#range + this.#roundRange * rounds);
    const getError = (kind: number): number => rest + (this.#change[kind] ?? 0) * rounds;
    return {
      value: found[VALUE] ?? 0,
      lower: (found[LOW] ?? 0) - getError(LOW),
      upper: (found[HIGH] ?? 0) + getError(HIGH),
      bestRow: found[ROW_BEST] ?? 0,
      bestColumn: found[COLUMN_BEST] ?? 0,
      given: found[GIVEN] ?? 0,
      error: Math.max(...[ROW_BEST, COLUMN_BEST, GIVEN].map(getError)),
      rounds: this.#passes,
      range: this.#range,
      layout,
      firstGames,
      components: this.#components,
      choices: () => choices,
    };
  }

  #evaluateComponents(): void {
    const { nodes, first, isCyclic } = this.#components;
    for (const [c, cyclic] of isCyclic.entries()) {
      const members = nodes.subarray(first[c], first[c + 1]);
      if (cyclic === 1) this.#iterate(members);
      else if (this.#table.kinds[members[0] ?? START] !== OVER) this.#update(members, 'solve');
      if (c % 1024 === 0) reportProgress(first[c] ?? 0, nodes.length, 'positions');
    }
  }

  #update(members: Int32Array, treatment: MatrixTreatment): void {
    for (const node of members) {
      this.#evaluator.evaluate(node, treatment);
      this.#evaluator.store(node);
    }
  }

  /** Evaluates positions that lead back to themselves until the values between rounds do not change. */
  #iterate(members: Int32Array): void {
    const from = members.findIndex((node) => this.#table.kinds[node] === BETWEEN_ROUNDS);
    const [inRound, resting] = [members.subarray(0, from), members.subarray(from)];
    const changes = new PassChanges(resting.length);
    const edges = countEdges(this.#table, members);
    for (let pass = 1; ; pass++) {
      const treatment = pass === 1 ? 'solve' : pass <= PASSES_MAX ? 'check' : 'keep';
      this.#update(inRound, treatment);
      const isSettled = this.#updateResting(resting, treatment, changes);
      this.#updates -= edges;
      this.#passes = Math.max(this.#passes, pass);
      if (isSettled || this.#updates < 0) break;
      if (pass % EXTRAPOLATION === 0) this.#extrapolate(resting, changes);
    }
    this.#update(inRound, 'keep');
    for (const [kind, change] of this.#change.entries())
      this.#change[kind] = Math.max(change, changes.findGreatest(kind));
  }

  /** Evaluates positions between rounds. @returns true if all changes are rounding */
  #updateResting(resting: Int32Array, treatment: MatrixTreatment, changes: PassChanges): boolean {
    const { found, values } = this.#evaluator;
    let isSettled = true;
    for (const [r, node] of resting.entries()) {
      this.#evaluator.evaluate(node, treatment);
      for (let kind = 0; kind < OPEN_LOW; kind++) {
        const value = found[kind] ?? 0;
        const change = value - (values[OPEN_LOW * node + kind] ?? 0);
        changes.set(r, kind, change);
        if (Math.abs(change) > UNCHANGED * Math.max(this.#scale, Math.abs(value))) isSettled = false;
      }
      this.#evaluator.store(node);
    }
    return isSettled;
  }

  #extrapolate(resting: Int32Array, changes: PassChanges): void {
    const { values } = this.#evaluator;
    for (let kind = 0; kind < OPEN_LOW; kind++) {
      if (changes.findGreatest(kind) <= UNCHANGED * this.#scale) continue;
      const factor = changes.extrapolate(kind);
      for (const [r, node] of resting.entries()) {
        const at = OPEN_LOW * node + kind;
        values[at] = (values[at] ?? 0) + factor * changes.get(r, kind);
      }
    }
  }
}

/**
 * Computes the values of a game.
 * @returns intervals that include the rounds that were left out
 */
export function computeJointValues(graph: JointGraph<State>, table: GameTable, limits: JointLimits): JointValues {
  const components = findComponents(table);
  const bounds = boundRounds(table, components, limits.maxRounds);
  if (bounds === undefined) return new JointInduction(graph, table, limits).run(limits.maxRounds);
  return new StationarySolver(graph, table, components, limits).run(bounds);
}

/** Probability of a pair of strategies of a stage. @param cell row times number of columns plus column */
export type CellProbability = (node: number, cell: number, left: number) => number;

/** Returns the probabilities of pairs of strategies in the equilibrium. */
export function createEquilibriumShares(
  { decisionIndex }: GameTable,
  { layout, choices }: JointValues,
): CellProbability {
  return (node, cell, left) => {
    const stage = decisionIndex[node] ?? -1;
    if (stage < 0) return 1;
    const width = layout.columns[stage] ?? 1;
    const { rows, columns } = choices(left);
    const row = rows[(layout.firstRow[stage] ?? 0) + Math.floor(cell / width)] ?? 0;
    return row * (columns[(layout.firstColumn[stage] ?? 0) + (cell % width)] ?? 0);
  };
}

/**
 * Returns the probabilities of pairs of strategies if one player follows its policy and the other answers with the best
 * response. @param policy by stage: probabilities of the strategies of the player
 */
export function createResponseShares(
  { decisionIndex }: GameTable,
  { layout, choices }: JointValues,
  player: PlayerIndex,
  policy: readonly (readonly number[])[],
): CellProbability {
  return (node, cell, left) => {
    const stage = decisionIndex[node] ?? -1;
    if (stage < 0) return 1;
    const width = layout.columns[stage] ?? 1;
    const pair = [Math.floor(cell / width), cell % width] as const;
    const { bestRows, bestColumns } = choices(left);
    const response = (player === 0 ? bestColumns : bestRows)[stage] ?? 0;
    return pair[1 - player] === response ? (policy[stage]?.[pair[player]] ?? 0) : 0;
  };
}
