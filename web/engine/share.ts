/** What is told of an answer elsewhere: in a picture for a chat, in a frame of another page. */
import { BudgetError } from '../../src/core/errors.ts';
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import { sideBudget } from '../../src/engines/exact/budget.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { simulate } from '../../src/studies/simulate.ts';
import { solve } from '../../src/studies/solve.ts';
import type { Counted } from '../../src/tell/odds/lead.ts';
import { type Told, toldOf } from '../../src/tell/share/told.ts';
import type { Ask } from './answer.ts';
import { scenarioOf } from './check.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

/** Some tenths of a second. */
const BUDGET = sideBudget(400_000);

/** Battles that are played at most: half of an interval is then 0.1 % at most. */
const MOST = 1_000_000;

function exactly(scenario: Scenario): Counted | undefined {
  try {
    const { summary, law } = solve(scenario, BUDGET);
    return { summary, tally: law };
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/**
 * The exact answer, else what was played.
 * @throws InputError, InputErrors for the text
 */
export async function told({ text, seed, effort }: Ask, task: number): Promise<Told> {
  const scenario = scenarioOf(text);
  await holdKernels(['chain', scenario.system]);
  const exact = exactly(scenario);
  if (exact !== undefined) return toldOf({ scenario, exact });
  const battles = effort.kind === 'battles' ? Math.min(MOST, effort.battles) : MOST;
  const pool = new Watched(() => undefined);
  const { summary, tally, from, to } = await simulate(scenario, { battles, seed, pool, signal: signalOf(task) });
  return toldOf({ scenario, played: { summary, tally, battles: to - from } });
}
