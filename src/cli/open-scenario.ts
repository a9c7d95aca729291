/** Opens scenarios from files. */
import { basename, extname } from 'node:path';
import type { ScenarioLabel } from '../report/index.ts';
import {
  applyChangesOfFiles,
  getBoundScenario,
  loadScenario,
  type Scenario,
  type SystemRegistry,
} from '../rules/index.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';

/** Changed fields of a scenario, and its possible systems. */
export interface LoadedScenarioOptions extends RegistryOptions {
  /** `path=value`, in order. */
  readonly set?: readonly string[] | undefined;
}

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** Name of the scenario, or of its file. */
  readonly name: string;
  /** Name and changed fields. */
  readonly title: string;
  /** First fields of the command's JSON. */
  readonly label: ScenarioLabel;
}

/** Returns the JSON of changed fields; empty without changes. */
export const createSetJson = ({ set }: LoadedScenarioOptions): Pick<LoadedScenarioOptions, 'set'> =>
  set === undefined ? {} : { set };

/**
 * @param file `-` reads standard input
 * @throws InputError if it is invalid
 */
export async function openScenarioFile(file: string, setting: LoadedScenarioOptions): Promise<LoadedScenario> {
  return await openWithRegistry(file, setting, await loadRegistry(setting, file));
}

/** @param place name of the changed fields in messages */
async function openWithRegistry(
  file: string,
  { set }: LoadedScenarioOptions,
  systems: SystemRegistry,
  place = '--set',
): Promise<LoadedScenario> {
  const loaded = await loadScenario(file, { systems });
  const scenario = set === undefined ? loaded : await applyChangesOfFiles(loaded, set, place);
  const name = scenario.name ?? (file === '-' ? 'stdin' : basename(file, extname(file)));
  const label = { name, ...createSetJson({ set }) };
  // Such as ` (attacker.hp=20, defender.hp=12)`.
  const formatSetFields = set === undefined || set.length === 0 ? '' : ` (${set.join(', ')})`;
  return { scenario, name, title: `${name}${formatSetFields}`, label };
}

/** Returns the metric of this name, if any. */
export const findMetric = (scenario: Scenario | undefined, of: string | undefined): string | undefined =>
  scenario && getBoundScenario(scenario).model.metrics.find(({ name }) => name === of)?.name;

/**
 * Opens several files with the same changed fields.
 * @throws InputError for the first invalid file
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
