/** `warpool run` */

import { setImmediate } from 'node:timers/promises';
import {
  ALONGSIDE_BUDGET,
  BATTLES,
  COVERAGE,
  describeDisagreement,
  EXACTNESS,
  type ExactResult,
  findExactAnswerOffThread,
  measureRuleCoverageSync,
  pickExecutionOptions,
  pickRunSpec,
  RUN,
  type RuleCoverage,
  type SimulateOptions,
  type SimulationResult,
  simulate,
  solveSync,
  THREADS,
} from '../analysis/index.ts';
import {
  createConflictError,
  createRequirementError,
  MAX_BATTLES,
  parseCount,
  RunError,
  type SeedLike,
} from '../core/index.ts';
import type { Progress } from '../engines/index.ts';
import {
  createCoverageJson,
  createCoverageTable,
  createResumableRunJson,
  createRunJson,
  createRunSheet,
  formatGrouped,
  formatPrecisionNotReached,
  formatSheet,
  type ScenarioLabel,
} from '../report/index.ts';
import { getBoundScenario, type Scenario } from '../rules/index.ts';
import {
  choice,
  flag,
  formatOptionName,
  type OptionSpecs,
  type ParsedOptions,
  pickOptions,
  text,
} from '../rules/option-spec.ts';
import { createPrecisionSpec } from '../stats/index.ts';
import type { StoredSimulationResult } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { addBudgetAdvice, CommandExit, runWithBudgetAdvice } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { openScenarioFile } from './open-scenario.ts';
import { histograms, html, json, type LongRunningOptions, queueOptions, set } from './options.ts';
import { type BarWatch, createProgressBar, LEFT, runWithProgress, watched } from './progress.ts';
import { type RegistryOptions, selectRegistryOptions } from './registry.ts';
import { parseShard } from './shard.ts';
import { print, printJson, printNote, printStatus, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, formatCommand, writeHtml } from './write-html.ts';

const { engine, ...WHICH } = RUN;

/** Options of the command; options of runs come from their declarations. */
const OPTIONS = {
  set,
  ...WHICH,
  ...THREADS,
  ...queueOptions,
  engine,
  exact: choice('exact answer next to the estimates; auto: if it is cheap to compute', EXACTNESS),
  budget: ALONGSIDE_BUDGET,
  histograms,
  coverage: COVERAGE.battles,
  html,
  out: {
    ...text('folder', 'store the run in this folder, one file of counts per range of battles'),
    short: 'o',
  },
  resume: flag('with --out: resume a run that was killed, interrupted, prepared or sharded'),
  prepare: flag('with --out: only prepare the folder for shards'),
  shard: text('i/n', 'with --out: simulate shard i of n; auto or auto/n reads it from Slurm, Kubernetes or AWS Batch'),
  rare: text('outcome', 'estimate the probability of a rare outcome by multilevel splitting'),
  plan: flag('with --precision: estimate the number of battles and the time from a pilot run, then stop'),
  json,
} as const satisfies OptionSpecs;

export type RunCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** The result, with the store if there is one. */
type SimulatedRun = SimulationResult & Partial<Pick<StoredSimulationResult, 'store'>>;

/** Simulates the battles, into a folder if one is given. */
async function simulateHere(
  scenario: Scenario,
  requested: SimulateOptions,
  options: RunCommandOptions,
): Promise<SimulatedRun> {
  const { out, resume } = options;
  if (out === undefined) return await simulate(scenario, requested);
  // Stores and Parquet are loaded only for a run with a folder.
  const { simulate: simulateInto } = await import('../storage/store/simulate.ts');
  return await simulateInto(scenario, { ...requested, out, resume });
}

/** Simulates by the workers of a queue. */
async function simulateOnQueue(
  scenario: Scenario,
  requested: SimulateOptions,
  options: RunCommandOptions,
): Promise<SimulatedRun> {
  const [{ runOnQueue }, { connectToRedis }] = await Promise.all([
    import('../storage/cluster/coordinator.ts'),
    import('./connect-to-redis.ts'),
  ]);
  await using link = await connectToRedis(options.queue ?? '', options, '--queue');
  const { workers, ...rest } = requested;
  const ask = { link, audit: options.audit, workers, signal: requested.signal, onNote: printNote };
  return (await runOnQueue(scenario, ask, (pool) => simulateHere(scenario, { ...rest, pool }, options))).result;
}

async function simulateScenario(
  scenario: Scenario,
  options: RunCommandOptions,
  signals: Signals,
): Promise<SimulatedRun> {
  const { engine } = options;
  // The exact distribution of engine `sampled` is computed before the first battle, which blocks.
  const listen = engine === 'sampled' ? signals.ignore() : undefined;
  const runSimulation = ({ signal, onProgress: show }: BarWatch): Promise<SimulatedRun> => {
    const onProgress = (progress: Progress): void => {
      listen?.();
      show?.(progress);
    };
    const requested = { ...pickRunSpec(options), ...pickExecutionOptions(options), signal, onProgress };
    return (options.queue === undefined ? simulateHere : simulateOnQueue)(scenario, requested, options);
  };
  try {
    return await watched(
      createProgressBar(options),
      signals,
      runSimulation,
      'the battles under way are finished first',
    );
  } catch (error) {
    const code = signals.getExitCode();
    if (code === undefined || !(error instanceof RunError))
      throw addBudgetAdvice(error, `battles can be simulated: omit "--engine ${engine}"`);
    throw new CommandExit(code, `interrupted at 0${formatRequested(options)} battles`);
  } finally {
    listen?.();
  }
}

/** Returns the requested number of battles; undefined if only a precision was requested. */
function getRequestedBattles({ battles, precision }: RunCommandOptions): number | undefined {
  return battles ?? (precision === undefined ? BATTLES : undefined);
}

/** Formats ` of 1 000` if more battles were requested than simulated. */
function formatRequested(options: RunCommandOptions): string {
  const requested = getRequestedBattles(options);
  return requested === undefined ? '' : ` of ${formatGrouped(requested)}`;
}

/** Computes the exact answer next to the battles, if it is affordable. */
async function solveAlongside(
  scenario: Scenario,
  battles: number,
  { exact, budget }: RunCommandOptions,
  { stop }: Signals,
): Promise<ExactResult | 'stopped' | undefined> {
  try {
    return await findExactAnswerOffThread(scenario, exact, battles, budget, stop);
  } catch (error) {
    if (stop.aborted && error instanceof RunError) return 'stopped';
    throw error;
  }
}

/** Rejects valid options that cannot be combined. */
function checkCombinations(scenario: Scenario, options: RunCommandOptions): void {
  const { battles = 1, from, coverage, engine } = options;
  parseCount(battles, '--battles', 1, MAX_BATTLES - from);
  createPrecisionSpec(getBoundScenario(scenario).shape, options, formatOptionName);
  if (coverage !== undefined && engine === 'sampled')
    throw createConflictError('--coverage', '--engine sampled, which draws results without simulating battles');
}

/** Prints warnings to standard error, and exits with the code of a signal. */
function reportEnd(result: SimulationResult, options: RunCommandOptions, signals: Signals): void {
  const { stopping, complete, from, to } = result;
  const next = options.out === undefined ? '' : '; --resume continues';
  if (stopping?.reached === false) printStatus(`warpool: ${formatPrecisionNotReached(stopping)}`);
  if (complete) return;
  throw new CommandExit(
    signals.getExitCode() ?? 1,
    `interrupted at ${formatGrouped(to - from)}${formatRequested(options)} battles${next}`,
  );
}

interface RunReport {
  readonly result: SimulatedRun;
  readonly title: string;
  readonly label: ScenarioLabel;
  readonly exact: ExactResult | undefined;
  readonly requested: number;
  readonly rules: RuleCounts | undefined;
}

function printRun(
  { result, title, label, exact, requested, rules }: RunReport,
  { json, histograms }: RunCommandOptions,
): void {
  if (json === true) {
    const sheet = {
      ...createRunJson(result, label, exact, requested),
      ...(result.store && { store: createResumableRunJson(result.store) }),
    };
    printJson(rules === undefined ? sheet : { ...sheet, coverage: createCoverageJson(rules.rules, rules.battles) });
    return;
  }
  const sheet = createRunSheet(result, title, exact, requested, histograms, result.store);
  const covered = rules === undefined ? [] : [createCoverageTable(rules.rules, rules.battles)];
  print(formatSheet([...sheet, ...covered], readTextStyle(process.stdout)));
}

/** Writes the HTML page. Its modules are loaded here because they include figures. */
async function writeRunHtml(file: string, options: RunCommandOptions, outcome: RunReport): Promise<void> {
  const { html, set } = options;
  const known = selectRegistryOptions(options);
  if (html === undefined) return;
  const { result, title, exact, requested, rules } = outcome;
  const { renderRunPage } = await import('../report/html/commands/run.ts');
  const replay = (battle: number): string =>
    formatCommand('replay', [file], { set, seed: result.seed, battle, ...known });
  const covered = rules && { coverage: rules.rules, battles: rules.battles };
  const subject = createPageSubject(title, 'run', [file], { battles: getRequestedBattles(options), ...options });
  await writeHtml(
    html,
    await renderRunPage(result, exact, { ...subject, requestedBattles: requested, replay, rules: covered }),
  );
}

interface TitledScenario {
  readonly scenario: Scenario;
  readonly title: string;
  readonly label: ScenarioLabel;
}

const STORE_OPTIONS = ['resume', 'prepare', 'shard'] as const;

/** Rejects options that have no effect or exclude each other. */
function checkStoreOptions(options: RunCommandOptions): void {
  const [how, other] = STORE_OPTIONS.filter((name) => options[name] !== undefined);
  if (how === undefined) return;
  if (options.out === undefined) throw createRequirementError(`--${how}`, '--out <folder>');
  if (other !== undefined) throw createConflictError(`--${other}`, `--${how}`);
  if (how === 'resume') return;
  const { html, coverage, precision, exact } = options;
  const reported = { html, coverage, exact: exact === 'always' || undefined };
  for (const [name, value] of Object.entries(reported))
    if (value !== undefined) throw createConflictError(`--${name}`, `--${how}, which prints no result`);
  if (how === 'shard' && precision !== undefined)
    throw createConflictError('--precision', '--shard: the number of ranges must be known before the first battle');
}

async function prepareStore(
  out: string,
  { scenario, title, label }: TitledScenario,
  options: RunCommandOptions,
): Promise<void> {
  const [{ createStore }, sheet] = [
    await import('../storage/store/create-store.ts'),
    await import('../report/run/resumable-run.ts'),
  ];
  const prepared = await createStore(scenario, out, pickRunSpec(options));
  if (options.json === true) printJson(sheet.createPreparedRunJson(prepared, label));
  else print(sheet.formatPreparedRunSheet(prepared, title, readTextStyle(process.stdout)));
}

async function runShard(
  out: string,
  named: TitledScenario,
  options: RunCommandOptions,
  signals: Signals,
): Promise<void> {
  const { json } = options;
  const shard = parseShard(options.shard ?? '');
  const requested = { ...pickRunSpec(options), out, shard, ...pickExecutionOptions(options) };
  const [{ simulate: simulateInto }, sheet] = [
    await import('../storage/store/simulate.ts'),
    await import('../report/run/resumable-run.ts'),
  ];
  const play = (watch: BarWatch) => simulateInto(named.scenario, { ...requested, ...watch });
  const result = await watched(createProgressBar(options), signals, play, LEFT);
  if (json === true) printJson(sheet.createRunShardJson(result, named.label));
  else print(sheet.formatRunShardSheet(result, named.title, readTextStyle(process.stdout)));
  if (!result.complete) throw new CommandExit(signals.getExitCode() ?? 1, 'interrupted; the same command continues');
}

/**
 * Prepares a run for shards, or simulates a shard, if requested.
 * @returns false if the whole run remains to be simulated
 */
async function runStoreOption(named: TitledScenario, options: RunCommandOptions, signals: Signals): Promise<boolean> {
  const { out = '', prepare: prepares, shard } = options;
  if (prepares === true) await prepareStore(out, named, options);
  else if (shard !== undefined) await runShard(out, named, options, signals);
  else return false;
  return true;
}

/** Battles of the reference model between two pauses, at most a tenth of a second. */
const SLICE_BATTLES = 100;

/** Counts of applied rules in a number of battles. */
interface RuleCounts {
  readonly rules: readonly RuleCoverage[];
  readonly battles: number;
}

function addCoverage(before: readonly RuleCoverage[], more: readonly RuleCoverage[]): RuleCoverage[] {
  return more.map(({ id, source, fired, battles }, r) => ({
    id,
    source,
    fired: fired + (before[r]?.fired ?? 0),
    battles: battles + (before[r]?.battles ?? 0),
  }));
}

/** Counts applied rules in battles from..from+battles-1 until the signal; undefined if there are no battles. */
async function measureCoverage(
  scenario: Scenario,
  { seed, from, battles }: { readonly seed: SeedLike; readonly from: number; readonly battles: number },
  signal: AbortSignal,
): Promise<RuleCounts | undefined> {
  let [rules, done]: [readonly RuleCoverage[], number] = [[], 0];
  while (done < battles && !signal.aborted) {
    const slice = Math.min(SLICE_BATTLES, battles - done);
    rules = addCoverage(rules, measureRuleCoverageSync(scenario, { seed, from: from + done, battles: slice }));
    done += slice;
    await setImmediate();
  }
  return done === 0 ? undefined : { rules, battles: done };
}

/** Scenario with its titles. */
const OPTIONS_WITHOUT_PLAN = ['out', 'queue', 'html', 'coverage'] as const;

/** Prints the number of battles and the time that a precision needs. */
async function printPlan(
  { scenario, title, label }: TitledScenario,
  options: RunCommandOptions,
  signals: Signals,
): Promise<void> {
  if (options.precision === undefined) throw createRequirementError('--plan', '--precision');
  const other = OPTIONS_WITHOUT_PLAN.find((name) => options[name] !== undefined);
  if (other !== undefined) throw createConflictError(`--${other}`, '--plan, which only runs a pilot');
  const [{ planRun }, sheet] = await Promise.all([import('../analysis/run-plan.ts'), import('../report/run/plan.ts')]);
  const { json } = options;
  const exact = await solveAlongside(scenario, BATTLES, options, signals);
  const createStopExit = (): CommandExit =>
    new CommandExit(signals.getExitCode() ?? 1, 'interrupted before the plan was made');
  if (exact === 'stopped') throw createStopExit();
  const planned = await planRun(scenario, pickRunSpec(options), exact, {
    ...pickOptions(THREADS, options),
    signal: signals.stop,
  }).catch((error: unknown) => {
    throw error instanceof RunError && signals.stop.aborted ? createStopExit() : error;
  });
  if (json === true) printJson(sheet.createPlanJson(planned, label));
  else print(sheet.formatPlanSheet(planned, title, readTextStyle(process.stdout)));
}

/** Options that apply to an estimate of a rare outcome. */
const RARE_OPTIONS: readonly string[] = ['set', 'seed', 'precision', 'battles', 'json', 'rare'];

/** Rejects options without an effect on an estimate of a rare outcome. */
function checkRareOptions(options: RunCommandOptions): void {
  const defaults: OptionSpecs = OPTIONS;
  for (const [name, value] of Object.entries(options))
    if (name in defaults && !RARE_OPTIONS.includes(name) && value !== undefined && value !== defaults[name]?.default)
      throw createConflictError(formatOptionName(name), '--rare');
}

/** Estimates the probability of a rare outcome. */
async function runRareOutcome(
  file: string,
  outcome: string,
  options: RunCommandOptions,
  signals: Signals,
): Promise<void> {
  checkRareOptions(options);
  const { scenario, title, label } = await openScenarioFile(file, options);
  const [{ checkOutcome, estimateRareOutcome }, sheet] = await Promise.all([
    import('../analysis/rare-outcome/estimate-rare-outcome.ts'),
    import('../report/run/rare-outcome.ts'),
  ]);
  checkOutcome(scenario, outcome, '--rare');
  const { seed, precision, battles } = options;
  const result = await watched(createProgressBar(options, 'segments'), signals, (watch) =>
    estimateRareOutcome(scenario, { outcome, seed, precision, battles, ...watch }),
  ).catch((error: unknown) => {
    const code = signals.getExitCode();
    throw code !== undefined && error instanceof RunError ? new CommandExit(code, error.message) : error;
  });
  if (options.json === true) printJson(sheet.createRareOutcomeJson(result, label));
  else print(formatSheet(sheet.createRareOutcomeSheet(result, title), readTextStyle(process.stdout)));
}

/** Simulates a scenario, and prints the result, also after an interruption. */
export async function runScenario(file: string, options: RunCommandOptions, signals: Signals): Promise<void> {
  checkStoreOptions(options);
  await checkHtmlPath(options.html);
  const { scenario, title, label } = await openScenarioFile(file, options);
  checkCombinations(scenario, options);
  if (options.plan === true) {
    await printPlan({ scenario, title, label }, options, signals);
    return;
  }
  if (await runStoreOption({ scenario, title, label }, options, signals)) return;
  const instead = 'an estimate needs no budget: omit "--exact always"';
  const answer = () => runWithBudgetAdvice(() => solveSync(scenario, { budget: options.budget }), instead);
  const solve = () => signals.runBlocking(answer);
  const solved = options.exact === 'always' ? await runWithProgress(options, solve) : undefined;
  const result = await simulateScenario(scenario, options, signals);
  const played = result.to - result.from;
  const requested = result.stopping === undefined ? (getRequestedBattles(options) ?? played) : played;
  const known = solved ?? (result.complete ? await solveAlongside(scenario, requested, options, signals) : undefined);
  const exact = known === 'stopped' ? undefined : known;
  const due = result.complete ? Math.min(options.coverage ?? 0, played) : 0;
  const rules = await measureCoverage(scenario, { seed: result.seed, from: result.from, battles: due }, signals.stop);
  const outcome = { result, title, label, exact, requested, rules };
  printRun(outcome, options);
  await writeRunHtml(file, options, outcome);
  reportEnd(result, options, signals);
  if (describeDisagreement(scenario, result.summary, exact?.summary, played) !== undefined)
    throw new CommandExit(1, 'warpool: exact and simulated results disagree');
  if (known === 'stopped' || (rules?.battles ?? 0) < due)
    throw new CommandExit(signals.getExitCode() ?? 1, 'interrupted after all battles were simulated');
}

const RUN_NOTES = `
z is the difference between an estimate and the exact value, in standard errors. Values beyond 4 are marked with !; values
in brackets say little, because the counted event is too rare. unobserved is the largest effect on a mean of values that no battle
had, by the declared range; the interval includes it.
With --precision, warpool checks the intervals after fixed numbers of battles (interim analyses). The last intervals are valid
although the run stopped early (docs/explanation/statistics.md). 0.001 and 0.1pp are half-widths; 10% is relative to each
probability, or to the mean. If the run reaches --battles first, it prints "precision not reached" after the table and on
standard error, and the exit code is still 0. Scripts should read "reached" under "stopping" of --json. --plan estimates the
number of battles and the time from a pilot run of 65 536 battles.
With --rare, --precision is the half-width of the interval relative to the probability (default: 20%), and --battles the maximum
number of battle segments (docs/how-to/rare-outcomes.md). If "warpool exact" can solve the scenario, it is faster.
With --out, a run that is killed loses at most the current range (docs/how-to/cluster.md).
With --queue, the workers of a queue simulate the battles ("warpool worker"; docs/how-to/queue.md).
Ctrl-C ends the run and prints the results so far; a second Ctrl-C quits immediately.`;

export const command: CommandDeclaration = {
  description:
    'Simulates many battles of a scenario (Monte Carlo) and reports the results with 95 % confidence intervals.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'run scenarios/attrition-direct.yaml',
      'run scenarios/attrition-mass.yaml --battles 100M --seed 7 --workers 4',
      'run scenarios/phased-dice-ground.yaml --precision 0.001',
      'run scenarios/phased-dice-great-wall.yaml --precision 10%',
      'run scenarios/attrition-mass.yaml --precision 0.0001 --plan',
      'run scenarios/attrition-direct.yaml --precision 0.01 --precision-of rounds --battles 1e8',
      'run scenarios/phased-dice-ground.yaml --html duel.html',
      'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run',
      'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run --shard 1/4',
      'run scenarios/attrition-direct.yaml --set attacker.hp=20 --json > result.json',
      'run scenarios/attrition-direct.yaml --set attacker.hp=250 --rare defender',
    ),
    RUN_NOTES,
  ],
  action: (file: string, options: RunCommandOptions) =>
    options.rare === undefined
      ? runScenario(file, options, catchSignals())
      : runRareOutcome(file, options.rare, options, catchSignals()),
};
