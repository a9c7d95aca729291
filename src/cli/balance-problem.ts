/** `warpool balance` for a balance problem. */

import { createInterface } from 'node:readline';
import {
  BALANCE_SCENARIOS,
  type BalanceProblem,
  type BalanceSolution,
  type ProblemSetting,
  type SettingOptimizer,
} from '../analysis/index.ts';
import { createConflictError, createRequirementError, describeFound, InputError } from '../core/index.ts';
import { createProblemSettingJson, createSolutionJson, createSolutionSheet, formatSheet } from '../report/index.ts';
import { detectFileKind, isMapping, loadSource } from '../rules/index.ts';
import { flag, type OptionSpecs, type ParsedOptions, pickOptions, text } from '../rules/option-spec.ts';
import { balanceScenarios, parseProblemFile } from '../storage/node.ts';
import { addBudgetAdvice, BATTLES_INSTEAD, CommandExit, RESUME_ADVICE, toStopError } from './failure.ts';
import type { Signals } from './interrupt.ts';
import type { LongRunningOptions } from './options.ts';
import { createProgressBar, watched } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, createPageSubject, writeHtml } from './write-html.ts';

/** Options of `warpool balance` for balance problems only. */
export const PROBLEM_OPTIONS = {
  search: { ...BALANCE_SCENARIOS.search, about: `of a balance problem: ${BALANCE_SCENARIOS.search.about}` },
  out: { ...text('folder', 'of a balance problem: store the evaluated cells in this folder'), short: 'o' },
  resume: flag('with --out: continue an unfinished search'),
  pipe: flag('of a balance problem: evaluate the settings that another program writes to standard input'),
} as const satisfies OptionSpecs;

/** Options of balance problems, as parsed. */
export type ProblemCommandOptions = ParsedOptions<typeof PROBLEM_OPTIONS> &
  Partial<ParsedOptions<typeof BALANCE_SCENARIOS>> &
  RegistryOptions &
  LongRunningOptions & { readonly html?: string | undefined; readonly json?: boolean | undefined };

/** @throws InputError if the file is not a balance problem */
async function loadProblem(file: string, options: ProblemCommandOptions): Promise<BalanceProblem> {
  const source = await loadSource(file, 'a balance problem', { systems: await loadRegistry(options, file) });
  if (detectFileKind(source.value) === 'scenario') throw createRequirementError(file, '--vary and --target');
  return await parseProblemFile(source, file);
}

/** Parses the line of a setting: values by name of the field. @throws InputError */
function parseSetting(line: string, { fields }: BalanceProblem): number[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InputError('stdin', 'a line with a JSON object', JSON.stringify(line.slice(0, 60)));
  }
  const set = isMapping(value) ? value['set'] : undefined;
  if (!isMapping(set)) throw new InputError('stdin', 'an object { "set": { <field>: <value> } }', describeFound(value));
  return fields.map(({ name }) => {
    const given = set[name];
    if (typeof given === 'number') return given;
    throw new InputError('stdin', `a number for the field "${name}"`, describeFound(given));
  });
}

/** Creates an optimizer whose settings are lines of standard input; its evaluations are lines of standard output. */
function createPipedOptimizer(problem: BalanceProblem): SettingOptimizer & { close(): void } {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting = lines[Symbol.asyncIterator]();
  printJson({
    fields: problem.fields.map(({ name, low, step, count }) => ({ name, low, step, count })),
    targets: problem.targets.map((target) => target.text),
  });
  return {
    async ask() {
      const next = await waiting.next();
      return next.done === true || next.value.trim() === '' ? undefined : parseSetting(next.value, problem);
    },
    tell(setting: ProblemSetting | undefined) {
      printJson({ evaluation: setting === undefined ? null : createProblemSettingJson({ problem }, setting) });
    },
    close() {
      lines.close();
    },
  };
}

async function search(
  problem: BalanceProblem,
  options: ProblemCommandOptions,
  signals: Signals,
): Promise<BalanceSolution> {
  const { out, resume, pipe } = options;
  const optimizer = pipe === true ? createPipedOptimizer(problem) : undefined;
  const requested = { ...pickOptions(BALANCE_SCENARIOS, options), out, resume, optimizer };
  try {
    return await watched(createProgressBar(options), signals, (watch) =>
      balanceScenarios(problem, { ...requested, ...watch }),
    );
  } catch (error) {
    const next = out === undefined ? '' : RESUME_ADVICE;
    return toStopError(addBudgetAdvice(error, BATTLES_INSTEAD), signals, next);
  } finally {
    optimizer?.close();
  }
}

/** Searches a balance problem, prints the result, and exits with 1 if no setting meets all targets. */
export async function balanceProblem(file: string, options: ProblemCommandOptions, signals: Signals): Promise<void> {
  const { html, json, out, resume, pipe } = options;
  if (resume === true && out === undefined) throw createRequirementError('--resume', '--out <folder>');
  if (pipe === true && file === '-') throw createConflictError('--pipe', 'a problem from standard input');
  await checkHtmlPath(html);
  const problem = await loadProblem(file, options);
  const result = await search(problem, options, signals);
  if (pipe === true) printJson({ solution: createSolutionJson(result) });
  else if (json === true) printJson(createSolutionJson(result));
  else print(formatSheet(createSolutionSheet(result), readTextStyle(process.stdout)));
  if (html !== undefined) {
    const { renderSolutionPage } = await import('../report/html/commands/solution.ts');
    await writeHtml(
      html,
      await renderSolutionPage(result, createPageSubject(problem.name, 'balance', [file], options)),
    );
  }
  if (!result.targetsMet) throw new CommandExit(1);
}
