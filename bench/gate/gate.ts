/** Gate: detects performance regressions and changed results. */
import {
  type Baseline,
  type Layer,
  type Machine,
  type Measured,
  renewed,
  sameMachine,
  thisMachine,
} from './baseline.ts';
import { BENCHMARKS, type Benchmark, loadBenchmark } from './benchmark.ts';
import { WATCHED } from './cells.ts';
import { countersOf } from './counters.ts';
import {
  budgetsOf,
  decide,
  estimate,
  type GateFinding,
  judgeCounters,
  judgeInstructions,
  judgeRatio,
  type KnownRatio,
  type RatioBudgets,
  ROUNDS,
  ratioLimit,
} from './judge.ts';
import { besideLoad, freshCellRatios, freshRatios, hasValgrind, instructionsOf } from './process.ts';
import { measureRounds, type Ratios } from './sample.ts';

export interface GateOptions {
  readonly layers: readonly Layer[];
  /** Allowed relative increase of a ratio, instead of the limit in the file. */
  readonly budget?: number | undefined;
  /** Folder of compiled kernels, instead of the kernels of the package. */
  readonly kernels?: string | undefined;
  /** Simulated battles for each counted battle. Values above 1 simulate a slower kernel, to test the gate. */
  readonly handicap?: number | undefined;
  /** Receives progress messages. */
  readonly say?: ((text: string) => void) | undefined;
}

export interface GateReport {
  readonly machine: Machine;
  /** Other build of a comparison without a baseline. */
  readonly against?: string;
  /** True if the baseline was measured on this kind of machine. */
  readonly sameMachine: boolean;
  readonly findings: readonly GateFinding[];
  /** Skipped measurements, with reasons. */
  readonly notes: readonly string[];
  /** Duration of each measured layer, in seconds. */
  readonly seconds: Readonly<Partial<Record<Layer, number>>>;
  /** False if a limit is exceeded. */
  readonly passed: boolean;
}

/** Opens kernels one after the other, so that the error names the first that cannot be read. */
async function load(kernels: string | undefined): Promise<Benchmark[]> {
  const benchmarks: Benchmark[] = [];
  for (const subject of BENCHMARKS) benchmarks.push(await loadBenchmark(subject, kernels));
  return benchmarks;
}

/** @param layer layer of the ratios */
async function judgeRatios<T extends { readonly name: string }>(
  [layer, than]: readonly ['ratio', 'yardsticks'] | readonly ['cells', 'answers'],
  all: readonly T[],
  known: Readonly<Record<string, KnownRatio>>,
  budgets: RatioBudgets,
  measure: (left: readonly T[]) => Promise<Ratios>,
): Promise<GateFinding[]> {
  const rounds = await measureRounds(all, measure, (name, so) => {
    const before = known[name];
    if (before === undefined) return so.length < ROUNDS.pass;
    return decide(so, ratioLimit(before, budgets)) === 'undecided';
  });
  return all.map(({ name }) => judgeRatio(name, than, rounds.get(name) ?? [], known[name], budgets, layer));
}

/**
 * @throws InputError if a kernel cannot be read
 * @throws RunError if a process of the gate fails
 */
export async function gate(baseline: Baseline, options: GateOptions): Promise<GateReport> {
  const { layers, say } = options;
  const machine = thisMachine();
  const here = sameMachine(machine, baseline.machine);
  const budgets = budgetsOf(baseline, here, options.budget);
  const benchmarks = await load(options.kernels);
  const known = (name: string) => baseline.benchmarks[name];
  const findings: GateFinding[] = [];
  const notes: string[] = [];
  const seconds: Partial<Record<Layer, number>> = {};
  let began = performance.now();
  const clock = (layer: Layer): void => {
    seconds[layer] = (performance.now() - began) / 1000;
    began = performance.now();
  };
  if (!here) {
    const { cpu, node } = baseline.machine;
    notes.push(`the baseline is from another machine (${cpu}, Node ${node}): time and instruction limits are wider`);
  }
  if (layers.includes('counters')) {
    say?.('counters: fixed runs');
    for (const each of benchmarks) {
      findings.push(...judgeCounters(each.name, countersOf(each), known(each.name), budgets));
    }
    clock('counters');
  }
  if (layers.includes('instructions')) {
    if (hasValgrind()) {
      say?.('instructions: kernels under valgrind');
      for (const [name, value] of await instructionsOf(benchmarks, (each) => known(each)?.instructions)) {
        findings.push(judgeInstructions(name, value, known(name), budgets));
      }
    } else notes.push('instructions not counted: valgrind is not installed');
    clock('instructions');
  }
  if (layers.includes('ratio')) {
    say?.('ratio: kernels against the yardstick');
    const measure = (left: readonly Benchmark[]) => freshRatios(left, options.handicap ?? 1);
    findings.push(...(await judgeRatios(['ratio', 'yardsticks'], benchmarks, baseline.benchmarks, budgets, measure)));
    clock('ratio');
  }
  if (layers.includes('cells')) {
    say?.('cells: cells of sweeps against their results');
    const own = { ...budgets, ratio: budgets.cells };
    findings.push(...(await judgeRatios(['cells', 'answers'], WATCHED, baseline.cells, own, freshCellRatios)));
    clock('cells');
  }
  return {
    machine,
    sameMachine: here,
    findings,
    notes,
    seconds,
    passed: findings.every(({ status }) => status !== 'broken'),
  };
}

/**
 * Measures for a new baseline: every layer, with the maximum number of rounds, once alone and once while another
 * process keeps a core busy. A kernel on a shared core may slow down more than the yardstick, and later measurements
 * may be disturbed like that. So the larger ratio is the baseline.
 */
export async function measureBaseline(
  old: Baseline | undefined,
  { kernels, say }: Pick<GateOptions, 'kernels' | 'say'>,
): Promise<Baseline> {
  const benchmarks = await load(kernels);
  const known = (name: string): number | undefined => old?.benchmarks[name]?.instructions;
  say?.('instructions: kernels under valgrind');
  const instructions = hasValgrind() ? await instructionsOf(benchmarks, known) : new Map<string, number>();
  say?.(`ratio: ${String(ROUNDS.most)} rounds of kernels against the yardstick, without and with a load`);
  const fresh = (left: readonly Benchmark[]) => freshRatios(left, 1);
  const measure = () => measureRounds(benchmarks, fresh, (_, so) => so.length < ROUNDS.most);
  const both = [await measure(), await besideLoad(measure)];
  const measured = benchmarks.map((each): [string, Measured] => [
    each.name,
    {
      counters: countersOf(each),
      instructions: instructions.get(each.name),
      ratio: Math.max(...both.map((rounds) => estimate(rounds.get(each.name) ?? []).value)),
    },
  ]);
  say?.('cells: cells of sweeps against their results');
  const swept = await measureRounds(WATCHED, freshCellRatios, (_, so) => so.length < ROUNDS.fail);
  const cells = [...swept].map(([name, rounds]): [string, number] => [name, estimate(rounds).value]);
  return renewed(old, thisMachine(), new Map(measured), new Map(cells));
}
