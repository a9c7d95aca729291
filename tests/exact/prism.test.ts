/** Chains as files for model checkers. An independent reader parses the files, and linear equations give the answer. */
import { describe, expect, test } from 'vitest';
import { BudgetError } from '../../src/core/errors.ts';
import { createIdentifiers } from '../../src/core/identifiers.ts';
import { createBudget, FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { buildGraph, unrollRounds } from '../../src/engines/exact/chain.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { createLabels, createPrismFiles, formatPrismCommands } from '../../src/report/export/prism.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Model, State } from '../../src/rules/system.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { summarizeDistribution } from '../../src/stats/summary.ts';
import { DEPTH } from '../depth.ts';
import { direct } from '../systems/attrition-fight.ts';

type Files = ReadonlyMap<string, string>;

/** Contents of the files of a chain. */
interface Read {
  readonly states: number;
  readonly moves: readonly (readonly [from: number, to: number, p: number])[];
  readonly labels: ReadonlyMap<string, ReadonlySet<number>>;
  readonly rewards: ReadonlyMap<number, number>;
}

const rowsOf = (files: Files, name: string): string[] => {
  const text = files.get(name) ?? '';
  expect(text.endsWith('\n'), name).toBe(true);
  return text.slice(0, -1).split('\n');
};

const numbers = (row: string): number[] => row.split(' ').map(Number);

const triple = (row: string): [number, number, number] => {
  const [from = Number.NaN, to = Number.NaN, p = Number.NaN] = numbers(row);
  return [from, to, p];
};

function readPrism(files: Files): Read {
  const [size = '', ...rows] = rowsOf(files, 'chain.tra');
  const [states = 0, transitions = 0] = numbers(size);
  expect(rows.length).toBe(transitions);
  const [declared = '', ...marks] = rowsOf(files, 'chain.lab');
  const names = declared.split(' ').map((each) => /^\d+="(\w+)"$/.exec(each)?.[1] ?? '');
  const labels = new Map(names.map((name) => [name, new Set<number>()]));
  for (const mark of marks) {
    const [state = '', own = ''] = mark.split(': ');
    for (const label of numbers(own)) labels.get(names[label] ?? '')?.add(Number(state));
  }
  if (!files.has('chain.srew')) return { states, moves: rows.map(triple), labels, rewards: new Map() };
  const [structure, kind, counts = '', ...rewards] = rowsOf(files, 'chain.srew');
  expect([structure, kind]).toEqual(['# Reward structure "rounds"', '# State rewards']);
  expect(numbers(counts)).toEqual([states, rewards.length]);
  expect(rewards.length).toBeGreaterThan(0);
  return { states, moves: rows.map(triple), labels, rewards: new Map(rewards.map((row) => pair(row))) };
}

const pair = (row: string): [number, number] => {
  const [state = Number.NaN, value = Number.NaN] = numbers(row);
  return [state, value];
};

function readStorm(files: Files): Read {
  const [kind, ...rows] = rowsOf(files, 'storm.tra');
  expect(kind).toBe('dtmc');
  const [head, declared = '', end, ...marks] = rowsOf(files, 'storm.lab');
  expect([head, end]).toEqual(['#DECLARATION', '#END']);
  const labels = new Map(declared.split(' ').map((name) => [name, new Set<number>()]));
  for (const mark of marks) {
    const [state = '', ...own] = mark.split(' ');
    for (const label of own) labels.get(label)?.add(Number(state));
  }
  const moves = rows.map(triple);
  const states = 1 + moves.reduce((most, [from, to]) => Math.max(most, from, to), 0);
  const rewards = files.has('storm.srew') ? rowsOf(files, 'storm.srew') : [];
  return { states, moves, labels, rewards: new Map(rewards.map((row) => pair(row))) };
}

/** Solves x = A x + b by Gaussian elimination with partial pivoting. */
function linear(size: number, moves: Read['moves'], b: readonly number[]): number[] {
  const rows = Array.from({ length: size }, (_, s) => {
    const row = new Float64Array(size + 1);
    row[s] = 1;
    row[size] = b[s] ?? 0;
    return row;
  });
  for (const [from, to, p] of moves) {
    const row = rows[from];
    if (row !== undefined) row[to] = (row[to] ?? 0) - p;
  }
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let r = column; r < size; r++)
      if (Math.abs(rows[r]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = r;
    const pivot = rows[best] ?? new Float64Array();
    [rows[column], rows[best]] = [pivot, rows[column] ?? pivot];
    for (const [r, row] of rows.entries()) {
      const share = r === column ? 0 : (row[column] ?? 0) / (pivot[column] ?? 0);
      if (share !== 0) for (let c = column; c <= size; c++) row[c] = (row[c] ?? 0) - share * (pivot[c] ?? 0);
    }
  }
  return rows.map((row, s) => (row[size] ?? 0) / (row[s] ?? 0));
}

/** Computes from the initial state the probability of a label and the mean number of rounds. */
function solved({ states, moves, labels, rewards }: Read) {
  const over = labels.get('over') ?? new Set();
  const [first = -1, ...others] = labels.get('init') ?? [];
  expect(others).toEqual([]);
  const open = moves.filter(([from]) => !over.has(from));
  const from = (value: (state: number) => number): number =>
    linear(
      states,
      open,
      Array.from({ length: states }, (_, s) => value(s)),
    )[first] ?? Number.NaN;
  return {
    share: (label: string) => from((state) => Number(labels.get(label)?.has(state) === true)),
    rounds: from((state) => rewards.get(state) ?? 0),
  };
}

function filesOf(model: Model<State>): Files {
  const graph = buildGraph(model, FULL_BUDGET);
  const { limited } = solveModel(model);
  return new Map(createPrismFiles(limited > 0 ? unrollRounds(graph, model, '') : graph, model));
}

/** Creates a model whose battles begin within a round or between rounds, with a random initial state. */
const drawn = (kinds: readonly boolean[], maxRounds = 1000): Model<State & { readonly at: number }> => ({
  outcomes: ['stopped', 'stalemate'],
  metrics: [{ name: 'rounds', min: 0, max: maxRounds }],
  maxRounds,
  roundsMetric: 0,
  start: (chance) => ({ round: 0, at: 1 + chance.pick(kinds.map(() => 1)) }),
  step: ({ round, at }, chance) =>
    at < 10 ? { round: round + 1, at: 10 } : { round, at: chance.pick([1, 3]) === 0 ? -1 : 11 },
  resting: ({ at }) => (at < 10 ? kinds[at - 1] === true : at === 11),
  outcome: ({ at }) => (at < 0 ? 'stopped' : undefined),
  measure: ({ round }) => [round],
  key: ({ at }) => at,
});

const shipped = async (name: string): Promise<Model<State>> => {
  const scenario = await loadScenario(`scenarios/${name}.yaml`);
  return SHIPPED_REGISTRY.system(scenario.system).model(scenario);
};

describe('export of a chain for model checkers', () => {
  test.runIf(DEPTH > 1).each<[string, () => Promise<Model<State>> | Model<State>]>([
    ['a duel', () => SHIPPED_REGISTRY.system('attrition').model(direct({ hp: 8 }, { hp: 7 }, { dice: '1d6' }))],
    ['broadside', () => shipped('phased-dice-broadside')],
    ['fleet', () => shipped('phased-dice-fleet')],
    ['cubes', () => shipped('cube-bag-siege')],
    ['tokens', () => shipped('token-conflict-open')],
    ['between rounds, drawn', () => drawn([true, true])],
    ['within a round', () => drawn([false])],
    ['within a round, or between two', () => drawn([true, false])],
    [
      'a duel of two rounds',
      () => SHIPPED_REGISTRY.system('attrition').model(direct({ hp: 8 }, { hp: 7 }, { maxRounds: 2 })),
    ],
    ['one round, drawn', () => drawn([true, true], 1)],
    ['three rounds, within or between two', () => drawn([true, false], 3)],
    ['no rounds', () => SHIPPED_REGISTRY.system('attrition').model(direct({ attack: null }, { attack: null }))],
  ])('%s: both formats have the same answer as solveModel', async (_, make) => {
    const model = await make();
    const files = filesOf(model);
    const [prism, storm] = [readPrism(files), readStorm(files)];
    expect(storm).toEqual(prism);
    const { distribution: exactDistribution, lost } = solveModel(model);
    const summary = summarizeDistribution(createCountsShape(model), exactDistribution, lost);
    const { share, rounds } = solved(prism);
    const labels = createLabels(model).slice(2);
    for (const [o, { p }] of summary.outcomes.entries()) expect(share(labels[o] ?? '')).toBeCloseTo(p, 12);
    expect(share('over')).toBeCloseTo(1, 12);
    const { mean = 0 } = summary.metrics.find(({ name }) => name === 'rounds') ?? {};
    expect(Math.abs(rounds - mean)).toBeLessThanOrEqual(1e-12 * mean);
    const lines = formatPrismCommands('out', model, [...files]).filter((line) => line.includes('R'));
    expect([files.has('storm.srew'), files.has('chain.srew'), lines.length]).toEqual(
      mean > 0 ? [true, true, 2] : [false, false, 0],
    );
  });

  test('unrolls rounds if battles reach the round limit, up to a maximum size', () => {
    const model = SHIPPED_REGISTRY.system('attrition').model(direct({ hp: 8 }, { hp: 7 }, { maxRounds: 2 }));
    const graph = buildGraph(model, FULL_BUDGET);
    const { nodes } = unrollRounds(graph, model, '');
    expect(nodes.length).toBeGreaterThan(graph.nodes.length);
    const stalemates = nodes.filter(({ outcome }) => outcome === model.outcomes.indexOf('stalemate'));
    expect(stalemates.length).toBeGreaterThan(1);
    const most = { states: 20, transitions: 1_000_000 };
    expect(() => unrollRounds(graph, model, ', for some reason', most)).toThrow(
      /^a chain of at most 20 states .* were found so far, for some reason$/,
    );
  });

  test('contains the metrics of each state, sorted by index', () => {
    const model = SHIPPED_REGISTRY.system('attrition').model(direct({ hp: 3 }, { hp: 2 }, { dice: '1d4' }));
    const [names, first, ...others] = rowsOf(filesOf(model), 'chain.sta');
    expect(names).toBe('(s,hp_attacker,hp_defender)');
    expect(first).toBe('0:(0,3,2)');
    expect(others.every((row, k) => row.startsWith(`${String(k + 1)}:(${String(k + 1)},`))).toBe(true);
  });

  test('throws above its own size limit and above the budget', () => {
    const large = SHIPPED_REGISTRY.system('attrition').model(direct({ hp: 30 }, { hp: 30 }));
    const rejected = () => buildGraph(large, FULL_BUDGET, { states: 100, transitions: 1_000_000 });
    expect(rejected).toThrow(BudgetError);
    expect(rejected).toThrow(
      /^a chain of at most 100 states and 1 000 000 transitions can be written: \d+ states and /,
    );
    expect(() => buildGraph(large, FULL_BUDGET, { states: 100_000, transitions: 1000 })).toThrow(
      'at most 100 000 states',
    );
    expect(() => buildGraph(large, createBudget(1000))).toThrow('more than the budget of 1 000 steps');
  });

  test('creates valid labels and quotes the output folder', () => {
    expect(createIdentifiers(['init', 'a b', 'a+b', '1st', 'a_b'], ['init'])).toEqual([
      'init_2',
      'a_b',
      'a_b_2',
      '_1st',
      'a_b_3',
    ]);
    const model = drawn([true]) as Model<State>;
    expect(formatPrismCommands("it's", model, [])[0]).toBe(
      `storm --explicit 'it'\\''s/storm.tra' 'it'\\''s/storm.lab' --prop 'P=? [F "stopped"]'`,
    );
  });
});
