/** Reads a sweep file. */
import { createFileLoader } from '../../analysis/node.ts';
import { createOptionsCheck } from '../../core/index.ts';
import {
  checkBySchema,
  checkFileKind,
  collectInputErrors,
  createValueSource,
  type DocumentSource,
  getBoundScenario,
  getSourceName,
  type JsonSchema,
  loadSource,
  type ReadOptions,
} from '../../rules/index.ts';
import { createFileSchema } from './file-schema.ts';
import { openSweep, type Sweep } from './sweep.ts';
import { schema } from './sweep-file.ts';

const checkOptions = createOptionsCheck<ReadOptions>('validateSweep', { systems: true });

/**
 * Parses the text of a sweep file.
 * @param path of the file: a path of its scenario is relative to its folder
 * @throws InputError for an invalid file or scenario
 */
export async function parseSweep(source: DocumentSource, path: string): Promise<Sweep> {
  checkFileKind(source, 'sweep');
  const [file, scenario] = await collectInputErrors([
    () => checkBySchema(schema, source),
    () => createFileLoader(source, path).loadOwn(),
  ]);
  if (scenario === undefined) throw new TypeError('a sweep without a scenario was not rejected');
  const own = Object.fromEntries(getBoundScenario(scenario).prices.map((each) => [each.path, each.price]));
  const costs = file.costs ?? (Object.keys(own).length > 0 ? own : undefined);
  return openSweep({ ...file, ...(costs && { costs }), scenario }, getSourceName(path));
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
export const sweepJsonSchema = (): JsonSchema =>
  createFileSchema(schema, 'sweep', 'Sweep of warpool', 'Scenario with a parameter space.');
