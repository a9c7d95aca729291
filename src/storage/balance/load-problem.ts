/** Loads balance problems. */

import type { BalanceProblem } from '../../analysis/index.ts';
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
import { parseBalanceProblem } from './parse-problem.ts';
import { problemSchema } from './problem-file.ts';

/**
 * Parses the text of a balance problem.
 * @param path of the file: paths of its scenarios are relative to its folder
 * @throws InputError for an invalid file or scenario
 */
export const parseProblemFile = (source: DocumentSource, path: string): Promise<BalanceProblem> =>
  parseBalanceProblem(source, getSourceName(path), createFileLoader(source, path));

/**
 * Loads and validates a balance problem and its scenarios.
 * @param path of a file in YAML or JSON (UTF-8, at most 1 MiB); `-` reads standard input
 * @throws InputError for an invalid file or scenario
 */
export async function loadBalanceProblem(path: string, options: ReadOptions = {}): Promise<BalanceProblem> {
  return await parseProblemFile(await loadSource(path, 'a balance problem', options), path);
}

const checkOptions = createOptionsCheck<ReadOptions>('validateBalanceProblem', { systems: true });

/**
 * Validates a balance problem from a value, such as a file parsed by `JSON.parse`.
 * @param value the fields of a balance problem; a scenario is a scenario, its fields, or the path of a file
 * @throws InputError for an invalid value or scenario
 */
export async function validateBalanceProblem(value: unknown, options: ReadOptions = {}): Promise<BalanceProblem> {
  checkOptions(options);
  return await parseProblemFile(await createValueSource(value, options), 'problem');
}

/** Returns the JSON Schema (draft 2020-12) of balance problems. */
export const balanceProblemJsonSchema = (): JsonSchema =>
  createFileSchema(
    problemSchema,
    'problem',
    'Balance problem of warpool',
    'Fields of one or several scenarios, and targets that they must meet together.',
  );
