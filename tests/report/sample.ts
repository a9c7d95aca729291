/** Small results made by hand. */

import { type SimulationData, type SimulationResult, toRunJson } from '../../src/analysis/simulate.ts';
import { type ExactData, type ExactResult, toExactJson } from '../../src/analysis/solve.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { addBattle, type Counts, type CountsShape, createEmptyCounts, getBattleCount } from '../../src/stats/counts.ts';
import { withToJson } from '../../src/stats/json.ts';
import { summarizeBattles, summarizeDistribution } from '../../src/stats/summary.ts';

export const shape: CountsShape = {
  outcomes: ['attacker', '__proto__', 'never'],
  metrics: [
    { name: 'rounds', min: 0, max: 10 },
    { name: 'margin', min: -4, max: 4, unit: 0.5 },
  ],
};

/** [outcome, rounds, margin in units of 0.5, weight] */
export type Line = readonly [outcome: number, rounds: number, margin: number, weight: number];

export function countsOf(lines: readonly Line[], of: CountsShape = shape): Counts {
  const counts = createEmptyCounts(of);
  for (const [outcome, rounds, margin, weight] of lines) addBattle(counts, outcome, [rounds, margin], weight);
  return counts;
}

const side = { attack: 1, defense: 1, hp: 9 };
const scenario = validateScenario({
  system: 'attrition',
  name: 'a scenario',
  mode: 'direct',
  attacker: side,
  defender: side,
});

export function simulated(lines: readonly Line[], change: Partial<SimulationData> = {}): SimulationResult {
  const counts = countsOf(lines);
  const result: SimulationData = {
    scenario,
    scenarioHash: 'abc',
    engine: 'kernel',
    seed: '18446744073709551615',
    from: 0,
    to: getBattleCount(counts),
    complete: true,
    engineReason: 'for the test',
    engineUsed: 'kernel',
    workers: 2,
    shape,
    counts,
    summary: summarizeBattles(shape, counts),
    digest: 'd1',
    elapsedSeconds: 0.5,
    ...change,
  };
  return withToJson(result, () => toRunJson(result));
}

export function solved(lines: readonly Line[]): ExactResult {
  const exactDistribution = countsOf(lines);
  const summary = summarizeDistribution(shape, exactDistribution);
  const size = { truncated: 0, states: 3, steps: 4, elapsedSeconds: 0.25 };
  const exact: ExactData = { scenario, scenarioHash: 'abc', shape, distribution: exactDistribution, summary, ...size };
  return withToJson(exact, () => toExactJson(exact));
}
