/**
 * Exact distribution of a scenario: probabilities instead of counts, in the layout of the counters, twice as wide. A
 * kernel that can compute it exports `solve(moves: f64, steps: f64): i32`, which is called once after `configure`, with
 * the maximum numbers of moves (multiplications of mass) and of steps. It returns one of `Answers`; memory grows in it.
 * A kernel without steps has only the parameter `moves`.
 */
import { NEGLIGIBLE, Span } from '../generated/kernel';
import { Counts, values } from './counts';
import { workspace } from './kernel';

/**
 * Mass of a single state below this is let go: products with it would not be precise, and they slow processors down.
 */
export const SPECK: f64 = 1e-305;

/** Address of the distribution: 64-bit floating-point numbers. */
export let distributionAddress: usize = 0;

/** A `Span` for each metric; at first none. */
export let spansAddress: usize = 0;

/** Mass of battles that were not followed to their end, also if the moves did not suffice. */
export let lost: f64 = 0.0;

/**
 * 1 if the moves did not suffice for all rounds that would change a digit, so that the distribution depends on them.
 */
export let cut: i32 = 0;

/** Size of the chain or chains that were followed: their states, and the transitions that were worked out for them. */
export let states: f64 = 0.0;
export let steps: f64 = 0.0;

/** Lower bound of the number of moves, if it is known in advance; else 0. */
export let least: f64 = 0.0;

export class Distribution {
  /** Allocates a distribution of zeros; false if memory is exhausted. */
  static room(): bool {
    cut = 0;
    const metrics = Counts.metrics();
    const bytes = Counts.bytes() << 1;
    const spans = <usize>metrics * offsetof<Span>();
    distributionAddress = workspace(bytes + spans);
    if (distributionAddress === 0) return false;
    memory.fill(distributionAddress, 0, bytes);
    spansAddress = distributionAddress + bytes;
    for (let metric = 0; metric < metrics; metric++) {
      Distribution.span(metric).least = i32.MAX_VALUE;
      Distribution.span(metric).most = i32.MIN_VALUE;
    }
    return true;
  }

  @inline static span(metric: i32): Span {
    return changetype<Span>(spansAddress + <usize>metric * offsetof<Span>());
  }

  @inline static raise(counter: usize, mass: f64): void {
    const at = distributionAddress + ((counter - Counts.start()) << 1);
    store<f64>(at, load<f64>(at) + mass);
  }

  /** The mass of an outcome. */
  @inline static of(outcome: i32): f64 {
    return load<f64>(distributionAddress + ((Counts.outcome(outcome) - Counts.start()) << 1));
  }

  /** Returns the outcomes with mass, as bits. */
  static came(outcomes: i32): u64 {
    let came: u64 = 0;
    for (let outcome = 0; outcome < outcomes; outcome++) {
      if (Distribution.of(outcome) > 0.0) came |= (<u64>1) << outcome;
    }
    return came;
  }

  /**
   * Returns true while the open mass matters compared to the least likely outcome, or the round limit is closer than
   * the start.
   * @param outcomes possible ones, as bits
   */
  static goesOn(open: f64, outcomes: u64, round: i32, limit: i32): bool {
    if (open === 0.0 || round >= limit) return false;
    let least = 1.0;
    for (let rest = outcomes; rest !== 0; rest &= rest - 1) least = min(least, Distribution.of(<i32>ctz(rest)));
    return open > NEGLIGIBLE * least || limit - round <= round;
  }

  /**
   * Returns true if the open mass is within the limit of all distributions, so that it is accepted although the moves
   * do not suffice for more.
   */
  @inline static suffices(open: f64): bool {
    cut = i32(open <= NEGLIGIBLE);
    return open <= NEGLIGIBLE;
  }

  /** Adds mass only to an outcome. */
  @inline static outcome(outcome: i32, mass: f64): void {
    Distribution.raise(Counts.outcome(outcome), mass);
  }

  /** Adds mass only to a value of a metric. */
  @inline static value(metric: i32, outcome: i32, value: i32, mass: f64): void {
    if (mass === 0.0) return;
    const span = Distribution.span(metric);
    span.least = min(span.least, value);
    span.most = max(span.most, value);
    Distribution.raise(Counts.value(metric, outcome, value), mass);
  }

  /** Adds the mass of battles that ended in `outcome` with the metrics in `values`. */
  @inline static add(outcome: i32, mass: f64): void {
    if (mass === 0.0) return;
    Distribution.outcome(outcome, mass);
    for (let metric = 0, metrics = Counts.metrics(); metric < metrics; metric++) {
      Distribution.value(metric, outcome, load<i32>(values + ((<usize>metric) << 2)), mass);
    }
  }

  /** Sets the size of the chain. */
  @inline static size(chainStates: f64, chainSteps: f64, leastMoves: f64 = 0.0): void {
    states = chainStates;
    steps = chainSteps;
    least = leastMoves;
  }

  /** Sets the mass that is missing in the distribution; returns the answer. */
  @inline static close(open: f64, answer: i32): i32 {
    lost = open;
    return answer;
  }
}
