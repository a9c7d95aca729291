/** Checks several parts of one file together, so that all their problems are reported at once. */

import { z } from 'zod';
import { checkText, createOptionsCheck, describeFound, InputError } from '../../core/index.ts';
import { findGames } from '../games.ts';
import type { SystemRegistry } from '../registry.ts';
import { type ScenarioInput, type ScenarioOfSystem, type SystemsLike, toRegistry } from '../shipped-registry.ts';
import type { Scenario, System } from '../system.ts';
import { checkScenario } from './check-scenario.ts';
import { costsField } from './costs.ts';
import { readDocument } from './document.ts';
import type { DocumentSource } from './document-source.ts';
import { policiesField } from './policies-field.ts';
import { getSourceName, readText, SIZE_LIMIT } from './read-text.ts';

export { getSourceName, readText };

/** Counts the errors that are not listed. */
const countUnlisted = (errors: readonly unknown[]): number =>
  errors.reduce<number>((sum, error) => sum + (error instanceof InputError ? error.more : 0), 0);

/** Removes duplicates among input errors. */
function removeDuplicates(errors: readonly unknown[]): InputError[] {
  const inputs = errors.flatMap((error) => {
    if (error instanceof InputError) return error.errors;
    throw error;
  });
  return [...new Map(inputs.map((error) => [error.message, error])).values()];
}

/**
 * Collects the results of all parts.
 * @param sorted sorts the errors; default: in the order of the parts
 * @throws InputError with the errors of all parts; other errors unchanged
 */
export async function collectInputErrors<const T extends readonly (() => unknown)[]>(
  parts: T,
  sorted: (errors: InputError[]) => readonly InputError[] = (errors) => errors,
): Promise<{ -readonly [P in keyof T]: Awaited<ReturnType<T[P]>> }> {
  const results = await Promise.allSettled(parts.map(async (part) => await part()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const errors = sorted(removeDuplicates(failures));
  const error = InputError.of(errors, countUnlisted(failures));
  if (error !== undefined) throw error;
  const values = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  return values as { -readonly [P in keyof T]: Awaited<ReturnType<T[P]>> };
}

// JSON Schemas of scenario files, for editors.

export type JsonSchema = z.core.JSONSchema.JSONSchema;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function createBareSchema(system: System): JsonSchema {
  const { $schema: _schema, '~standard': __, ...schema } = z.toJSONSchema(system.schema, { io: 'input' });
  return { title: system.title, description: system.about, ...addSharedFields(schema) };
}

/** Adds prices and policies to the fields of every system, in each of its modes. */
function addSharedFields(schema: JsonSchema): JsonSchema {
  const { oneOf, properties } = schema;
  if (oneOf !== undefined) return { ...schema, oneOf: oneOf.map((mode) => addSharedFields(mode)) };
  if (properties === undefined) return schema;
  const toBare = (field: z.ZodType): JsonSchema => {
    const { $schema: _schema, '~standard': _standard, ...bare } = z.toJSONSchema(field, { io: 'input' });
    return bare;
  };
  return { ...schema, properties: { costs: toBare(costsField), policies: toBare(policiesField), ...properties } };
}

/**
 * Returns the JSON Schema (draft 2020-12) of scenario files of one system, with defaults and descriptions.
 *
 * It covers single fields; only `validateScenario` checks relations between fields, such as two sides with the same
 * name.
 *
 * @param id id of a system; `all` for the files of all systems
 * @throws InputError if there is no such system
 */
export function systemJsonSchema(id: string, options: ReadOptions = {}): JsonSchema {
  const registry = resolveRegistry(options);
  checkText('id', id, 'the name of a system, or all');
  if (id === 'all') return createScenarioJsonSchema(registry);
  return { $schema: DRAFT, $id: `urn:warpool:scenario:${id}`, ...createBareSchema(registry.system(id)) };
}

/** Creates the JSON Schema of all scenario files: `system` selects the schema of the system. */
export function createScenarioJsonSchema(systems?: SystemsLike): JsonSchema {
  const { all, names: ids } = toRegistry(systems);
  return {
    $schema: DRAFT,
    $id: 'urn:warpool:scenario',
    title: 'Scenario of warpool',
    description: 'A battle to be simulated or solved.',
    type: 'object',
    properties: { system: { description: 'Id of the battle system.', enum: ids } },
    required: ['system'],
    oneOf: ids.map((id) => ({ $ref: `#/$defs/${id}` })),
    $defs: Object.fromEntries(all.map((system) => [system.id, createBareSchema(system)])),
  };
}

// Loads and validates scenarios from files, texts and objects.

export { applyChanges, applyChangesOfFiles, updateScenario } from './update-scenario.ts';

/** Options of readers of scenarios. */
export interface ReadOptions {
  /** Systems that scenarios can use: additional ones, or the result of `loadSystems`. */
  readonly systems?: SystemsLike | undefined;
}

/** Options of `loadScenario`. */
export interface LoadScenarioOptions<Id extends string = string> extends ReadOptions {
  /** The system that the scenario must have, such as `attrition`: the result has the type of its scenarios. */
  readonly system?: Id | undefined;
}

/** Options of `validateScenario` and `parseScenario`. */
export interface ValidateOptions<Id extends string = string> extends LoadScenarioOptions<Id> {
  /** What messages call the text or the value, usually its file. */
  readonly source?: string | undefined;
}

const checkOptions = createOptionsCheck<ReadOptions>('options', { systems: true });
const SYSTEM = { check: (value: unknown) => checkText('system', value, 'the id of a system') };
const checkLoadOptions = createOptionsCheck<LoadScenarioOptions>('options', { systems: true, system: SYSTEM });
const checkSource = createOptionsCheck<ValidateOptions>('options', { systems: true, system: SYSTEM, source: true });

/** Checks that a scenario is of the requested system. */
function checkSystem<Id extends string>(
  scenario: Scenario,
  source: string,
  system: Id | undefined,
): ScenarioOfSystem<Id> {
  if (system === undefined || scenario.system === system) return scenario as ScenarioOfSystem<Id>;
  throw new InputError(`${source} system`.trim(), `"${system}"`, `"${scenario.system}"`);
}

/** @param usual default name of the source in messages */
function resolveSource(
  options: ValidateOptions,
  usual: string,
): { readonly source: string; readonly registry: SystemRegistry } {
  checkSource(options);
  const { source = usual, systems } = options;
  checkText('source', source);
  return { source, registry: toRegistry(systems) };
}

/** Resolves the systems in options. @throws InputError if two have the same name, or there are other options */
export function resolveRegistry(options: ReadOptions): SystemRegistry {
  checkOptions(options);
  return toRegistry(options.systems);
}

/**
 * Validates a scenario and adds all defaults. Games of warpool must be among the systems.
 *
 * @param value content of a scenario file; it is not changed
 * @throws InputError with up to 20 errors, and the number of omitted ones; by default their places begin with the
 *   field
 */
export function validateScenario<const S extends ScenarioInput>(value: S): ScenarioOfSystem<S['system']>;
export function validateScenario<Id extends string>(
  value: unknown,
  options?: ValidateOptions<Id>,
): ScenarioOfSystem<Id>;
export function validateScenario(value: unknown, options: ValidateOptions = {}): Scenario {
  const { source, registry } = resolveSource(options, '');
  const scenario = checkScenario({ value, spot: undefined, problems: [], place: () => source, registry });
  return checkSystem(scenario, source, options.system);
}

/** A parsed text, and the systems that it can use. */
type ParsedSource = DocumentSource & { readonly registry: SystemRegistry };

function parseSource(text: string, place: string, registry: SystemRegistry, what?: string): ParsedSource {
  if (typeof (text as unknown) !== 'string') throw new InputError(place, 'a string', describeFound(text));
  if (text.length > SIZE_LIMIT) throw new InputError(place, 'a string of at most 1 MiB', 'a longer one');
  return { ...readDocument(text.replace(/^\uFEFF/, ''), place, what), registry };
}

/**
 * Loads a file in YAML or JSON (UTF-8, at most 1 MiB), with the locations of all values and the systems that it can
 * use.
 *
 * @param path path of a regular file, or a `file:` URL; `-` reads the standard input
 * @param what expected content of the file: `a list of expectations`
 * @throws InputError if the file is invalid
 */
export async function loadSource(path: string, what: string, options: ReadOptions = {}): Promise<DocumentSource> {
  return await readSource(await readText(path), getSourceName(path), resolveRegistry(options), what);
}

/** Adds the games that a document uses, which are loaded on demand. */
async function addGames(source: ParsedSource): Promise<ParsedSource> {
  if (findGames(source.value).size === 0) return source;
  const { addGamesOf } = await import('../load-systems.ts');
  return { ...source, registry: await addGamesOf(source.registry, source.value) };
}

/** Parses a text, and adds the policies and games that it uses, which are loaded on demand. */
async function readSource(...given: Parameters<typeof parseSource>): Promise<ParsedSource> {
  const source = parseSource(...given);
  if (given[0].includes('policies')) await (await import('./load-policies.ts')).loadPolicies(source.value, given[1]);
  return await addGames(source);
}

/** Creates the source of a value that is not from a text. Its games are loaded. */
export async function createValueSource(value: unknown, options: ReadOptions): Promise<DocumentSource> {
  const registry = resolveRegistry(options);
  return await addGames({ value, spot: undefined, problems: [], place: () => '', registry });
}

/**
 * Parses a scenario in YAML 1.2 or JSON, with all defaults. It is synchronous: games of warpool must be among the
 * systems, as by `await loadSystems(['conquest-dice'])`.
 *
 * @param text at most 1 MiB; a byte order mark is ignored
 * @throws InputError with up to 20 problems in the order of the text and the number of omitted ones
 */
export function parseScenario<Id extends string>(
  text: string,
  options: ValidateOptions<Id> = {},
): ScenarioOfSystem<Id> {
  const { source, registry } = resolveSource(options, 'scenario');
  return checkSystem(checkScenario(parseSource(text, source, registry)), source, options.system);
}

/** Parses a scenario like `parseScenario`, and loads its game of warpool. */
export async function readScenario(text: string, place: string, options: ReadOptions): Promise<Scenario> {
  return checkScenario(await readSource(text, place, resolveRegistry(options)));
}

/**
 * Loads the scenario of a file in YAML or JSON (UTF-8, at most 1 MiB), with all defaults. Its game of warpool is
 * loaded.
 *
 * @param path path of a regular file; `-` reads the standard input
 * @throws InputError if the file or the scenario is invalid
 */
export async function loadScenario<Id extends string>(
  path: string | URL,
  options: LoadScenarioOptions<Id> = {},
): Promise<ScenarioOfSystem<Id>> {
  checkLoadOptions(options);
  const { system, ...reading } = options;
  const file = String(path);
  const source = getSourceName(file);
  return checkSystem(await readScenario(await readText(file), source, reading), source, system);
}
