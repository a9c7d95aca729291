/** `warpool balance` */

import { scenarioHash } from '../answers/index.ts';
import { InputError, RunError, readAmount } from '../core/index.ts';
import { differenceOf } from '../rules/index.ts';
import { type Given, picked, type Settings, several, text } from '../rules/setting.ts';
import { BALANCE, type Balance, balance, type Vary } from '../studies/index.ts';
import { balanceJson, balanceSheet, grouped, lastOf, printSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { advised, BATTLES_INSTEAD, Ended, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long, page, set } from './options.ts';
import { checkPage, commandOf, subjectOf, writePage } from './page.ts';
import { progressBar, watched } from './progress.ts';
import { type Known, knownBy } from './registry.ts';
import { metricIn, open, type Source } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  vary: {
    ...several('path=low..high', 'fields to change; the range may be left out'),
    required: true,
  },
  target: { ...text('name=value', 'what is to be reached: "attacker=0.5"'), required: true },
  per: text('path', 'tells what one of this field is worth in the one that is varied'),
  ...BALANCE,
  page,
  json,
} as const satisfies Settings;

type BalanceOptions = Given<typeof ASKED> & Known & Long;

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

async function found({ scenario }: Source, options: BalanceOptions, signals: Signals): Promise<Balance> {
  const { vary, target, per, tolerance: missed } = options;
  const metric = metricIn(scenario, target.slice(0, target.lastIndexOf('=')).trim());
  const tolerance = differenceOf(missed, metric, '--tolerance');
  const asked = { ...picked(BALANCE, { ...options, tolerance }), vary: vary.map(varyOf), target, per };
  return await watched(progressBar(options), signals, (watch) => balance(scenario, { ...asked, ...watch })).catch(
    (error: unknown) => {
      if (error instanceof RunError) endIfStopped(signals, 'interrupted before anything was known');
      throw advised(error, BATTLES_INSTEAD);
    },
  );
}

/** Searches, prints what was found even if it was interrupted, and ends with 1 if nothing meets the target. */
export async function balanceFile(file: string, options: BalanceOptions, signals: Signals): Promise<void> {
  await checkPage(options.page);
  const source = await open(file, options);
  const result = await found(source, options, signals);
  const { scenario, title, label } = source;
  if (options.json === true) printJson(balanceJson(result, label, scenario, scenarioHash(scenario)));
  else
    print(
      printSheet(balanceSheet(result, title, { file, set: options.set, ...knownBy(options) }), look(process.stdout)),
    );
  if (options.page !== undefined) {
    const { balancePage } = await import('../tell/page/single/balance.ts');
    const given = options.set ?? [];
    const next = (found: readonly string[]): string => {
      const set = lastOf([...given, ...found]);
      return commandOf(given.length > 0 ? 'run' : 'diff-rules', [file], { set, ...knownBy(options) });
    };
    const subject = subjectOf(title, 'balance', [file], options);
    await writePage(options.page, await balancePage(result, { ...subject, scenario, next }));
  }
  if (!result.finished) throw new Ended(signals.code() ?? 1, `interrupted after ${grouped(result.looked)} settings`);
  if (!result.met) throw new Ended(1);
}

const BALANCE_NOTES = `
A target is name=value: an outcome and its probability (0.5 or 50%), or a metric and its mean.
Without a range a field is searched around its present value, farther and farther.
One field: all its values where that is affordable. Two: for each value of the first the second.
Three and more: from the present setting outwards. Exact answers are used where they are affordable.
Exit code 1 if no setting meets the target.`;

export const command: DeclaredCommand = {
  description: 'Finds the values of one or more fields with which an outcome or a metric is as it should be.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    examples(
      'balance scenarios/attrition-direct.yaml --vary defender.hp --target attacker=0.5',
      'balance scenarios/attrition-direct.yaml --vary attacker.hp=10..40 defender.hp=10..40 --target attacker=50% --tolerance 0.5pp',
      'balance examples/prices-duel.yaml --vary attacker.units.rifleman --per defender.units.tank --target attacker=50%',
    ),
    BALANCE_NOTES,
  ],
  action: (file: string, options: BalanceOptions) => balanceFile(file, options, catchSignals()),
};
