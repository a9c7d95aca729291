/**
 * Stages of a game of two players. A stage begins in a position, which both players know, with a decision. It ends in
 * positions that both know again: the battle is over, a round has ended, or no choice of the stage is hidden. A choice
 * is hidden from the other player as long as that player's features are equal for other choices; both players then
 * choose simultaneously, although the rules ask them in turn. A player remembers its own choices.
 */

import { BudgetError, formatGrouped } from '../../core/index.ts';
import type { DecisionOption, Key, State } from '../../rules/index.ts';
import { hasEqualItems, type OpenDecision, type ResultVisitor } from '../best-response/decision-chance.ts';

/** Index of a player: 0 has the rows of the matrix game and maximizes its value, 1 has the columns. */
export type PlayerIndex = 0 | 1;

const PLAYERS: readonly PlayerIndex[] = [0, 1];

/** Maximum number of pure strategies of a player in a stage, and of pairs of them. */
const STRATEGIES_MAX = 2 ** 12;
const CELLS_MAX = 2 ** 20;

/** Decision in all states that look alike to its player. */
export interface InformationSet<S> extends OpenDecision {
  readonly index: PlayerIndex;
  /** Own choices so far in the stage. */
  readonly parent: number;
  /** By option: the own choices with this one. */
  readonly choices: readonly number[];
  /** State with the greatest probability. */
  readonly state: S;
  /** Keys of all states. */
  readonly keys: Iterable<Key>;
  /** Probability of chance with which the states are reached, by the choices of the other player. */
  readonly reach: Iterable<readonly [choice: number, probability: number]>;
}

/** Information set of a stage that is explored. */
interface OpenSet<S> extends InformationSet<S> {
  readonly keys: Set<Key>;
  readonly reach: Map<number, number>;
  /** True if the scenario's policy differs between states of the set. */
  isInformed: boolean;
}

/** Pure strategies of a player in a stage, without choices in information sets that they exclude. */
export interface StageStrategies {
  /** By strategy: its choices. */
  readonly strategies: readonly (readonly number[])[];
  /** Probabilities of the strategies under the scenario's policy; undefined if it uses hidden information. */
  readonly policy: readonly number[] | undefined;
}

/** Explored stage. */
export interface Stage<S> {
  readonly sets: readonly InformationSet<S>[];
  readonly players: readonly [StageStrategies, StageStrategies];
}

/** State with its probability, and with the choices of both players in the stage. */
interface StageNode<S> {
  readonly key: Key;
  readonly state: S;
  mass: number;
  readonly choices: readonly [number, number];
}

/** State at the end of a stage, with its probability. */
export interface StageEnd<S> {
  readonly key: Key;
  readonly state: S;
  mass: number;
  /** Number of decisions times probability. */
  steps: number;
}

/** Rules and observations of the game. */
export interface StageRules<S> {
  /** Enumerates the results of a turn up to a decision. */
  readonly walk: (state: S, take: ResultVisitor<S>, answer?: DecisionOption) => OpenDecision | undefined;
  readonly key: (state: S) => Key;
  /** True if the battle is over, or between two rounds. */
  readonly isAtRest: (state: S) => boolean;
  readonly indexOf: (player: string) => PlayerIndex;
  readonly observe: (state: S, player: PlayerIndex) => readonly number[];
  /** Replaces the policy of the scenario. */
  readonly decidePolicy: (question: OpenDecision, state: S) => readonly number[];
  /** Called for each result of a turn, and for each edge of a matrix. */
  readonly countStep: () => void;
}

/** Own choices: an option in an information set, after earlier ones. The first entry has none. */
interface Choice {
  readonly set: number;
  readonly option: number;
  /** Number of choices up to this one. */
  readonly count: number;
}

export class StageExplorer<S extends State> {
  readonly #rules: StageRules<S>;
  readonly #sets: OpenSet<S>[] = [];
  readonly #setByName = new Map<string, OpenSet<S>>();
  readonly #choices: Choice[] = [{ set: -1, option: -1, count: 0 }];
  readonly #ends = new Map<Key, StageNode<S>>();
  /** By player: lower bound of the number of its strategies. Each option of a set except the first adds one. */
  readonly #strategies: [number, number] = [1, 1];

  constructor(rules: StageRules<S>) {
    this.#rules = rules;
  }

  /** Explores a stage from a position. */
  explore(state: S): this {
    let open: StageNode<S>[] = [{ key: this.#rules.key(state), state, mass: 1, choices: [0, 0] }];
    while (open.length > 0) {
      const next = new Map<Key, StageNode<S>>();
      for (const node of open) this.#follow(node, next);
      const hidden = this.#findHidden([...next.values()]);
      open = [];
      for (const node of next.values()) {
        if (hidden.has(node)) open.push(node);
        else this.#addNode(this.#ends, node);
      }
    }
    return this;
  }

  #addNode(nodes: Map<Key, StageNode<S>>, node: StageNode<S>): void {
    const [row, column] = node.choices;
    const name = row === 0 && column === 0 ? node.key : `${String(row)} ${String(column)} ${String(node.key)}`;
    const known = nodes.get(name);
    if (known === undefined) nodes.set(name, node);
    else known.mass += node.mass;
  }

  /** Adds the successors of a state. */
  #follow(node: StageNode<S>, next: Map<Key, StageNode<S>>): void {
    const { walk, key, countStep } = this.#rules;
    const visit =
      (choices: StageNode<S>['choices']): ResultVisitor<S> =>
      (state, probability) => {
        countStep();
        const found = key(state);
        this.#addNode(next, { key: found, state, mass: node.mass * probability, choices });
      };
    const question = walk(node.state, visit(node.choices));
    if (question === undefined) return;
    const set = this.#meetSet(question, node);
    for (const [o, option] of question.options.entries()) {
      const chosen = set.choices[o] ?? 0;
      walk(node.state, visit(set.index === 0 ? [chosen, node.choices[1]] : [node.choices[0], chosen]), option);
    }
  }

  /** Returns the information set of a state, and adds the state. */
  #meetSet(question: OpenDecision, { key, state, mass, choices }: StageNode<S>): OpenSet<S> {
    const index = this.#rules.indexOf(question.player);
    const parent = choices[index];
    const policy = this.#rules.decidePolicy(question, state);
    const seen = this.#choices.length === 1 ? '' : this.#rules.observe(state, index).join();
    const name = `${String(index)} ${String(parent)} ${question.point} ${question.options.join()} ${seen}`;
    const known = this.#setByName.get(name);
    const set = known ?? this.#addSet(name, { ...question, policy }, index, parent, state);
    set.isInformed ||= !hasEqualItems(set.policy, policy);
    set.keys.add(key);
    const other = choices[1 - index] ?? 0;
    set.reach.set(other, (set.reach.get(other) ?? 0) + mass);
    return set;
  }

  #addSet(name: string, question: OpenDecision, index: PlayerIndex, parent: number, state: S): OpenSet<S> {
    this.#strategies[index] += question.options.length - 1;
    const [rows, columns] = this.#strategies;
    if (this.#strategies[index] > STRATEGIES_MAX || rows * columns > CELLS_MAX) this.#reject(rows, columns);
    const at = this.#sets.length;
    const first = this.#choices.length;
    const choices = question.options.map((_, option) => first + option);
    const count = this.#countChoices(parent) + 1;
    this.#choices.push(...question.options.map((_, option) => ({ set: at, option, count })));
    const set = {
      ...question,
      index,
      parent,
      choices,
      state,
      keys: new Set<Key>(),
      reach: new Map<number, number>(),
      isInformed: false,
    };
    this.#sets.push(set);
    this.#setByName.set(name, set);
    return set;
  }

  #countChoices(choice: number): number {
    return this.#choices[choice]?.count ?? 0;
  }

  /** Finds states within a round that one of the players cannot tell from others with another choice of the enemy. */
  #findHidden(nodes: readonly StageNode<S>[]): Set<StageNode<S>> {
    const hidden = new Set<StageNode<S>>();
    const open = nodes.filter(({ state }) => !this.#rules.isAtRest(state));
    for (const player of PLAYERS) {
      const getChoice = ({ choices }: StageNode<S>): number => choices[1 - player] ?? 0;
      if (open.every((node) => getChoice(node) === 0)) continue;
      const alike = this.#groupByObservation(open, player);
      for (const group of alike.values()) {
        const differs = new Set(group.map(({ key }) => key)).size > 1 && new Set(group.map(getChoice)).size > 1;
        if (differs) for (const node of group) hidden.add(node);
      }
    }
    return hidden;
  }

  #groupByObservation(nodes: readonly StageNode<S>[], player: PlayerIndex): Map<string, StageNode<S>[]> {
    const alike = new Map<string, StageNode<S>[]>();
    for (const node of nodes) {
      const seen = this.#rules.observe(node.state, player).join();
      const group = alike.get(seen);
      if (group === undefined) alike.set(seen, [node]);
      else group.push(node);
    }
    return alike;
  }

  /** Returns the states at the end of the stage. */
  get ends(): readonly Omit<StageEnd<S>, 'steps'>[] {
    return [...this.#ends.values()];
  }

  /** Returns the stage; undefined if nobody decides. */
  get stage(): Stage<S> | undefined {
    if (this.#sets.length === 0) return undefined;
    const [rows, columns] = [this.#listStrategies(0), this.#listStrategies(1)];
    if (rows.strategies.length * columns.strategies.length > CELLS_MAX)
      this.#reject(rows.strategies.length, columns.strategies.length);
    return { sets: this.#sets, players: [rows, columns] };
  }

  #reject(...counts: number[]): never {
    const points = [...new Set(this.#sets.map(({ point }) => point))].join(', ');
    throw new BudgetError(
      `choices at ${points} are hidden for so long that a stage has at least ${counts.map(formatGrouped).join(' x ')} pure ` +
        'strategies; a missing feature can be the reason',
    );
  }

  #listStrategies(player: PlayerIndex): StageStrategies {
    const own = this.#sets.filter(({ index }) => index === player);
    const extend = (choice: number): number[][] => {
      let all: number[][] = [[choice]];
      for (const { choices } of own.filter(({ parent }) => parent === choice)) {
        const further = choices.flatMap(extend);
        if (all.length * further.length > STRATEGIES_MAX) this.#reject(all.length * further.length);
        all = all.flatMap((strategy) => further.map((more) => [...strategy, ...more]));
      }
      return all;
    };
    const strategies = extend(0);
    if (own.some(({ isInformed }) => isInformed)) return { strategies, policy: undefined };
    const share = (choice: number): number => {
      const { set, option } = this.#choices[choice] ?? {};
      return this.#sets[set ?? -1]?.policy[option ?? -1] ?? 1;
    };
    return { strategies, policy: strategies.map((choices) => choices.reduce((p, choice) => p * share(choice), 1)) };
  }

  /** Returns the ends by pair of strategies: the strategies of player 0 are the rows. */
  listCells({ players: [rows, columns] }: Stage<S>): StageEnd<S>[][] {
    const width = columns.strategies.length;
    const cells = Array.from({ length: rows.strategies.length * width }, () => new Map<Key, StageEnd<S>>());
    const [rowsOf, columnsOf] = [rows, columns].map(({ strategies }) => {
      const byChoice = new Map<number, number[]>();
      for (const [s, choices] of strategies.entries())
        for (const choice of choices) byChoice.set(choice, [...(byChoice.get(choice) ?? []), s]);
      return byChoice;
    });
    for (const { choices, key, state, mass } of this.#ends.values()) {
      const steps = mass * (this.#countChoices(choices[0]) + this.#countChoices(choices[1]));
      for (const row of rowsOf?.get(choices[0]) ?? []) {
        for (const column of columnsOf?.get(choices[1]) ?? []) {
          this.#rules.countStep();
          const cell = cells[row * width + column];
          const known = cell?.get(key);
          if (known === undefined) cell?.set(key, { key, state, mass, steps });
          else {
            known.mass += mass;
            known.steps += steps;
          }
        }
      }
    }
    return cells.map((cell) => [...cell.values()]);
  }
}
