/** `warpool conform` */
import { existsSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import { CHECKS, conform as checkSystem } from '../kit/conform.ts';
import { loadSystems } from '../rules/load.ts';
import type { Registry } from '../rules/registry.ts';
import { loadScenario } from '../rules/scenario/index.ts';
import type { Scenario } from '../rules/system.ts';
import { type Conformed, conformJson, conformSheet, isGood } from '../tell/conform.ts';
import { Ended } from './failure.ts';
import { look, print, printJson } from './terminal.ts';

export interface ConformOptions {
  readonly seed?: bigint;
  readonly quick?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Modules among the files. */
export const MODULES = /\.[cm]?[jt]s$/;

const SCENARIOS = /\.(?:ya?ml|json)$|^-$/;

/** Whether a path is one of a module, or the name of a package. */
function isModule(path: string): boolean {
  return MODULES.test(path) || !(SCENARIOS.test(path) || existsSync(path));
}

/** Scenarios of files, with the names that tell them apart. */
interface Given {
  readonly file: string;
  readonly scenario: Scenario;
}

async function given(files: readonly string[], registry: Registry): Promise<Given[]> {
  const all: Given[] = [];
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
  scenarios: readonly Given[],
  registry: Registry,
  { seed, quick }: ConformOptions,
): Promise<Conformed[]> {
  const own = await loadSystems([module]);
  const all: Conformed[] = [];
  for (const { id } of own.all.filter((system) => own.moduleOf(system.id) !== undefined)) {
    const system = registry.system(id);
    const mine = scenarios.filter(({ scenario }) => scenario.system === id);
    const findings = await checkSystem(system, {
      scenarios: mine.map(({ scenario }) => scenario),
      ...(seed !== undefined && { seed }),
      ...(quick !== undefined && { quick }),
      registry,
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
  if (options.json === true) printJson(conformJson(all, version()));
  else print(all.map((each) => conformSheet(each, options.verbose === true, look(process.stdout))).join('\n'));
  if (!all.every(isGood)) throw new Ended(1);
}
