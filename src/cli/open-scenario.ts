/** Where a scenario comes from. */
import { basename, extname } from 'node:path';
import type { ScenarioLabel } from '../report/index.ts';
import { applyChanges, getBoundScenario, loadScenario, type Scenario, type SystemRegistry } from '../rules/index.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';

/** Fields of a scenario that the command line sets, and the systems that it can be of. */
export interface LoadedScenarioOptions extends RegistryOptions {
  /** `path=value`, in the order given. */
  readonly set?: readonly string[] | undefined;
}

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** What it is called: its own name, or that of its file. */
  readonly name: string;
  /** The name, and behind it what was set. */
  readonly title: string;
  /** What the result of a command begins with as JSON. */
  readonly label: ScenarioLabel;
}

/** What a JSON object says of fields that were set; nothing if none were. */
export const createSetJson = ({ set }: LoadedScenarioOptions): Pick<LoadedScenarioOptions, 'set'> =>
  set === undefined ? {} : { set };

/**
 * @param file  `-` reads standard input
 * @throws InputError on whatever is wrong with it
 */
export async function openScenarioFile(file: string, setting: LoadedScenarioOptions): Promise<LoadedScenario> {
  return await openWithRegistry(file, setting, await loadRegistry(setting, file));
}

/** @param place what error messages call the fields that are set */
async function openWithRegistry(
  file: string,
  { set }: LoadedScenarioOptions,
  systems: SystemRegistry,
  place = '--set',
): Promise<LoadedScenario> {
  const loaded = await loadScenario(file, { systems });
  const scenario = set === undefined ? loaded : applyChanges(loaded, set, place);
  const name = scenario.name ?? (file === '-' ? 'stdin' : basename(file, extname(file)));
  const label = { name, ...createSetJson({ set }) };
  // Such as ` (attacker.hp=20, defender.hp=12)`.
  const formatSetFields = set === undefined || set.length === 0 ? '' : ` (${set.join(', ')})`;
  return { scenario, name, title: `${name}${formatSetFields}`, label };
}

/** The metric of that name, if there is one. */
export const metricIn = (scenario: Scenario | undefined, of: string | undefined): string | undefined =>
  scenario && getBoundScenario(scenario).model.metrics.find(({ name }) => name === of)?.name;

/**
 * Several files, each with the same fields set.
 * @throws InputError on whatever is wrong with the first that is refused
 */
export async function openScenarioFiles(
  files: readonly string[],
  setting: LoadedScenarioOptions,
): Promise<LoadedScenario[]> {
  const sources: LoadedScenario[] = [];
  for (const file of files)
    sources.push(
      await openWithRegistry(
        file,
        setting,
        await loadRegistry(setting, file),
        files.length > 1 ? `${file} --set` : '--set',
      ),
    );
  return sources;
}
