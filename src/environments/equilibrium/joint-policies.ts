/** Policies of an equilibrium by decision, and the states in which the policies of the scenario lose. */

import { findRowRange, GOLDEN_SECTION, solveMatrixGame, swapPlayers } from '../../core/index.ts';
import type { PolicyTable, State } from '../../rules/index.ts';
import type { GameTable } from '../best-response/game-table.ts';
import { describeObservation, type Observation } from '../best-response/observation.ts';
import { computeOutcomeProbabilities, type MassVisitor } from '../best-response/outcome-probabilities.ts';
import type { Reward, Variant } from '../env-spec.ts';
import { createPolicyTable, type TableDecision } from '../policies/policy-table.ts';
import type { JointGraph } from './joint-graph.ts';
import {
  type CellProbability,
  createEquilibriumShares,
  createResponseShares,
  type JointValues,
} from './joint-values.ts';
import type { InformationSet, PlayerIndex, Stage } from './stage.ts';
import { computeStationaryOutcomes } from './stationary-visits.ts';

/** Player who maximizes the reward, and the other one; one player plays against chance. */
export type PlayerPair = readonly [first: string] | readonly [first: string, second: string];

/** Probabilities of actions, by name. */
export type ActionProbabilities = Readonly<Record<string, number>>;

/** Decision in the equilibrium. */
export interface EquilibriumDecision {
  readonly player: string;
  readonly decision: string;
  readonly observation: Observation;
  /** Probabilities of the actions in the equilibrium, and under the policy of the scenario. */
  readonly equilibrium: ActionProbabilities;
  readonly policy: ActionProbabilities;
  /** Expected visits per battle in the equilibrium. */
  readonly visits: number;
  /** Remaining rounds, this one included, if the equilibrium depends on them. */
  readonly roundsLeft?: number;
  /** True if all equilibria have these probabilities; otherwise they are one of several, or this is not known. */
  readonly isUnique: boolean;
  /** At the first decisions of a battle: least and greatest probability of actions in all equilibria, if they differ. */
  readonly ranges?: Readonly<Record<string, readonly [least: number, greatest: number]>>;
}

/** State in which a policy loses against the best response to it. */
export interface PolicyLoss {
  /** Player who decides; the other one decides simultaneously or not at all. */
  readonly player: string;
  readonly decision: string;
  readonly observation: Observation;
  readonly policy: ActionProbabilities;
  readonly equilibrium: ActionProbabilities;
  /** Expected visits per battle under the policy and the best response to it. */
  readonly visits: number;
  /** Expected loss per visit, with the equilibrium afterwards; negative for a gain. */
  readonly loss: number;
}

/** Scenario solved as a game of its two players. */
export interface JointSolution {
  readonly variant: Variant;
  readonly players: PlayerPair;
  readonly reward: Reward;
  readonly points: readonly string[];
  readonly budget: number;
  readonly graph: JointGraph<State>;
  readonly table: GameTable;
  readonly values: JointValues;
}

/** Probabilities that differ by less are equal. */
const SAME = 1e-9;

/** Visits that are rounding. */
const NEVER = 1e-15;

/** Probabilities of the strategies of a player in a stage. */
type Mixture = ArrayLike<number>;

/** Returns the probability of own choices in a stage. */
function sumShares({ players }: Stage<State>, player: PlayerIndex, mixture: Mixture, choice: number): number {
  return players[player].strategies.reduce((sum, own, s) => sum + (own.includes(choice) ? (mixture[s] ?? 0) : 0), 0);
}

/** Adds the probabilities of options by the names of their actions, which equivalent options share. */
function nameShares(
  spec: Variant['spec'],
  point: string,
  options: InformationSet<State>['options'],
  getShare: (option: number) => number,
): ActionProbabilities {
  const shares: Record<string, number> = {};
  for (const [o, option] of options.entries()) {
    const name = spec.actionName(point, option);
    const share = getShare(o);
    if (share > 0) shares[name] = (shares[name] ?? 0) + share;
  }
  return shares;
}

/** Returns the probabilities of the actions of a decision, if its own earlier choices are made. */
function describeMix(
  { spec }: Variant,
  stage: Stage<State>,
  { index, point, options, parent, choices }: InformationSet<State>,
  mixture: Mixture,
): ActionProbabilities {
  const whole = sumShares(stage, index, mixture, parent);
  return nameShares(spec, point, options, (o) =>
    whole > 0 ? sumShares(stage, index, mixture, choices[o] ?? 0) / whole : 0,
  );
}

function describePolicy({ spec }: Variant, { point, options, policy }: InformationSet<State>): ActionProbabilities {
  return nameShares(spec, point, options, (o) => policy[o] ?? 0);
}

/** Returns the mixtures of both players in a stage. */
function getMixtures(
  { values }: JointSolution,
  q: number,
  stage: Stage<State>,
  left: number,
): readonly [Float64Array, Float64Array] {
  const { firstRow, firstColumn } = values.layout;
  const { rows, columns } = values.choices(left);
  const [row, column] = [firstRow[q] ?? 0, firstColumn[q] ?? 0];
  const [ofRows, ofColumns] = stage.players;
  return [
    rows.subarray(row, row + ofRows.strategies.length),
    columns.subarray(column, column + ofColumns.strategies.length),
  ];
}

/** Visits of a stage with a number of remaining rounds. */
interface StageVisit {
  readonly q: number;
  readonly node: number;
  readonly left: number;
  mass: number;
}

/** Visits of a stage in the order of their first rounds, and by the cells of their mixtures. */
interface StageVisits {
  readonly all: StageVisit[];
  readonly byCell: Map<number, StageVisit[]>;
}

/** Counts visits by stage and by policies; rounds in which the policies are equal are added. */
class VisitCounts {
  readonly #solution: JointSolution;
  readonly #byStage: (StageVisits | undefined)[] = [];

  constructor(solution: JointSolution) {
    this.#solution = solution;
  }

  readonly add = (node: number, mass: number, left: number): void => {
    const { table, graph, values } = this.#solution;
    const q = table.decisionIndex[node] ?? 0;
    const stage = graph.questions.get(node);
    if (stage === undefined) return;
    this.#byStage[q] ??= { all: [], byCell: new Map() };
    const { all, byCell } = this.#byStage[q];
    const [first] = all;
    if (first !== undefined && values.choices(first.left) === values.choices(left)) {
      first.mass += mass;
      return;
    }
    const cell = this.#computeCell(stage, q, left);
    const near = [cell - 1, cell, cell + 1].flatMap((each) => byCell.get(each) ?? []);
    const known = near.toSorted((a, b) => b.left - a.left).find((visit) => this.#isSame(stage, q, visit.left, left));
    if (known !== undefined) {
      known.mass += mass;
      return;
    }
    const visit = { q, node, left, mass };
    all.push(visit);
    const others = byCell.get(cell);
    if (others === undefined) byCell.set(cell, [visit]);
    else others.push(visit);
  };

  /** Returns a cell of the sums of shares with irregular weights. Equal mixtures are in the same cell or in adjacent ones. */
  #computeCell(stage: Stage<State>, q: number, left: number): number {
    let [sum, count] = [0, 0];
    for (const mixture of getMixtures(this.#solution, q, stage, left))
      for (const share of mixture) sum += share * ((++count * GOLDEN_SECTION) % 1);
    return Math.floor(sum / (count * SAME));
  }

  #isSame(stage: Stage<State>, q: number, one: number, other: number): boolean {
    const [a, b] = [getMixtures(this.#solution, q, stage, one), getMixtures(this.#solution, q, stage, other)];
    return [0, 1].every((player) => a[player]?.every((share, s) => Math.abs(share - (b[player]?.[s] ?? 0)) < SAME));
  }

  /** Returns the visits of stages, with those that are rounding left out. */
  get all(): readonly { readonly visit: StageVisit; readonly dependsOnRounds: boolean }[] {
    return this.#byStage.flatMap((visits) => {
      const real = visits?.all.filter(({ mass }) => mass > NEVER) ?? [];
      return real.map((visit) => ({ visit, dependsOnRounds: real.length > 1 }));
    });
  }
}

/** Returns the probability that a stage reaches a decision. */
function computeReach(
  stage: Stage<State>,
  { index, parent, reach }: InformationSet<State>,
  mixtures: readonly [Mixture, Mixture],
): number {
  const enemy = index === 0 ? 1 : 0;
  let sum = 0;
  for (const [choice, mass] of reach) sum += mass * sumShares(stage, enemy, mixtures[enemy], choice);
  return sum * sumShares(stage, index, mixtures[index], parent);
}

/** Maximum number of pairs of strategies of a stage whose ranges are computed. */
const RANGE_CELLS_MAX = 2 ** 12;

/** Smaller ranges are rounding. */
const NARROW = 1e-6;

/**
 * Finds the ranges of the probabilities of a first decision of a battle over all optimal strategies of its player.
 * @returns undefined if it is not a first decision, or too large
 */
function findRanges(
  { variant: { spec, model }, values }: JointSolution,
  { q, left }: StageVisit,
  { players }: Stage<State>,
  { index, point, options, parent, choices }: InformationSet<State>,
): EquilibriumDecision['ranges'] {
  const given = left === model.maxRounds && parent === 0 ? values.firstGames.get(q) : undefined;
  if (given === undefined || given.payoffs.length > RANGE_CELLS_MAX) return undefined;
  const game = index === 0 ? given : swapPlayers(given);
  const { value } = solveMatrixGame(game);
  const ranges: Record<string, readonly [number, number]> = {};
  const names = options.map((option) => spec.actionName(point, option));
  for (const name of new Set(names)) {
    const own = choices.filter((_, o) => names[o] === name);
    const isIn = (row: number): boolean => players[index].strategies[row]?.some((c) => own.includes(c)) === true;
    const range = findRowRange(game, value, isIn);
    if (range === undefined) return undefined;
    if (range[1] - range[0] > NARROW) ranges[name] = range;
  }
  return ranges;
}

/** Computes the probabilities of outcomes; `received` is called for visits to positions with a decision. */
function computeOutcomes(
  { variant, budget, table, values: { components } }: JointSolution,
  shares: CellProbability,
  received: MassVisitor,
): readonly number[] {
  return components === undefined
    ? computeOutcomeProbabilities(table, variant.model, budget, shares, received)
    : computeStationaryOutcomes(table, components, variant.model, shares, received);
}

/** Lists the decisions of the equilibrium, and computes its outcomes. */
export function listStrategies(solution: JointSolution): {
  readonly strategies: readonly EquilibriumDecision[];
  readonly outcomes: readonly number[];
} {
  const { variant, players, graph, table, values } = solution;
  const counts = new VisitCounts(solution);
  const shares = createEquilibriumShares(table, values);
  const outcomes = computeOutcomes(solution, shares, counts.add);
  const strategies = counts.all.flatMap(({ visit, dependsOnRounds }) => {
    const { q, node, left, mass } = visit;
    const stage = graph.questions.get(node);
    if (stage === undefined) return [];
    const mixtures = getMixtures(solution, q, stage, left);
    return stage.sets.map((set): EquilibriumDecision => {
      const player = players[set.index] ?? '';
      const isUnique = values.choices(left).isUnique[q] === 1;
      const ranges = isUnique ? undefined : findRanges(solution, visit, stage, set);
      const hasRange = ranges !== undefined && Object.keys(ranges).length > 0;
      return {
        player,
        decision: set.point,
        observation: describeObservation(variant, set.state, player),
        equilibrium: describeMix(variant, stage, set, mixtures[set.index]),
        policy: describePolicy(variant, set),
        visits: mass * computeReach(stage, set, mixtures),
        ...(dependsOnRounds && { roundsLeft: left }),
        isUnique: isUnique || (ranges !== undefined && !hasRange),
        ...(hasRange && { ranges }),
      };
    });
  });
  return {
    strategies: strategies.filter(({ visits }) => visits > NEVER).sort((a, b) => b.visits - a.visits),
    outcomes,
  };
}

/** Lists the states in which the policy of a player loses against the best response to it. */
export function listPolicyLosses(solution: JointSolution, index: PlayerIndex): readonly PolicyLoss[] {
  const { variant, players, graph, table, values } = solution;
  const stages = [...graph.questions];
  const policies = stages.map(([, { players: both }]) => both[index].policy ?? []);
  const lost = new Map<number, { visits: number; loss: number; worst: number; left: number }>();
  const shares = createResponseShares(table, values, index, policies);
  const addLoss = (node: number, mass: number, left: number): void => {
    const { rowLoss, columnLoss } = values.choices(left);
    const loss = mass * ((index === 0 ? rowLoss : columnLoss)[table.decisionIndex[node] ?? 0] ?? 0);
    const known = lost.get(node) ?? { visits: 0, loss: 0, worst: -1, left };
    lost.set(node, known);
    known.visits += mass;
    known.loss += loss;
    if (Math.abs(loss) > known.worst) [known.worst, known.left] = [Math.abs(loss), left];
  };
  computeOutcomes(solution, shares, addLoss);
  return [...lost]
    .filter(([, { visits, loss }]) => visits > NEVER && Math.abs(loss) > NEVER * values.range)
    .sort(([, a], [, b]) => b.loss - a.loss)
    .flatMap(([node, { visits, loss, left }]) => {
      const stage = graph.questions.get(node);
      const set = stage?.sets.find((each) => each.index === index) ?? stage?.sets[0];
      if (stage === undefined || set === undefined) return [];
      const mixtures = getMixtures(solution, table.decisionIndex[node] ?? 0, stage, left);
      const player = players[set.index] ?? '';
      return {
        player,
        decision: set.point,
        observation: describeObservation(variant, set.state, player),
        policy: describePolicy(variant, set),
        equilibrium: describeMix(variant, stage, set, mixtures[set.index]),
        visits,
        loss: loss / visits,
      };
    });
}

/** Returns the policy of a player in the equilibrium as a table; undefined without decisions. */
export function createEquilibriumTable(solution: JointSolution, index: PlayerIndex): PolicyTable | undefined {
  const { variant, players, points, budget, graph, table } = solution;
  const decisions = [...graph.questions].flatMap(([node, stage]): TableDecision[] => {
    const q = table.decisionIndex[node] ?? 0;
    return stage.sets
      .filter((set) => set.index === index)
      .map((set) => {
        const getShares = (left: number): ActionProbabilities => {
          const shares = describeMix(variant, stage, set, getMixtures(solution, q, stage, left)[index]);
          // The policy does not make the choices that lead here.
          const isReached = Object.keys(shares).length > 0;
          return isReached ? shares : nameShares(variant.spec, set.point, set.options, () => 1 / set.options.length);
        };
        return { node, decision: set.point, keys: set.keys, getShares };
      });
  });
  if (decisions.length === 0) return undefined;
  const all: readonly string[] = players;
  const decides = (point: string, player: string): boolean => all.includes(player) && points.includes(point);
  return createPolicyTable({ table, variant, player: all[index] ?? '', decides, budget }, decisions);
}
