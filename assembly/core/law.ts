/**
 * The exact law of a scenario: probabilities in the place of counts, laid out as the counters of the tally are, twice
 * as wide. A kernel that can tell it exports `solve(moves: f64, steps: f64): i32`, called once after `configure`: it may
 * make so many moves (multiplications of mass), and work out so many steps. It returns one of `Answers`; memory
 * grows in it. A kernel that has nothing to work out beside its moves takes `moves` alone.
 */
import { NEGLIGIBLE, Span } from '../generated/kernel';
import { workspace } from './kernel';
import { Tally, values } from './tally';

/** Mass of a single state below this is let go: products with it would not be precise, and they slow processors down. */
export const SPECK: f64 = 1e-305;

/** Where the law lies: 64-bit floating-point numbers. */
export let lawAddress: usize = 0;

/** A `Span` for each metric; at first none. */
export let spansAddress: usize = 0;

/** Mass of battles that go on beyond what was followed, also where the moves did not suffice. */
export let lost: f64 = 0.0;

/** 1 if the moves did not suffice for all that would change a digit, so that the law depends on them. */
export let cut: i32 = 0;

/** Size of the chain or chains that were followed: their states, and the transitions that were worked out for them. */
export let states: f64 = 0.0;
export let steps: f64 = 0.0;

/** How many moves it takes at least, where that is known before they are made; else 0. */
export let least: f64 = 0.0;

export class Law {
  /** Takes memory for a law that is zero everywhere; false if there is none. */
  static room(): bool {
    cut = 0;
    const metrics = Tally.metrics();
    const bytes = Tally.bytes() << 1;
    const spans = <usize>metrics * offsetof<Span>();
    lawAddress = workspace(bytes + spans);
    if (lawAddress === 0) return false;
    memory.fill(lawAddress, 0, bytes);
    spansAddress = lawAddress + bytes;
    for (let metric = 0; metric < metrics; metric++) {
      Law.span(metric).least = i32.MAX_VALUE;
      Law.span(metric).most = i32.MIN_VALUE;
    }
    return true;
  }

  @inline static span(metric: i32): Span {
    return changetype<Span>(spansAddress + <usize>metric * offsetof<Span>());
  }

  @inline static raise(counter: usize, mass: f64): void {
    const at = lawAddress + ((counter - Tally.start()) << 1);
    store<f64>(at, load<f64>(at) + mass);
  }

  /** The mass of an outcome. */
  @inline static of(outcome: i32): f64 {
    return load<f64>(lawAddress + ((Tally.outcome(outcome) - Tally.start()) << 1));
  }

  /** Which of so many outcomes have mass, as bits. */
  static came(outcomes: i32): u64 {
    let came: u64 = 0;
    for (let outcome = 0; outcome < outcomes; outcome++) {
      if (Law.of(outcome) > 0.0) came |= (<u64>1) << outcome;
    }
    return came;
  }

  /**
   * True as long as mass that is open matters beside the least likely outcome, or the limit of rounds is nearer than the
   * beginning.
   * @param outcomes those that can come, as bits
   */
  static goesOn(open: f64, outcomes: u64, round: i32, limit: i32): bool {
    if (open === 0.0 || round >= limit) return false;
    let least = 1.0;
    for (let rest = outcomes; rest !== 0; rest &= rest - 1) least = min(least, Law.of(<i32>ctz(rest)));
    return open > NEGLIGIBLE * least || limit - round <= round;
  }

  /** Whether what is open is as little as is told of every law, so that it is told though moves do not suffice for more. */
  @inline static suffices(open: f64): bool {
    cut = i32(open <= NEGLIGIBLE);
    return open <= NEGLIGIBLE;
  }

  /** Adds mass to an outcome alone. */
  @inline static outcome(outcome: i32, mass: f64): void {
    Law.raise(Tally.outcome(outcome), mass);
  }

  /** Adds mass to a metric's value alone. */
  @inline static value(metric: i32, outcome: i32, value: i32, mass: f64): void {
    if (mass === 0.0) return;
    const span = Law.span(metric);
    span.least = min(span.least, value);
    span.most = max(span.most, value);
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
