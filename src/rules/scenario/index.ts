/** From a file, a text or an object to a complete, checked scenario. */
import { InputError } from '../../core/errors.ts';
import { registryOf, type SystemsLike } from '../index.ts';
import type { Registry } from '../registry.ts';
import type { Scenario } from '../system.ts';
import { check } from './check.ts';
import { type DocumentSource, readDocument } from './document.ts';
import { describeFound } from './finding.ts';
import { optionsOf } from './options.ts';
import { placeOf, readText, SIZE_LIMIT } from './read.ts';

export { changeScenario } from './change.ts';
export { jsonSchema, scenarioJsonSchema } from './json-schema.ts';

/** What readers of scenarios know beside the shipped systems. */
export interface ReadOptions {
  /** Systems that scenarios can name: systems beside the shipped ones, or what `loadSystems` gives. */
  readonly systems?: SystemsLike | undefined;
}

const checkOptions = optionsOf<ReadOptions>('options', { systems: true });

/** The systems that options name. @throws InputError if two have one name, or there are other options */
export function registryIn(options: ReadOptions): Registry {
  checkOptions(options);
  return registryOf(options.systems);
}

/**
 * The scenario of an object, complete with all defaults.
 *
 * @param value what a scenario file would hold; it is not changed
 * @param place what the messages call it; by default they begin with the field
 * @throws InputError, or InputErrors with up to 20 problems and the number of those left out
 */
export function checkScenario(value: unknown, place = '', options: ReadOptions = {}): Scenario {
  return check({ value, spot: undefined, problems: [], place: () => place, registry: registryIn(options) });
}

function parseSource(text: string, place: string, options: ReadOptions, what?: string): DocumentSource {
  const registry = registryIn(options);
  if (typeof (text as unknown) !== 'string') throw new InputError(place, 'a text', describeFound(text));
  if (text.length > SIZE_LIMIT) throw new InputError(place, 'a text of at most 1 MiB', 'a longer one');
  return { ...readDocument(text.replace(/^\uFEFF/, ''), place, what), registry };
}

/**
 * What a file in YAML or JSON (UTF-8, at most 1 MiB) holds, with the place of everything in it, for `checkWith`.
 *
 * @param path of a regular file; `-` reads the standard input
 * @param what what the file should hold: `a list of expectations`
 * @throws InputError, or InputErrors, for whatever is wrong with the file as such
 */
export async function loadSource(path: string, what: string, options: ReadOptions = {}): Promise<DocumentSource> {
  return parseSource(await readText(path), placeOf(path), options, what);
}

/**
 * The scenario of a text in YAML 1.2 or JSON, complete with all defaults.
 *
 * @param text  at most 1 MiB; a byte order mark is passed over
 * @param place what the messages call it, usually its file; they add line and column
 * @throws InputError, or InputErrors with up to 20 problems in the order of the text and the number of those left out
 */
export function parseScenario(text: string, place = 'scenario', options: ReadOptions = {}): Scenario {
  return check(parseSource(text, place, options));
}

/**
 * The scenario of a file in YAML or JSON (UTF-8, at most 1 MiB), complete with all defaults.
 *
 * @param path of a regular file; `-` reads the standard input
 * @throws InputError, or InputErrors, for whatever is wrong with the file or the scenario
 */
export async function loadScenario(path: string, options: ReadOptions = {}): Promise<Scenario> {
  return parseScenario(await readText(path), placeOf(path), options);
}
