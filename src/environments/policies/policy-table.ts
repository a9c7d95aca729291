/** Writes policies of a solved game as tables by state. docs/reference/policy-files.md */
import { BudgetError, type Chance, formatGrouped, InputError } from '../../core/index.ts';
import {
  type Key,
  POLICY_FORMAT,
  type PolicyState,
  type PolicyTable,
  type State,
  serializeWithoutRound,
} from '../../rules/index.ts';
import { DecisionChance } from '../best-response/decision-chance.ts';
import type { GameTable } from '../best-response/game-table.ts';
import { describeObservation, type Observation } from '../best-response/observation.ts';
import { computeOutcomeProbabilities } from '../best-response/outcome-probabilities.ts';
import type { Variant } from '../env-spec.ts';

/** Probabilities of actions, by name. */
type ActionShares = Readonly<Record<string, number>>;

/** Decision of a player in a position. */
export interface TableDecision {
  readonly node: number;
  readonly decision: string;
  /** Keys of the states that the player cannot distinguish. */
  readonly keys: Iterable<Key>;
  /** Returns the probabilities of the actions. @param left remaining rounds, this one included */
  readonly getShares: (left: number) => ActionShares;
}

/** A solved game, and the player whose policy is written. */
export interface SolvedGame {
  readonly table: GameTable;
  readonly variant: Variant;
  readonly player: string;
  /** True for a decision of the game. */
  readonly decides: (point: string, player: string) => boolean;
  readonly budget: number;
}

/** Probabilities that differ by less are equal. */
const SAME = 1e-9;

function hasSameShares(one: ActionShares, other: ActionShares): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => Math.abs((one[name] ?? 0) - (other[name] ?? 0)) < SAME);
}

/**
 * Lists the numbers of remaining rounds in which positions are reached with more than a negligible probability if the
 * players choose uniformly: ascending, by position.
 */
function listReachableRounds(table: GameTable, { model }: Variant, budget: number): Map<number, number[]> {
  const { firstOption } = table;
  const found = new Map<number, Set<number>>();
  const share = (node: number): number => 1 / Math.max(1, (firstOption[node + 1] ?? 0) - (firstOption[node] ?? 0));
  computeOutcomeProbabilities(table, model, budget, share, (node, _mass, left) => {
    const rounds = found.get(node);
    if (rounds === undefined) found.set(node, new Set([left]));
    else rounds.add(left);
  });
  return new Map(Array.from(found, ([node, rounds]) => [node, [...rounds].sort((a, b) => a - b)]));
}

/** Merges adjacent numbers of rounds with equal probabilities. */
function listEntries(
  lefts: readonly number[],
  getShares: TableDecision['getShares'],
): Omit<PolicyState, 'observation' | 'decision'>[] {
  const entries: { minRoundsLeft?: number; actions: ActionShares }[] = [];
  for (const left of lefts) {
    const actions = getShares(left);
    const before = entries.at(-1);
    if (before === undefined) entries.push({ actions });
    else if (!hasSameShares(before.actions, actions)) entries.push({ minRoundsLeft: left, actions });
  }
  return entries;
}

/** Names the features that all positions show: others count rounds, and a position is the same in several of them. */
function selectFeatures({ spec }: Variant, observations: readonly Observation[]): readonly string[] {
  const changing = spec.features.filter(({ low, high }) => low < high).map(({ name }) => name);
  const shown = changing.filter((name) => observations.every((observation) => Object.hasOwn(observation, name)));
  return shown.length > 0 ? shown : ['player'];
}

/** Decision point, key and observation of a state in which the player decides. */
interface ObservedDecision {
  readonly decision: string;
  readonly key: Key;
  readonly observation: Observation;
}

/**
 * Lists all reachable decisions of a player. Positions merge states with equal futures; these can have different
 * observations, or lead to states that have.
 * @throws BudgetError if there are too many
 */
function listObservedDecisions({ variant, player, decides, budget }: SolvedGame): ObservedDecision[] {
  const { model } = variant;
  const chance = new DecisionChance(decides);
  const open: State[] = [];
  const seen = new Set<string>();
  const decisions: ObservedDecision[] = [];
  let steps = 0;
  const visit = (state: State): void => {
    if (++steps > budget) throw new BudgetError(`the policy has more than ${formatGrouped(budget)} transitions`);
    const name = `${String(model.key(state))} ${serializeWithoutRound(state)}`;
    if (seen.has(name) || model.outcome(state) !== undefined) return;
    seen.add(name);
    model.keep?.(state);
    open.push(state);
  };
  new DecisionChance(() => false).walk((source) => model.start(source), visit);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const from = state;
    const turn = (source: Chance): State => model.turn?.(from, source) ?? model.step(from, source);
    const question = chance.walk(turn, visit);
    if (question === undefined) continue;
    if (question.player === player) {
      const observation = describeObservation(variant, from, player);
      decisions.push({ decision: question.point, key: model.key(from), observation });
    }
    for (const option of question.options) chance.walk(turn, visit, option);
  }
  return decisions;
}

/** Entries of a state, one for each range of remaining rounds. */
type Entries = ReturnType<typeof listEntries>;

const isSameEntries = (one: Entries, other: Entries): boolean =>
  one.length === other.length &&
  one.every(
    ({ minRoundsLeft, actions }, e) =>
      other[e]?.minRoundsLeft === minRoundsLeft && hasSameShares(actions, other[e]?.actions ?? {}),
  );

/**
 * Creates the table of a policy: all decisions of the player that can be reached, whatever the players choose.
 * @throws InputError if the features do not identify the states in which the policy differs
 * @throws BudgetError if that needs more transitions than the budget of the game
 */
export function createPolicyTable(game: SolvedGame, decisions: readonly TableDecision[]): PolicyTable {
  const { table, variant, player, budget } = game;
  const lefts = listReachableRounds(table, variant, budget);
  const byKey = new Map<string, Entries>();
  for (const { node, decision, keys, getShares } of decisions) {
    // Positions with a negligible probability have no list.
    const entries = listEntries(lefts.get(node) ?? [variant.model.maxRounds], getShares);
    for (const key of keys) byKey.set(`${decision} ${String(key)}`, entries);
  }
  const observed = listObservedDecisions(game);
  const features = selectFeatures(
    variant,
    observed.map(({ observation }) => observation),
  );
  const known = new Map<string, Entries>();
  const states = observed.flatMap(({ decision, key, observation: seen }): PolicyState[] => {
    const entries = byKey.get(`${decision} ${String(key)}`);
    if (entries === undefined) throw new Error(`no decision for ${decision} in a state of the game`);
    const observation = features.map((name) => seen[name] ?? variant.players.indexOf(player));
    const name = `${decision} ${observation.join()}`;
    const before = known.get(name);
    known.set(name, entries);
    if (before === undefined) return entries.map((entry) => ({ decision, observation, ...entry }));
    if (isSameEntries(before, entries)) return [];
    const state = features.map((feature, f) => `${feature} ${String(observation[f])}`).join(', ');
    const found = `different probabilities for ${decision} with ${state}`;
    throw new InputError(`policy of ${player}`, 'features that identify the states in which the policy differs', found);
  });
  if (states.length === 0) throw new InputError(`policy of ${player}`, 'a player with decisions', 'none');
  return { format: POLICY_FORMAT, system: variant.scenario.system, kind: 'table', features, states };
}
