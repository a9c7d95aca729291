/** `warpool sensitivity` */

import { extname } from 'node:path';
import {
  MORRIS,
  morrisSensitivity,
  type Sensitivity,
  SOBOL,
  STEP,
  STUDY,
  sobolSensitivity,
  stepSensitivity,
} from '../analysis/index.ts';
import { createRequirementError, InputError, RunError, version } from '../core/index.ts';
import { writeText } from '../core/node.ts';
import { createSensitivityJson, createSensitivitySheet, formatGrouped, formatSheet } from '../report/index.ts';
import type { Scenario } from '../rules/index.ts';
import { choice, type OptionSpecs, type ParsedOptions, pickOptions, text } from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { addBudgetAdvice, BATTLES_INSTEAD, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { openScenarioFile } from './open-scenario.ts';
import { html, json, type LongRunningOptions, set } from './options.ts';
import { type BarWatch, createProgressBar, watched } from './progress.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, writeHtml } from './write-html.ts';

const METHODS = ['step', 'morris', 'sobol'] as const;

/** Options of single methods. */
const METHOD_OPTIONS = {
  step: { fields: STEP.fields, step: STEP.steps, percent: STEP.percent },
  morris: MORRIS,
  sobol: SOBOL,
} as const;

const { of, ...CELLS } = STUDY;

const OPTIONS = {
  set,
  method: choice('one at a time, Morris screening or Sobol indices', METHODS),
  of,
  ...METHOD_OPTIONS.step,
  ...MORRIS,
  ...SOBOL,
  ...CELLS,
  figure: text('file', 'also write a figure: .svg or .png (300 dpi)'),
  html,
  json,
} as const satisfies OptionSpecs;

type SensitivityCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Rejects options that do not apply to the method. */
function checkOptions(options: SensitivityCommandOptions): void {
  for (const name of Object.keys(pickOptions({ ...METHOD_OPTIONS.step, ...MORRIS, ...SOBOL }, options))) {
    const methods = METHODS.filter((method) => name in METHOD_OPTIONS[method]);
    if (methods.includes(options.method)) continue;
    throw createRequirementError(`--${name}`, `--method ${methods.join(' or --method ')}`);
  }
}

/** Converts the error of a study: an early signal is not a failure, and a budget error gets advice. */
function toStudyError(error: unknown, signals: Signals): never {
  if (error instanceof RunError) endIfStopped(signals, error.message);
  throw addBudgetAdvice(error, BATTLES_INSTEAD);
}

function runMethod(scenario: Scenario, options: SensitivityCommandOptions, signals: Signals) {
  const { method, step: steps, space = [] } = options;
  const run = (watch: BarWatch): Promise<Sensitivity> => {
    const shared = { ...pickOptions(STUDY, options), ...watch };
    if (method === 'step') return stepSensitivity(scenario, { ...shared, ...pickOptions(STEP, { ...options, steps }) });
    if (method === 'morris') return morrisSensitivity(scenario, { ...shared, ...pickOptions(MORRIS, options), space });
    return sobolSensitivity(scenario, { ...shared, ...pickOptions(SOBOL, options), space });
  };
  return watched(createProgressBar(options), signals, run).catch((error: unknown) => toStudyError(error, signals));
}

const isPng = (path: string | undefined): boolean => path !== undefined && extname(path).toLowerCase() === '.png';

/** @throws InputError if the file name has another extension, RunError if it cannot be rendered */
async function checkFigurePath(path: string | undefined): Promise<void> {
  if (isPng(path)) await (await import('../report/figures/render.ts')).loadResvg();
  else if (path !== undefined && extname(path).toLowerCase() !== '.svg')
    throw new InputError('--figure', 'a file that ends in .svg or .png', `"${path}"`);
}

/** Writes a figure; its modules are large, so they are loaded on demand. */
async function writeFigure(result: Sensitivity, name: string, path: string): Promise<void> {
  const [{ createSensitivityFigure }, { renderPng, renderSvg }] = await Promise.all([
    import('../report/figures/sensitivity.ts'),
    import('../report/figures/render.ts'),
  ]);
  const { seed, method } = result;
  const footer = [name, `warpool ${version()}`, `sensitivity, ${method}`, `seed ${seed}`].join(' · ');
  const svg = await renderSvg(createSensitivityFigure(result), footer, 'figure');
  await writeText(path, isPng(path) ? await renderPng(svg) : `${svg}\n`);
  printStatus(`${path}: written`);
}

export async function printSensitivity(
  file: string,
  options: SensitivityCommandOptions,
  signals: Signals,
): Promise<void> {
  checkOptions(options);
  await checkFigurePath(options.figure);
  await checkHtmlPath(options.html);
  const source = await openScenarioFile(file, options);
  const { scenario, title, label } = source;
  const result = await runMethod(scenario, options, signals);
  if (options.json === true) {
    printJson(createSensitivityJson(result, label, scenario, hashScenario(scenario)));
  } else print(formatSheet(createSensitivitySheet(result, title), readTextStyle(process.stdout)));
  if (options.figure !== undefined) await writeFigure(result, title, options.figure);
  if (options.html !== undefined) {
    const { renderSensitivityPage } = await import('../report/html/commands/sensitivity.ts');
    const subject = createPageSubject(source.name, 'sensitivity', [file], options);
    await writeHtml(options.html, await renderSensitivityPage(result, { ...subject, scenario }));
  }
  const { exact, simulated } = result.cells;
  endIfStopped(signals, `interrupted after ${formatGrouped(exact + simulated)} cells`);
}

const SENSITIVITY_NOTES = `
step    effect of one step up or down of each field, with all others unchanged
morris  fields that matter in a space, and fields that have the same effect everywhere in it
sobol   share of the variance over a space that each field explains
Answers are exact if they are cheap to compute; otherwise cells use the same battles.`;

export const command: CommandDeclaration = {
  description: 'Varies the numeric fields of a scenario and ranks them by their effect on an outcome or a metric.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [
    SENSITIVITY_NOTES,
    formatExamples(
      'sensitivity scenarios/phased-dice-ground.yaml --fields attacker,unitTypes.knight.bonus=0',
      'sensitivity scenarios/attrition-direct.yaml --method sobol --space attacker.hp=10..40 defender.attack=0..4',
    ),
  ],
  action: (file: string, options: SensitivityCommandOptions) => printSensitivity(file, options, catchSignals()),
};
