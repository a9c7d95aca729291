/**
 * Battles per second of kernel, reference model and an idiomatic loop, as ratios within one run.
 *
 * One sample is one call that plays a lot of battles, fresh ones every time: replayed battles are learnt by the
 * branch predictor and look twice as fast. Before anything is timed, kernel and reference must give the same
 * digest, and the idiomatic loop the exact law.
 */
import { Console } from 'node:console';
import { Bench, type Task } from 'tinybench';
import { Sampled } from '../src/chance/sampled.ts';
import { Stream } from '../src/chance/stream.ts';
import { Kernel } from '../src/kernel/kernel.ts';
import { loadKernel } from '../src/kernel/load.ts';
import { loadScenario } from '../src/scenario/index.ts';
import { solve } from '../src/solve.ts';
import { digest, scenarioHash } from '../src/stats/digest.ts';
import { countBattle, emptyTally, shapeOf } from '../src/stats/tally.ts';
import { playBattle } from '../src/systems/battle.ts';
import { requireSystem } from '../src/systems/index.ts';
import type { Scenario } from '../src/systems/system.ts';
import { attrition, generator, type IdiomaticBattle, phasedDice } from './idiomatic.ts';

const SEED = 1n;

/** Battles of one sample. */
const SAMPLE = { kernel: 4096, reference: 64, idiomatic: 256 };

/** Battles over which contenders are compared before they are timed. */
const CHECKED = { digest: 4096, law: 100_000 };

interface Subject {
  readonly file: string;
  readonly battle: IdiomaticBattle;
}

const subjects: readonly Subject[] = [
  { file: 'attrition-direct.yaml', battle: attrition },
  { file: 'phased-dice-ground.yaml', battle: phasedDice },
];

/** Plays battles from..from+count-1. */
type Contender = (from: number, count: number) => void;

async function kernelOf(scenario: Scenario): Promise<Kernel> {
  const system = requireSystem(scenario.system);
  return new Kernel(await loadKernel(system.id), shapeOf(system.model(scenario)), system.encode(scenario));
}

function checkDigest(scenario: Scenario, kernel: Kernel): string {
  const model = requireSystem(scenario.system).model(scenario);
  const shape = shapeOf(model);
  const counted = emptyTally(shape);
  for (let index = 0; index < CHECKED.digest; index++) {
    const { outcome, metrics } = playBattle(model, new Sampled(Stream.of(SEED, index)));
    countBattle(counted, outcome, metrics);
  }
  const played = {
    scenarioHash: scenarioHash(scenario),
    system: scenario.system,
    seed: SEED,
    from: 0,
    to: CHECKED.digest,
  };
  kernel.take();
  kernel.run(SEED, 0, CHECKED.digest);
  const expected = digest(played, shape, counted);
  const found = digest(played, shape, kernel.take());
  if (found !== expected) throw new Error(`${scenario.system}: kernel digest ${found}, reference digest ${expected}`);
  return expected;
}

/** Five standard errors: odds of a false alarm 6e-7 an outcome, and the seed is fixed. */
function checkLaw(scenario: Scenario, battle: IdiomaticBattle): void {
  const rng = generator(1);
  const counts = new Map<string, number>();
  for (let k = 0; k < CHECKED.law; k++) {
    const outcome = battle(rng);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  for (const { name, p } of solve(scenario).summary.outcomes) {
    const miss = (counts.get(name) ?? 0) / CHECKED.law - p;
    if (Math.abs(miss) > 5 * Math.sqrt((p * (1 - p)) / CHECKED.law)) {
      throw new Error(`${scenario.system}: the idiomatic loop misses P(${name}) by ${String(miss)}`);
    }
  }
}

function contendersOf(
  scenario: Scenario,
  kernel: Kernel,
  battle: IdiomaticBattle,
): Record<keyof typeof SAMPLE, Contender> {
  const model = requireSystem(scenario.system).model(scenario);
  const rng = generator(2);
  return {
    kernel: (from, count) => {
      kernel.run(SEED, from, count);
    },
    reference: (from, count) => {
      for (let index = from; index < from + count; index++) playBattle(model, new Sampled(Stream.of(SEED, index)));
    },
    idiomatic: (_from, count) => {
      for (let k = 0; k < count; k++) battle(rng);
    },
  };
}

async function measure(scenario: Scenario, battle: IdiomaticBattle, time: number): Promise<Map<string, number>> {
  const kernel = await kernelOf(scenario);
  const hash = checkDigest(scenario, kernel);
  checkLaw(scenario, battle);
  process.stderr.write(`${scenario.system}: digest ${hash.slice(0, 16)}\n`);
  const bench = new Bench({ time, warmupTime: time / 5 });
  for (const [name, play] of Object.entries(contendersOf(scenario, kernel, battle))) {
    const count = SAMPLE[name as keyof typeof SAMPLE];
    let from = 1_000_000;
    bench.add(name, () => {
      play(from, count);
      from += count;
    });
  }
  await bench.run();
  return new Map(bench.tasks.map((task) => [task.name, nanosecondsOf(task)]));
}

/** Nanoseconds a battle, by the median sample. */
function nanosecondsOf(task: Task): number {
  const { result } = task;
  if (!('latency' in result)) throw new Error(`${task.name} was not measured: ${result.state}`);
  return (result.latency.p50 * 1e6) / SAMPLE[task.name as keyof typeof SAMPLE];
}

const time = process.argv.includes('--quick') ? 200 : 2000;
const rows: Record<string, Record<string, number>> = {};
for (const { file, battle } of subjects) {
  const scenario = await loadScenario(`scenarios/${file}`);
  const found = await measure(scenario, battle, time);
  const yardstick = found.get('idiomatic') ?? Number.NaN;
  for (const [name, ns] of found) {
    rows[`${scenario.system} ${name}`] = {
      'battles/s': Math.round(1e9 / ns),
      'ns/battle': Number(ns.toFixed(1)),
      'times idiomatic': Number((yardstick / ns).toFixed(2)),
    };
  }
}
new Console(process.stdout).table(rows);
