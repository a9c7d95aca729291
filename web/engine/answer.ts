/** Answers: exact where affordable, and played. */

import { summarise } from '../../src/answers/index.ts';
import { BudgetError } from '../../src/core/index.ts';
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import { type ExactBudget, FULL_BUDGET, sideBudget } from '../../src/engines/index.ts';
import { opened, type Scenario } from '../../src/rules/index.ts';
import { type ExactResult, type SimulationResult, simulate, solveWithin } from '../../src/studies/index.ts';
import {
  type Counted,
  commandLine,
  duration,
  type Effort,
  grouped,
  type Lead,
  leadOf,
  rulesText,
  sidesOf,
  significant,
  stoppingLines,
  threadsText,
} from '../../src/tell/index.ts';
import { scenarioOf } from './check.ts';
import { given } from './registry.ts';
import type { Tabled, Tables } from './tables.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

/** What a page shows of an answer. */
export interface Answer extends Lead {
  /** Undefined until they are loaded, which the first answer does not wait for. */
  readonly tables: Tables | undefined;
}

export interface ExactAnswer extends Answer {
  readonly kind: 'exact';
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly command: string;
}

/** Why there is no exact answer. */
export interface TooLarge {
  readonly kind: 'too-large';
  readonly message: string;
  /** Some seconds may be enough. */
  readonly patience: boolean;
}

/** Counted so far; the digest comes at the end. */
export interface PartAnswer extends Answer {
  readonly kind: 'part';
  readonly battles: number;
}

export interface PlayedAnswer extends Answer {
  readonly kind: 'played';
  readonly battles: number;
  /** False if the run was stopped. */
  readonly complete: boolean;
  readonly digest: string;
  /** How a run with a precision ended. */
  readonly ending: readonly string[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Gives the same digest. */
  readonly command: string;
}

export interface Ask {
  readonly text: string;
  /** What its file is called, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly effort: Effort;
}

/** Some tenths of a second. */
const AT_ONCE: ExactBudget = sideBudget(400_000);

/** Whether a budget of some seconds may be enough where one of so many steps is suggested. */
function isEnough(suggested = Number.POSITIVE_INFINITY): boolean {
  return suggested <= FULL_BUDGET.steps;
}

/** The law that was worked out last: it stands beside what is played. */
let known: { readonly text: string; readonly result: ExactResult } | undefined;

/** What was played last. */
let counted: (Played & { readonly text: string }) | undefined;

/** What is known of a text: its law, or else what was played of it last. */
export function knownOf(
  text: string,
): (Counted & { readonly scenario: Scenario; readonly battles?: number }) | undefined {
  if (known?.text === text) return { scenario: known.result.scenario, ...foundIn(known.result) };
  return counted?.text === text ? counted : undefined;
}

/** What makes tables, once it is loaded. */
let making: typeof import('./tables.ts') | undefined;

async function tablesLoaded(): Promise<typeof import('./tables.ts')> {
  making ??= await import('./tables.ts');
  return making;
}

const foundIn = ({ summary, law }: ExactResult): Counted => ({ summary, tally: law });

function lawAnswer(result: ExactResult, file: string): ExactAnswer {
  const { summary, shape, law, lost, scenario, states, steps, elapsedSeconds, scenarioHash } = result;
  return {
    kind: 'exact',
    ...leadOf({ scenario, exact: foundIn(result) }),
    tables: making?.tablesOf({ shape, sides: sidesOf(scenario), summary, tally: law, lost }, true),
    facts: [
      ['scenario', scenarioHash],
      ['system', rulesText(scenario)],
      ['solved', `${grouped(states)} states, ${grouped(steps)} transitions, ${duration(elapsedSeconds)}`],
    ],
    command: commandLine('exact', given(file)),
  };
}

/** What was played of a scenario. */
interface Played extends Counted {
  readonly scenario: Scenario;
  readonly battles: number;
}

const tabledOf = ({ scenario, ...counted }: Played, law: ExactResult | undefined): Tabled => ({
  ...counted,
  shape: opened(scenario).shape,
  sides: sidesOf(scenario),
  exact: law?.summary,
});

/** What can be told of counters before the run is over. */
function partAnswer(counted: Played, law: ExactResult | undefined): PartAnswer {
  const { scenario, battles } = counted;
  return {
    kind: 'part',
    battles,
    ...leadOf({ scenario, exact: law && foundIn(law), played: counted }),
    tables: making?.tablesOf(tabledOf(counted, law), false),
  };
}

/** What gives the same digest on the command line. */
function commandOf({ file, seed, effort }: Ask, { complete, to, from }: SimulationResult): string {
  const precise = complete && effort.kind === 'precision';
  const amount = precise ? ['--precision', String(effort.precision)] : ['--battles', String(to - from)];
  return commandLine('run', given(file), ...amount, '--seed', seed);
}

async function playedAnswer(result: SimulationResult, ask: Ask, law: ExactResult | undefined): Promise<PlayedAnswer> {
  const { scenario, scenarioHash, summary, tally, from, to, complete, stopping, digest, seed } = result;
  const { player, elapsedSeconds, workers } = result;
  const battles = to - from;
  const { tablesOf, doubtOf } = await tablesLoaded();
  const counted: Played = { scenario, summary, tally, battles };
  const tabled = tabledOf(counted, law);
  const part = partAnswer(counted, law);
  const speed = elapsedSeconds > 0 ? `, ${significant(battles / elapsedSeconds, 3)} battles/s` : '';
  return {
    ...part,
    lines: [...doubtOf(scenario, tabled), ...part.lines],
    kind: 'played',
    complete,
    digest,
    tables: tablesOf(tabled, true),
    ending: stopping === undefined ? [] : stoppingLines(stopping),
    facts: [
      ['scenario', scenarioHash],
      ['system', rulesText(scenario)],
      ['battles', grouped(battles)],
      ['seed', seed],
      ['played by', `${player}, ${threadsText(Math.max(1, workers))}`],
      ['time', `${duration(elapsedSeconds)}${speed}`],
      ['digest', digest],
    ],
    command: commandOf(ask, result),
  };
}

export const answer = {
  /**
   * The exact answer, if it is affordable.
   * @param patient seconds may be taken instead of tenths; nothing else is done in the meantime
   * @throws InputError for the text
   */
  async solve({ text, file }: Pick<Ask, 'text' | 'file'>, patient: boolean): Promise<ExactAnswer | TooLarge> {
    try {
      if (known?.text !== text) {
        known = undefined;
        const scenario = scenarioOf(text);
        await holdKernels(['chain', scenario.system]);
        known = { text, result: solveWithin(scenario, patient ? FULL_BUDGET : AT_ONCE) };
      }
      return lawAnswer(known.result, file);
    } catch (error) {
      if (error instanceof BudgetError)
        return { kind: 'too-large', message: error.message, patience: !patient && isEnough(error.suggested) };
      throw error;
    }
  },

  /**
   * Plays, with the exact answer beside it if it is known.
   * @param tell gets what was counted so far, some times a second
   * @throws InputError for the text and the options
   * @throws RunError if it was stopped before the first battles were finished
   */
  async play(ask: Ask, task: number, tell: (part: PartAnswer) => void): Promise<PlayedAnswer> {
    const { text, seed, effort } = ask;
    const scenario = scenarioOf(text);
    const { shape } = opened(scenario);
    const law = known?.text === text ? known.result : undefined;
    void tablesLoaded();
    const pool = new Watched((tally, battles) => {
      tell(partAnswer({ scenario, summary: summarise(shape, tally), tally, battles }, law));
    });
    const { kind: _, ...amount } = effort;
    const result = await simulate(scenario, { ...amount, seed, pool, signal: signalOf(task) });
    counted = { text, scenario, summary: result.summary, tally: result.tally, battles: result.to - result.from };
    return await playedAnswer(result, ask, law);
  },
};
