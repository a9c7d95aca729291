/** Loads roster files. */
import { createFileLoader } from '../../analysis/node.ts';
import { createOptionsCheck } from '../../core/index.ts';
import {
  createValueSource,
  type DocumentSource,
  getSourceName,
  type JsonSchema,
  loadSource,
  type ReadOptions,
} from '../../rules/index.ts';
import { createFileSchema } from '../sweep/file-schema.ts';
import { parseRoster, type Roster } from './roster.ts';
import { rosterSchema } from './roster-file.ts';

/**
 * Parses the text of a roster file.
 * @param path of the file: paths of its scenarios are relative to its folder
 * @throws InputError for an invalid file or scenario
 */
export const parseRosterFile = (source: DocumentSource, path: string): Promise<Roster> =>
  parseRoster(source, getSourceName(path), createFileLoader(source, path));

/**
 * Loads and validates a roster file and its scenarios.
 * @param path of a file in YAML or JSON (UTF-8, at most 1 MiB); `-` reads standard input
 * @throws InputError for an invalid file or scenario
 */
export async function loadRoster(path: string, options: ReadOptions = {}): Promise<Roster> {
  return await parseRosterFile(await loadSource(path, 'a roster', options), path);
}

const checkOptions = createOptionsCheck<ReadOptions>('validateRoster', { systems: true });

/**
 * Validates a roster from a value, such as a roster file parsed by `JSON.parse`. Games of warpool are loaded.
 * @param value the fields of a roster file; `scenario` is a scenario, its fields, or the path of a file
 * @throws InputError for an invalid value or scenario
 */
export async function validateRoster(value: unknown, options: ReadOptions = {}): Promise<Roster> {
  checkOptions(options);
  return await parseRosterFile(await createValueSource(value, options), 'roster');
}

/** Returns the JSON Schema (draft 2020-12) of roster files. */
export const rosterJsonSchema = (): JsonSchema =>
  createFileSchema(rosterSchema, 'roster', 'Roster of warpool', 'Armies of two sides, all of which fight all others.');
