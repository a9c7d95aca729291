/** Answers to a scenario: exact if affordable, and simulated. */

import { type ExactResult, type SimulationResult, simulate, solveWithBudget } from '../../src/analysis/index.ts';
import { BudgetError } from '../../src/core/index.ts';
import { preloadSolver } from '../../src/core/platform/browser/kernels.ts';
import { createSideBudget, type ExactBudget, FULL_BUDGET } from '../../src/engines/index.ts';
import {
  type AnswerHeadline,
  createHeadline,
  formatCommandLine,
  formatDuration,
  formatGrouped,
  formatRules,
  formatSignificant,
  formatStopping,
  formatThreadCount,
  getSides,
  type RequestedEffort,
  type SummarizedCounts,
} from '../../src/report/index.ts';
import { getBoundScenario, type Scenario } from '../../src/rules/index.ts';
import { summarizeBattles } from '../../src/stats/index.ts';
import { parseScenarioText } from './editing/check.ts';
import type { AnswerTables, TablesInput } from './output/tables.ts';
import { ProgressiveRunner } from './progressive-runner.ts';
import { createScenarioOptions } from './registry/registry.ts';
import { getSignal } from './task.ts';

/** Answer as shown on the page. */
export interface AnswerView extends AnswerHeadline {
  /** Undefined until the tables are loaded; the first answer does not wait for them. */
  readonly tables: AnswerTables | undefined;
}

export interface ExactAnswer extends AnswerView {
  readonly kind: 'exact';
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly command: string;
}

/** Reason why there is no exact answer. */
export interface UnaffordableAnswer {
  readonly kind: 'too-large';
  readonly message: string;
  /** True if a budget of several seconds may be enough. */
  readonly mayRetry: boolean;
}

/** Counts so far; the digest is computed at the end. */
export interface PartialAnswer extends AnswerView {
  readonly kind: 'part';
  readonly battles: number;
}

export interface SimulatedAnswer extends AnswerView {
  readonly kind: 'played';
  readonly battles: number;
  /** False if the run was stopped. */
  readonly complete: boolean;
  readonly digest: string;
  /** Result of the precision target. */
  readonly stopping: readonly string[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Command with the same digest. */
  readonly command: string;
}

export interface AnswerRequest {
  readonly text: string;
  /** File name, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly effort: RequestedEffort;
}

/** Budget of some tenths of a second. */
const QUICK_BUDGET: ExactBudget = createSideBudget(400_000);

/** Returns whether the full budget may be sufficient. */
const isEnough = ({ suggested, least = suggested }: BudgetError): boolean =>
  suggested !== undefined && (least ?? Number.POSITIVE_INFINITY) <= FULL_BUDGET.steps;

/** Last exact result, shown next to simulated ones. */
let lastSolution: { readonly text: string; readonly result: ExactResult } | undefined;

/** Last simulated result. */
let lastSimulation: (SimulatedScenario & { readonly text: string }) | undefined;

/** Returns the exact result of a text, or else its last simulated one. */
export function findKnownResult(
  text: string,
): (SummarizedCounts & { readonly scenario: Scenario; readonly battles?: number }) | undefined {
  if (lastSolution?.text === text)
    return { scenario: lastSolution.result.scenario, ...toSummarizedCounts(lastSolution.result) };
  return lastSimulation?.text === text ? lastSimulation : undefined;
}

/** Module that creates tables, once it is loaded. */
let tablesModule: typeof import('./output/tables.ts') | undefined;

async function loadTables(): Promise<typeof import('./output/tables.ts')> {
  tablesModule ??= await import('./output/tables.ts');
  return tablesModule;
}

const toSummarizedCounts = ({ summary, distribution }: ExactResult): SummarizedCounts => ({
  summary,
  counts: distribution,
});

function createExactAnswer(result: ExactResult, file: string): ExactAnswer {
  const { summary, shape, distribution, truncated, scenario, states, steps, elapsedSeconds, scenarioHash } = result;
  return {
    kind: 'exact',
    ...createHeadline({ scenario, exact: toSummarizedCounts(result) }),
    tables: tablesModule?.createAnswerTables(
      { shape, sides: getSides(scenario), summary, counts: distribution, lost: truncated },
      true,
    ),
    facts: [
      ['scenario', scenarioHash],
      ['system', formatRules(scenario)],
      [
        'solved',
        `${formatGrouped(states)} states, ${formatGrouped(steps)} transitions, ${formatDuration(elapsedSeconds)}`,
      ],
    ],
    command: formatCommandLine('exact', createScenarioOptions(file)),
  };
}

/** Simulated counts of a scenario. */
interface SimulatedScenario extends SummarizedCounts {
  readonly scenario: Scenario;
  readonly battles: number;
}

const createTablesInput = (
  { scenario, ...counted }: SimulatedScenario,
  distribution: ExactResult | undefined,
): TablesInput => ({
  ...counted,
  shape: getBoundScenario(scenario).shape,
  sides: getSides(scenario),
  exact: distribution?.summary,
});

/** Creates an answer from counts before the run is complete. */
function createPartialAnswer(counted: SimulatedScenario, distribution: ExactResult | undefined): PartialAnswer {
  const { scenario, battles } = counted;
  return {
    kind: 'part',
    battles,
    ...createHeadline({ scenario, exact: distribution && toSummarizedCounts(distribution), simulated: counted }),
    tables: tablesModule?.createAnswerTables(createTablesInput(counted, distribution), false),
  };
}

/** Formats the command with the same digest. */
function formatRunCommand({ file, seed, effort }: AnswerRequest, { complete, to, from }: SimulationResult): string {
  const precise = complete && effort.kind === 'precision';
  const amount = precise ? ['--precision', String(effort.precision)] : ['--battles', String(to - from)];
  return formatCommandLine('run', createScenarioOptions(file), ...amount, '--seed', seed);
}

async function createSimulatedAnswer(
  result: SimulationResult,
  ask: AnswerRequest,
  distribution: ExactResult | undefined,
): Promise<SimulatedAnswer> {
  const { scenario, scenarioHash, summary, counts, from, to, complete, stopping, digest, seed } = result;
  const { engineUsed, elapsedSeconds, workers } = result;
  const battles = to - from;
  const { createAnswerTables, formatContradictions } = await loadTables();
  const counted: SimulatedScenario = { scenario, summary, counts, battles };
  const tabled = createTablesInput(counted, distribution);
  const part = createPartialAnswer(counted, distribution);
  const speed = elapsedSeconds > 0 ? `, ${formatSignificant(battles / elapsedSeconds, 3)} battles/s` : '';
  return {
    ...part,
    lines: [...formatContradictions(scenario, tabled), ...part.lines],
    kind: 'played',
    complete,
    digest,
    tables: createAnswerTables(tabled, true),
    stopping: stopping === undefined ? [] : formatStopping(stopping),
    facts: [
      ['scenario', scenarioHash],
      ['system', formatRules(scenario)],
      ['battles', formatGrouped(battles)],
      ['seed', seed],
      ['engine', `${engineUsed}, ${formatThreadCount(Math.max(1, workers))}`],
      ['time', `${formatDuration(elapsedSeconds)}${speed}`],
      ['digest', digest],
    ],
    command: formatRunCommand(ask, result),
  };
}

export const answer = {
  /**
   * Computes the exact answer, if it is affordable.
   * @param patient true for a budget of seconds instead of tenths; the engine is blocked in the meantime
   * @throws InputError for the text
   */
  async solve(
    { text, file }: Pick<AnswerRequest, 'text' | 'file'>,
    patient: boolean,
  ): Promise<ExactAnswer | UnaffordableAnswer> {
    try {
      if (lastSolution?.text !== text) {
        lastSolution = undefined;
        const scenario = parseScenarioText(text);
        await preloadSolver(scenario);
        lastSolution = { text, result: solveWithBudget(scenario, patient ? FULL_BUDGET : QUICK_BUDGET) };
      }
      return createExactAnswer(lastSolution.result, file);
    } catch (error) {
      if (error instanceof BudgetError)
        return { kind: 'too-large', message: error.message, mayRetry: !patient && isEnough(error) };
      throw error;
    }
  },

  /**
   * Simulates, and adds the exact answer if it is known.
   * @param onPart receives partial answers, several times per second
   * @throws InputError for the text and the options
   * @throws RunError if it was stopped before the first battles were finished
   */
  async play(ask: AnswerRequest, task: number, onPart: (part: PartialAnswer) => void): Promise<SimulatedAnswer> {
    const { text, seed, effort } = ask;
    const scenario = parseScenarioText(text);
    const { shape } = getBoundScenario(scenario);
    const distribution = lastSolution?.text === text ? lastSolution.result : undefined;
    void loadTables();
    const pool = new ProgressiveRunner((counts, battles) => {
      onPart(
        createPartialAnswer({ scenario, summary: summarizeBattles(shape, counts), counts, battles }, distribution),
      );
    });
    const { kind: _, ...amount } = effort;
    const result = await simulate(scenario, { ...amount, seed, pool, signal: getSignal(task) });
    lastSimulation = {
      text,
      scenario,
      summary: result.summary,
      counts: result.counts,
      battles: result.to - result.from,
    };
    return await createSimulatedAnswer(result, ask, distribution);
  },
};
