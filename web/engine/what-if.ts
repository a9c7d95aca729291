/** What one more or one fewer of something does to who wins. */
import { sideBudget } from '../../src/engines/exact/budget.ts';
import { type WhatIf, whatIf } from '../../src/studies/sensitivity/what-if.ts';
import { questionsOf, type WhatIfTable, whatIfTables } from '../../src/tell/odds/what-if.ts';
import type { Done } from './compare.ts';
import { frontOf } from './front.ts';
import { absentIn } from './front-joins.ts';
import { solvable } from './solvable.ts';
import { signalOf } from './task.ts';

export interface WhatIfAsk {
  readonly text: string;
  readonly seed: string;
}

export interface WhatIfFound {
  readonly tables: readonly WhatIfTable[];
  /** False if it was stopped. */
  readonly complete: boolean;
  /** Whether all numbers are exact. */
  readonly exact: boolean;
}

/** Battles of a cell without an exact answer. */
const BATTLES = 20_000;

const isExact = ({ sides }: WhatIf): boolean =>
  sides.every(({ moved }) => moved.every(({ more, fewer }) => (more?.exact ?? true) && (fewer?.exact ?? true)));

export const whatIfs = {
  /**
   * Moves each number of the sides by one.
   * @param tell gets how many steps were taken
   * @throws InputError for the text
   */
  async whatIf({ text, seed }: WhatIfAsk, task: number, tell: (done: Done) => void): Promise<WhatIfFound> {
    const scenario = await solvable(text);
    const questions = questionsOf(scenario, absentIn(text, frontOf(text).sides));
    const asked = questions.map(({ side, of, counters }) => ({
      ...{ id: side.id, of },
      paths: counters.map(({ path }) => path),
    }));
    const options = { seed, battles: BATTLES, budget: sideBudget(200_000).steps };
    const found = await whatIf(scenario, asked, { ...options, signal: signalOf(task), onProgress: tell });
    const { complete } = found;
    return { tables: whatIfTables(scenario, questions, found), complete, exact: isExact(found) };
  },
};
