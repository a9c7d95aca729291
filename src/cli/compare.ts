/** `warpool compare` */

import { basename, extname } from 'node:path';
import { COMPARE, type Comparison, compare, THREADS } from '../analysis/index.ts';
import { createRequirementError, InputError } from '../core/index.ts';
import {
  createBestScenarioSheet,
  createComparisonJson,
  createComparisonSheet,
  formatGrouped,
  formatSheet,
  sanitizeXmlText,
} from '../report/index.ts';
import { resolveDifference } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, pickOptions } from '../rules/option-spec.ts';
import { hashScenario, identifyRules } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { endIfStopped, toStopError } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import {
  createSetJson,
  findMetric,
  type LoadedScenario,
  type LoadedScenarioOptions,
  openScenarioFiles,
} from './open-scenario.ts';
import { html, json, type LongRunningOptions, set } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import { type RegistryOptions, selectRegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, formatCommand, writeHtml } from './write-html.ts';

const OPTIONS = {
  set,
  ...COMPARE,
  ...THREADS,
  html,
  json,
} as const satisfies OptionSpecs;

type CompareCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Chooses distinct names: of the scenarios, or of their files, or the paths. */
function chooseNames(sources: readonly LoadedScenario[], files: readonly string[]): string[] {
  const apart = new Set(files).size;
  const choices = [sources.map(({ name }) => name), files.map((path) => basename(path, extname(path)))];
  const names = choices.find((choice) => new Set(choice).size >= apart) ?? files;
  return names.map((name, n) => {
    const before = names.slice(0, n).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${String(before + 1)})`;
  });
}

async function openComparable(files: readonly string[], setting: LoadedScenarioOptions): Promise<LoadedScenario[]> {
  if (files.length < 2) throw new InputError('scenarios', 'two files or more', `only ${files.join()}`);
  const sources = await openScenarioFiles(files, setting);
  const system = sources[0]?.scenario.system ?? '';
  for (const [f, { scenario }] of sources.entries()) {
    if (scenario.system === system) continue;
    throw new InputError(`${files[f] ?? ''} system`, `${system}, as in ${files[0] ?? ''}`, scenario.system);
  }
  return sources;
}

export async function compareFiles(
  files: readonly string[],
  options: CompareCommandOptions,
  signals: Signals,
): Promise<void> {
  const { json, html, set, indifference: apart, systems, config } = options;
  const { best, of } = options;
  if (apart !== undefined && best === undefined)
    throw createRequirementError('--indifference', '--best highest or --best lowest');
  await checkHtmlPath(html);
  const sources = await openComparable(files, { set, systems, config });
  const scenarios = sources.map(({ scenario }) => scenario);
  const names = chooseNames(sources, files);
  const indifference = resolveDifference(apart, findMetric(scenarios[0], of), '--indifference');
  const requested = { ...pickOptions({ ...COMPARE, ...THREADS }, { ...options, indifference }), names };
  const playing = watched(createProgressBar(options), signals, (watch) =>
    compare(scenarios, { ...requested, ...watch }),
  );
  const result: Comparison = await playing.catch((error: unknown) => {
    toStopError(error, signals);
  });
  if (json === true) {
    const compared = names.map((name, s) => ({ name, hash: sources[s] ? hashScenario(sources[s].scenario) : '' }));
    const rules = scenarios[0] === undefined ? { system: '' } : identifyRules(scenarios[0]);
    printJson({ ...createComparisonJson(result, rules, compared), ...createSetJson({ set }) });
  } else {
    const parts = result.best
      ? createBestScenarioSheet(result, result.best, names)
      : createComparisonSheet(result, names);
    const sheet = formatSheet(parts, readTextStyle(process.stdout));
    print(set === undefined ? sheet : `set in all scenarios: ${sanitizeXmlText(set.join(', '))}\n${sheet}`);
  }
  if (html !== undefined) {
    const { renderComparisonPage } = await import('../report/html/commands/compare.ts');
    const name = names.length === 2 ? names.join(' and ') : `${String(names.length)} scenarios`;
    const subject = createPageSubject(name, 'compare', files, options);
    const replay = (s: number, battle: number): string =>
      formatCommand('replay', [files[s] ?? ''], { set, seed: result.seed, battle, ...selectRegistryOptions(options) });
    await writeHtml(html, await renderComparisonPage(result, { ...subject, scenarios, names, replay }));
  }
  endIfStopped(signals, `interrupted after ${formatGrouped(result.battles)} battles`);
}

const COMPARE_NOTES = `
Battle i of a seed rolls the same dice in every scenario (common random numbers), so differences are paired. An interval that
contains 0 shows no difference with this number of battles. Exact answers are shown next to the estimates, and decide the
comparison if all of them are cheap to compute.
With --best, warpool compares the scenarios after fixed numbers of battles, and stops simulating scenarios that are shown to
be worse than another. All intervals hold simultaneously with 95 % confidence, whenever the comparison stops
(docs/how-to/compare.md); --battles is then the maximum per scenario.
An outcome or a metric that one scenario does not have cannot be compared: see --of.`;

export const command: CommandDeclaration = {
  description:
    'Simulates two or more scenarios of one system with common random numbers, then compares and ranks them.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    COMPARE_NOTES,
    formatExamples(
      'compare scenarios/phased-dice-ground.yaml scenarios/phased-dice-last-stand.yaml',
      'compare scenarios/attrition-direct.yaml scenarios/attrition-elite.yaml --html difference.html',
      'compare scenarios/phased-dice-*.yaml --of defender --battles 1M',
      'compare scenarios/phased-dice-*.yaml --best highest --indifference 0.5pp --battles 10M',
    ),
  ],
  action: (files: string[], options: CompareCommandOptions) => compareFiles(files, options, catchSignals()),
};
