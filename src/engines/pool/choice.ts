/** By what it is chosen who plays a run, and how that is told. */

import { grouped } from '../../core/chance/numerals.ts';
import { type Opened, playSeeded } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import type { Allowance, NotCompiled } from '../automaton/allowance.ts';
import { FULL_BUDGET } from '../exact/budget.ts';
import { roundCounter } from './counter.ts';
import type { Run } from './run.ts';

/**
 * What compiling in the place of a kernel may take: battles that must be played for each step of the model, and the most
 * steps. A step takes the compiler 2 to 5 us, as long as ten battles of a kernel; whether there will be too many shows
 * only when they were taken, so as many again must be worth it: about a second.
 */
const KERNEL_WORTH = { perStep: 20, most: 250_000 };

/** The most steps that are explored unasked in the place of rules as written, which bounds the memory. */
const STEPS_MOST = 2_000_000;

/** Steps that compiling a scenario may take, for so many battles; 0 where its kernel is faster than automata. */
export function stepsFor(battles: number, { system, scenario, model }: Opened): number {
  if (model.roundsMetric !== undefined && system.compiles?.(scenario) !== true) return 0;
  return Math.min(KERNEL_WORTH.most, Math.floor(battles / KERNEL_WORTH.perStep));
}

/** Milliseconds for which rules are played to see how long a battle takes, twice: the first ones take longer. */
const TRIED = 4;

const known = new WeakMap<Scenario, number>();

/** Seconds that a battle takes by the rules as written in one thread, from some battles of the run. */
export function paceOf(open: Opened, { seed, from, to }: Run): number {
  let pace = known.get(open.scenario);
  for (let time = 0; time < 2 && pace === undefined; time++) {
    const began = performance.now();
    let [battles, ms] = [0, 0];
    while (ms < TRIED && battles < to - from) {
      playSeeded(open, seed, from + battles++);
      ms = performance.now() - began;
    }
    if (time === 1 || ms > 10 * TRIED) pace = ms / 1000 / Math.max(1, battles);
  }
  known.set(open.scenario, pace ?? 0);
  return pace ?? 0;
}

/**
 * Exploring may take as long as the battles by so many threads. If it then was in vain, the run has taken twice as long as
 * the better choice would have; never more.
 */
export function allowanceFor(seconds: number, threads: number): Allowance {
  return { steps: STEPS_MOST, seconds: seconds / threads };
}

/** A time, for people. */
export const about = (seconds: number): string => `about ${grouped(Number(seconds.toPrecision(2)))} s`;

/** How many steps there are. */
export const sizeOf = ({ steps }: NotCompiled): string => `at least ${grouped(steps)} steps`;

type Rules = Pick<Opened, 'model'>;

/** Why rules are played as written. */
export function whyNot(found: NotCompiled, open: Rules, allowed?: Allowance): string {
  const { because, steps, seconds } = found;
  switch (because) {
    case 'seconds': {
      const played = about(allowed?.seconds ?? 0);
      const asked = 'the engine automaton explores them all the same';
      return `exploring ${sizeOf(found)} (${about(seconds)} or more) would take longer than these battles (${played}); ${asked}${hint(open, allowed?.seconds)}`;
    }
    case 'steps': {
      const budget = steps > FULL_BUDGET.steps ? ` with a budget of ${grouped(2 * steps)}` : '';
      const asked = `the engine automaton explores them${budget} (${about(seconds)} or more)`;
      return `${sizeOf(found)} are more than the ${grouped(allowed?.steps ?? 0)} that are explored unasked; ${asked}${hint(open)}`;
    }
    case 'keys':
      return 'the keys of its states take more memory than they may';
    case 'ways':
      return 'a draw has more ways than can be followed';
    case 'signal':
      return 'stopped before the rules were explored';
    case 'words':
      return 'the rounds have more words than an automaton can count, or do not tell how many';
    case 'draws':
      return 'more draws may follow each other in a round than an automaton can hold';
  }
}

/** Seconds that battles by the rules take before it is looked at why there are so many states. */
const WORTH_A_HINT = 0.2;

/** What authors can do about it, where it is worth the time to look. */
function hint(open: Rules, seconds = Number.POSITIVE_INFINITY): string {
  if (seconds < WORTH_A_HINT) return '';
  const field = roundCounter(open);
  if (field === undefined) return '';
  return `; its states count the rounds (${field}), so that none comes twice: rounds are counted anyhow`;
}
