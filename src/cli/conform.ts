/** `warpool conform` */

import { existsSync } from 'node:fs';
import { RUN_POSITION } from '../analysis/index.ts';
import { CONFORMANCE_CHECKS, conform as checkSystem } from '../conformance/index.ts';
import { InputError } from '../core/index.ts';
import { describeCall, type RulesCall } from '../core/platform/rules-call.ts';
import {
  type ConformanceResult,
  createConformanceJson,
  formatConformanceSheet,
  isConformant,
} from '../report/index.ts';
import { loadScenario, loadSystems, type Scenario, type SystemRegistry } from '../rules/index.ts';
import { flag, type OptionSpecs, type ParsedOptions } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { RULE_LIMIT_HINT } from './command-thread-host.ts';
import { CommandExit } from './failure.ts';
import { json, type LongRunningOptions } from './options.ts';
import { createProgressBar } from './progress.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  seed: RUN_POSITION.seed,
  quick: flag('run smaller checks, a few seconds per system'),
  watch: flag('run again when a module, its imports or a scenario change; Ctrl-C ends'),
  verbose: { ...flag('also show skipped checks and reasons'), short: 'v' },
  json,
} as const satisfies OptionSpecs;

type ConformCommandOptions = Partial<ParsedOptions<typeof OPTIONS>> & LongRunningOptions;

/** Modules among the files. */
const MODULE_PATTERN = /\.[cm]?[jt]s$/;

const SCENARIO_PATTERN = /\.(?:ya?ml|json)$|^-$/;

/** True for the path of a module, or the name of a package. */
function isModule(path: string): boolean {
  return MODULE_PATTERN.test(path) || !(SCENARIO_PATTERN.test(path) || existsSync(path));
}

/** Scenarios of files with distinct names. */
interface UniqueScenario {
  readonly file: string;
  readonly scenario: Scenario;
}

async function openScenarios(files: readonly string[], registry: SystemRegistry): Promise<UniqueScenario[]> {
  const all: UniqueScenario[] = [];
  for (const file of files) {
    const scenario = await loadScenario(file, { systems: registry });
    if (registry.moduleOf(scenario.system) === undefined)
      throw new InputError(file, 'a scenario of one of the modules', `a scenario of ${scenario.system}`);
    all.push({ file, scenario });
  }
  return all;
}

/** Checks the systems of a module. */
async function conformModule(
  module: string,
  scenarios: readonly UniqueScenario[],
  registry: SystemRegistry,
  options: ConformCommandOptions,
): Promise<ConformanceResult[]> {
  const { seed, quick } = options;
  const own = await loadSystems([module]);
  const all: ConformanceResult[] = [];
  for (const { id } of own.all.filter((system) => own.moduleOf(system.id) !== undefined)) {
    const system = registry.system(id);
    const mine = scenarios.filter(({ scenario }) => scenario.system === id);
    const bar = createProgressBar(options, 'scenarios');
    const findings = await checkSystem(system, {
      scenarios: mine.map(({ scenario }) => scenario),
      ...(seed !== undefined && { seed }),
      ...(quick !== undefined && { quick }),
      registry,
      onScenario: (_, done, requested) => bar.show?.({ done, total: requested }),
    }).finally(() => {
      bar.end();
    });
    const files = mine.map(({ file, scenario }, k) => [scenario.name ?? `scenario ${String(k + 1)}`, file] as const);
    const { title } = system;
    all.push({
      system: id,
      title,
      file: module,
      checks: CONFORMANCE_CHECKS,
      findings,
      files: Object.fromEntries(files),
    });
  }
  return all;
}

/** Checks systems, prints the results, and exits with 1 after a failed check. */
export async function conformPaths(paths: readonly string[], options: ConformCommandOptions): Promise<void> {
  const modules = paths.filter(isModule);
  if (modules.length === 0)
    throw new InputError('conform', 'a module or a package with a system, such as ./my-duel.js', paths.join(' '));
  const registry = await loadSystems(modules);
  const scenarios = await openScenarios(
    paths.filter((path) => !isModule(path)),
    registry,
  );
  const all: ConformanceResult[] = [];
  for (const module of modules) all.push(...(await conformModule(module, scenarios, registry, options)));
  if (options.json === true) printJson(createConformanceJson(all));
  else
    print(
      all
        .map((each) => formatConformanceSheet(each, options.verbose === true, readTextStyle(process.stdout)))
        .join('\n'),
    );
  if (!all.every(isConformant)) throw new CommandExit(1);
}

const ENDS_CHECK = { id: 'ends', title: 'every call of the rules returns' };

/**
 * Prints the failed check of a module with a call that did not return, since the module's thread was terminated.
 * @param args of the command
 * @returns the exit code
 */
export function printLateCall(late: RulesCall, args: readonly string[]): number {
  const file = args.find((arg) => MODULE_PATTERN.test(arg)) ?? late.owner;
  const found = {
    ...{ check: ENDS_CHECK.id, scenario: '', ok: false, checked: true, message: describeCall(late) },
    advice: `Other checks were skipped. Every loop must end in every state that is reached. ${RULE_LIMIT_HINT}`,
  };
  const conformed = { system: late.owner, title: late.owner, file, checks: [ENDS_CHECK], findings: [found], files: {} };
  if (args.includes('--json')) printJson(createConformanceJson([conformed]));
  else print(formatConformanceSheet(conformed, false, readTextStyle(process.stdout)));
  return 1;
}

const CONFORM_NOTES = `
The scenarios are the examples of each system, the given scenarios, and scenarios generated from the schema.
docs/reference/conform.md explains the checks. A module is code, with all permissions of this program.
Exit code 1 if a check fails, 2 if a file cannot be loaded.`;

export const command: CommandDeclaration = {
  description:
    'Tests custom battle systems: rules, dice, keys, metrics, policies, replays and examples, and the agreement of exact answers, automata and simulation.',
  parameters: ['modules that export systems, such as ./my-duel.js, and scenario files in YAML or JSON'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'conform ./my-duel.js',
      'conform ./my-duel.js scenarios/*.yaml --quick',
      'conform ./my-duel.js --quick --watch',
    ),
    CONFORM_NOTES,
  ],
  action: (files: string[], options: ConformCommandOptions) => conformPaths(files, options),
};
