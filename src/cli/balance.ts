/** `warpool balance`: one field and target, or a balance problem. */

import { BALANCE, type BalanceResult, balance, type VariedField } from '../analysis/index.ts';
import { createConflictError, createRequirementError, findAmount, InputError, RunError } from '../core/index.ts';
import {
  createBalanceJson,
  createBalanceSheet,
  formatGrouped,
  formatSheet,
  removeOverridden,
} from '../report/index.ts';
import { resolveDifference } from '../rules/index.ts';
import {
  formatOptionName,
  type OptionSpecs,
  type ParsedOptions,
  pickOptions,
  several,
  text,
} from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { balanceProblem, PROBLEM_OPTIONS } from './balance-problem.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { addBudgetAdvice, BATTLES_INSTEAD, CommandExit, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { findMetric, type LoadedScenario, openScenarioFile } from './open-scenario.ts';
import { html, json, type LongRunningOptions, set } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import { type RegistryOptions, selectRegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, formatCommand, writeHtml } from './write-html.ts';

const OPTIONS = {
  set,
  vary: several('path=low..high', 'fields to vary; the range is optional'),
  target: text('name=value', 'value to reach: "attacker=0.5"'),
  per: text('path', 'show the value of one unit of this field in units of the varied field'),
  ...BALANCE,
  ...PROBLEM_OPTIONS,
  html,
  json,
} as const satisfies OptionSpecs;

type BalanceCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

const RANGE = /^(?<low>.+?)\.\.(?<high>.+)$/;

/** Parses `path` or `path=low..high`. */
export function parseVariedField(text: string): VariedField {
  const at = text.indexOf('=');
  if (at < 0) return { path: text };
  const { low = '', high = '' } = RANGE.exec(text.slice(at + 1).trim())?.groups ?? {};
  const [least, greatest] = [findAmount(low)?.value, findAmount(high)?.value];
  if (at === 0 || least === undefined || greatest === undefined)
    throw new InputError('--vary', 'path or path=low..high', `"${text}"`);
  return { path: text.slice(0, at).trim(), range: [least, greatest] };
}

/** Options of a scenario, of which a target and at least one field are required. */
type ScenarioSearchOptions = Omit<BalanceCommandOptions, 'search'> & {
  readonly vary: readonly string[];
  readonly target: string;
};

async function searchBalance(
  { scenario }: LoadedScenario,
  options: ScenarioSearchOptions,
  signals: Signals,
): Promise<BalanceResult> {
  const { vary, target, per, tolerance: missed } = options;
  const metric = findMetric(scenario, target.slice(0, target.lastIndexOf('=')).trim());
  const tolerance = resolveDifference(missed, metric, '--tolerance');
  const requested = {
    ...pickOptions(BALANCE, { ...options, tolerance }),
    vary: vary.map(parseVariedField),
    target,
    per,
  };
  return await watched(createProgressBar(options), signals, (watch) =>
    balance(scenario, { ...requested, ...watch }),
  ).catch((error: unknown) => {
    if (error instanceof RunError) endIfStopped(signals, 'interrupted before the first result');
    throw addBudgetAdvice(error, BATTLES_INSTEAD);
  });
}

/** Rejects options that a kind of file does not have. */
function rejectOptions(
  options: BalanceCommandOptions,
  names: readonly (keyof BalanceCommandOptions)[],
  other: string,
): void {
  const found = names.find((name) => options[name] !== undefined && options[name] !== false);
  if (found !== undefined) throw createConflictError(formatOptionName(found), other);
}

/** Balances a scenario if fields and a target are options; otherwise the file is a balance problem. */
export async function balanceFile(file: string, options: BalanceCommandOptions, signals: Signals): Promise<void> {
  const { vary, target, search, ...rest } = options;
  if (vary === undefined && target === undefined) {
    rejectOptions(options, ['set', 'per', 'tolerance'], 'a balance problem, whose file has the fields and targets');
    await balanceProblem(file, { ...rest, search }, signals);
    return;
  }
  if (vary === undefined) throw createRequirementError('--target', '--vary <path>');
  if (target === undefined) throw createRequirementError('--vary', '--target <name=value>');
  rejectOptions(options, ['out', 'resume', 'pipe'], '--vary');
  if (search !== 'auto') throw createConflictError('--search', '--vary');
  await balanceScenario(file, { ...rest, vary, target }, signals);
}

/** Searches, prints the results even after an interrupt, and exits with 1 if no values meet the target. */
async function balanceScenario(file: string, options: ScenarioSearchOptions, signals: Signals): Promise<void> {
  await checkHtmlPath(options.html);
  const source = await openScenarioFile(file, options);
  const result = await searchBalance(source, options, signals);
  const { scenario, title, label } = source;
  if (options.json === true) printJson(createBalanceJson(result, label, scenario, hashScenario(scenario)));
  else
    print(
      formatSheet(
        createBalanceSheet(result, title, { file, set: options.set, ...selectRegistryOptions(options) }),
        readTextStyle(process.stdout),
      ),
    );
  if (options.html !== undefined) {
    const { renderBalancePage } = await import('../report/html/commands/balance.ts');
    const given = options.set ?? [];
    const next = (found: readonly string[]): string => {
      const set = removeOverridden([...given, ...found]);
      return formatCommand(given.length > 0 ? 'run' : 'compare-rules', [file], {
        set,
        ...selectRegistryOptions(options),
      });
    };
    const subject = createPageSubject(title, 'balance', [file], options);
    await writeHtml(options.html, await renderBalancePage(result, { ...subject, scenario, next }));
  }
  if (!result.complete)
    throw new CommandExit(signals.getExitCode() ?? 1, `interrupted after ${formatGrouped(result.examined)} settings`);
  if (!result.targetMet) throw new CommandExit(1);
}

const BALANCE_NOTES = `
A target is name=value: an outcome and its probability (0.5 or 50%), or a metric and its mean.
Without a range, the search expands around the present value of a field. With one field, warpool examines all its values if
that is cheap. With two fields, it searches a value of the second for each value of the first. With three or more, it
searches outward from the present values. Exact answers are used if they are cheap to compute.
A balance problem has scenarios, fields and targets in a file. The search finds the settings that meet all targets, the
cheapest one and the one with the smallest change; if there are none, the nearest one and the Pareto front. With --pipe,
each line of standard input is a setting such as {"set": {"attacker.hp": 20}}, and its evaluation is a line of the output.
Exit code 1 if no values meet the target.`;

export const command: CommandDeclaration = {
  description: 'Finds values of one or more fields that bring outcomes and metrics to their targets.',
  parameters: ['scenario or balance problem in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'balance scenarios/attrition-direct.yaml --vary defender.hp --target attacker=0.5',
      'balance scenarios/attrition-direct.yaml --vary attacker.hp=10..40 defender.hp=10..40 --target attacker=50% --tolerance 0.5pp',
      'balance examples/prices-duel.yaml --vary attacker.units.rifleman --per defender.units.tank --target attacker=50%',
    ),
    BALANCE_NOTES,
  ],
  action: (file: string, options: BalanceCommandOptions) => balanceFile(file, options, catchSignals()),
};
