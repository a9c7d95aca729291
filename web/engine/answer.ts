/** Answers: exact where affordable, and played. */

import { RULESET } from '../../src/answers/digest.ts';
import { type Summary, summarise } from '../../src/answers/summary.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import { type ExactBudget, FULL_BUDGET, sideBudget } from '../../src/engines/exact/budget.ts';
import { opened } from '../../src/rules/opened.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { disagreement } from '../../src/studies/look.ts';
import { type SimulationResult, simulate } from '../../src/studies/simulate.ts';
import { type ExactResult, solve } from '../../src/studies/solve.ts';
import { exactMetricTable, exactOutcomeTable, metricTable, outcomeTable } from '../../src/tell/estimates.ts';
import { givenTable } from '../../src/tell/given.ts';
import type { Effort } from '../../src/tell/link/question.ts';
import { type Found, type Lead, leadOf } from '../../src/tell/odds/lead.ts';
import { phraseOf, shareText } from '../../src/tell/page/single/words.ts';
import { stoppingLines } from '../../src/tell/stopping.ts';
import { commandLine } from '../../src/tell/text/command.ts';
import { duration, grouped, significant } from '../../src/tell/text/digits.ts';
import { scenarioOf } from './check.ts';
import { type Law, lawsOf } from './laws.ts';
import { given } from './registry.ts';
import { partsOf, type SheetPart } from './sheet.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

/** One outcome of a battle, for a bar. */
export interface AnsweredOutcome {
  readonly name: string;
  /** `the attacker wins` */
  readonly phrase: string;
  readonly p: number;
  /** `57.67 %` */
  readonly share: string;
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** The exact probability, beside one that was played. */
  readonly exact?: number | undefined;
}

/** What a page shows of an answer. */
export interface Answer extends Lead {
  readonly outcomes: readonly AnsweredOutcome[];
  readonly outcomeTable: readonly SheetPart[];
  readonly metricTable: readonly SheetPart[];
  /** Means by outcome. */
  readonly givenTable: readonly SheetPart[];
  readonly laws: readonly Law[];
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

function outcomesOf({ outcomes }: Summary, exact: Summary | undefined): AnsweredOutcome[] {
  const probabilities = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  return outcomes
    .map((outcome): AnsweredOutcome => {
      const { name, p, ci95 } = outcome;
      return {
        name,
        phrase: phraseOf(name),
        p,
        share: shareText(outcome),
        interval: ci95,
        exact: probabilities.get(name),
      };
    })
    .filter(({ p, exact: q = 0 }) => p > 0 || q > 0);
}

function lawAnswer(
  { summary, shape, law, lost, scenario, states, steps, elapsedSeconds, scenarioHash }: ExactResult,
  file: string,
): ExactAnswer {
  return {
    kind: 'exact',
    ...leadOf({ scenario, exact: { summary, tally: law } }),
    outcomes: outcomesOf(summary, undefined),
    outcomeTable: partsOf(exactOutcomeTable(summary, lost)),
    metricTable: partsOf(exactMetricTable(summary)),
    givenTable: partsOf(givenTable(shape, law, summary, true)),
    laws: lawsOf(summary, shape, undefined),
    facts: [
      ['scenario', scenarioHash],
      ['system', `${scenario.system} (${opened(scenario).system.title}), ruleset ${RULESET}`],
      ['solved', `${grouped(states)} states, ${grouped(steps)} transitions, ${duration(elapsedSeconds)}`],
    ],
    command: commandLine('exact', given(file)),
  };
}

/** What can be told of counters before the run is over. */
function partAnswer(scenario: Scenario, played: Found, battles: number, law: ExactResult | undefined): PartAnswer {
  const { summary } = played;
  const exact = law?.summary;
  const { shape } = opened(scenario);
  return {
    kind: 'part',
    battles,
    ...leadOf({ scenario, exact: law && { summary: law.summary, tally: law.law }, played: { ...played, battles } }),
    outcomes: outcomesOf(summary, exact),
    outcomeTable: partsOf(outcomeTable(summary, battles, exact)),
    metricTable: partsOf(metricTable(summary, battles, exact)),
    givenTable: [],
    laws: lawsOf(summary, shape, exact),
  };
}

/** What gives the same digest on the command line. */
function commandOf({ file, seed, effort }: Ask, { complete, to, from }: SimulationResult): string {
  const precise = complete && effort.kind === 'precision';
  const amount = precise ? ['--precision', String(effort.precision)] : ['--battles', String(to - from)];
  return commandLine('run', given(file), ...amount, '--seed', seed);
}

function playedAnswer(result: SimulationResult, ask: Ask, law: ExactResult | undefined): PlayedAnswer {
  const { scenario, scenarioHash, summary, shape, tally, from, to, complete, stopping, digest, seed } = result;
  const { player, elapsedSeconds, workers } = result;
  const battles = to - from;
  const part = partAnswer(scenario, { summary, tally }, battles, law);
  const doubted = disagreement(scenario, summary, law?.summary, battles);
  const speed = elapsedSeconds > 0 ? `, ${significant(battles / elapsedSeconds, 3)} battles/s` : '';
  return {
    ...part,
    lines: doubted === undefined ? part.lines : [doubted, ...part.lines],
    kind: 'played',
    complete,
    digest,
    givenTable: partsOf(givenTable(shape, tally, summary, false)),
    ending: stopping === undefined ? [] : stoppingLines(stopping),
    facts: [
      ['scenario', scenarioHash],
      ['system', `${scenario.system} (${opened(scenario).system.title}), ruleset ${RULESET}`],
      ['battles', grouped(battles)],
      ['seed', seed],
      ['played by', `${player}, ${workers > 1 ? `${String(workers)} threads` : 'one thread'}`],
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
   * @throws InputError, InputErrors for the text
   */
  async solve({ text, file }: Pick<Ask, 'text' | 'file'>, patient: boolean): Promise<ExactAnswer | TooLarge> {
    try {
      if (known?.text !== text) {
        known = undefined;
        const scenario = scenarioOf(text);
        await holdKernels(['chain', scenario.system]);
        known = { text, result: solve(scenario, patient ? FULL_BUDGET : AT_ONCE) };
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
   * @throws InputError, InputErrors for the text and the options
   * @throws RunError if it was stopped before the first battles were finished
   */
  async play(ask: Ask, task: number, tell: (part: PartAnswer) => void): Promise<PlayedAnswer> {
    const { text, seed, effort } = ask;
    const scenario = scenarioOf(text);
    const { shape } = opened(scenario);
    const law = known?.text === text ? known.result : undefined;
    const pool = new Watched((tally, battles) => {
      tell(partAnswer(scenario, { summary: summarise(shape, tally), tally }, battles, law));
    });
    const { kind: _, ...amount } = effort;
    const result = await simulate(scenario, { ...amount, seed, pool, signal: signalOf(task) });
    return playedAnswer(result, ask, law);
  },
};
