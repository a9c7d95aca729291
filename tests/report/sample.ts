/** Small results made by hand. */

import { asJson } from '../../src/answers/json.ts';
import { summarise, summariseLaw } from '../../src/answers/summary.ts';
import { battlesIn, countBattle, emptyTally, type Tally, type TallyShape } from '../../src/answers/tally.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { runJson, type Simulated, type SimulationResult } from '../../src/studies/simulate.ts';
import { type ExactResult, exactJson, type Solved } from '../../src/studies/solve.ts';

export const shape: TallyShape = {
  outcomes: ['attacker', '__proto__', 'never'],
  metrics: [
    { name: 'rounds', min: 0, max: 10 },
    { name: 'margin', min: -4, max: 4, unit: 0.5 },
  ],
};

/** [outcome, rounds, margin in halves, weight] */
export type Line = readonly [outcome: number, rounds: number, margin: number, weight: number];

export function tallyOf(lines: readonly Line[], of: TallyShape = shape): Tally {
  const tally = emptyTally(of);
  for (const [outcome, rounds, margin, weight] of lines) countBattle(tally, outcome, [rounds, margin], weight);
  return tally;
}

const side = { attack: 1, defense: 1, hp: 9 };
const scenario = validateScenario({
  system: 'attrition',
  name: 'a scenario',
  mode: 'direct',
  attacker: side,
  defender: side,
});

export function simulated(lines: readonly Line[], change: Partial<Simulated> = {}): SimulationResult {
  const tally = tallyOf(lines);
  const result: Simulated = {
    scenario,
    scenarioHash: 'abc',
    engine: 'kernel',
    seed: '18446744073709551615',
    from: 0,
    to: battlesIn(tally),
    complete: true,
    why: 'for the test',
    player: 'kernel',
    workers: 2,
    shape,
    tally,
    summary: summarise(shape, tally),
    digest: 'd1',
    elapsedSeconds: 0.5,
    ...change,
  };
  return asJson(result, () => runJson(result));
}

export function solved(lines: readonly Line[]): ExactResult {
  const law = tallyOf(lines);
  const summary = summariseLaw(shape, law);
  const size = { lost: 0, states: 3, steps: 4, elapsedSeconds: 0.25 };
  const exact: Solved = { scenario, scenarioHash: 'abc', shape, law, summary, ...size };
  return asJson(exact, () => exactJson(exact));
}
