/**
 * Checks a value against a schema, and a scenario against the schema of its system, and reports problems in the format
 * of warpool.
 */

import { z } from 'zod';
import { describeFound, InputError, readPath, suggestName } from '../../core/index.ts';
import { bindScenario, getBoundScenario } from '../bound-scenario.ts';
import { describeUnknownSystem, GAME_IDS } from '../games.ts';
import { checkPolicySources, type PolicySources } from '../policy-file.ts';
import type { SystemRegistry } from '../registry.ts';
import { SHIPPED_REGISTRY } from '../shipped-registry.ts';
import type { Price, Scenario, System } from '../system.ts';
import { type Costs, costsField, readCosts } from './costs.ts';
import {
  describeExpected,
  findDeclarations,
  formatOneOf,
  getDeclaration,
  listFieldNames,
  listNameDeclarations,
  listWords,
  type SimpleDeclaration,
} from './declaration.ts';
import { checkFileKind, type DocumentSource, type SourceLocation } from './document-source.ts';
import {
  type DocumentProblem,
  findProtoProblems,
  formatPlace,
  getValueAt,
  isMapping,
  type Path,
  throwIfAny,
} from './problem.ts';

type ZodIssue = z.core.$ZodIssue;
type ProblemText = ReturnType<DocumentProblem['describe']>;

/** The checked value. */
interface CheckedValue {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly spot: SourceLocation | undefined;
}

/** Messages that a declaration does not give itself. */
const DEFAULT_MESSAGE = '';

/** Finds the location of a path, or of the mapping or list in which it is missing. */
export function findLocation(
  spot: SourceLocation | undefined,
  path: Path,
): { readonly spot: SourceLocation | undefined; readonly there: boolean } {
  let here = spot;
  for (const step of path) {
    const next = here?.inside.get(step);
    if (next === undefined) return { spot: here, there: false };
    here = next;
  }
  return { spot: here, there: true };
}

/** Formats file, line, column and field of a value. */
export function formatPosition({ spot, place }: DocumentSource, path: Path): string {
  return formatPlace(path, place(findLocation(spot, path).spot?.offset ?? 0));
}

function createProblem(
  subject: CheckedValue,
  path: Path,
  of: DocumentProblem['target'],
  describe: () => ProblemText,
): DocumentProblem {
  const { spot } = findLocation(subject.spot, path);
  const offset = of === 'name' ? spot?.name : spot?.offset;
  return { path, target: of, offset: offset ?? 0, describe };
}

function listDeclarationsAt({ schema, value }: CheckedValue, path: Path): readonly SimpleDeclaration[] {
  return findDeclarations(getDeclaration(schema), value, path);
}

function describeFoundAt(subject: CheckedValue, path: Path): string {
  const { spot, there } = findLocation(subject.spot, path);
  return describeFound(getValueAt(subject.value, path), there ? spot?.text : undefined);
}

/**
 * Parses the message of a refinement: of `reject` for declared fields, or `<expected>, found <found>`, or `<expected>`.
 */
function parseRefinementMessage(issue: ZodIssue): Partial<ProblemText> {
  if (issue.code === 'custom') {
    const { expected, found: instead } = issue.params ?? {};
    if (typeof expected === 'string') return typeof instead === 'string' ? { expected, found: instead } : { expected };
  }
  if (issue.message === DEFAULT_MESSAGE) return {};
  const [, expected = issue.message, instead] = /^(.*?)[,;] found (.*)$/s.exec(issue.message) ?? [];
  return instead === undefined ? { expected } : { expected, found: instead };
}

function createValueProblem(subject: CheckedValue, path: Path, issue: ZodIssue): DocumentProblem {
  // A refinement rejects the name of the field, not its value, if it found the name.
  if (parseRefinementMessage(issue).found === `"${String(path.at(-1))}"`)
    return createNameProblem(subject, path, [issue]);
  return createProblem(subject, path, 'value', () => {
    const declared = listDeclarationsAt(subject, path);
    const value = getValueAt(subject.value, path);
    const hint = typeof value === 'string' ? suggestName(value, listWords(declared)) : '';
    return {
      expected: describeExpected(declared),
      found: describeFoundAt(subject, path) + hint,
      ...parseRefinementMessage(issue),
    };
  });
}

function createUnknownFieldProblem(subject: CheckedValue, path: Path, name: string): DocumentProblem {
  const unknown = createProblem(subject, [...path, name], 'name', () => {
    const known = listFieldNames(listDeclarationsAt(subject, path));
    const expected = known.length === 0 ? 'no fields' : formatOneOf(known);
    return { expected, found: `an unknown field${suggestName(name, known)}` };
  });
  return { ...unknown, code: 'unknown-name' };
}

function createNameProblem(subject: CheckedValue, path: Path, issues: readonly ZodIssue[]): DocumentProblem {
  return createProblem(subject, path, 'name', () => {
    const mappings = listDeclarationsAt(subject, path.slice(0, -1));
    const name = String(path.at(-1));
    const expected = issues.map((issue) => parseRefinementMessage(issue).expected).find((words) => words !== undefined);
    const hint = suggestName(name, listFieldNames(mappings));
    return {
      expected: expected ?? describeExpected(listNameDeclarations(mappings)),
      found: describeFound(name) + hint,
    };
  });
}

const isUnknown = (issue: ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys => issue.code === 'unrecognized_keys';

/** Finds the problems of the alternatives that are closest to the value; several for a tie. */
function findNearestAlternatives(alternatives: readonly (readonly ZodIssue[])[]): (readonly ZodIssue[])[] {
  const ofTheKind = alternatives.filter((issues) => issues.every((issue) => issue.path.length > 0 || isUnknown(issue)));
  const least = Math.min(...ofTheKind.map((issues) => issues.length));
  return ofTheKind.filter((issues) => issues.length === least);
}

/** Creates the problems of a value that matches no alternative: those of the closest one, if there is one. */
function createAlternativeProblems(
  subject: CheckedValue,
  path: Path,
  issue: z.core.$ZodIssueInvalidUnion,
): DocumentProblem[] {
  const [best, ...ties] = findNearestAlternatives(issue.errors);
  if (best === undefined) return [createValueProblem(subject, path, issue)];
  if (ties.length === 0) return best.flatMap((inner) => collectProblems(subject, path, inner));
  const unknownTo = (issues: readonly ZodIssue[]): string[] => issues.filter(isUnknown).flatMap(({ keys }) => keys);
  const unknown = unknownTo(best).filter((key) => ties.every((tie) => unknownTo(tie).includes(key)));
  if (unknown.length === 0) return [createValueProblem(subject, path, issue)];
  return unknown.map((key) => createUnknownFieldProblem(subject, path, key));
}

function collectProblems(subject: CheckedValue, base: Path, issue: ZodIssue): DocumentProblem[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => createUnknownFieldProblem(subject, path, key));
    case 'invalid_union':
      return createAlternativeProblems(subject, path, issue);
    case 'invalid_key':
      return [createNameProblem(subject, path, issue.issues)];
    default:
      return [createValueProblem(subject, path, issue)];
  }
}

/** Explains why the system is unknown. */
function createUnknownSystemProblem(
  { value, spot }: Omit<CheckedValue, 'schema'>,
  { names: ids }: SystemRegistry,
): DocumentProblem {
  if (!isMapping(value)) {
    const problem = { expected: 'a mapping with the field system', found: describeFound(value) };
    return { path: [], target: 'value', offset: spot?.offset ?? 0, describe: () => problem };
  }
  const { system } = value;
  const at = findLocation(spot, ['system']);
  const { expected, meant } =
    typeof system === 'string'
      ? describeUnknownSystem(system, ids)
      : { expected: formatOneOf([...new Set([...ids, ...GAME_IDS])]), meant: '' };
  const problem = { expected, found: describeFound(system, at.spot?.text) + meant };
  const code = system === undefined ? 'missing-value' : 'unknown-name';
  return { path: ['system'], target: 'value', offset: at.spot?.offset ?? 0, describe: () => problem, code };
}

/**
 * Parses a value by a schema, with all defaults.
 *
 * @param schema its fields describe accepted values
 * @throws InputError with all problems in the order of the text
 */
export function checkBySchema<T>(schema: z.ZodType<T>, { value, spot, problems: earlier, place }: DocumentSource): T {
  const nameless = findProtoProblems(value, (path) => findLocation(spot, path).spot?.name ?? 0);
  const result = parseValue({ schema, value, spot });
  throwIfAny([...earlier, ...nameless, ...result.problems], place);
  return result.data as T;
}

/** Parses a value by a schema, or returns its problems. */
function parseValue(subject: CheckedValue): { readonly data: unknown; readonly problems: readonly DocumentProblem[] } {
  const { success, data, error } = subject.schema.safeParse(subject.value, { error: () => DEFAULT_MESSAGE });
  return { data, problems: success ? [] : error.issues.flatMap((issue) => collectProblems(subject, [], issue)) };
}

const priced = z.looseObject({ costs: costsField });

/** Checks the structure of policies, and that they fit the scenario. */
function findPolicyProblem({ spot }: DocumentSource, check: () => void): DocumentProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { place, expected, found } = error;
    const path = readPath(place) ?? ['policies'];
    const offset = findLocation(spot, path).spot?.offset ?? 0;
    return [{ path, target: 'value', offset, describe: () => ({ expected, found }) }];
  }
}

/** Checks the policies of a scenario, and binds it with them. */
function bindWithPolicies(
  source: DocumentSource,
  policies: unknown,
  scenario: Scenario,
  registry: SystemRegistry,
  prices: readonly Price[] | undefined,
): Scenario {
  if (policies === undefined) return bindScenario(scenario, registry, prices);
  throwIfAny(
    findPolicyProblem(source, () => {
      checkPolicySources(policies);
    }),
    source.place,
  );
  const bound = bindScenario({ ...scenario, policies: policies as PolicySources }, registry, prices);
  throwIfAny(
    findPolicyProblem(source, () => getBoundScenario(bound).model),
    source.place,
  );
  return bound;
}

/**
 * Checks a scenario, and its prices and policies, which are not part of its system, unless the system has fields of
 * these names.
 */
function checkCompleteScenario(source: DocumentSource, { schema }: System, registry: SystemRegistry): Scenario {
  const { value, spot, problems: earlier, place, prices } = source;
  if (!isMapping(value) || (value['costs'] === undefined && value['policies'] === undefined))
    return bindScenario(checkBySchema<Scenario>(schema, source), registry, prices);
  const own = listFieldNames(findDeclarations(getDeclaration(schema), value, []));
  const isExtra = (name: string): boolean => (name === 'costs' || name === 'policies') && !own.includes(name);
  const scenario = Object.fromEntries(Object.entries(value).filter(([name]) => !isExtra(name)));
  const costs = isExtra('costs') ? value['costs'] : undefined;
  const policies = isExtra('policies') ? value['policies'] : undefined;
  const problems = costs === undefined ? [] : parseValue({ schema: priced, value, spot }).problems;
  const complete = checkBySchema(schema, { ...source, value: scenario, problems: [...earlier, ...problems] });
  if (costs === undefined) return bindWithPolicies(source, policies, complete, registry, prices);
  const nameAt = (name: string): number => findLocation(spot, ['costs', name]).spot?.name ?? 0;
  const read = readCosts(schema, complete, costs as Costs, nameAt);
  throwIfAny(read.problems, place);
  return bindWithPolicies(source, policies, complete, registry, read.prices);
}

/**
 * Validates a scenario and adds all defaults.
 *
 * @throws InputError with all problems in the order of the text
 */
export function checkScenario(source: DocumentSource): Scenario {
  const { value, problems: earlier, place, registry = SHIPPED_REGISTRY } = source;
  checkFileKind(source, 'scenario');
  const system = isMapping(value) && typeof value['system'] === 'string' ? registry.find(value['system']) : undefined;
  if (system !== undefined) return checkCompleteScenario(source, system, registry);
  throwIfAny([...earlier, createUnknownSystemProblem(source, registry)], place);
  throw new TypeError('a scenario without a system was not rejected');
}
