/** `warpool run` */
import { parseCount } from '../chance/seed.ts';
import { MAX_BATTLES } from '../chance/stream.ts';
import { coverage as cover } from '../coverage.ts';
import { InputError, RunError } from '../errors.ts';
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import type { Engine } from '../pool/run.ts';
import { grouped } from '../report/digits.ts';
import { coverageTable } from '../report/found.ts';
import { coverageJson, runJson } from '../report/json.ts';
import type { RunSubject } from '../report/page/single/run.ts';
import { type HistogramChoice, runSheet } from '../report/sheet.ts';
import { notReached } from '../report/stopping.ts';
import { type SimulationResult, simulate } from '../simulate.ts';
import { answerTo, type ExactResult, solve } from '../solve.ts';
import { shapeOf } from '../stats/tally.ts';
import { type PrecisionOptions, wishOf } from '../stats/wish.ts';
import { requireSystem } from '../systems/index.ts';
import type { Scenario } from '../systems/system.ts';
import { version } from '../version.ts';
import { advised, Ended, within } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { progressBar } from './progress.ts';
import { open } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

export interface RunOptions extends PrecisionOptions {
  readonly battles?: number;
  readonly bounded?: boolean;
  readonly seed: bigint;
  readonly from: number;
  readonly workers?: number;
  readonly engine: Engine;
  readonly exact: 'auto' | 'always' | 'never';
  /** Steps that the exact answer, or the law to draw from, may take. */
  readonly budget?: number;
  readonly histograms: HistogramChoice;
  /** Battles whose rules are counted. */
  readonly coverage?: number;
  readonly json?: boolean;
  /** The file of a page. */
  readonly page?: string;
  readonly quiet?: boolean;
}

/** The exact answer as it was asked for. */
function fullAnswer(scenario: Scenario, steps?: number): ExactResult {
  const budget = steps === undefined ? FULL_BUDGET : budgetOf(steps);
  return within(() => solve(scenario, budget), 'an estimate needs no budget: leave "--exact always" out');
}

async function play(scenario: Scenario, options: RunOptions, signals: Signals): Promise<SimulationResult> {
  const { battles, precision, precisionOf, precisionFloor, bounded, seed, from, engine, workers, budget } = options;
  const signal = signals.stop;
  const bar = progressBar(options.quiet === true);
  const stopping = (): void => {
    bar.end();
    say('stopping: the battles under way are finished first; Ctrl-C again quits at once');
  };
  signal.addEventListener('abort', stopping);
  if (signal.aborted) stopping();
  try {
    const asked = { battles, precision, precisionOf, precisionFloor, bounded, seed, from, budget };
    return await simulate(scenario, { ...asked, engine, workers, signal, onProgress: bar.show });
  } catch (error) {
    const code = signals.code();
    if (code === undefined || !(error instanceof RunError))
      throw advised(error, 'battles can be played: leave "--engine sampled" out');
    throw new Ended(code, `interrupted at 0${ofAsked(options)} battles`);
  } finally {
    signal.removeEventListener('abort', stopping);
    bar.end();
  }
}

/** Battles of a run unless said otherwise. */
const BATTLES = 1_000_000;

/** How many battles were asked for; undefined if a precision alone was. */
function askedFor({ battles, precision }: RunOptions): number | undefined {
  return battles ?? (precision === undefined ? BATTLES : undefined);
}

/** ` of 1 000`, where so many were asked for. */
function ofAsked(options: RunOptions): string {
  const asked = askedFor(options);
  return asked === undefined ? '' : ` of ${grouped(asked)}`;
}

/** What messages call the options. */
const PLACES = { precision: '--precision', of: '--precision-of', floor: '--precision-floor' };

/** Refuses options that are right each by itself, but not together. */
function checkTogether(scenario: Scenario, options: RunOptions): void {
  const { battles = 1, from, coverage, engine } = options;
  parseCount(battles, '--battles', 1, MAX_BATTLES - from);
  wishOf(shapeOf(requireSystem(scenario.system).model(scenario)), options, PLACES);
  if (coverage !== undefined && engine === 'sampled') {
    throw new InputError('--coverage', 'an engine that plays battles', 'sampled, which draws their endings');
  }
}

/** Says on standard error what a script that reads only the exit code would miss, and ends with the code of a signal. */
function conclude(result: SimulationResult, options: RunOptions, signals: Signals): void {
  const { stopping, complete, from, to } = result;
  if (stopping?.reached === false) say(`warpool: ${notReached(stopping)}`);
  if (complete) return;
  throw new Ended(signals.code() ?? 1, `interrupted at ${grouped(to - from)}${ofAsked(options)} battles`);
}

/** What a run gave, for its page. */
interface Played {
  readonly result: SimulationResult;
  readonly exact: ExactResult | undefined;
  readonly asked: number;
  readonly rules: RunSubject['rules'];
}

/** Pages bring pictures along, so they are loaded where one is wanted. */
async function writeRun(file: string, name: string, options: RunOptions, played: Played): Promise<void> {
  const { page } = options;
  if (page === undefined) return;
  const { result, exact, asked, rules } = played;
  const { runPage } = await import('../report/page/single/run.ts');
  const command = commandOf('run', [file], { battles: askedFor(options), ...options });
  const replay = (battle: number): string => commandOf('replay', [file], { seed: result.seed, battle });
  await writePage(page, await runPage(result, exact, { version: version(), name, command, asked, replay, rules }));
}

/** How often rules applied in the first battles of a run that is complete, where that was asked for. */
function rulesOf({ scenario, seed, from, to, complete }: SimulationResult, options: RunOptions, signals: Signals) {
  const battles = complete ? Math.min(options.coverage ?? 0, to - from) : 0;
  if (battles === 0) return undefined;
  return { coverage: signals.blocking(() => cover(scenario, { seed, from, battles })), battles };
}

/** Plays, and prints what was played even if it was interrupted. */
export async function run(file: string, options: RunOptions, signals: Signals): Promise<void> {
  await checkPage(options.page);
  const { scenario, name } = await open(file);
  checkTogether(scenario, options);
  const known = options.exact === 'always' ? signals.blocking(() => fullAnswer(scenario, options.budget)) : undefined;
  const result = await play(scenario, options, signals);
  const { json, histograms } = options;
  const played = result.to - result.from;
  const asked = result.stopping === undefined ? (askedFor(options) ?? played) : played;
  const { budget } = options;
  const exact =
    known ?? (options.exact === 'auto' && result.complete ? answerTo(scenario, 'auto', asked, budget) : undefined);
  const rules = rulesOf(result, options, signals);
  if (json === true) {
    const sheet = runJson(result, { version: version(), name }, exact, asked);
    printJson(rules === undefined ? sheet : { ...sheet, coverage: coverageJson(rules.coverage, rules.battles) });
  } else {
    const style = look(process.stdout);
    print(runSheet(result, name, exact, asked, { ...style, histograms }));
    if (rules !== undefined) print(`\n${coverageTable(rules.coverage, rules.battles, style).join('\n')}\n`);
  }
  await writeRun(file, name, options, { result, exact, asked, rules });
  conclude(result, options, signals);
}
