/**
 * Game tree in the format of Gambit (gambitproject.readthedocs.io, "The extensive game (.efg) file format"), which
 * OpenSpiel reads, too. Players choose the strategies of a stage simultaneously: the second player has one information
 * set for all choices of the first.
 */

import { BudgetError, formatGrouped } from '../../core/index.ts';
import { START } from '../best-response/graph-builder.ts';
import { describeObservation } from '../best-response/observation.ts';
import type { ScenarioGame } from './find-equilibrium.ts';
import type { PlayerIndex } from './stage.ts';
import { isEnd, listPlayerNames, nameStrategies, startsRound } from './written-game.ts';

/** Maximum number of nodes of a tree. */
const NODES_MAX = 100_000;

/** Digits of probabilities. */
const DIGITS = 20;

/** Quotes a label. OpenSpiel does not read escaped quotes; Gambit rejects spaces at the ends and double ones. */
const quoteLabel = (label: string): string => `"${label.replaceAll(/["\\\s]+/g, ' ').trim()}"`;

/** Formats probabilities as decimals whose sum is exactly 1, which Gambit requires. */
function formatProbabilities(probabilities: readonly number[]): string[] {
  const parts = probabilities.map((probability) => BigInt(probability.toFixed(DIGITS).replace('.', '')));
  const rest = 10n ** BigInt(DIGITS) - parts.reduce((sum, part) => sum + part, 0n);
  const greatest = probabilities.indexOf(Math.max(...probabilities));
  parts[greatest] = (parts[greatest] ?? 0n) + rest;
  return parts.map((part) => `0.${String(part).padStart(DIGITS, '0')}`.replace(/(?<=\.\d+)0+$/, ''));
}

/** Tree in the order of the file: a node is followed by its branches. */
class ExtensiveForm {
  readonly lines: string[] = [];
  nodes = 0;
  readonly #game: ScenarioGame;
  /** Nodes that are not written yet, the next one last. */
  readonly #open: (() => void)[] = [];
  readonly #sets: [number, number] = [0, 0];
  #draws = 0;
  /** Numbers of results by name and payoff. */
  readonly #results = new Map<string, number>();

  constructor(game: ScenarioGame) {
    this.#game = game;
  }

  write(): this {
    this.#branch([
      () => {
        this.#writePosition(START, 0, 0);
      },
    ]);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) next();
    return this;
  }

  /** Adds the branches of the last node. @throws BudgetError if there are too many nodes */
  #branch(branches: readonly (() => void)[]): void {
    this.nodes += branches.length;
    if (this.nodes > NODES_MAX) {
      throw new BudgetError(
        `a game tree of at most ${formatGrouped(NODES_MAX)} nodes can be written: more were found, because each ` +
          'sequence of draws and choices has its own node',
      );
    }
    this.#open.push(...branches.toReversed());
  }

  #writePosition(node: number, rounds: number, steps: number): void {
    const game = this.#game;
    if (isEnd(game, node, rounds)) {
      this.#writeResult(node, rounds, steps);
      return;
    }
    const [rows, columns] = [nameStrategies(game, node, 0), nameStrategies(game, node, 1)];
    const first = game.graph.firstOption[node] ?? 0;
    const sets = [rows, columns].map((names, player) => this.#addSet(names, player === 0 ? 0 : 1));
    const follow = (row: number, column: number) => () => {
      this.#writeDraw(node, first + row * columns.length + column, rounds, steps);
    };
    const answer = (row: number) => () => {
      this.#writeChoice(node, 1, sets[1], columns, (column) => follow(row, column));
    };
    this.#writeChoice(node, 0, sets[0], rows, answer);
  }

  /** Adds an information set. @returns its number; undefined without a choice */
  #addSet(names: readonly string[], player: PlayerIndex): number | undefined {
    return names.length < 2 ? undefined : ++this.#sets[player];
  }

  #writeChoice(
    node: number,
    player: PlayerIndex,
    set: number | undefined,
    names: readonly string[],
    follow: (choice: number) => () => void,
  ): void {
    if (set === undefined) {
      follow(0)();
      return;
    }
    // Gambit 17 requires different labels.
    const label = quoteLabel(`${String(set)} ${this.#describeSet(node, player)}`);
    this.lines.push(`p "" ${String(player + 1)} ${String(set)} ${label} { ${names.map(quoteLabel).join(' ')} } 0`);
    this.#branch(names.map((_, choice) => follow(choice)));
  }

  /** Describes an information set: the decision, and features that are not 0. */
  #describeSet(node: number, player: PlayerIndex): string {
    const { graph, variant, players } = this.#game;
    const set = graph.questions.get(node)?.sets.find(({ index }) => index === player);
    if (set === undefined) return '';
    const features = Object.entries(describeObservation(variant, set.state, players[player] ?? ''));
    const seen = features.filter(([, value]) => value !== 0).map(([name, value]) => `${name} ${String(value)}`);
    return seen.length === 0 ? set.point : `${set.point}: ${seen.join(', ')}`;
  }

  #writeDraw(node: number, option: number, rounds: number, before: number): void {
    const { graph } = this.#game;
    const steps = before + (graph.optionSteps[option] ?? 0);
    const [from = 0, to = 0] = [graph.firstEdge[option], graph.firstEdge[option + 1]];
    const branches = Array.from(graph.targets.subarray(from, to), (target) => () => {
      this.#writePosition(target, rounds + Number(startsRound(this.#game, node, target)), steps);
    });
    if (branches.length === 1) {
      this.#open.push(...branches);
      return;
    }
    const probabilities = formatProbabilities([...graph.probabilities.subarray(from, to)]);
    const draws = probabilities.map((probability, draw) => `"${String(draw + 1)}" ${probability}`);
    this.lines.push(`c "" ${String(++this.#draws)} "" { ${draws.join(' ')} } 0`);
    this.#branch(branches);
  }

  #writeResult(node: number, rounds: number, steps: number): void {
    const { graph, variant } = this.#game;
    const { round, step } = graph.lengthPayoff;
    const payoff = (graph.payoffs[node] ?? 0) + round * rounds + step * steps;
    const outcome = quoteLabel(variant.model.outcomes[graph.outcomes[node] ?? -1] ?? '');
    const result = `${outcome} { ${String(payoff)}, ${String(0 - payoff)} }`;
    const number = this.#results.get(result) ?? this.#results.size + 1;
    this.#results.set(result, number);
    this.lines.push(`t "" ${String(number)} ${result}`);
  }
}

/** Formats a game as a tree. @throws BudgetError if it has too many nodes */
export function formatExtensiveForm(
  game: ScenarioGame,
  title: string,
): { readonly text: string; readonly size: number } {
  const { lines, nodes } = new ExtensiveForm(game).write();
  const names = listPlayerNames(game).map(quoteLabel).join(' ');
  return { text: [`EFG 2 R ${quoteLabel(title)} { ${names} }`, '""', '', ...lines, ''].join('\n'), size: nodes };
}
