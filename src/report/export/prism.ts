/**
 * A chain in the explicit formats of two model checkers: PRISM's (its manual, "Explicit Model Files") and Storm's
 * (`--explicit`), whose first lines and labels differ.
 */
import type { Graph, GraphNode } from '../../engines/index.ts';
import type { Model, State } from '../../rules/index.ts';

/** A file: its name, and its text. */
export type ModelFile = readonly [name: string, text: string];

/** Words that a property cannot have as a name: labels of the formats themselves, and of this export. */
const RESERVED_NAMES = ['init', 'deadlock', 'over'];

/** Names as identifiers, each of them different. */
export function createIdentifiers(names: readonly string[], reserved: readonly string[] = RESERVED_NAMES): string[] {
  const used = new Set(reserved);
  return names.map((name) => {
    const word = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)/, '_');
    let free = word;
    for (let k = 2; used.has(free); k++) free = `${word}_${String(k)}`;
    used.add(free);
    return free;
  });
}

const joinLines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;

/** Names of labels: the state in which battles begin, those in which they are over, and those of each outcome. */
export function createLabels({ outcomes }: Model<State>): string[] {
  return ['init', 'over', ...createIdentifiers(outcomes)];
}

/** Indices of the labels of each state. */
function assignLabels({ nodes, first }: Graph): number[][] {
  return nodes.map(({ outcome }, node) => [...(node === first ? [0] : []), ...(outcome >= 0 ? [1, 2 + outcome] : [])]);
}

/** Values of the metrics but rounds, which the state does not tell. The index comes first: so states are in order. */
function formatStates({ nodes }: Graph, { metrics, roundsMetric }: Model<State>): string {
  const kept = [...metrics.keys()].filter((m) => m !== roundsMetric);
  const names = createIdentifiers(['s', ...kept.map((m) => metrics[m]?.name ?? '')], []);
  const rows = nodes.map((node, s) => `${String(s)}:(${[s, ...kept.map((m) => node.metrics[m] ?? 0)].join()})`);
  return joinLines([`(${names.join()})`, ...rows]);
}

/** Computes rewards of states whose sum has the mean of the metric `rounds`; undefined if there is no such metric. */
function computeRewards({ nodes }: Graph, { metrics, roundsMetric }: Model<State>): string[] | undefined {
  const counter = metrics.findIndex(({ name }) => name === 'rounds');
  if (counter < 0) return undefined;
  // Where states hold the number of rounds, the reward is the mean of what is added to it.
  const added = ({ metrics: at, to }: GraphNode): number =>
    to.reduce((sum, [target, p]) => sum + p * ((nodes[target]?.metrics[counter] ?? 0) - (at[counter] ?? 0)), 0);
  return nodes.flatMap((node, s) => {
    const reward = roundsMetric === undefined ? added(node) : node.rounds;
    return reward === 0 ? [] : [`${String(s)} ${String(reward)}`];
  });
}

/**
 * Writes the files of a chain: `chain.*` for PRISM, `storm.*` for Storm. Those of rewards are left out without a metric
 * `rounds`, or where it is always 0: no program reads an empty one.
 */
export function createPrismFiles(graph: Graph, model: Model<State>): ModelFile[] {
  const { nodes, transitions } = graph;
  const moves = nodes.flatMap(({ to }, s) => to.map(([target, p]) => `${String(s)} ${String(target)} ${String(p)}`));
  const names = createLabels(model);
  const labels = assignLabels(graph);
  const marked = [...labels.entries()].filter(([, own]) => own.length > 0);
  const rewards = computeRewards(graph, model) ?? [];
  const size = String(nodes.length);
  const rewarded = (file: ModelFile): ModelFile[] => (rewards.length > 0 ? [file] : []);
  return [
    ['chain.tra', joinLines([`${size} ${String(transitions)}`, ...moves])],
    ['chain.sta', formatStates(graph, model)],
    [
      'chain.lab',
      joinLines([
        names.map((name, l) => `${String(l)}="${name}"`).join(' '),
        ...marked.map(([s, own]) => `${String(s)}: ${own.join(' ')}`),
      ]),
    ],
    ...rewarded([
      'chain.srew',
      joinLines(['# Reward structure "rounds"', '# State rewards', `${size} ${String(rewards.length)}`, ...rewards]),
    ]),
    ['storm.tra', joinLines(['dtmc', ...moves])],
    [
      'storm.lab',
      joinLines([
        '#DECLARATION',
        names.join(' '),
        '#END',
        ...marked.map(([s, own]) => `${String(s)} ${own.map((l) => names[l] ?? '').join(' ')}`),
      ]),
    ],
    ...rewarded(['storm.srew', joinLines(rewards)]),
  ];
}

/** Lists the commands with which both programs read the files: the probability of the first outcome, and the mean of rounds. */
export function formatPrismCommands(folder: string, model: Model<State>, files: readonly ModelFile[]): string[] {
  const [outcome = ''] = createLabels(model).slice(2);
  const at = (file: string): string => `'${`${folder}/${file}`.replaceAll("'", "'\\''")}'`;
  const storm = `storm --explicit ${at('storm.tra')} ${at('storm.lab')}`;
  const rewarded = (line: string): string[] => (files.some(([name]) => name === 'storm.srew') ? [line] : []);
  const prism = `prism -importmodel ${at('chain.all')} -dtmc`;
  return [
    `${storm} --prop 'P=? [F "${outcome}"]'`,
    `${storm} --prop 'P=? [F "over"]'`,
    ...rewarded(`${storm} --staterew ${at('storm.srew')} --prop 'R=? [F "over"]'`),
    `${prism} -pf 'P=? [F "${outcome}"]'`,
    `${prism} -pf 'P=? [F "over"]'`,
    ...rewarded(`${prism} -pf 'R{"rounds"}=? [F "over"]'`),
  ];
}
