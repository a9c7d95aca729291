/** Loads the scenarios that a file refers to. */

import { InputError } from '../core/index.ts';
import {
  checkScenario,
  type DocumentSource,
  findLocation,
  formatPath,
  formatPosition,
  isBound,
  isMapping,
  type Path,
  type Scenario,
} from '../rules/index.ts';

/** Reads the scenario of a name. @throws InputError with the code `unreadable-file` if there is none */
export type ReadScenario = (name: string) => Scenario | Promise<Scenario>;

/** Loads the scenarios of one file, each once. */
export class ScenarioLoader {
  readonly #source: DocumentSource;
  readonly #readScenario: ReadScenario;
  readonly #read = new Map<string, Scenario | Promise<Scenario>>();

  constructor(source: DocumentSource, readScenario: ReadScenario) {
    this.#source = source;
    this.#readScenario = readScenario;
  }

  /** Loads the field `scenario` of the file; undefined if it is neither a text nor a mapping, which the schema rejects. */
  async loadOwn(): Promise<Scenario | undefined> {
    const { value } = this.#source;
    const scenario = isMapping(value) ? value['scenario'] : undefined;
    if ((typeof scenario !== 'string' || scenario === '') && !isMapping(scenario)) return undefined;
    return await this.load(scenario, ['scenario']);
  }

  /** @param path path of the value in the file */
  async load(value: string | Readonly<Record<string, unknown>>, path: Path): Promise<Scenario> {
    if (typeof value !== 'string' && isBound(value)) return value;
    const { place, registry } = this.#source;
    if (typeof value !== 'string') {
      const { spot, there } = findLocation(this.#source.spot, path);
      const inner = { value, spot, problems: [], place: there ? place : () => formatPath(path) };
      return checkScenario({ ...inner, ...(registry && { registry }) });
    }
    try {
      const known = this.#read.get(value) ?? this.#readScenario(value);
      this.#read.set(value, known);
      return await known;
    } catch (error) {
      // Errors of reading belong to the path in this file, not to a line of the scenario.
      if (!(error instanceof InputError) || error.code !== 'unreadable-file') throw error;
      const { place, expected, found, code } = error;
      throw new InputError(formatPosition(this.#source, path), expected, `${found}: ${place}`, { path, code });
    }
  }
}
