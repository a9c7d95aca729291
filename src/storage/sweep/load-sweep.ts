/** Reads a sweep file. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { createOptionsCheck } from '../../core/index.ts';
import {
  checkBySchema,
  checkFileKind,
  checkScenario,
  collectInputErrors,
  createValueSource,
  type DocumentSource,
  getBoundScenario,
  isBound,
  isMapping,
  type JsonSchema,
  loadScenario,
  loadSource,
  type ReadOptions,
  type Scenario,
} from '../../rules/index.ts';
import { openSweep, type Sweep } from './sweep.ts';
import { schema } from './sweep-file.ts';

const checkOptions = createOptionsCheck<ReadOptions>('validateSweep', { systems: true });

/**
 * Returns the scenario of a sweep file: another file, relative to the folder of this one, or a part of it; undefined if
 * neither.
 */
async function resolveScenario(
  { value, spot, place, registry }: DocumentSource,
  path: string,
): Promise<Scenario | undefined> {
  const scenario = isMapping(value) ? value['scenario'] : undefined;
  const given = { spot: spot?.inside.get('scenario'), problems: [], place, ...(registry && { registry }) };
  if (isMapping(scenario) && isBound(scenario)) return scenario;
  if (isMapping(scenario)) return checkScenario({ value: scenario, ...given });
  if (typeof scenario !== 'string' || scenario === '') return undefined;
  return await loadScenario(resolve(path === '-' ? '.' : dirname(path), scenario), { systems: registry });
}

/**
 * Parses the text of a sweep file.
 * @param path of the file: a path of its scenario is relative to its folder
 * @throws InputError for an invalid file or scenario
 */
export async function parseSweep(source: DocumentSource, path: string): Promise<Sweep> {
  checkFileKind(source, 'sweep');
  const [file, scenario] = await collectInputErrors([
    () => checkBySchema(schema, source),
    () => resolveScenario(source, path),
  ]);
  if (scenario === undefined) throw new TypeError('a sweep without a scenario was not rejected');
  const own = Object.fromEntries(getBoundScenario(scenario).prices.map((each) => [each.path, each.price]));
  const costs = file.costs ?? (Object.keys(own).length > 0 ? own : undefined);
  return openSweep({ ...file, ...(costs && { costs }), scenario }, path === '-' ? 'stdin' : path);
}

/**
 * Loads and validates a sweep file and its scenario.
 * @param path of a file in YAML or JSON (UTF-8, at most 1 MiB); `-` reads standard input
 * @throws InputError for an invalid file or scenario
 */
export async function loadSweep(path: string, options: ReadOptions = {}): Promise<Sweep> {
  return await parseSweep(await loadSource(path, 'a sweep', options), path);
}

/**
 * Validates a sweep from a value, such as a sweep file parsed by `JSON.parse`.
 * @param value the fields of a sweep file; `scenario` is a scenario, its fields, or the path of a file
 * @throws InputError for an invalid value or scenario
 */
export async function validateSweep(value: unknown, options: ReadOptions = {}): Promise<Sweep> {
  checkOptions(options);
  return await parseSweep(await createValueSource(value, options), 'sweep');
}

/** Returns the JSON Schema (draft 2020-12) of sweep files. */
export function sweepJsonSchema(): JsonSchema {
  const { $schema, '~standard': _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  const about = { title: 'Sweep of warpool', description: 'Scenario with a parameter space.' };
  return { $schema, $id: 'urn:warpool:sweep', ...about, ...rest } as JsonSchema;
}
