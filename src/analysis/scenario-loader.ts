/** Loads the scenarios that a file refers to. */

import { dirname, isAbsolute, join } from 'node:path';
import { InputError } from '../core/index.ts';
import {
  checkScenario,
  type DocumentSource,
  findLocation,
  formatPosition,
  isBound,
  loadScenario,
  type Path,
  type Scenario,
} from '../rules/index.ts';

/** Loads the scenarios of one file, each once. */
export class ScenarioLoader {
  readonly #source: DocumentSource;
  /** Base folder of paths. */
  readonly #folder: string;
  readonly #read = new Map<string, Promise<Scenario>>();

  /** @param file path of the file, which is the base of paths of scenarios; `-` for standard input */
  constructor(source: DocumentSource, file: string) {
    this.#source = source;
    this.#folder = file === '-' ? '.' : dirname(file);
  }

  /** @param path path of the value in the file */
  async load(value: string | Readonly<Record<string, unknown>>, path: Path): Promise<Scenario> {
    if (typeof value !== 'string' && isBound(value)) return value;
    const { spot } = findLocation(this.#source.spot, path);
    const { place, registry } = this.#source;
    if (typeof value !== 'string')
      return checkScenario({ value, spot, problems: [], place, ...(registry && { registry }) });
    const file = isAbsolute(value) ? value : join(this.#folder, value);
    const known = this.#read.get(file) ?? loadScenario(file, { systems: registry });
    this.#read.set(file, known);
    try {
      return await known;
    } catch (error) {
      // Errors of reading belong to the path in this file, not to a line of the scenario.
      if (!(error instanceof InputError) || error.code !== 'unreadable-file') throw error;
      const { expected, found, code } = error;
      throw new InputError(formatPosition(this.#source, path), expected, `${found}: ${file}`, { path, code });
    }
  }
}
