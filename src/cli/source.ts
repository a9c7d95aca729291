/** Where a scenario comes from. */
import { basename, extname } from 'node:path';
import { applyChanges, loadScenario, opened, type Registry, type Scenario } from '../rules/index.ts';
import type { Label } from '../tell/index.ts';
import { type Known, registryFor } from './registry.ts';

/** Fields of a scenario that the command line sets, and the systems that it can be of. */
export interface SourceOptions extends Known {
  /** `path=value`, in the order given. */
  readonly set?: readonly string[] | undefined;
}

export interface Source {
  readonly scenario: Scenario;
  /** What it is called: its own name, or that of its file. */
  readonly name: string;
  /** The name, and behind it what was set. */
  readonly title: string;
  /** What the result of a command begins with as JSON. */
  readonly label: Label;
}

/** What a JSON object says of fields that were set; nothing if none were. */
export const given = ({ set }: SourceOptions): Pick<SourceOptions, 'set'> => (set === undefined ? {} : { set });

/**
 * @param file  `-` reads standard input
 * @throws InputError on whatever is wrong with it
 */
export async function open(file: string, setting: SourceOptions): Promise<Source> {
  return await openBy(file, setting, await registryFor(setting, file));
}

/** @param place what error messages call the fields that are set */
async function openBy(file: string, { set }: SourceOptions, systems: Registry, place = '--set'): Promise<Source> {
  const loaded = await loadScenario(file, { systems });
  const scenario = set === undefined ? loaded : applyChanges(loaded, set, place);
  const name = scenario.name ?? (file === '-' ? 'stdin' : basename(file, extname(file)));
  const label = { name, ...given({ set }) };
  // Such as ` (attacker.hp=20, defender.hp=12)`.
  const behind = set === undefined || set.length === 0 ? '' : ` (${set.join(', ')})`;
  return { scenario, name, title: `${name}${behind}`, label };
}

/** The metric of that name, if there is one. */
export const metricIn = (scenario: Scenario | undefined, of: string | undefined): string | undefined =>
  scenario && opened(scenario).model.metrics.find(({ name }) => name === of)?.name;

/**
 * Several files, each with the same fields set.
 * @throws InputError on whatever is wrong with the first that is refused
 */
export async function openAll(files: readonly string[], setting: SourceOptions): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of files)
    sources.push(
      await openBy(file, setting, await registryFor(setting, file), files.length > 1 ? `${file} --set` : '--set'),
    );
  return sources;
}
