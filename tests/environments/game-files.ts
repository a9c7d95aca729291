/** Values of exported games, by readers that know only the formats. */
import { computeValue } from './exact-matrix-game.ts';

/** Node of a game tree. */
interface TreeNode {
  readonly kind: 'c' | 'p' | 't';
  /** Player, and number of the information set. */
  readonly player: number;
  readonly set: number;
  readonly labels: readonly string[];
  readonly probabilities: readonly number[];
  readonly payoff: number;
  readonly children: readonly TreeNode[];
}

const CHANCE = /^c "" (?<set>\d+) "" \{ (?<branches>.*) \} 0$/;
const PLAYER = /^p "" (?<player>[12]) (?<set>\d+) "[^"\\]*" \{ (?<labels>"[^"\\]+"(?: "[^"\\]+")+) \} 0$/;
const RESULT = /^t "" \d+ "[^"\\]*" \{ (?<payoff>\S+), (?<other>\S+) \}$/;

const unquote = (labels: string): string[] => [...labels.matchAll(/"([^"]+)"/g)].map(([, label = '']) => label);

/** Returns the sum of decimals below 1, in units of the twentieth digit. */
const addDecimals = (decimals: readonly string[]): bigint =>
  decimals.reduce((sum, decimal) => sum + BigInt(/^0\.(\d{1,20})$/.exec(decimal)?.[1]?.padEnd(20, '0') ?? '0'), 0n);

/** Reads a file of Gambit. @throws Error if it is not valid */
export function readTree(text: string): { readonly root: TreeNode; readonly nodes: number; readonly names: string[] } {
  const [header = '', comment, empty, ...lines] = text.split('\n');
  // Gambit rejects other labels.
  const strange = [...text.matchAll(/"([^"]*)"/g)].find(([, label = '']) => /^\s|\s$|\s\s/.test(label));
  if (strange !== undefined) throw new Error(`label: ${strange[0]}`);
  const names = /^EFG 2 R "[^"]*" \{ "(.+)" "(.+)" \}$/.exec(header)?.slice(1) ?? [];
  if (names.length !== 2 || comment !== '""' || empty !== '' || lines.pop() !== '') throw new Error('header');
  let next = 0;
  const read = (): TreeNode => {
    const line = lines[next++] ?? '';
    const node = { player: 0, set: 0, labels: [], probabilities: [], payoff: 0, children: [] };
    const { payoff, other } = RESULT.exec(line)?.groups ?? {};
    if (payoff !== undefined) {
      if (Number(payoff) + Number(other) !== 0) throw new Error(line);
      return { ...node, kind: 't', payoff: Number(payoff) };
    }
    const { branches, set: draw } = CHANCE.exec(line)?.groups ?? {};
    if (branches !== undefined) {
      const decimals = branches.split(' ').filter((_, k) => k % 2 === 1);
      if (addDecimals(decimals) !== 10n ** 20n) throw new Error(`sum: ${line}`);
      const children = decimals.map(read);
      return { ...node, kind: 'c', set: Number(draw), probabilities: decimals.map(Number), children };
    }
    const { player, set, labels: quoted = '' } = PLAYER.exec(line)?.groups ?? {};
    if (player === undefined) throw new Error(line);
    const labels = unquote(quoted);
    if (new Set(labels).size !== labels.length) throw new Error(`labels: ${line}`);
    return { ...node, kind: 'p', player: Number(player), set: Number(set), labels, children: labels.map(read) };
  };
  const root = read();
  if (next !== lines.length) throw new Error('rest');
  return { root, nodes: next, names };
}

/** Computes the value of a tree whose information sets are simultaneous choices. */
export function evaluateTree(node: TreeNode): number {
  const { kind, player, payoff, probabilities, children } = node;
  if (kind === 't') return payoff;
  if (kind === 'c') return children.reduce((sum, child, k) => sum + (probabilities[k] ?? 0) * evaluateTree(child), 0);
  const [first] = children;
  const isPair = player === 1 && first?.kind === 'p' && first.player === 2;
  if (isPair && children.every(({ kind: k, player: p, set }) => k === 'p' && p === 2 && set === first.set))
    return computeValue(children.map((row) => row.children.map(evaluateTree)));
  return children.map(evaluateTree).reduce((a, b) => (player === 1 ? Math.max(a, b) : Math.min(a, b)));
}

/** Checks that a set belongs to one decision: equal labels, and equal earlier decisions of its player. */
export function checkInformationSets(root: TreeNode): void {
  const known = new Map<string, string>();
  const visit = (node: TreeNode, own: readonly string[]): void => {
    const name = `${String(node.player)}.${String(node.set)}`;
    if (node.kind === 'p') {
      const found = `${node.labels.join()} after ${own.filter((each) => each.startsWith(String(node.player))).join()}`;
      if ((known.get(name) ?? found) !== found) throw new Error(`${name}: ${found}, not ${known.get(name) ?? ''}`);
      known.set(name, found);
    }
    for (const [k, child] of node.children.entries())
      visit(child, node.kind === 'p' ? [...own, `${name}=${node.labels[k] ?? ''}`] : own);
  };
  visit(root, []);
}

/** Command of a module: its actions, its condition, and its updates. */
interface Command {
  readonly actions: readonly string[];
  readonly position: number;
  readonly isOpen: (rounds: number) => boolean;
  readonly updates: readonly { readonly probability: number; readonly position: number; readonly rounds: number }[];
}

const COMMAND = /^\[(?<actions>[a-zA-Z0-9_,]*)\] (?<guard>[^>]+) -> (?<updates>.+);$/;
const GUARD = /^position=(?<position>\d+)(?: & rounds(?<relation>[<=])(?<limit>\d+))?$/;
const UPDATE = /^(?:(?<p>[\de.-]+) : )?\(position'=(?<position>\d+)\)(?<round> & \(rounds'=rounds\+1\))?$/;

function readGuard(text: string): Pick<Command, 'position' | 'isOpen'> {
  const { position, relation, limit } = GUARD.exec(text)?.groups ?? {};
  if (position === undefined) throw new Error(`guard: ${text}`);
  const isOpen = (rounds: number): boolean =>
    relation === undefined || (relation === '<' ? rounds < Number(limit) : rounds === Number(limit));
  return { position: Number(position), isOpen };
}

function readCommand(line: string): Command {
  const { actions = '', guard = '', updates = '' } = COMMAND.exec(line)?.groups ?? {};
  const parts = updates === 'true' ? [] : updates.split(' + ').map((part) => UPDATE.exec(part)?.groups);
  return {
    actions: actions.split(',').filter(Boolean),
    ...readGuard(guard),
    updates: parts.map((groups) => {
      if (groups === undefined) throw new Error(line);
      const { p = '1', position, round } = groups;
      return { probability: Number(p), position: Number(position), rounds: Number(round !== undefined) };
    }),
  };
}

/** Computes the value of a game of PRISM-games: the reward until the label "over", and the players. */
export function evaluateConcurrentGame(text: string): { readonly value: number; readonly players: string[] } {
  const players = [...text.matchAll(/^player (\w+) \1 endplayer$/gm)].map(([, name = '']) => name);
  const modules = new Map(
    [...text.matchAll(/^module (\w+)\n([\s\S]*?)\nendmodule$/gm)].map(([, name = '', body = '']) => [
      name,
      body.split('\n').flatMap((line) => (line.startsWith('[') ? [readCommand(line)] : [])),
    ]),
  );
  if (!text.includes('\ncsg\n') || [...modules.keys()].join() !== [...players, 'game'].join())
    throw new Error('modules');
  const over = Number(/^label "over" = position=(\d+);$/m.exec(text)?.[1]);
  const limit = Number(/^rounds : \[0\.\.(\d+)\] init 0;$/m.exec(text)?.[1]);
  const rewards = (/^rewards "payoff"\n([\s\S]*?)\nendrewards$/m.exec(text)?.[1] ?? '').split('\n').map((line) => {
    const [guard = '', reward = ''] = line.slice(0, -1).split(' : ');
    const [payoff, perRound = '0*rounds'] = reward.split(' + ');
    return { ...readGuard(guard), payoff: Number(payoff), perRound: Number(perRound.replace('*rounds', '')) };
  });
  const at = <T extends Pick<Command, 'position' | 'isOpen'>>(all: readonly T[], position: number, rounds: number) =>
    all.filter((each) => each.position === position && each.isOpen(rounds));
  const known = new Map<string, number>();
  const evaluate = (position: number, rounds: number): number => {
    if (position === over) return 0;
    if (rounds > limit) throw new Error('too many rounds');
    const name = `${String(position)} ${String(rounds)}`;
    const value = known.get(name) ?? evaluateAnew(position, rounds);
    known.set(name, value);
    return value;
  };
  const follow = ({ updates }: Command, rounds: number): number => {
    const sum = updates.reduce((total, { probability }) => total + probability, 0);
    if (Math.abs(sum - 1) > 1e-12) throw new Error(`sum ${String(sum)}`);
    return updates.reduce((mean, to) => mean + to.probability * evaluate(to.position, rounds + to.rounds), 0);
  };
  const evaluateAnew = (position: number, rounds: number): number => {
    const own = at(rewards, position, rounds).reduce(
      (sum, { payoff, perRound }) => sum + payoff + perRound * rounds,
      0,
    );
    if (own < 0) throw new Error(`negative reward at ${String(position)}`);
    const enabled = players.map((player) => at(modules.get(player) ?? [], position, rounds));
    const rules = at(modules.get('game') ?? [], position, rounds);
    // Without an action of a player there is one command without actions; otherwise one for each pair.
    const [rows = [], columns = []] = enabled.map((all) => all.map(({ actions: [action = ''] }) => action));
    if (rows.length * columns.length !== rows.length + columns.length - 1 + (rows.length - 1) * (columns.length - 1))
      throw new Error('actions');
    const find = (...actions: string[]): Command => {
      const found = rules.filter((rule) => rule.actions.join() === actions.join());
      if (found.length !== 1 || found[0] === undefined) throw new Error(`${actions.join()}: ${String(found.length)}`);
      return found[0];
    };
    if (rules.length !== Math.max(1, rows.length * columns.length)) throw new Error('commands');
    if (rows.length === 0) return own + follow(find(), rounds);
    return own + computeValue(rows.map((row) => columns.map((column) => follow(find(row, column), rounds))));
  };
  return { value: evaluate(0, 0), players };
}
