/**
 * Layer without noise: counts of a fixed run, and the work of its rules and its kernel. These are equal on every
 * machine, so any difference is a change of the program.
 */

import type { Dice, DicePool, DiceSet, Distribution } from '../../src/core/chance/chance.ts';
import { RuleCountingChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { planChunks } from '../../src/engines/pool/job.ts';
import { openKernel } from '../../src/engines/pool/simulator.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { computeDigest, hashScenario, identifyRules } from '../../src/stats/digest.ts';
import { BENCHMARKS, type Benchmark, loadBenchmark } from './benchmark.ts';
import { type PlayerEntry, setupOf } from './player.ts';

const SEED = 1n;

/** Number of battles that the kernel simulates, and number of first battles that the rules simulate too. */
const BATTLES = { kernel: 20_000, rules: 1000 };

/** Run with counted chunks, and its threads. */
const CHUNKED = { battles: 10_000_000, workers: 2 };

export interface Counters {
  /** Digest of the run of the kernel. */
  readonly digest: string;
  readonly battles: number;
  /** Rounds of all battles; 0 if battles have none. */
  readonly rounds: number;
  /** Numbers of draws and of applied rules in the first 1000 battles. */
  readonly draws: number;
  readonly rules: number;
  /** Chunks of a run of 10^7 battles on two threads. */
  readonly chunks: number;
  /** Sizes of the compiled kernel and of the scenario as it reads it, in bytes. */
  readonly moduleBytes: number;
  readonly scenarioBytes: number;
}

/** Counts draws, regardless of the number of random words of each. */
class DrawCounter extends RuleCountingChance {
  draws = 0;

  override sum(dice: Dice): number {
    this.draws++;
    return super.sum(dice);
  }

  override excess(dice: Dice, bonus: number): number {
    this.draws++;
    return super.excess(dice, bonus);
  }

  override hits(pools: readonly DicePool[]): number {
    this.draws++;
    return super.hits(pools);
  }

  override faces(lots: readonly DiceSet[]): number {
    this.draws++;
    return super.faces(lots);
  }

  override draw(bag: readonly number[], count: number): number[] {
    this.draws++;
    return super.draw(bag, count);
  }

  override pick(weights: readonly number[]): number {
    this.draws++;
    return super.pick(weights);
  }

  override sample(distribution: Distribution): number {
    this.draws++;
    return super.sample(distribution);
  }

  override roll(count: number, sides: number): readonly number[] {
    this.draws++;
    return super.roll(count, sides);
  }
}

/** Simulates a fixed run with the kernel. */
export function played({ bytes, shape, made, scenario }: Benchmark): Pick<Counters, 'digest' | 'battles' | 'rounds'> {
  const kernel = openKernel(setupOf(new WebAssembly.Module(bytes), shape, made));
  kernel.run(SEED, 0, BATTLES.kernel);
  const counts = kernel.take();
  const run = { scenarioHash: hashScenario(scenario), ...identifyRules(scenario), seed: SEED, from: 0 };
  const metric = shape.metrics.findIndex(({ name }) => name === 'rounds');
  const rounds = metric < 0 ? [] : listValueCounts(counts, metric);
  return {
    digest: computeDigest({ ...run, to: BATTLES.kernel, drawn: made.form === 'sampled' }, shape, counts),
    battles: counts.outcomes.reduce((sum, count) => sum + count, 0),
    rounds: rounds.reduce((sum, [value, count]) => sum + value * count, 0),
  };
}

function ruled({ model }: Benchmark): Pick<Counters, 'draws' | 'rules'> {
  let [draws, rules] = [0, 0];
  for (let index = 0; index < BATTLES.rules; index++) {
    const chance = new DrawCounter(Stream.forBattle(SEED, index));
    playBattle(model, chance);
    draws += chance.draws;
    for (const times of chance.applied.values()) rules += times;
  }
  return { draws, rules };
}

export function countersOf(benchmark: Benchmark): Counters {
  const { chunk } = planChunks({ engine: 'kernel', from: 0, to: CHUNKED.battles }, CHUNKED.workers);
  return {
    ...played(benchmark),
    ...ruled(benchmark),
    chunks: Math.ceil(CHUNKED.battles / chunk),
    moduleBytes: benchmark.bytes.length,
    scenarioBytes: benchmark.scenarioBytes,
  };
}

// Benchmarks of a build, as it reports them to the gate of another build.

export interface Described {
  /** Entry for the player of the same build. */
  readonly entry: PlayerEntry;
  /** Counters of a fixed run of its kernel. */
  readonly digest: string;
}

export function entryOf({ name, path, shape, made }: Benchmark): PlayerEntry {
  return { name, path, shape, made };
}

export async function described(): Promise<Described[]> {
  const found: Described[] = [];
  for (const subject of BENCHMARKS) {
    const benchmark = await loadBenchmark(subject);
    found.push({ entry: entryOf(benchmark), digest: played(benchmark).digest });
  }
  return found;
}
