/** `warpool run` */

import { wishOf } from '../answers/wish.ts';
import { parseCount } from '../core/chance/seed.ts';
import { MAX_BATTLES } from '../core/chance/stream.ts';
import { InputError, RunError } from '../core/errors.ts';
import { BATTLES } from '../core/limits.ts';
import { budgetOf, FULL_BUDGET } from '../engines/exact/budget.ts';
import type { Progress } from '../engines/pool/run.ts';
import { opened } from '../rules/opened.ts';
import { optionName } from '../rules/setting.ts';
import type { Scenario } from '../rules/system.ts';
import { disagreement } from '../studies/agreement.ts';
import { askedOf } from '../studies/asked.ts';
import { answerPatiently } from '../studies/patient.ts';
import { type SimulateOptions, type SimulationResult, simulate } from '../studies/simulate.ts';
import { type ExactResult, solve } from '../studies/solve.ts';
import { coverageTable } from '../tell/found.ts';
import { coverageJson, type Label, runJson } from '../tell/json.ts';
import { keptJson } from '../tell/kept.ts';
import { type HistogramChoice, runSheet } from '../tell/sheet.ts';
import { notReached } from '../tell/stopping.ts';
import { grouped } from '../tell/text/digits.ts';
import type { KeptResult } from '../work/tallies/into.ts';
import { type Covered, coverRules } from './coverage.ts';
import { advised, Ended, within } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { progressBar } from './progress.ts';
import type { RedisOptions } from './redis.ts';
import { knownBy } from './registry.ts';
import { checkKept, type PlayOptions, playedApart } from './run-kept.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

export interface RunOptions extends PlayOptions, Setting, RedisOptions {
  /** The server of a queue. */
  readonly on?: string;
  readonly audit?: number;
  readonly histograms: HistogramChoice;
}

/** The exact answer as it was asked for. */
function fullAnswer(scenario: Scenario, steps?: number): ExactResult {
  const budget = steps === undefined ? FULL_BUDGET : budgetOf(steps);
  return within(() => solve(scenario, budget), 'an estimate needs no budget: leave "--exact always" out');
}

/** What was played, and where it is kept. */
interface Played {
  readonly result: SimulationResult;
  readonly kept?: KeptResult;
}

/** Plays, and keeps what was played if there is a folder for it. */
async function simulated(scenario: Scenario, asked: SimulateOptions, options: RunOptions): Promise<Played> {
  if (options.out === undefined) return { result: await simulate(scenario, asked) };
  const mode = options.resume === true ? 'resume' : 'new';
  // Stores and Parquet are loaded only where a run is kept.
  const { simulateInto } = await import('../work/tallies/into.ts');
  const kept = await simulateInto(options.out, scenario, { ...asked, mode });
  return { result: kept.result, kept };
}

/** Has the workers of a queue play. */
async function simulatedOn(scenario: Scenario, asked: SimulateOptions, options: RunOptions): Promise<Played> {
  const [{ playOn }, { openLink }] = await Promise.all([import('../work/cluster/run.ts'), import('./redis.ts')]);
  await using link = await openLink(options.on ?? '', options, '--on');
  const onNote = (text: string): void => {
    say(`warpool: ${text}`);
  };
  const { workers, ...rest } = asked;
  const ask = { link, audit: options.audit, workers, signal: asked.signal, onNote };
  return (await playOn(scenario, ask, (pool) => simulated(scenario, { ...rest, pool }, options))).result;
}

async function play(scenario: Scenario, options: RunOptions, signals: Signals): Promise<Played> {
  const { engine, workers, budget } = options;
  const signal = signals.stop;
  const bar = progressBar(options.quiet === true);
  // The law to draw from is worked out before the first battle, and blocks.
  const listen = engine === 'sampled' ? signals.ignore() : undefined;
  const stopping = (): void => {
    bar.end();
    say('stopping: the battles under way are finished first; Ctrl-C again quits at once');
  };
  signal.addEventListener('abort', stopping);
  if (signal.aborted) stopping();
  const onProgress = (progress: Progress): void => {
    listen?.();
    bar.show?.(progress);
  };
  try {
    const asked = { ...askedOf(options), budget, workers, signal, onProgress };
    return await (options.on === undefined ? simulated : simulatedOn)(scenario, asked, options);
  } catch (error) {
    const code = signals.code();
    if (code === undefined || !(error instanceof RunError))
      throw advised(error, `battles can be played: leave "--engine ${engine}" out`);
    throw new Ended(code, `interrupted at 0${ofAsked(options)} battles`);
  } finally {
    listen?.();
    signal.removeEventListener('abort', stopping);
    bar.end();
  }
}

/** How many battles were asked for; undefined if a precision alone was. */
function askedFor({ battles, precision }: RunOptions): number | undefined {
  return battles ?? (precision === undefined ? BATTLES : undefined);
}

/** ` of 1 000`, where so many were asked for. */
function ofAsked(options: RunOptions): string {
  const asked = askedFor(options);
  return asked === undefined ? '' : ` of ${grouped(asked)}`;
}

/** The exact answer to stand beside the battles, if it is affordable. */
async function answerBeside(
  scenario: Scenario,
  battles: number,
  { exact, budget }: RunOptions,
  { stop }: Signals,
): Promise<ExactResult | 'stopped' | undefined> {
  try {
    return await answerPatiently(scenario, exact, battles, budget, stop);
  } catch (error) {
    if (stop.aborted && error instanceof RunError) return 'stopped';
    throw error;
  }
}

/** Refuses options that are right each by itself, but not together. */
function checkTogether(scenario: Scenario, options: RunOptions): void {
  const { battles = 1, from, coverage, engine } = options;
  parseCount(battles, '--battles', 1, MAX_BATTLES - from);
  wishOf(opened(scenario).shape, options, optionName);
  if (coverage !== undefined && engine === 'sampled') {
    throw new InputError('--coverage', 'an engine that plays battles', 'sampled, which draws their endings');
  }
}

/** Says on standard error what a script that reads only the exit code would miss, and ends with the code of a signal. */
function conclude(result: SimulationResult, options: RunOptions, signals: Signals): void {
  const { stopping, complete, from, to } = result;
  const next = options.out === undefined ? '' : '; --resume goes on';
  if (stopping?.reached === false) say(`warpool: ${notReached(stopping)}`);
  if (complete) return;
  throw new Ended(signals.code() ?? 1, `interrupted at ${grouped(to - from)}${ofAsked(options)} battles${next}`);
}

interface Outcome extends Played {
  readonly title: string;
  readonly label: Label;
  readonly exact: ExactResult | undefined;
  readonly asked: number;
  readonly rules: Covered | undefined;
}

function tellRun({ result, kept, title, label, exact, asked, rules }: Outcome, { json, histograms }: RunOptions): void {
  if (json === true) {
    const sheet = { ...runJson(result, label, exact, asked), ...(kept && { kept: keptJson(kept) }) };
    printJson(rules === undefined ? sheet : { ...sheet, coverage: coverageJson(rules.rules, rules.battles) });
    return;
  }
  const style = look(process.stdout);
  print(runSheet(result, title, exact, asked, { ...style, histograms }, kept));
  if (rules !== undefined) print(`\n${coverageTable(rules.rules, rules.battles, style).join('\n')}\n`);
}

/** Pages bring pictures along, so they are loaded where one is wanted. */
async function writeRun(file: string, options: RunOptions, outcome: Outcome): Promise<void> {
  const { page, set } = options;
  const known = knownBy(options);
  if (page === undefined) return;
  const { result, title, label, exact, asked, rules } = outcome;
  const { runPage } = await import('../tell/page/single/run.ts');
  const command = commandOf('run', [file], { battles: askedFor(options), ...options });
  const replay = (battle: number): string => commandOf('replay', [file], { set, seed: result.seed, battle, ...known });
  const covered = rules && { coverage: rules.rules, battles: rules.battles };
  const subject = { version: label.version, name: title, command, asked, replay, rules: covered };
  await writePage(page, await runPage(result, exact, subject));
}

/** Plays, and prints what was played even if it was interrupted. */
export async function run(file: string, options: RunOptions, signals: Signals): Promise<void> {
  checkKept(options);
  await checkPage(options.page);
  const { scenario, title, label } = await open(file, options);
  checkTogether(scenario, options);
  if (await playedApart({ scenario, title, label }, options, signals)) return;
  const solved = options.exact === 'always' ? signals.blocking(() => fullAnswer(scenario, options.budget)) : undefined;
  const { result, ...where } = await play(scenario, options, signals);
  const played = result.to - result.from;
  const asked = result.stopping === undefined ? (askedFor(options) ?? played) : played;
  const answer = solved ?? (result.complete ? await answerBeside(scenario, asked, options, signals) : undefined);
  const exact = answer === 'stopped' ? undefined : answer;
  const due = result.complete ? Math.min(options.coverage ?? 0, played) : 0;
  const rules = await coverRules(scenario, { seed: result.seed, from: result.from, battles: due }, signals.stop);
  const outcome = { result, ...where, title, label, exact, asked, rules };
  tellRun(outcome, options);
  await writeRun(file, options, outcome);
  conclude(result, options, signals);
  if (disagreement(scenario, result.summary, exact?.summary, played) !== undefined)
    throw new Ended(1, 'warpool: exact and played contradict each other');
  if (answer === 'stopped' || (rules?.battles ?? 0) < due)
    throw new Ended(signals.code() ?? 1, 'interrupted after all battles were played');
}
