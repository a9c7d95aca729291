/**
 * A battle as a zero-sum game of two players: a matrix game in each position in which somebody decides, with chance in
 * between (L. Shapley, Stochastic Games, 1953).
 */
import { InputError } from '../../core/index.ts';
import type { DecisionOption, State } from '../../rules/index.ts';
import type { OpenDecision, ResultVisitor } from '../best-response/decision-chance.ts';
import {
  GraphBuilder,
  type PositionDefinition,
  type PositionGraph,
  type PositionMember,
  type WeightedState,
} from '../best-response/graph-builder.ts';
import { type Stage, StageExplorer, type StageRules, type StageStrategies } from './stage.ts';

/** Definition of a game of two players. */
export interface JointDefinition<S extends State> extends PositionDefinition<S> {
  /** Player who maximizes the payoff, and the other one, if there is one. */
  readonly players: readonly string[];
  /** Names of the features. */
  readonly features: readonly string[];
  /** @param player observer; undefined: everything is visible */
  readonly observe: (state: S, player: string | undefined) => readonly number[];
  /** Replaces the policy of the scenario. */
  readonly decidePolicy: (question: OpenDecision, state: S) => readonly number[];
}

/** Positions with one option for each pair of strategies of their stage, by rows. */
export type JointGraph<S extends State> = PositionGraph<Stage<S>>;

/** Maximum number of parts of stages that are shared. */
const PARTS_MAX = 2 ** 14;

/** Bytes of a position with a decision of each player, measured with three options each. */
const POSITION_BYTES = 1700;

/** What a game without private information has. */
export const PRIVATE_INFORMATION =
  'draws and choices that both players know before the next decision, except for simultaneous choices';

/** Reason to build the graph again, with all observations compared. */
const FEATURE_IS_HIDDEN = new Error('a feature is hidden');

class JointGraphBuilder<S extends State> extends GraphBuilder<S, Stage<S>> {
  protected override readonly positionBytes = POSITION_BYTES;
  readonly #definition: JointDefinition<S>;
  readonly #rules: StageRules<S>;
  /** By player and observation at the beginning of a stage: the whole observation. Absent until a feature is hidden. */
  readonly #whole: Map<string, readonly number[]> | undefined;
  /** Parts of stages, by their JSON. */
  readonly #parts = new Map<string, readonly unknown[]>();

  /** @param hasHidden true if some state has a feature that a player does not see */
  constructor(definition: JointDefinition<S>, budget: number, hasHidden: boolean) {
    super(definition, budget, 'the equilibrium needs');
    this.#definition = definition;
    this.#whole = hasHidden ? new Map() : undefined;
    const { model, players, observe, decidePolicy } = definition;
    this.#rules = {
      walk: (state: S, take: ResultVisitor<S>, answer?: DecisionOption) =>
        this.chance.walk((chance) => this.turn(state, chance), take, answer),
      key: (state) => model.key(state),
      isAtRest: (state) => model.outcome(state) !== undefined || model.resting(state),
      indexOf: (player) => (player === players[0] ? 0 : 1),
      observe: (state, player) => observe(state, players[player]),
      decidePolicy,
      countStep: () => {
        this.countStep();
      },
    };
  }

  protected override explore(node: number, [member]: readonly PositionMember<S>[]): void {
    if (member === undefined) return;
    const explorer = new StageExplorer(this.#rules).explore(member.state);
    const { stage } = explorer;
    if (stage === undefined) {
      this.addOption(explorer.ends, 1);
      return;
    }
    this.#checkKnown(member.state);
    this.questions.set(node, this.#shareParts(stage));
    const [rows, columns] = stage.players;
    const width = columns.strategies.length;
    for (const [c, cell] of explorer.listCells(stage).entries())
      this.addOption(
        cell,
        (rows.policy?.[Math.floor(c / width)] ?? 0) * (columns.policy?.[c % width] ?? 0),
        cell.reduce((sum, { steps }) => sum + steps, 0),
      );
  }

  protected override addOption(found: readonly WeightedState<S>[], policy: number, steps = 0): void {
    this.beginOption(policy, steps);
    for (const { key, state, mass } of found) {
      this.addEdge(this.addPosition(key, [{ key, state, mass: 1 }]), mass);
    }
  }

  /** Replaces parts of a stage by equal ones of earlier stages, to save memory. */
  #shareParts({ sets, players }: Stage<S>): Stage<S> {
    const shareOf = ({ strategies, policy }: StageStrategies): StageStrategies => ({
      strategies: this.#share(strategies),
      policy: policy && this.#share(policy),
    });
    return {
      // Each property is named: copies of the rest would have a hidden class each, and need twice the memory.
      sets: sets.map(({ point, player, options, policy, index, parent, choices, state, keys, reach }) => ({
        point,
        player,
        index,
        parent,
        state,
        keys: [...keys],
        options: this.#share(options),
        policy: this.#share(policy),
        choices: this.#share(choices),
        reach: this.#share([...reach]),
      })),
      players: [shareOf(players[0]), shareOf(players[1])],
    };
  }

  #share<T extends readonly unknown[]>(part: T): T {
    const name = JSON.stringify(part);
    const known = this.#parts.get(name);
    if (known !== undefined) return known as T;
    if (this.#parts.size < PARTS_MAX) this.#parts.set(name, part);
    return part;
  }

  /**
   * @throws InputError if states look alike to a player at the beginning of a stage, but differ in a feature that it
   * does not see; `FEATURE_IS_HIDDEN` at the first hidden feature, if observations are not compared yet
   */
  #checkKnown(state: S): void {
    const { players, features, observe } = this.#definition;
    const all = observe(state, undefined);
    for (const player of players) {
      const seen = observe(state, player);
      if (this.#whole === undefined) {
        if (seen.every((value, f) => value === all[f])) continue;
        throw FEATURE_IS_HIDDEN;
      }
      const name = `${player} ${seen.join()}`;
      const known = this.#whole.get(name);
      if (known === undefined) this.#whole.set(name, all);
      const hidden = features.filter((_, f) => known !== undefined && known[f] !== all[f]);
      if (hidden.length === 0) continue;
      throw new InputError(
        'equilibrium',
        PRIVATE_INFORMATION,
        `${hidden.slice(0, 3).join(', ')}${hidden.length > 3 ? ', ...' : ''} hidden from ${player}`,
      );
    }
  }
}

/**
 * Builds the graph of all positions that any policies reach.
 * @param budget maximum number of transitions and of edges of matrices
 * @throws BudgetError if there are more; InputError if a player has private information at the beginning of a stage
 */
export function buildJointGraph<S extends State>(definition: JointDefinition<S>, budget: number): JointGraph<S> {
  try {
    return new JointGraphBuilder(definition, budget, false).build();
  } catch (error) {
    if (error !== FEATURE_IS_HIDDEN) throw error;
    // Earlier states without hidden values can look like this one.
    return new JointGraphBuilder(definition, budget, true).build();
  }
}
