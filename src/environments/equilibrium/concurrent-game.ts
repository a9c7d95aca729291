/**
 * Concurrent stochastic game in the language of PRISM-games (its manual, "Modelling", section "Concurrent stochastic
 * multi-player games"): a module for each player with the strategies of stages as actions, and a module for the rules.
 */

import { BudgetError, createIdentifiers, formatGrouped, InputError } from '../../core/index.ts';
import { BETWEEN_ROUNDS, OVER } from '../best-response/graph-builder.ts';
import type { ScenarioGame } from './find-equilibrium.ts';
import { listPlayerNames, nameStrategies, startsRound } from './written-game.ts';

/** Maximum numbers of positions and transitions. */
const STATES_MAX = 100_000;
const TRANSITIONS_MAX = 1_000_000;

/** Names that a player cannot have: of the language, and of other modules and variables. */
const RESERVED_NAMES =
  'A bool clock const csg C double E endinit endmodule endplayer endrewards F false formula filter func game global G ' +
  'init invariant I int label max min module nondeterministic over P player Pmax Pmin position prob probabilistic R ' +
  'rate rewards Rmax Rmin rounds S stochastic system true U W X';

/** Commands of the modules. */
interface Commands {
  readonly players: readonly [Set<string>, Set<string>];
  readonly rules: string[];
}

/** Payoffs at the end: by position, with a condition on rounds. */
function listEnds({
  graph,
  variant: { model },
}: ScenarioGame): readonly (readonly [condition: string, node: number])[] {
  const isLast = `rounds=${String(model.maxRounds)}`;
  return Array.from(graph.kinds).flatMap((kind, node) => {
    if (kind !== OVER && kind !== BETWEEN_ROUNDS) return [];
    const condition = `position=${String(node)}`;
    return [[kind === OVER ? condition : `${condition} & ${isLast}`, node] as const];
  });
}

/** Returns names of strategies by position and player; equal names stand for equal actions. */
function createActionNames(game: ScenarioGame, names: readonly string[]) {
  const identifiers = new Map<string, string>();
  const used: string[] = [];
  return (node: number, player: 0 | 1): string[] =>
    nameStrategies(game, node, player).map((strategy) => {
      const name = `${names[player] ?? ''}_${strategy}`;
      const [identifier = name] = identifiers.has(name) ? [identifiers.get(name)] : createIdentifiers([name], used);
      if (!identifiers.has(name)) used.push(identifier);
      identifiers.set(name, identifier);
      return identifier;
    });
}

/** Formats the successors of an option. */
function formatUpdates(game: ScenarioGame, node: number, option: number): string {
  const { firstEdge, targets, probabilities } = game.graph;
  const updates: string[] = [];
  for (let edge = firstEdge[option] ?? 0; edge < (firstEdge[option + 1] ?? 0); edge++) {
    const target = targets[edge] ?? 0;
    const rounds = startsRound(game, node, target) ? " & (rounds'=rounds+1)" : '';
    updates.push(`${String(probabilities[edge] ?? 0)} : (position'=${String(target)})${rounds}`);
  }
  return updates.join(' + ');
}

function createCommands(game: ScenarioGame, names: readonly string[]): Commands {
  const { graph, variant } = game;
  const commands: Commands = { players: [new Set(), new Set()], rules: [] };
  const nameActions = createActionNames(game, names);
  for (const [node, kind] of graph.kinds.entries()) {
    if (kind === OVER) continue;
    const isOpen = kind === BETWEEN_ROUNDS ? ` & rounds<${String(variant.model.maxRounds)}` : '';
    const guard = `position=${String(node)}${isOpen}`;
    const first = graph.firstOption[node] ?? 0;
    if (!graph.questions.has(node)) {
      commands.rules.push(`[] ${guard} -> ${formatUpdates(game, node, first)};`);
      continue;
    }
    const [rows, columns] = [nameActions(node, 0), nameActions(node, 1)];
    for (const row of rows) commands.players[0].add(`[${row}] ${guard} -> true;`);
    for (const column of columns) commands.players[1].add(`[${column}] ${guard} -> true;`);
    const cells = rows.flatMap((row) => columns.map((column) => `[${row},${column}]`));
    for (const [cell, actions] of cells.entries())
      commands.rules.push(`${actions} ${guard} -> ${formatUpdates(game, node, first + cell)};`);
  }
  return commands;
}

/** Concurrent game as text, with the property that has its value. */
export interface ConcurrentGame {
  readonly text: string;
  readonly size: number;
  readonly property: string;
  readonly offset: number;
}

/** Formats a game for PRISM-games, which needs rewards of at least 0. @throws BudgetError if it is too large */
export function formatConcurrentGame(game: ScenarioGame, title: string): ConcurrentGame {
  const { graph, variant } = game;
  const { round, step } = graph.lengthPayoff;
  if (step !== 0) throw new InputError('reward', 'a reward that does not count steps', 'steps');
  const size = graph.kinds.length + 1;
  if (size > STATES_MAX || graph.targets.length > TRANSITIONS_MAX) {
    throw new BudgetError(
      `a game of at most ${formatGrouped(STATES_MAX)} positions and ${formatGrouped(TRANSITIONS_MAX)} transitions can be ` +
        `written: ${formatGrouped(size)} positions and ${formatGrouped(graph.targets.length)} transitions were found`,
    );
  }
  const { maxRounds } = variant.model;
  const ends = listEnds(game);
  const least = ends.reduce((low, [, node]) => Math.min(low, graph.payoffs[node] ?? 0), 0);
  const offset = least + Math.min(0, round * maxRounds);
  const names = createIdentifiers(listPlayerNames(game), RESERVED_NAMES.split(' '));
  const [first = '', second = ''] = names;
  const commands = createCommands(game, names);
  const over = String(graph.kinds.length);
  const perRound = round === 0 ? '' : ` + ${String(round)}*rounds`;
  const property = `<<${first}>>R{"payoff"}max=? [ F "over" ]`;
  const addModule = (name: string, lines: Iterable<string>): string[] => [`module ${name}`, ...lines, 'endmodule', ''];
  return {
    size,
    property,
    offset,
    text: [
      `// ${title.replaceAll(/\s+/g, ' ')}`,
      `// Value for ${first}: ${property}${offset === 0 ? '' : ` - ${String(-offset)}`}`,
      ...['csg', ''],
      ...[`player ${first} ${first} endplayer`, `player ${second} ${second} endplayer`, ''],
      ...addModule(first, commands.players[0]),
      ...addModule(second, commands.players[1]),
      ...addModule('game', [
        `position : [0..${over}] init 0;`,
        `rounds : [0..${String(maxRounds)}] init 0;`,
        ...commands.rules,
        ...ends.map(([condition]) => `[] ${condition} -> (position'=${over});`),
        `[] position=${over} -> true;`,
      ]),
      `label "over" = position=${over};`,
      ...['', 'rewards "payoff"'],
      ...ends.map(([condition, node]) => `${condition} : ${String((graph.payoffs[node] ?? 0) - offset)}${perRound};`),
      ...['endrewards', ''],
    ].join('\n'),
  };
}
