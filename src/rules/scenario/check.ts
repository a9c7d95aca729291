/** Checks a value against a schema, a scenario against that of its system, and says what is wrong in our own form. */

import { z } from 'zod';
import { describeFound, didYouMean } from '../../core/index.ts';
import { GAME_IDS, unknownSystem } from '../games.ts';
import { SHIPPED } from '../known-systems.ts';
import { openScenario } from '../opened.ts';
import type { Registry } from '../registry.ts';
import type { Scenario, System } from '../system.ts';
import { type Costs, costsField, readCosts } from './costs.ts';
import {
  declaredAt,
  declaredIn,
  describeExpected,
  fieldsOf,
  namesOf,
  oneOf,
  type Simple,
  wordsOf,
} from './declared.ts';
import { isMapping, type Path, type Problem, protoProblems, throwIfAny, valueAt } from './problem.ts';
import { checkKind, type DocumentSource, type Spot } from './source.ts';

type Issue = z.core.$ZodIssue;
type Telling = ReturnType<Problem['tell']>;

/** What is checked. */
interface Subject {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly spot: Spot | undefined;
}

/** Messages that a declaration does not give itself. */
const UNSAID = '';

/** The spot at a path, or that of the mapping or list in which it is missing. */
export function spotAt(
  spot: Spot | undefined,
  path: Path,
): { readonly spot: Spot | undefined; readonly there: boolean } {
  let here = spot;
  for (const step of path) {
    const next = here?.inside.get(step);
    if (next === undefined) return { spot: here, there: false };
    here = next;
  }
  return { spot: here, there: true };
}

function problem(subject: Subject, path: Path, of: Problem['of'], tell: () => Telling): Problem {
  const { spot } = spotAt(subject.spot, path);
  const offset = of === 'name' ? spot?.name : spot?.offset;
  return { path, of, offset: offset ?? 0, tell };
}

function declaredOf({ schema, value }: Subject, path: Path): readonly Simple[] {
  return declaredAt(declaredIn(schema), value, path);
}

function found(subject: Subject, path: Path): string {
  const { spot, there } = spotAt(subject.spot, path);
  return describeFound(valueAt(subject.value, path), there ? spot?.text : undefined);
}

/** What a refinement says: by `refuse` of the declared fields, or as `<expected>, found <found>`, or `<expected>`. */
function said(issue: Issue): Partial<Telling> {
  if (issue.code === 'custom') {
    const { expected, found: instead } = issue.params ?? {};
    if (typeof expected === 'string') return typeof instead === 'string' ? { expected, found: instead } : { expected };
  }
  if (issue.message === UNSAID) return {};
  const [, expected = issue.message, instead] = /^(.*?)[,;] found (.*)$/s.exec(issue.message) ?? [];
  return instead === undefined ? { expected } : { expected, found: instead };
}

function wrongValue(subject: Subject, path: Path, issue: Issue): Problem {
  // A refinement complains of how the field is called, not of its value, if what it found is the name.
  if (said(issue).found === `"${String(path.at(-1))}"`) return wrongName(subject, path, [issue]);
  return problem(subject, path, 'value', () => {
    const declared = declaredOf(subject, path);
    const value = valueAt(subject.value, path);
    const hint = typeof value === 'string' ? didYouMean(value, wordsOf(declared)) : '';
    return { expected: describeExpected(declared), found: found(subject, path) + hint, ...said(issue) };
  });
}

function unknownField(subject: Subject, path: Path, name: string): Problem {
  const unknown = problem(subject, [...path, name], 'name', () => {
    const known = fieldsOf(declaredOf(subject, path));
    const expected = known.length === 0 ? 'no fields' : oneOf(known);
    return { expected, found: `an unknown field${didYouMean(name, known)}` };
  });
  return { ...unknown, code: 'unknown-name' };
}

function wrongName(subject: Subject, path: Path, issues: readonly Issue[]): Problem {
  return problem(subject, path, 'name', () => {
    const mappings = declaredOf(subject, path.slice(0, -1));
    const name = String(path.at(-1));
    const expected = issues.map((issue) => said(issue).expected).find((words) => words !== undefined);
    const hint = didYouMean(name, fieldsOf(mappings));
    return { expected: expected ?? describeExpected(namesOf(mappings)), found: describeFound(name) + hint };
  });
}

const isUnknown = (issue: Issue): issue is z.core.$ZodIssueUnrecognizedKeys => issue.code === 'unrecognized_keys';

/** The complaints of the alternatives that are nearest to what was found; several if there is a tie. */
function nearest(alternatives: readonly (readonly Issue[])[]): (readonly Issue[])[] {
  const ofTheKind = alternatives.filter((issues) => issues.every((issue) => issue.path.length > 0 || isUnknown(issue)));
  const least = Math.min(...ofTheKind.map((issues) => issues.length));
  return ofTheKind.filter((issues) => issues.length === least);
}

/** A value that none of several alternatives accepts: what the nearest one says, if there is one. */
function noAlternative(subject: Subject, path: Path, issue: z.core.$ZodIssueInvalidUnion): Problem[] {
  const [best, ...ties] = nearest(issue.errors);
  if (best === undefined) return [wrongValue(subject, path, issue)];
  if (ties.length === 0) return best.flatMap((inner) => problems(subject, path, inner));
  const unknownTo = (issues: readonly Issue[]): string[] => issues.filter(isUnknown).flatMap(({ keys }) => keys);
  const unknown = unknownTo(best).filter((key) => ties.every((tie) => unknownTo(tie).includes(key)));
  if (unknown.length === 0) return [wrongValue(subject, path, issue)];
  return unknown.map((key) => unknownField(subject, path, key));
}

function problems(subject: Subject, base: Path, issue: Issue): Problem[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(subject, path, key));
    case 'invalid_union':
      return noAlternative(subject, path, issue);
    case 'invalid_key':
      return [wrongName(subject, path, issue.issues)];
    default:
      return [wrongValue(subject, path, issue)];
  }
}

/** Why the system is not known. */
function noSystem({ value, spot }: Omit<Subject, 'schema'>, { names: ids }: Registry): Problem {
  if (!isMapping(value)) {
    const telling = { expected: 'a mapping with the field system', found: describeFound(value) };
    return { path: [], of: 'value', offset: spot?.offset ?? 0, tell: () => telling };
  }
  const { system } = value;
  const at = spotAt(spot, ['system']);
  const { expected, meant } =
    typeof system === 'string'
      ? unknownSystem(system, ids)
      : { expected: oneOf([...new Set([...ids, ...GAME_IDS])]), meant: '' };
  const telling = { expected, found: describeFound(system, at.spot?.text) + meant };
  const code = system === undefined ? 'missing-value' : 'unknown-name';
  return { path: ['system'], of: 'value', offset: at.spot?.offset ?? 0, tell: () => telling, code };
}

/**
 * What a value means by a schema, complete with all defaults.
 *
 * @param schema its fields say in words what they expect
 * @throws InputError, all problems in the order of the text
 */
export function checkWith<T>(schema: z.ZodType<T>, { value, spot, problems: earlier, place }: DocumentSource): T {
  const nameless = protoProblems(value, (path) => spotAt(spot, path).spot?.name ?? 0);
  const result = parsed({ schema, value, spot });
  throwIfAny([...earlier, ...nameless, ...result.problems], place);
  return result.data as T;
}

/** What a value means by a schema, or what is wrong with it. */
function parsed(subject: Subject): { readonly data: unknown; readonly problems: readonly Problem[] } {
  const { success, data, error } = subject.schema.safeParse(subject.value, { error: () => UNSAID });
  return { data, problems: success ? [] : error.issues.flatMap((issue) => problems(subject, [], issue)) };
}

const priced = z.looseObject({ costs: costsField });

/** A scenario and its prices, which its system does not know of, unless it has a field of that name itself. */
function checkPriced(source: DocumentSource, { schema }: System, registry: Registry): Scenario {
  const { value, spot, problems: earlier, place, prices } = source;
  const isOwn = fieldsOf(declaredAt(declaredIn(schema), value, [])).includes('costs');
  if (isOwn || !isMapping(value) || value['costs'] === undefined)
    return openScenario(checkWith<Scenario>(schema, source), registry, prices);
  const { costs, ...scenario } = value;
  const asked = parsed({ schema: priced, value, spot });
  const complete = checkWith(schema, { ...source, value: scenario, problems: [...earlier, ...asked.problems] });
  const nameAt = (name: string): number => spotAt(spot, ['costs', name]).spot?.name ?? 0;
  const read = readCosts(schema, complete, costs as Costs, nameAt);
  throwIfAny(read.problems, place);
  return openScenario(complete, registry, read.prices);
}

/**
 * The complete scenario that a value means.
 *
 * @throws InputError, all problems in the order of the text
 */
export function check(source: DocumentSource): Scenario {
  const { value, problems: earlier, place, registry = SHIPPED } = source;
  const system = isMapping(value) && typeof value['system'] === 'string' ? registry.find(value['system']) : undefined;
  if (system !== undefined) return checkPriced(source, system, registry);
  checkKind(source, 'scenario');
  throwIfAny([...earlier, noSystem(source, registry)], place);
  throw new TypeError('a scenario without a system was not refused');
}
