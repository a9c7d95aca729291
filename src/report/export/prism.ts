/**
 * Export of a Markov chain to the explicit formats of two model checkers: PRISM (its manual, "Explicit Model Files")
 * and Storm (`--explicit`). They differ in first lines and labels.
 */
import { createIdentifiers } from '../../core/index.ts';
import type { Graph, GraphNode } from '../../engines/index.ts';
import type { Model, State } from '../../rules/index.ts';

/** File of a model. */
export type ModelFile = readonly [name: string, text: string];

/** Reserved names: labels of the formats and of this export. */
const RESERVED_NAMES = ['init', 'deadlock', 'over'];

const joinLines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;

/** Names of the labels: of the initial state, of final states, and of each outcome. */
export function createLabels({ outcomes }: Model<State>): string[] {
  return ['init', 'over', ...createIdentifiers(outcomes, RESERVED_NAMES)];
}

/** Indices of the labels of each state. */
function assignLabels({ nodes, first }: Graph): number[][] {
  return nodes.map(({ outcome }, node) => [...(node === first ? [0] : []), ...(outcome >= 0 ? [1, 2 + outcome] : [])]);
}

/**
 * Formats the metrics of states without rounds, which states do not contain. The index comes first, to keep the order.
 */
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
  // If states contain the number of rounds, the reward is its mean increase.
  const formatMetricGain = ({ metrics: at, to }: GraphNode): number =>
    to.reduce((sum, [target, p]) => sum + p * ((nodes[target]?.metrics[counter] ?? 0) - (at[counter] ?? 0)), 0);
  return nodes.flatMap((node, s) => {
    const reward = roundsMetric === undefined ? formatMetricGain(node) : node.rounds;
    return reward === 0 ? [] : [`${String(s)} ${String(reward)}`];
  });
}

/**
 * Creates the files of a chain: `chain.*` for PRISM, `storm.*` for Storm. Files of rewards are omitted without a metric
 * `rounds` or if it is always 0, because no program reads empty ones.
 */
export function createPrismFiles(graph: Graph, model: Model<State>): ModelFile[] {
  const { nodes, transitions } = graph;
  const moves = nodes.flatMap(({ to }, s) => to.map(([target, p]) => `${String(s)} ${String(target)} ${String(p)}`));
  const names = createLabels(model);
  const labels = assignLabels(graph);
  const marked = [...labels.entries()].filter(([, own]) => own.length > 0);
  const rewards = computeRewards(graph, model) ?? [];
  const size = String(nodes.length);
  const listRewardFiles = (file: ModelFile): ModelFile[] => (rewards.length > 0 ? [file] : []);
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
    ...listRewardFiles([
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
    ...listRewardFiles(['storm.srew', joinLines(rewards)]),
  ];
}

/** Lists commands of both programs that compute the probability of the first outcome, and the mean of rounds. */
export function formatPrismCommands(folder: string, model: Model<State>, files: readonly ModelFile[]): string[] {
  const [outcome = ''] = createLabels(model).slice(2);
  const getFilePath = (file: string): string => `'${`${folder}/${file}`.replaceAll("'", "'\\''")}'`;
  const storm = `storm --explicit ${getFilePath('storm.tra')} ${getFilePath('storm.lab')}`;
  const listRewardFiles = (line: string): string[] => (files.some(([name]) => name === 'storm.srew') ? [line] : []);
  const prism = `prism -importmodel ${getFilePath('chain.all')} -dtmc`;
  return [
    `${storm} --prop 'P=? [F "${outcome}"]'`,
    `${storm} --prop 'P=? [F "over"]'`,
    ...listRewardFiles(`${storm} --staterew ${getFilePath('storm.srew')} --prop 'R=? [F "over"]'`),
    `${prism} -pf 'P=? [F "${outcome}"]'`,
    `${prism} -pf 'P=? [F "over"]'`,
    ...listRewardFiles(`${prism} -pf 'R{"rounds"}=? [F "over"]'`),
  ];
}
