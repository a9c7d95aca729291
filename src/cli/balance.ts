/** `warpool balance` */

import { rulesOf, scenarioHash } from '../answers/digest.ts';
import { readAmount } from '../core/chance/numerals.ts';
import { InputError, RunError } from '../core/errors.ts';
import { opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';
import { type Balance, balance, type Vary } from '../studies/balance/index.ts';
import type { ExactChoice } from '../studies/solve.ts';
import { balanceJson, balanceSheet } from '../tell/balance.ts';
import { grouped } from '../tell/text/digits.ts';
import { advised, Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { type Width, widthOf } from './options-number.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { progressBar } from './progress.ts';
import { knownBy } from './registry.ts';
import { open, type Setting, type Source } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface BalanceOptions extends Setting {
  readonly vary: readonly string[];
  readonly target: string;
  readonly tolerance?: Width;
  readonly exact: ExactChoice;
  readonly budget?: number;
  readonly battles: number;
  readonly error: number;
  readonly bounded?: boolean;
  readonly seed: bigint;
  readonly workers?: number;
  readonly page?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const RANGE = /^(?<low>.+?)\.\.(?<high>.+)$/;

/** `path` or `path=low..high`. */
function varyOf(text: string): Vary {
  const at = text.indexOf('=');
  if (at < 0) return { path: text };
  const { low = '', high = '' } = RANGE.exec(text.slice(at + 1).trim())?.groups ?? {};
  const [least, greatest] = [readAmount(low)?.value, readAmount(high)?.value];
  if (at === 0 || least === undefined || greatest === undefined)
    throw new InputError('--vary', 'path or path=low..high', `"${text}"`);
  return { path: text.slice(0, at).trim(), range: [least, greatest] };
}

/** The metric that a target is of; undefined if it is of an outcome. */
function metricOf(scenario: Scenario, target: string): string | undefined {
  const name = target.slice(0, target.lastIndexOf('=')).trim();
  return opened(scenario)
    .system.model(scenario)
    .metrics.find((metric) => metric.name === name)?.name;
}

async function found({ scenario }: Source, options: BalanceOptions, signals: Signals): Promise<Balance> {
  const {
    vary,
    json: _,
    page: __,
    quiet,
    set: ___,
    systems: ____,
    config: _____,
    tolerance: missed,
    ...rest
  } = options;
  const tolerance = widthOf(missed, metricOf(scenario, options.target), '--tolerance');
  const bar = progressBar(quiet === true);
  try {
    return await balance(scenario, {
      ...rest,
      tolerance,
      vary: vary.map(varyOf),
      signal: signals.stop,
      onProgress: bar.show,
    });
  } catch (error) {
    const code = signals.code();
    if (code !== undefined && error instanceof RunError) throw new Ended(code, 'interrupted before anything was known');
    throw advised(error, 'battles can be played: leave "--exact always" out');
  } finally {
    bar.end();
  }
}

/** Pages bring pictures along, so they are loaded where one is wanted. */
async function tellIn(
  path: string,
  file: string,
  source: Source,
  options: BalanceOptions,
  result: Balance,
): Promise<void> {
  const { balancePage } = await import('../tell/page/single/balance.ts');
  const { scenario, title, label } = source;
  const command = commandOf('balance', [file], options);
  const given = options.set ?? [];
  const next = (set: readonly string[]): string =>
    commandOf(given.length > 0 ? 'run' : 'diff-rules', [file], { set: [...given, ...set], ...knownBy(options) });
  await writePage(path, await balancePage(result, { version: label.version, name: title, command, scenario, next }));
}

/** Searches, prints what was found even if it was interrupted, and ends with 1 if nothing meets the target. */
export async function balanceFile(file: string, options: BalanceOptions, signals: Signals): Promise<void> {
  await checkPage(options.page);
  const source = await open(file, options);
  const result = await found(source, options, signals);
  const { scenario, title, label } = source;
  if (options.json === true) {
    printJson(balanceJson(result, { ...label, ...rulesOf(scenario), hash: scenarioHash(scenario) }));
  } else print(balanceSheet(result, title, { file, set: options.set, ...knownBy(options) }, look(process.stdout)));
  if (options.page !== undefined) await tellIn(options.page, file, source, options, result);
  if (!result.finished) throw new Ended(signals.code() ?? 1, `interrupted after ${grouped(result.looked)} settings`);
  if (!result.met) throw new Ended(1);
}
