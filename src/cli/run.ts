/** `warpool run` */

import { setImmediate } from 'node:timers/promises';
import { wishOf } from '../answers/index.ts';
import { InputError, MAX_BATTLES, parseCount, RunError, type SeedLike } from '../core/index.ts';
import type { Progress } from '../engines/index.ts';
import { opened, type Scenario } from '../rules/index.ts';
import { choice, flag, type Given, optionName, picked, type Settings, text } from '../rules/setting.ts';
import {
  answerPatiently,
  askedOf,
  BATTLES,
  BESIDE_BUDGET,
  COVERAGE,
  coverageSync,
  disagreement,
  EXACTNESS,
  type ExactResult,
  executionOf,
  RUN,
  type RuleCoverage,
  type SimulateOptions,
  type SimulationResult,
  simulate,
  solveSync,
  THREADS,
} from '../studies/index.ts';
import {
  coverageJson,
  coverageTable,
  grouped,
  keptJson,
  type Label,
  notReached,
  printSheet,
  runJson,
  runSheet,
} from '../tell/index.ts';
import type { KeptResult } from '../work/node.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { advised, Ended, within } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { histograms, json, type Long, page, queue, set } from './options.ts';
import { checkPage, commandOf, subjectOf, writePage } from './page.ts';
import { type BarWatch, LEFT, progressBar, watched, whileTold } from './progress.ts';
import { type Known, knownBy } from './registry.ts';
import { parseShard } from './shard.ts';
import { open } from './source.ts';
import { look, note, print, printJson, say } from './terminal.ts';

const { engine, ...WHICH } = RUN;

/** What it is asked with. What is new in a run stands here as soon as it is declared. */
const ASKED = {
  set,
  ...WHICH,
  ...THREADS,
  ...queue,
  engine,
  exact: choice('the exact answer beside the estimates, by default where it is cheap', EXACTNESS),
  budget: BESIDE_BUDGET,
  histograms,
  coverage: COVERAGE.battles,
  page,
  out: {
    ...text('folder', 'keep the run in this folder, a file of counts for each range of battles'),
    short: 'o',
  },
  resume: flag('with --out: go on with a run that was killed, interrupted, prepared or played in shards'),
  prepare: flag('with --out: only make the folder ready, for shards'),
  shard: text('i/n', 'with --out: play share i of n; auto or auto/n asks Slurm, Kubernetes or AWS Batch'),
  plan: flag('with --precision: tell how many battles it takes and how long, and play no more than a pilot'),
  json,
} as const satisfies Settings;

export type RunOptions = Given<typeof ASKED> & Known & Long;

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
  const { simulateInto } = await import('../work/store/into.ts');
  const kept = await simulateInto(options.out, scenario, { ...asked, mode });
  return { result: kept.result, kept };
}

/** Has the workers of a queue play. */
async function simulatedOn(scenario: Scenario, asked: SimulateOptions, options: RunOptions): Promise<Played> {
  const [{ playOn }, { openLink }] = await Promise.all([import('../work/cluster/ask.ts'), import('./redis.ts')]);
  await using link = await openLink(options.on ?? '', options, '--on');
  const { workers, ...rest } = asked;
  const ask = { link, audit: options.audit, workers, signal: asked.signal, onNote: note };
  return (await playOn(scenario, ask, (pool) => simulated(scenario, { ...rest, pool }, options))).result;
}

async function play(scenario: Scenario, options: RunOptions, signals: Signals): Promise<Played> {
  const { engine } = options;
  // The law to draw from is worked out before the first battle, and blocks.
  const listen = engine === 'sampled' ? signals.ignore() : undefined;
  const playing = ({ signal, onProgress: show }: BarWatch): Promise<Played> => {
    const onProgress = (progress: Progress): void => {
      listen?.();
      show?.(progress);
    };
    const asked = { ...askedOf(options), ...executionOf(options), signal, onProgress };
    return (options.on === undefined ? simulated : simulatedOn)(scenario, asked, options);
  };
  try {
    return await watched(progressBar(options), signals, playing, 'the battles under way are finished first');
  } catch (error) {
    const code = signals.code();
    if (code === undefined || !(error instanceof RunError))
      throw advised(error, `battles can be played: leave "--engine ${engine}" out`);
    throw new Ended(code, `interrupted at 0${ofAsked(options)} battles`);
  } finally {
    listen?.();
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
  const sheet = runSheet(result, title, exact, asked, histograms, kept);
  const covered = rules === undefined ? [] : [coverageTable(rules.rules, rules.battles)];
  print(printSheet([...sheet, ...covered], look(process.stdout)));
}

/** Pages bring pictures along, so they are loaded where one is wanted. */
async function writeRun(file: string, options: RunOptions, outcome: Outcome): Promise<void> {
  const { page, set } = options;
  const known = knownBy(options);
  if (page === undefined) return;
  const { result, title, exact, asked, rules } = outcome;
  const { runPage } = await import('../tell/page/single/run.ts');
  const replay = (battle: number): string => commandOf('replay', [file], { set, seed: result.seed, battle, ...known });
  const covered = rules && { coverage: rules.rules, battles: rules.battles };
  const subject = subjectOf(title, 'run', [file], { battles: askedFor(options), ...options });
  await writePage(page, await runPage(result, exact, { ...subject, asked, replay, rules: covered }));
}

interface Named {
  readonly scenario: Scenario;
  readonly title: string;
  readonly label: Label;
}

const HOW = ['resume', 'prepare', 'shard'] as const;

/** Refuses options that say nothing, or contradict each other. */
function checkKept(options: RunOptions): void {
  const [how, other] = HOW.filter((name) => options[name] !== undefined);
  if (how === undefined) return;
  if (options.out === undefined) throw new InputError('--out', `a folder, for there is --${how}`, 'nothing');
  if (other !== undefined) throw new InputError(`--${other}`, `not together with --${how}`, 'both');
  if (how === 'resume') return;
  const { page, coverage, precision, exact } = options;
  const told = { page, coverage, exact: exact === 'always' || undefined };
  for (const [name, value] of Object.entries(told))
    if (value !== undefined)
      throw new InputError(`--${name}`, `not together with --${how}, which tells no result`, 'both');
  if (how === 'shard' && precision !== undefined)
    throw new InputError('--precision', 'a number of battles, to play a share of them: --battles', precision);
}

async function prepare(out: string, { scenario, title, label }: Named, options: RunOptions): Promise<void> {
  const [{ prepareRun }, sheet] = [await import('../work/store/into.ts'), await import('../tell/kept.ts')];
  const prepared = await prepareRun(out, scenario, askedOf(options));
  if (options.json === true) printJson(sheet.runPreparedJson(prepared, label));
  else print(sheet.runPreparedSheet(prepared, title, look(process.stdout)));
}

async function share(out: string, named: Named, options: RunOptions, signals: Signals): Promise<void> {
  const { json } = options;
  const shard = parseShard(options.shard ?? '');
  const asked = { ...askedOf(options), shard, ...executionOf(options) };
  const [{ simulateShard }, sheet] = [await import('../work/store/into.ts'), await import('../tell/kept.ts')];
  const play = (watch: BarWatch) => simulateShard(out, named.scenario, { ...asked, ...watch });
  const result = await watched(progressBar(options), signals, play, LEFT);
  if (json === true) printJson(sheet.runShardJson(result, named.label));
  else print(sheet.runShardSheet(result, named.title, look(process.stdout)));
  if (!result.complete) throw new Ended(signals.code() ?? 1, 'interrupted; the same command goes on');
}

/**
 * Prepares a run for shards, or plays one, if that is asked for.
 * @returns false if the run itself is to be played
 */
async function playedApart(named: Named, options: RunOptions, signals: Signals): Promise<boolean> {
  const { out = '', prepare: prepares, shard } = options;
  if (prepares === true) await prepare(out, named, options);
  else if (shard !== undefined) await share(out, named, options, signals);
  else return false;
  return true;
}

/** Battles of the reference model between two pauses: a tenth of a second at most. */
const SLICE = 100;

/** Rules with how often they applied in so many battles. */
interface Covered {
  readonly rules: readonly RuleCoverage[];
  readonly battles: number;
}

function added(before: readonly RuleCoverage[], more: readonly RuleCoverage[]): RuleCoverage[] {
  return more.map(({ id, source, fired, battles }, r) => ({
    id,
    source,
    fired: fired + (before[r]?.fired ?? 0),
    battles: battles + (before[r]?.battles ?? 0),
  }));
}

/** Counts in battles from..from+battles-1, as far as the signal lets it; undefined if in none. */
async function coverRules(
  scenario: Scenario,
  { seed, from, battles }: { readonly seed: SeedLike; readonly from: number; readonly battles: number },
  signal: AbortSignal,
): Promise<Covered | undefined> {
  let [rules, done]: [readonly RuleCoverage[], number] = [[], 0];
  while (done < battles && !signal.aborted) {
    const slice = Math.min(SLICE, battles - done);
    rules = added(rules, coverageSync(scenario, { seed, from: from + done, battles: slice }));
    done += slice;
    await setImmediate();
  }
  return done === 0 ? undefined : { rules, battles: done };
}

/** What would be played elsewhere, or be shown. */
const UNPLANNED = ['out', 'on', 'page', 'coverage'] as const;

/** Tells what a precision takes. */
async function plan({ scenario, title, label }: Named, options: RunOptions, signals: Signals): Promise<void> {
  if (options.precision === undefined)
    throw new InputError('--precision', 'one, for --plan tells how many battles it takes', 'nothing');
  const other = UNPLANNED.find((name) => options[name] !== undefined);
  if (other !== undefined) throw new InputError(`--${other}`, 'not together with --plan, which plays a pilot', 'both');
  const [{ planRun }, sheet] = await Promise.all([import('../studies/plan.ts'), import('../tell/plan.ts')]);
  const { json } = options;
  const exact = await answerBeside(scenario, BATTLES, options, signals);
  const stopped = (): Ended => new Ended(signals.code() ?? 1, 'interrupted before the plan was made');
  if (exact === 'stopped') throw stopped();
  const planned = await planRun(scenario, askedOf(options), exact, {
    ...picked(THREADS, options),
    signal: signals.stop,
  }).catch((error: unknown) => {
    throw error instanceof RunError && signals.stop.aborted ? stopped() : error;
  });
  if (json === true) printJson(sheet.planJson(planned, label));
  else print(sheet.planSheet(planned, title, look(process.stdout)));
}

/** Plays, and prints what was played even if it was interrupted. */
export async function run(file: string, options: RunOptions, signals: Signals): Promise<void> {
  checkKept(options);
  await checkPage(options.page);
  const { scenario, title, label } = await open(file, options);
  checkTogether(scenario, options);
  if (options.plan === true) {
    await plan({ scenario, title, label }, options, signals);
    return;
  }
  if (await playedApart({ scenario, title, label }, options, signals)) return;
  const instead = 'an estimate needs no budget: leave "--exact always" out';
  const answer = () => within(() => solveSync(scenario, { budget: options.budget }), instead);
  const solve = () => signals.blocking(answer);
  const solved = options.exact === 'always' ? await whileTold(options, solve) : undefined;
  const { result, ...where } = await play(scenario, options, signals);
  const played = result.to - result.from;
  const asked = result.stopping === undefined ? (askedFor(options) ?? played) : played;
  const known = solved ?? (result.complete ? await answerBeside(scenario, asked, options, signals) : undefined);
  const exact = known === 'stopped' ? undefined : known;
  const due = result.complete ? Math.min(options.coverage ?? 0, played) : 0;
  const rules = await coverRules(scenario, { seed: result.seed, from: result.from, battles: due }, signals.stop);
  const outcome = { result, ...where, title, label, exact, asked, rules };
  tellRun(outcome, options);
  await writeRun(file, options, outcome);
  conclude(result, options, signals);
  if (disagreement(scenario, result.summary, exact?.summary, played) !== undefined)
    throw new Ended(1, 'warpool: exact and played contradict each other');
  if (known === 'stopped' || (rules?.battles ?? 0) < due)
    throw new Ended(signals.code() ?? 1, 'interrupted after all battles were played');
}

const RUN_NOTES = `
z is how many standard errors an estimate is off the exact value: beyond 4 it is
marked with !; in brackets it means little, because what is counted is too rare.
unseen is by how much values that came in no battle may move a mean, by its declared range;
the interval counts it.
With --precision the run is looked at after fixed numbers of battles, and its last intervals
hold although it ended where they were narrow (docs/explanation/statistics.md). 0.001 and 0.1pp are half-widths,
10% is a part of each probability, or of the mean. If --battles comes first,
the table is followed by "precision not reached", on standard error too, and the exit code is
still 0: in scripts read "reached" under "stopping" of --json. --plan tells beforehand how many
battles it takes and how long, and plays a pilot of 65 536.
With --out a run that is killed loses at most the range under way (docs/how-to/cluster.md).
With --on the workers of a queue play ("warpool worker"; docs/how-to/queue.md).
Ctrl-C ends the run and shows what was played; a second Ctrl-C quits at once.`;

export const command: DeclaredCommand = {
  description: 'Plays many battles of a scenario (Monte Carlo) and tells how they end, with 95 % confidence intervals.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    examples(
      'run scenarios/attrition-direct.yaml',
      'run scenarios/attrition-mass.yaml --battles 100M --seed 7 --workers 4',
      'run scenarios/phased-dice-ground.yaml --precision 0.001',
      'run scenarios/phased-dice-great-wall.yaml --precision 10%',
      'run scenarios/attrition-mass.yaml --precision 0.0001 --plan',
      'run scenarios/attrition-direct.yaml --precision 0.01 --precision-of rounds --battles 1e8',
      'run scenarios/phased-dice-ground.yaml --page duel.html',
      'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run',
      'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run --shard 1/4',
      'run scenarios/attrition-direct.yaml --set attacker.hp=20 --json > result.json',
    ),
    RUN_NOTES,
  ],
  action: (file: string, options: RunOptions) => run(file, options, catchSignals()),
};
