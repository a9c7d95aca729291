/**
 * Cross-checks custom rules in a few battles of the reference engine: each must have the same result when it is
 * repeated, and faster engines and exact solutions must agree with them.
 */

import { SampledChance, Stream } from '../../core/index.ts';
import {
  type BattleEnd,
  type BoundScenario,
  createContradictionError,
  describeRulesError,
  type StepWrapper,
  traceBattle,
} from '../../rules/index.ts';
import {
  addBattle,
  createEmptyCounts,
  describeContradiction,
  findContradiction,
  type Summary,
  summarizeBattles,
} from '../../stats/index.ts';
import { FinalStateKernel } from '../kernel/final-state-kernel.ts';
import { VisitedStates } from './key-aliasing.ts';
import type { AutomatonSetup } from './run.ts';

/** Always the same battles: the result depends only on the scenario. */
const SEED = 1n;

const BATTLES = 100;

/** Limits of the steps of these battles: relative to the checked work, minimum and maximum. */
const STEP_LIMITS = { part: 1 / 8, least: 200, most: 5000 };

/**
 * Probability of a false alarm for each outcome: the battles are always the same, so an alarm would persist, and a
 * sweep may have millions of scenarios.
 */
const FALSE_ALARM_PROBABILITY = 1e-15;

interface NumberedResult extends BattleEnd {
  readonly battle: number;
}

/** @param met collects the visited states */
function simulateByRules(
  open: BoundScenario,
  battle: number,
  room: number,
  met?: VisitedStates,
): { result: BattleEnd | undefined; steps: number } {
  const around: StepWrapper = (_, act) => {
    const state = act();
    met?.add(state);
    return state;
  };
  try {
    return traceBattle(open.model, new SampledChance(Stream.forBattle(SEED, battle)), room, around);
  } catch (error) {
    throw describeRulesError(error, open, ` in battle ${String(battle)} of seed ${String(SEED)}`);
  }
}

function describeResult({ shape }: BoundScenario, { outcome, metrics }: BattleEnd): string {
  const values = shape.metrics.map(({ name }, m) => `${name} ${String(metrics[m])}`);
  return `${shape.outcomes[outcome] ?? ''} with ${values.join(', ')}`;
}

/** @throws RulesError if the results differ */
function checkSameResult(open: BoundScenario, battle: number, one: BattleEnd, other: BattleEnd, how: string): void {
  const [first, second] = [describeResult(open, one), describeResult(open, other)];
  if (first === second) return;
  const which = `battle ${String(battle)} of seed ${String(SEED)}`;
  throw createContradictionError(open, `${which} ends as ${first} by the rules; ${how} it ends as ${second}`);
}

/**
 * Simulates battles from 0 on with the reference engine, then again from the last to the first.
 * @param work steps of the checked work
 * @param met collects the visited states
 * @throws RulesError if a battle has another result the second time
 */
function simulateTwice(open: BoundScenario, work: number, met?: VisitedStates): NumberedResult[] {
  let room = Math.min(STEP_LIMITS.most, Math.max(STEP_LIMITS.least, work * STEP_LIMITS.part));
  const battles: NumberedResult[] = [];
  for (let battle = 0; battle < BATTLES && room > 0; battle++) {
    const { result, steps } = simulateByRules(open, battle, room, met);
    room -= steps + 1;
    if (result !== undefined) battles.push({ battle, ...result });
  }
  for (const first of battles.toReversed()) {
    const { result } = simulateByRules(open, first.battle, STEP_LIMITS.most);
    if (result !== undefined) checkSameResult(open, first.battle, first, result, 'simulated again');
  }
  return battles;
}

/**
 * Checks custom rules that the reference engine is about to simulate.
 * @param battles their number
 * @throws RulesError if a battle has another result the second time
 */
export function crossCheckRules(open: BoundScenario, battles: number): void {
  if (open.isCustom) simulateTwice(open, battles);
}

/**
 * Checks an automaton of custom rules.
 * @throws RulesError if its battles differ from those of the reference engine
 */
export function crossCheckAutomaton(
  open: BoundScenario,
  { module, shape, finalStates, code, rounds }: AutomatonSetup,
): void {
  if (!open.isCustom) return;
  const battles = simulateTwice(open, STEP_LIMITS.most / STEP_LIMITS.part);
  const kernel = FinalStateKernel.createCompiled(module, shape, finalStates, code, rounds);
  try {
    for (const played of battles)
      checkSameResult(
        open,
        played.battle,
        played,
        kernel.play(SEED, played.battle),
        'with states of equal keys merged,',
      );
  } finally {
    kernel.close();
  }
}

/** Maximum error of a sum of probabilities. */
const ROUNDING = 1e-9;

/**
 * Checks that probabilities are valid, for all exact answers.
 * @param outcomes probabilities of the outcomes
 * @param lost mass of battles that were not followed to their end
 * @throws RulesError if they are invalid, or RunError if the system is shipped
 */
export function checkDistribution(open: BoundScenario, outcomes: ArrayLike<number>, lost = 0): void {
  const shares = Array.from(outcomes);
  const total = shares.reduce((sum, p) => sum + p, lost);
  if (shares.every((p) => p >= 0 && p <= 1 + ROUNDING) && Math.abs(total - 1) <= ROUNDING) return;
  const sum = Number((100 * total).toPrecision(6));
  throw createContradictionError(open, `the probabilities of all outcomes are ${String(sum)} % in total, not 100 %`);
}

/**
 * Checks the exact distribution of custom rules.
 * @param steps number of its steps
 * @throws RulesError if battles contradict it, or two visited states with the same key have different futures
 */
export function crossCheckDistribution(open: BoundScenario, exact: Summary, steps: number): void {
  if (!open.isCustom) return;
  const met = new VisitedStates(open.model);
  const battles = simulateTwice(open, steps, met);
  const differ = met.findDifference();
  if (differ !== undefined) throw createContradictionError(open, differ);
  if (battles.length === 0) return;
  const counts = createEmptyCounts(open.shape);
  for (const { outcome, metrics } of battles) addBattle(counts, outcome, metrics);
  const found = findContradiction(summarizeBattles(open.shape, counts), exact, battles.length, FALSE_ALARM_PROBABILITY);
  if (found !== undefined) throw createContradictionError(open, describeContradiction(found, battles.length));
}
