/**
 * A chain in the explicit formats of two model checkers: PRISM's (its manual, "Explicit Model Files") and Storm's
 * (`--explicit`), whose first lines and labels differ.
 */
import type { Graph, GraphNode } from '../engines/index.ts';
import type { Model, State } from '../rules/index.ts';

/** A file: its name, and its text. */
export type NamedText = readonly [name: string, text: string];

/** Words that a property cannot have as a name: labels of the formats themselves, and of this export. */
const TAKEN = ['init', 'deadlock', 'over'];

/** Names as identifiers, each of them different. */
export function identifiers(names: readonly string[], taken: readonly string[] = TAKEN): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    const word = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)/, '_');
    let free = word;
    for (let k = 2; used.has(free); k++) free = `${word}_${String(k)}`;
    used.add(free);
    return free;
  });
}

const lines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;

/** Names of labels: the state in which battles begin, those in which they are over, and those of each outcome. */
export function labelsOf({ outcomes }: Model<State>): string[] {
  return ['init', 'over', ...identifiers(outcomes)];
}

/** Indices of the labels of each state. */
function labelled({ nodes, first }: Graph): number[][] {
  return nodes.map(({ outcome }, node) => [...(node === first ? [0] : []), ...(outcome >= 0 ? [1, 2 + outcome] : [])]);
}

/** Values of the metrics but rounds, which the state does not tell. The index comes first: so states are in order. */
function statesText({ nodes }: Graph, { metrics, roundsMetric }: Model<State>): string {
  const kept = [...metrics.keys()].filter((m) => m !== roundsMetric);
  const names = identifiers(['s', ...kept.map((m) => metrics[m]?.name ?? '')], []);
  const rows = nodes.map((node, s) => `${String(s)}:(${[s, ...kept.map((m) => node.metrics[m] ?? 0)].join()})`);
  return lines([`(${names.join()})`, ...rows]);
}

/** Computes rewards of states whose sum has the mean of the metric `rounds`; undefined if there is no such metric. */
function rewardsOf({ nodes }: Graph, { metrics, roundsMetric }: Model<State>): string[] | undefined {
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
export function prismFiles(graph: Graph, model: Model<State>): NamedText[] {
  const { nodes, transitions } = graph;
  const moves = nodes.flatMap(({ to }, s) => to.map(([target, p]) => `${String(s)} ${String(target)} ${String(p)}`));
  const names = labelsOf(model);
  const labels = labelled(graph);
  const marked = [...labels.entries()].filter(([, own]) => own.length > 0);
  const rewards = rewardsOf(graph, model) ?? [];
  const size = String(nodes.length);
  const rewarded = (file: NamedText): NamedText[] => (rewards.length > 0 ? [file] : []);
  return [
    ['chain.tra', lines([`${size} ${String(transitions)}`, ...moves])],
    ['chain.sta', statesText(graph, model)],
    [
      'chain.lab',
      lines([
        names.map((name, l) => `${String(l)}="${name}"`).join(' '),
        ...marked.map(([s, own]) => `${String(s)}: ${own.join(' ')}`),
      ]),
    ],
    ...rewarded([
      'chain.srew',
      lines(['# Reward structure "rounds"', '# State rewards', `${size} ${String(rewards.length)}`, ...rewards]),
    ]),
    ['storm.tra', lines(['dtmc', ...moves])],
    [
      'storm.lab',
      lines([
        '#DECLARATION',
        names.join(' '),
        '#END',
        ...marked.map(([s, own]) => `${String(s)} ${own.map((l) => names[l] ?? '').join(' ')}`),
      ]),
    ],
    ...rewarded(['storm.srew', lines(rewards)]),
  ];
}

/** Lists the commands with which both programs read the files: the probability of the first outcome, and the mean of rounds. */
export function prismLines(folder: string, model: Model<State>, files: readonly NamedText[]): string[] {
  const [outcome = ''] = labelsOf(model).slice(2);
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
