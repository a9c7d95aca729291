/** `warpool matchup` */
import { analyzeMatchups, THREADS } from '../analysis/index.ts';
import { createConflictError, createRequirementError } from '../core/index.ts';
import {
  createCertificationJson,
  createCertificationSheet,
  createMatchupJson,
  createMatchupSheet,
  formatSheet,
  type MatchupAblation,
} from '../report/index.ts';
import {
  formatOptionName,
  fractionAbove0,
  number,
  type OptionSpecs,
  type ParsedOptions,
  pickOptions,
  text,
} from '../rules/option-spec.ts';
import {
  changeRoster,
  type MatchupResult,
  MORE_BATTLES,
  ROSTER_CHANGES,
  type Roster,
  removeUnitType,
} from '../storage/index.ts';
import { certifyMatchup, loadRoster, matchup, readMatchup } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { addBudgetAdvice, BATTLES_INSTEAD, RESUME_ADVICE, toStopError } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { html, type LongRunningOptions } from './options.ts';
import { createLongProgressBar, LEFT, watched } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { checkShardOptions, endIfIncomplete, fillFolder, printEstimate, runShard, STORE_OPTIONS } from './sweep.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, writeHtml } from './write-html.ts';

const OPTIONS = {
  ...ROSTER_CHANGES,
  ...MORE_BATTLES,
  without: text('type', 'also analyze the matchups without the armies that have this unit type'),
  alpha: number('strength of selection of alpha-rank (default: the limit of strong selection)', {
    expected: 'a number above 0',
    isAccepted: (value) => value > 0,
  }),
  certify: fractionAbove0(
    'only bound the value within this half-width (0.005 or 0.5%), from as few matchups as possible',
  ),
  html,
  ...STORE_OPTIONS,
} as const satisfies OptionSpecs;

type MatchupCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Computes the matchups without a folder. */
async function compute(roster: Roster, options: MatchupCommandOptions, signals: Signals): Promise<MatchupResult> {
  for (const name of ['resume', 'recompute', 'queue', 'store', 'audit'] as const)
    if (options[name] !== undefined && options[name] !== false)
      throw createRequirementError(`--${name}`, '--out <folder>');
  const bar = createLongProgressBar(options, 'cells');
  return await watched(
    bar,
    signals,
    (watch) => matchup(roster, { ...pickOptions({ ...THREADS, ...MORE_BATTLES }, options), ...watch }),
    LEFT,
  )
    .catch((error: unknown) => {
      throw addBudgetAdvice(error, BATTLES_INSTEAD);
    })
    .catch((error: unknown) => toStopError(error, signals));
}

/** Options of the analysis. */
const ANALYSIS_OPTIONS = ['without', 'alpha', 'html', 'maxBattles'] as const;

/** Options of the whole matrix. */
const MATRIX_OPTIONS = [
  ...ANALYSIS_OPTIONS,
  'out',
  'resume',
  'recompute',
  'shard',
  'store',
  'queue',
  'audit',
  'passwordFile',
  'dryRun',
] as const;

/** Bounds the value of the game, and prints it. */
async function printCertification(
  tolerance: number,
  roster: Roster,
  options: MatchupCommandOptions,
  signals: Signals,
): Promise<void> {
  const other = MATRIX_OPTIONS.find((name) => options[name] !== undefined && options[name] !== false);
  if (other !== undefined) throw createConflictError('--certify', formatOptionName(other));
  const requested = { ...pickOptions(THREADS, options), tolerance };
  const result = await watched(createLongProgressBar(options, 'cells'), signals, (watch) =>
    certifyMatchup(roster, { ...requested, ...watch }),
  ).catch((error: unknown) => toStopError(addBudgetAdvice(error, BATTLES_INSTEAD), signals));
  if (options.json === true) printJson(createCertificationJson(result));
  else print(formatSheet(createCertificationSheet(result), readTextStyle(process.stdout)));
}

/** Computes the matchups into a folder, and reads them from there. */
async function computeInto(
  out: string,
  roster: Roster,
  options: MatchupCommandOptions,
  signals: Signals,
): Promise<MatchupResult> {
  const result = await fillFolder(out, roster.sweep, options, signals);
  endIfIncomplete(result, signals, RESUME_ADVICE);
  return await readMatchup(roster, out);
}

async function printMatchup(file: string, options: MatchupCommandOptions, signals: Signals): Promise<void> {
  const { shard, dryRun, certify } = options;
  checkShardOptions(options);
  const unused = ANALYSIS_OPTIONS.find((name) => options[name] !== undefined);
  if (unused !== undefined && (shard !== undefined || dryRun === true))
    throw createConflictError(formatOptionName(unused), shard === undefined ? '--dry-run' : '--shard');
  await checkHtmlPath(options.html);
  const loaded = await loadRoster(file, { systems: await loadRegistry(options, file) });
  const roster = changeRoster(loaded, pickOptions(ROSTER_CHANGES, options));
  if (certify !== undefined) await printCertification(certify, roster, options, signals);
  else if (dryRun === true) await printEstimate(roster.sweep, options, signals);
  else if (shard !== undefined) await runShard(roster.sweep, options, signals);
  else await printResult(file, roster, options, signals);
}

async function printResult(
  file: string,
  roster: Roster,
  options: MatchupCommandOptions,
  signals: Signals,
): Promise<void> {
  const { out, maxBattles } = options;
  if (out !== undefined && maxBattles !== undefined) throw createConflictError('--max-battles', '--out');
  const result =
    out === undefined ? await compute(roster, options, signals) : await computeInto(out, roster, options, signals);
  const analysis = analyzeMatchups(result.matrix, pickAlpha(options));
  const ablation = analyzeWithout(result, options);
  if (options.json === true) printJson(createMatchupJson(result, analysis, ablation));
  else print(formatSheet(createMatchupSheet(result, analysis, ablation), readTextStyle(process.stdout)));
  if (options.html === undefined) return;
  const { renderMatchupPage } = await import('../report/html/commands/matchup.ts');
  const subject = createPageSubject(roster.name, 'matchup', [file], options);
  await writeHtml(options.html, await renderMatchupPage(result.matrix, analysis, subject));
}

const pickAlpha = ({ alpha }: MatchupCommandOptions) => (alpha === undefined ? {} : { alpha });

function analyzeWithout(
  { roster, matrix }: MatchupResult,
  options: MatchupCommandOptions,
): MatchupAblation | undefined {
  const { without: type } = options;
  if (type === undefined) return undefined;
  return { type, analysis: analyzeMatchups(removeUnitType(roster, matrix, type), pickAlpha(options)) };
}

const MATCHUP_NOTES = `
A roster file has named armies, or a price list and points: then all armies that the points allow take part. By default the
payoff is the probability that the attacker wins, minus the probability that the defender wins. Matchups that are cheap to
solve are exact. The others are simulated on common random numbers; with 95 % probability, all intervals contain the true payoffs.
With --out the matchups are a store of a sweep: --resume continues, --recompute
updates the results after a change of the roster, "warpool merge" joins shards, "warpool verify" checks
the results, and "warpool export" writes them as CSV.`;

export const command: CommandDeclaration = {
  description: 'Computes the payoff of every army of a roster against every other.',
  parameters: ['roster file in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'matchup examples/rosters/duels.yaml',
      'matchup examples/rosters/budget-game.yaml --json',
      'matchup examples/rosters/duels.yaml --out matchups',
    ),
    MATCHUP_NOTES,
  ],
  action: (file: string, options: MatchupCommandOptions) => printMatchup(file, options, catchSignals()),
};
