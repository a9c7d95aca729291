/** `warpool sensitivity` */

import { extname } from 'node:path';
import { scenarioHash } from '../answers/index.ts';
import { InputError, RunError, version } from '../core/index.ts';
import { writeText } from '../core/node.ts';
import type { Scenario } from '../rules/index.ts';
import { choice, type Given, picked, type Settings, text } from '../rules/setting.ts';
import {
  MORRIS,
  morrisSensitivity,
  type Sensitivity,
  SOBOL,
  STEP,
  STUDY,
  sobolSensitivity,
  stepSensitivity,
} from '../studies/index.ts';
import { grouped, printSheet, sensitivityJson, sensitivitySheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { advised, BATTLES_INSTEAD, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long, page, set } from './options.ts';
import { checkPage, subjectOf, writePage } from './page.ts';
import { type BarWatch, progressBar, watched } from './progress.ts';
import type { Known } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

const METHODS = ['step', 'morris', 'sobol'] as const;

/** The options that belong to a method, if not to all. */
const OWN = {
  step: { fields: STEP.fields, step: STEP.steps, percent: STEP.percent },
  morris: MORRIS,
  sobol: SOBOL,
} as const;

const { of, ...CELLS } = STUDY;

/** What it is asked with. */
const ASKED = {
  set,
  method: choice('single steps, Morris’s screening or Sobol’s indices', METHODS),
  of,
  ...OWN.step,
  ...MORRIS,
  ...SOBOL,
  ...CELLS,
  figure: text('file', 'also write a picture: .svg or .png (300 dpi)'),
  page,
  json,
} as const satisfies Settings;

type SensitivityOptions = Given<typeof ASKED> & Known & Long;

/** What progress counts. */
const COUNTED = { step: 'cells', morris: 'trajectories', sobol: 'base points' } as const;

/** Refuses options that the method would not heed. */
function checkOptions(options: SensitivityOptions): void {
  for (const name of Object.keys(picked({ ...OWN.step, ...MORRIS, ...SOBOL }, options))) {
    const methods = METHODS.filter((method) => name in OWN[method]);
    if (methods.includes(options.method)) continue;
    throw new InputError(`--${name}`, `--method ${methods.join(' or ')} with it`, `--method ${options.method}`);
  }
}

/** What a study says that a signal ended too early: it is no failure then; what can be done where it was too large. */
function ended(error: unknown, signals: Signals): never {
  if (error instanceof RunError) endIfStopped(signals, error.message);
  throw advised(error, BATTLES_INSTEAD);
}

function studied(scenario: Scenario, options: SensitivityOptions, signals: Signals) {
  const { method, step: steps, space = [] } = options;
  const run = (watch: BarWatch): Promise<Sensitivity> => {
    const shared = { ...picked(STUDY, options), ...watch };
    if (method === 'step') return stepSensitivity(scenario, { ...shared, ...picked(STEP, { ...options, steps }) });
    if (method === 'morris') return morrisSensitivity(scenario, { ...shared, ...picked(MORRIS, options), space });
    return sobolSensitivity(scenario, { ...shared, ...picked(SOBOL, options), space });
  };
  return watched(progressBar(options, COUNTED[method]), signals, run).catch((error: unknown) => ended(error, signals));
}

/** @throws InputError if the file's name does not say what it is to be */
function checkFigure(path: string | undefined): void {
  if (path !== undefined && !['.svg', '.png'].includes(extname(path).toLowerCase()))
    throw new InputError('--figure', 'a file that ends in .svg or .png', `"${path}"`);
}

/** Pictures bring much along, so they are loaded where one is wanted. */
async function draw(result: Sensitivity, name: string, path: string): Promise<void> {
  const [{ sensitivityPicture }, { pngOf, svgOf }] = await Promise.all([
    import('../tell/pictures/sensitivity.ts'),
    import('../tell/pictures/draw.ts'),
  ]);
  const { seed, method } = result;
  const footer = [name, `warpool ${version()}`, `sensitivity, ${method}`, `seed ${seed}`].join(' · ');
  const svg = await svgOf(sensitivityPicture(result), footer, 'figure');
  await writeText(path, extname(path).toLowerCase() === '.png' ? await pngOf(svg) : `${svg}\n`);
  say(`${path}: written`);
}

export async function sensitivity(file: string, options: SensitivityOptions, signals: Signals): Promise<void> {
  checkOptions(options);
  checkFigure(options.figure);
  await checkPage(options.page);
  const source = await open(file, options);
  const { scenario, title, label } = source;
  const result = await studied(scenario, options, signals);
  if (options.json === true) {
    printJson(sensitivityJson(result, label, scenario, scenarioHash(scenario)));
  } else print(printSheet(sensitivitySheet(result, title), look(process.stdout)));
  if (options.figure !== undefined) await draw(result, title, options.figure);
  if (options.page !== undefined) {
    const { sensitivityPage } = await import('../tell/page/single/sensitivity.ts');
    const subject = subjectOf(source.name, 'sensitivity', [file], options);
    await writePage(options.page, await sensitivityPage(result, { ...subject, scenario }));
  }
  const { exact, simulated } = result.cells;
  endIfStopped(signals, `interrupted after ${grouped(exact + simulated)} cells`);
}

const SENSITIVITY_NOTES = `
step    what one step up or down of each field does, the rest as it is
morris  which fields of a space matter, and which act alike everywhere in it
sobol   how much of the variance over a space each field explains
Answers are exact where that is cheap; elsewhere cells play the same battles.`;

export const command: DeclaredCommand = {
  description: 'Varies the numeric fields of a scenario and ranks them by what that does to an outcome or a metric.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    SENSITIVITY_NOTES,
    examples(
      'sensitivity scenarios/phased-dice-ground.yaml --fields attacker,unitTypes.knight.bonus=0',
      'sensitivity scenarios/attrition-direct.yaml --method sobol --space attacker.hp=10..40 defender.attack=0..4',
    ),
  ],
  action: (file: string, options: SensitivityOptions) => sensitivity(file, options, catchSignals()),
};
