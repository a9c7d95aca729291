/** Loads the scenarios that a file refers to by their paths. */

import { dirname, isAbsolute, join } from 'node:path';
import { type DocumentSource, loadScenario } from '../rules/index.ts';
import { ScenarioLoader } from './scenario-loader.ts';

/**
 * Creates a loader of scenarios from files.
 * @param file path of the file that refers to them: other paths are relative to its folder; `-` for standard input
 */
export function createFileLoader(source: DocumentSource, file: string): ScenarioLoader {
  const folder = file === '-' ? '.' : dirname(file);
  return new ScenarioLoader(source, (name) =>
    loadScenario(isAbsolute(name) ? name : join(folder, name), { systems: source.registry }),
  );
}
