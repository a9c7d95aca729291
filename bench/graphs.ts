/**
 * State graphs: time of exploration for exact answers and for automata, time of moving probability in WebAssembly and
 * in JavaScript, and speed of automata compared with the reference model.
 */

import { SampledChance } from '../src/core/chance/sampled-chance.ts';
import { Stream } from '../src/core/chance/stream.ts';
import { compileAutomaton } from '../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../src/engines/automaton/encode-automaton.ts';
import { Chain, Transitions } from '../src/engines/exact/chain.ts';
import { KIND } from '../src/engines/exact/layout.ts';
import { MassKernel } from '../src/engines/kernel/chain-solver.ts';
import { FinalStateKernel } from '../src/engines/kernel/final-state-kernel.ts';
import { loadKernel } from '../src/engines/kernel/kernel.ts';
import { getBoundScenario } from '../src/rules/bound-scenario.ts';
import { SHIPPED_REGISTRY } from '../src/rules/index.ts';
import { loadSystems } from '../src/rules/load-systems.ts';
import { playBattle } from '../src/rules/play-battle.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Model, State } from '../src/rules/system.ts';
import { addBattle, createCountsShape, createEmptyCounts } from '../src/stats/counts.ts';
import { duel } from './duel.ts';
import { type Contender, oneByOne, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';
import { median, timesAsFast } from './times.ts';

const STEPS = 400_000;
const MOVES = Number.MAX_SAFE_INTEGER;
const FILES = ['attrition-direct', 'phased-dice-ground', 'token-conflict-pirates'];
/** Systems of examples/games and examples/systems with scenarios of 8 to 3 300 nodes. */
const OWN = ['conquest-dice-assault', 'conquest-dice-siege', 'feint-even', 'feint-reader', 'volley-even'];

const BATTLES = { automaton: 4096, reference: 64 };

/** All transitions of a chain, node by node. */
interface Graph {
  readonly kinds: readonly number[];
  /** Node n has transitions firsts[n]..firsts[n + 1] - 1; none if the battle is over. */
  readonly firsts: readonly number[];
  readonly targets: Uint32Array;
  readonly probabilities: Float64Array;
}

function graphOf(model: Model<State>): Graph {
  const chain = new Chain(model, STEPS);
  chain.start();
  const firsts = [0];
  const targets: number[] = [];
  const probabilities: number[] = [];
  for (let node = 0; node < chain.size; node++) {
    if (chain.kinds[node] !== KIND.over) {
      const found = chain.from(node);
      targets.push(...found.targets.subarray(0, found.length));
      probabilities.push(...found.probabilities.subarray(0, found.length));
    }
    firsts.push(targets.length);
  }
  const kinds = chain.kinds.map((kind) => (kind === KIND.over ? KIND.over : KIND.resting));
  return { kinds, firsts, targets: new Uint32Array(targets), probabilities: new Float64Array(probabilities) };
}

const SWEEPS = 4;

/** Sweeps repeatedly over a graph whose nodes begin with equal mass. Returns the moves and the remaining mass. */
type Sweeper = () => { readonly moves: number; readonly open: number };

function inJavaScript({ kinds, firsts, targets, probabilities }: Graph): Sweeper {
  return () => {
    let masses = new Float64Array(kinds.length).fill(1 / kinds.length);
    let moves = 0;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const after = new Float64Array(kinds.length);
      for (let node = 0; node < kinds.length; node++) {
        const mass = masses[node] ?? 0;
        if (mass === 0) continue;
        const end = firsts[node + 1] ?? 0;
        for (let k = firsts[node] ?? 0; k < end; k++, moves++) {
          const target = targets[k] ?? 0;
          after[target] = (after[target] ?? 0) + mass * (probabilities[k] ?? 0);
        }
      }
      masses = after;
    }
    return { moves, open: masses.reduce((sum, mass, node) => sum + (kinds[node] === KIND.over ? 0 : mass), 0) };
  };
}

function listed(targets: Uint32Array, probabilities: Float64Array): Transitions {
  const found = new Transitions();
  for (const [k, target] of targets.entries()) found.add(target, probabilities[k] ?? 0);
  return found;
}

/** All nodes are between two rounds here, so that a move of them is a sweep. */
function inEngine({ kinds, firsts, targets, probabilities }: Graph, moves: number): Sweeper {
  const mass = new MassKernel(MOVES);
  const start = listed(new Uint32Array(kinds.keys()), new Float64Array(kinds.length).fill(1 / kinds.length));
  for (const [node, kind] of kinds.entries()) {
    const span = [firsts[node], firsts[node + 1]] as const;
    if (kind !== KIND.over)
      mass.addTransitions(kinds, listed(targets.subarray(...span), probabilities.subarray(...span)), node);
  }
  return () => {
    mass.addTransitions(kinds, start);
    mass.begin();
    mass.takeMass(KIND.over, () => undefined);
    for (let sweep = 0; sweep < SWEEPS; sweep++) mass.move(KIND.resting);
    const open = mass.openMass();
    for (const kind of [KIND.over, KIND.resting]) mass.takeMass(kind, () => undefined);
    return { moves, open };
  };
}

async function moving(name: string, model: Model<State>, turns: number): Promise<Row> {
  const graph = graphOf(model);
  const script = inJavaScript(graph);
  const { moves, open } = script();
  const engine = inEngine(graph, moves);
  const gap = Math.abs(engine().open - open);
  if (!(gap < 1e-12)) throw new Error(`${name}: the remaining mass of the engine differs by ${String(gap)}`);
  const contenders = { engine: () => () => engine().moves, JavaScript: () => () => script().moves };
  const times = await race(contenders, { turns, time: 30 });
  const ratio = timesAsFast(times, 'engine', 'JavaScript');
  return { ...row(`${name} move`, median(times.get('engine') ?? []), 'ns'), ratio, of: 'times JavaScript' };
}

const row = (name: string, value: number, unit: string): Row => ({ suite: 'graphs', name, value, unit });

/** Measures microseconds per step of exploration. */
async function exploring(name: string, model: Model<State>, turns: number): Promise<Row[]> {
  let steps = 0;
  const counted: Model<State> = {
    ...model,
    step(state, chance) {
      steps++;
      return model.step(state, chance);
    },
  };
  const counting = (act: () => unknown): Contender => {
    return () => () => {
      steps = 0;
      act();
      return steps;
    };
  };
  const contenders = {
    chain: counting(() => graphOf(counted)),
    automaton: counting(() => compileAutomaton(counted, STEPS)),
  };
  const times = await race(contenders, oneByOne(turns));
  return [...times].map(([who, each]) => row(`${name} explored, ${who}`, median(each) / 1e3, 'us/step'));
}

/** Measures an automaton against the reference model. */
async function playing(name: string, model: Model<State>, turns: number): Promise<Row> {
  const automaton = compileAutomaton(model, STEPS);
  if (automaton === undefined) throw new Error(`${name} cannot be compiled`);
  const { finalStates: endings, nodes, rounds } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  const kernel = FinalStateKernel.createCompiled(
    module,
    createCountsShape(model),
    endings,
    encodeAutomaton(automaton),
    rounds,
  );
  let next = 0;
  const play = (count: number): number => {
    const counts = createEmptyCounts(createCountsShape(model));
    for (let k = 0; k < count; k++) {
      const { outcome, metrics } = playBattle(model, new SampledChance(Stream.forBattle(SEED, next++)));
      addBattle(counts, outcome, metrics);
    }
    return count;
  };
  const run = (count: number): number => {
    kernel.run(SEED, next, count);
    next += count;
    return count;
  };
  const contenders = { automaton: () => () => run(BATTLES.automaton), reference: () => () => play(BATTLES.reference) };
  const times = await race(contenders, { turns, time: 40 });
  const ratio = timesAsFast(times, 'automaton', 'reference');
  const note = `${nodes.length.toLocaleString('en')} nodes`;
  const shown = row(`${name} automaton`, median(times.get('automaton') ?? []), 'ns/battle');
  return { ...shown, ratio, of: 'times reference', note };
}

/** Measures the example systems as automata. */
async function owned(turns: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of OWN) {
    const systems = await loadSystems([`examples/systems/${name.slice(0, name.lastIndexOf('-'))}.js`]);
    const scenario = await loadScenario(`examples/systems/${name}.yaml`, { systems });
    rows.push(await playing(name, getBoundScenario(scenario).model, turns));
  }
  return rows;
}

export async function graphs({ quick }: Options): Promise<Row[]> {
  const turns = quick ? 3 : 15;
  const models = new Map<string, Model<State>>([['own duel', duel]]);
  for (const file of FILES) {
    const scenario = await loadScenario(`scenarios/${file}.yaml`);
    models.set(file, SHIPPED_REGISTRY.system(scenario.system).model(scenario));
  }
  const rows: Row[] = [];
  for (const [name, model] of models) {
    rows.push(...(await exploring(name, model, Math.min(turns, 5))));
    rows.push(await moving(name, model, turns), await playing(name, model, turns));
  }
  return [...rows, ...(await owned(turns))];
}
