/**
 * The exact law of a scenario: probabilities in the place of counts, laid out as the counters of the tally are, twice
 * as wide. A kernel that can tell it exports `solve(moves: f64, steps: f64): i32`, called once after `configure`: it may
 * make so many moves (multiplications of mass), and work out so many steps. It returns one of the answers below; memory
 * grows in it. A kernel that has nothing to work out beside its moves takes `moves` alone.
 */
import { workspace } from './kernel';
import { Tally, values } from './tally';

/** Where the law lies: 64-bit floating-point numbers. */
export let lawAddress: usize = 0;

/** For each metric the least and the greatest value that has any probability, as 32-bit integers; at first none. */
export let spansAddress: usize = 0;

/** Mass of battles that go on beyond what was followed, also where the moves did not suffice. */
export let lost: f64 = 0.0;

/** Size of the chain or chains that were followed: their states, and the transitions that were worked out for them. */
export let states: f64 = 0.0;
export let steps: f64 = 0.0;

/** How many moves it takes at least, where that is known before they are made; else 0. */
export let least: f64 = 0.0;

/** The law is there. */
export const SOLVED: i32 = 0;

/** The scenario is left to a chain. */
export const OTHER: i32 = 1;

/** It takes more moves or more steps than it may. */
export const BEYOND: i32 = 2;

/** It takes more memory than it may. */
export const NO_ROOM: i32 = 3;

/** Mass below which the rest is lost. */
export const NEGLIGIBLE: f64 = 1e-15;

export class Law {
  /** Takes memory for a law that is zero everywhere; false if there is none. */
  static room(): bool {
    const metrics = Tally.metrics();
    const bytes = Tally.bytes() << 1;
    const spans = (<usize>metrics) << 3;
    lawAddress = workspace(bytes + spans);
    if (lawAddress === 0) return false;
    memory.fill(lawAddress, 0, bytes);
    spansAddress = lawAddress + bytes;
    for (let metric = 0; metric < metrics; metric++) {
      store<i32>(spansAddress + ((<usize>metric) << 3), i32.MAX_VALUE);
      store<i32>(spansAddress + ((<usize>metric) << 3), i32.MIN_VALUE, 4);
    }
    return true;
  }

  @inline static raise(counter: usize, mass: f64): void {
    const at = lawAddress + ((counter - Tally.start()) << 1);
    store<f64>(at, load<f64>(at) + mass);
  }

  /** Adds mass to an outcome alone. */
  @inline static outcome(outcome: i32, mass: f64): void {
    Law.raise(Tally.outcome(outcome), mass);
  }

  /** Adds mass to a metric's value alone. */
  @inline static value(metric: i32, outcome: i32, value: i32, mass: f64): void {
    if (mass === 0.0) return;
    const span = spansAddress + ((<usize>metric) << 3);
    store<i32>(span, min(load<i32>(span), value));
    store<i32>(span, max(load<i32>(span, 4), value), 4);
    Law.raise(Tally.value(metric, outcome, value), mass);
  }

  /** Adds the mass of battles that ended in `outcome` with the metrics in `values`. */
  @inline static add(outcome: i32, mass: f64): void {
    if (mass === 0.0) return;
    Law.outcome(outcome, mass);
    for (let metric = 0, metrics = Tally.metrics(); metric < metrics; metric++) {
      Law.value(metric, outcome, load<i32>(values + ((<usize>metric) << 2)), mass);
    }
  }

  /** Says how large the chain is. */
  @inline static size(chainStates: f64, chainSteps: f64, leastMoves: f64 = 0.0): void {
    states = chainStates;
    steps = chainSteps;
    least = leastMoves;
  }

  /** Says what mass is not in the law; returns the answer. */
  @inline static close(open: f64, answer: i32): i32 {
    lost = open;
    return answer;
  }
}
