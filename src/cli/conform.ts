/** `warpool conform` */

import { existsSync } from 'node:fs';
import { InputError } from '../core/index.ts';
import { type Call, tellCall } from '../core/platform/calls.ts';
import { CHECKS, conform as checkSystem } from '../kit/index.ts';
import { loadScenario, loadSystems, type Registry, type Scenario } from '../rules/index.ts';
import { flag, type Given, type Settings } from '../rules/setting.ts';
import { PLACE } from '../studies/index.ts';
import { type Conformed, conformJson, conformSheet, isGood } from '../tell/index.ts';
import { LONGER } from './apart.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended } from './failure.ts';
import { json, type Long } from './options.ts';
import { progressBar } from './progress.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  seed: PLACE.seed,
  quick: flag('less of everything: a few seconds for a system'),
  watch: flag('runs again whenever a module, what it imports, or a scenario is written; Ctrl-C ends'),
  verbose: { ...flag('also what could not be checked, and why'), short: 'v' },
  json,
} as const satisfies Settings;

type ConformOptions = Partial<Given<typeof ASKED>> & Long;

/** Modules among the files. */
const MODULES = /\.[cm]?[jt]s$/;

const SCENARIOS = /\.(?:ya?ml|json)$|^-$/;

/** Whether a path is one of a module, or the name of a package. */
function isModule(path: string): boolean {
  return MODULES.test(path) || !(SCENARIOS.test(path) || existsSync(path));
}

/** Scenarios of files, with the names that tell them apart. */
interface Claimed {
  readonly file: string;
  readonly scenario: Scenario;
}

async function given(files: readonly string[], registry: Registry): Promise<Claimed[]> {
  const all: Claimed[] = [];
  for (const file of files) {
    const scenario = await loadScenario(file, { systems: registry });
    if (registry.moduleOf(scenario.system) === undefined)
      throw new InputError(file, 'a scenario of one of the modules', `one of ${scenario.system}`);
    all.push({ file, scenario });
  }
  return all;
}

/** The systems of a module, each with what was found. */
async function checked(
  module: string,
  scenarios: readonly Claimed[],
  registry: Registry,
  options: ConformOptions,
): Promise<Conformed[]> {
  const { seed, quick } = options;
  const own = await loadSystems([module]);
  const all: Conformed[] = [];
  for (const { id } of own.all.filter((system) => own.moduleOf(system.id) !== undefined)) {
    const system = registry.system(id);
    const mine = scenarios.filter(({ scenario }) => scenario.system === id);
    const bar = progressBar(options, 'scenarios');
    const findings = await checkSystem(system, {
      scenarios: mine.map(({ scenario }) => scenario),
      ...(seed !== undefined && { seed }),
      ...(quick !== undefined && { quick }),
      registry,
      onScenario: (_, done, asked) => bar.show?.({ done, asked }),
    }).finally(() => {
      bar.end();
    });
    const files = mine.map(({ file, scenario }, k) => [scenario.name ?? `scenario ${String(k + 1)}`, file] as const);
    const { title } = system;
    all.push({ system: id, title, file: module, checks: CHECKS, findings, files: Object.fromEntries(files) });
  }
  return all;
}

/** Checks systems, tells what was found, and ends with 1 unless nothing is wrong. */
export async function conform(paths: readonly string[], options: ConformOptions): Promise<void> {
  const modules = paths.filter(isModule);
  if (modules.length === 0)
    throw new InputError('conform', 'a module or a package with a system, such as ./my-duel.js', paths.join(' '));
  const registry = await loadSystems(modules);
  const scenarios = await given(
    paths.filter((path) => !isModule(path)),
    registry,
  );
  const all: Conformed[] = [];
  for (const module of modules) all.push(...(await checked(module, scenarios, registry, options)));
  if (options.json === true) printJson(conformJson(all));
  else print(all.map((each) => conformSheet(each, options.verbose === true, look(process.stdout))).join('\n'));
  if (!all.every(isGood)) throw new Ended(1);
}

const ENDS = { id: 'ends', title: 'every call of the rules ends' };

/**
 * What it says of a module one of whose calls did not end: it was ended, and cannot say it itself.
 * @param args of the command
 * @returns the exit code
 */
export function tellLate(late: Call, args: readonly string[]): number {
  const file = args.find((arg) => MODULES.test(arg)) ?? late.whose;
  const found = {
    ...{ check: ENDS.id, scenario: '', ok: false, checked: true, message: tellCall(late) },
    advice: `Nothing else was looked at. Every loop has to end, in every state that is reached. ${LONGER}`,
  };
  const conformed = { system: late.whose, title: late.whose, file, checks: [ENDS], findings: [found], files: {} };
  if (args.includes('--json')) printJson(conformJson([conformed]));
  else print(conformSheet(conformed, false, look(process.stdout)));
  return 1;
}

const CONFORM_NOTES = `
Played are the examples of each system, the scenarios given, and some made from its schema. docs/reference/conform.md tells what
the checks mean. A module is code: it can do all that this program can. Exit code 1 if something is wrong, 2 if a file
cannot be loaded.`;

export const command: DeclaredCommand = {
  description:
    'Tests battle systems of your own: rules, dice, keys, metrics, policies, replays, examples; and exact answers, ' +
    'automata and simulation against each other.',
  takes: ['modules that export systems, such as ./my-duel.js, and scenario files in YAML or JSON'],
  asked: ASKED,
  after: [
    examples(
      'conform ./my-duel.js',
      'conform ./my-duel.js scenarios/*.yaml --quick',
      'conform ./my-duel.js --quick --watch',
    ),
    CONFORM_NOTES,
  ],
  action: (files: string[], options: ConformOptions) => conform(files, options),
};
