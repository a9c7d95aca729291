/** `warpool run` */
import { parseCount } from '../chance/seed.ts';
import { MAX_BATTLES } from '../chance/stream.ts';
import { coverage as cover } from '../coverage.ts';
import { BudgetError, InputError, RunError } from '../errors.ts';
import { FULL_BUDGET, sideBudget } from '../exact/solve.ts';
import type { Engine } from '../pool/run.ts';
import { grouped } from '../report/digits.ts';
import { coverageTable } from '../report/found.ts';
import { coverageJson, runJson } from '../report/json.ts';
import { type HistogramChoice, runSheet } from '../report/sheet.ts';
import { type SimulationResult, simulate } from '../simulate.ts';
import { type ExactResult, solve } from '../solve.ts';
import type { Scenario } from '../systems/system.ts';
import { advised, Ended, within } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { progressBar } from './progress.ts';
import { open } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';
import { version } from './version.ts';

export interface RunOptions {
  readonly battles: number;
  readonly seed: bigint;
  readonly from: number;
  readonly workers?: number;
  readonly engine: Engine;
  readonly exact: 'auto' | 'always' | 'never';
  readonly histograms: HistogramChoice;
  /** Battles whose rules are counted. */
  readonly coverage?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The exact answer if it is cheap. */
function cheapAnswer(scenario: Scenario, battles: number): ExactResult | undefined {
  try {
    return solve(scenario, sideBudget(battles));
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** The exact answer as it was asked for. */
function fullAnswer(scenario: Scenario): ExactResult {
  return within(() => solve(scenario, FULL_BUDGET), 'an estimate needs no budget: leave "--exact always" out');
}

async function play(scenario: Scenario, options: RunOptions, signals: Signals): Promise<SimulationResult> {
  const { battles, seed, from, engine, workers } = options;
  const signal = signals.stop;
  const bar = progressBar(options.quiet === true);
  const stopping = (): void => {
    bar.end();
    say('stopping: the battles under way are finished first; Ctrl-C again quits at once');
  };
  signal.addEventListener('abort', stopping);
  if (signal.aborted) stopping();
  try {
    return await simulate(scenario, { battles, seed, from, engine, workers, signal, onProgress: bar.show });
  } catch (error) {
    const code = signals.code();
    if (code === undefined || !(error instanceof RunError))
      throw advised(error, 'battles can be played: leave "--engine sampled" out');
    throw new Ended(code, `interrupted at 0 of ${grouped(battles)} battles`);
  } finally {
    signal.removeEventListener('abort', stopping);
    bar.end();
  }
}

/** Refuses options that are right each by itself, but not together. */
function checkTogether({ battles, from, coverage, engine }: RunOptions): void {
  parseCount(battles, '--battles', 1, MAX_BATTLES - from);
  if (coverage !== undefined && engine === 'sampled') {
    throw new InputError('--coverage', 'an engine that plays battles', 'sampled, which draws their endings');
  }
}

/** Plays, and prints what was played even if it was interrupted. */
export async function run(file: string, options: RunOptions, signals: Signals): Promise<void> {
  const { scenario, name } = await open(file);
  checkTogether(options);
  const known = options.exact === 'always' ? signals.blocking(() => fullAnswer(scenario)) : undefined;
  const result = await play(scenario, options, signals);
  const { battles, json, histograms } = options;
  const exact = known ?? (options.exact === 'auto' && result.complete ? cheapAnswer(scenario, battles) : undefined);
  const covered = Math.min(options.coverage ?? 0, result.to - result.from);
  const rules = covered > 0 ? cover(scenario, { seed: result.seed, from: result.from, battles: covered }) : undefined;
  if (json === true) {
    const sheet = runJson(result, { version: version(), name }, exact, battles);
    printJson(rules === undefined ? sheet : { ...sheet, coverage: coverageJson(rules, covered) });
  } else {
    const style = look(process.stdout);
    print(runSheet(result, name, exact, battles, { ...style, histograms }));
    if (rules !== undefined) print(`\n${coverageTable(rules, covered, style).join('\n')}\n`);
  }
  if (result.complete) return;
  const finished = `${grouped(result.to - result.from)} of ${grouped(battles)} battles`;
  throw new Ended(signals.code() ?? 1, `interrupted at ${finished}`);
}
