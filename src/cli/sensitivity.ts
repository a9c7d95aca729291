/** `warpool sensitivity` */

import { scenarioHash } from '../answers/digest.ts';
import { InputError, RunError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import type { Scenario } from '../rules/system.ts';
import type { Exactness } from '../studies/sensitivity/cells.ts';
import {
  morrisSensitivity,
  type Sensitivity,
  sobolSensitivity,
  stepSensitivity,
} from '../studies/sensitivity/index.ts';
import { sensitivityJson, sensitivitySheet } from '../tell/sensitivity.ts';
import { grouped } from '../tell/text/digits.ts';
import { advised, Ended } from './failure.ts';
import { checkFigure } from './figure-name.ts';
import type { Signals } from './interrupt.ts';
import { METHODS } from './options-study.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { progressBar } from './progress.ts';
import { open, type Setting, type Source } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface SensitivityOptions extends Setting {
  readonly method: (typeof METHODS)[number];
  readonly of?: string;
  readonly fields?: readonly string[];
  readonly step?: readonly string[];
  readonly percent?: number;
  readonly space?: readonly string[];
  readonly trajectories?: number;
  readonly levels?: number;
  readonly points?: number;
  readonly battles?: number;
  readonly exact: Exactness;
  readonly budget?: number;
  readonly seed: bigint;
  readonly figure?: string;
  readonly page?: string;
  readonly json?: boolean;
}

/** Which method an option belongs to, if not to all. */
const OWN = {
  step: ['fields', 'step', 'percent'],
  morris: ['space', 'trajectories', 'levels'],
  sobol: ['space', 'points'],
} as const;

/** What progress counts. */
const COUNTED = { step: 'cells', morris: 'trajectories', sobol: 'base points' } as const;

/** Refuses options that the method would not heed. */
function checkOptions(options: SensitivityOptions): void {
  for (const name of Object.values(OWN).flat()) {
    const methods = METHODS.filter((method) => (OWN[method] as readonly string[]).includes(name));
    if (options[name] === undefined || methods.includes(options.method)) continue;
    throw new InputError(`--${name}`, `--method ${methods.join(' or ')} with it`, `--method ${options.method}`);
  }
}

/** What a study says that a signal ended too early: it is no failure then; what can be done where it was too large. */
function ended(error: unknown, signals: Signals): unknown {
  const code = signals.code();
  if (code !== undefined && error instanceof RunError) return new Ended(code, error.message);
  return advised(error, 'battles can be played: leave "--exact always" out');
}

function studied(scenario: Scenario, options: SensitivityOptions, signals: Signals, quiet: boolean) {
  const { json: _, figure: __, page: ___, set: ____, systems: _____, config: ______, ...asked } = options;
  const { method, step: steps, space = [], ...rest } = asked;
  const bar = progressBar(quiet, COUNTED[method]);
  const shared = { ...rest, signal: signals.stop, ...(bar.show && { onProgress: bar.show }) };
  const run = (): Promise<Sensitivity> => {
    if (method === 'step') return stepSensitivity(scenario, { ...shared, ...(steps && { steps }) });
    if (method === 'morris') return morrisSensitivity(scenario, { ...shared, space });
    return sobolSensitivity(scenario, { ...shared, space });
  };
  return run()
    .catch((error: unknown) => {
      throw ended(error, signals);
    })
    .finally(() => {
      bar.end();
    });
}

/** Pictures bring much along, so they are loaded where one is wanted. */
async function draw(result: Sensitivity, name: string, path: string): Promise<void> {
  const [{ sensitivityPicture }, { writeFigure }] = await Promise.all([
    import('../tell/pictures/sensitivity.ts'),
    import('./figure.ts'),
  ]);
  const { seed, method } = result;
  const footer = [name, `warpool ${version()}`, `sensitivity, ${method}`, `seed ${seed}`].join(' · ');
  await writeFigure(path, sensitivityPicture(result), footer);
}

/** Pages are loaded where one is wanted, too. */
async function tellIn(
  path: string,
  file: string,
  source: Source,
  options: SensitivityOptions,
  result: Sensitivity,
): Promise<void> {
  const { sensitivityPage } = await import('../tell/page/single/sensitivity.ts');
  const { scenario, name } = source;
  const command = commandOf('sensitivity', [file], options);
  await writePage(path, await sensitivityPage(result, { version: version(), name, command, scenario }));
}

export async function sensitivity(file: string, options: SensitivityOptions, signals: Signals): Promise<void> {
  checkOptions(options);
  checkFigure(options.figure);
  await checkPage(options.page);
  const source = await open(file, options);
  const { scenario, title, label } = source;
  const result = await studied(scenario, options, signals, options.json === true);
  if (options.json === true) {
    printJson(sensitivityJson(result, label, scenario, scenarioHash(scenario)));
  } else print(sensitivitySheet(result, title, look(process.stdout)));
  if (options.figure !== undefined) await draw(result, title, options.figure);
  if (options.page !== undefined) await tellIn(options.page, file, source, options, result);
  const code = signals.code();
  const { exact, simulated } = result.cells;
  if (code !== undefined) throw new Ended(code, `interrupted after ${grouped(exact + simulated)} cells`);
}
