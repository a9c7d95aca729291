/** Reads the subjects of calls: scenarios, sweeps and rosters, by name, path or fields. */
import { existsSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { describeFound, InputError, suggestName } from '../core/index.ts';
import { findExampleFile } from '../core/platform/node/files.ts';
import {
  type BalanceProblem,
  loadBalanceProblem,
  loadRoster,
  loadScenario,
  loadSweep,
  type Roster,
  type Scenario,
  type Sweep,
  type SystemRegistry,
  updateScenario,
  validateBalanceProblem,
  validateRoster,
  validateScenario,
  validateSweep,
} from '../index.ts';
import { addGamesOf, createValueSource, type DocumentSource, detectFileKind, loadSource } from '../rules/index.ts';

/** A scenario of a call. */
export interface ScenarioSubject {
  readonly scenario: Scenario;
  /** Name of the scenario, or of its file or system. */
  readonly name: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A scenario in each folder of shipped ones: of systems, and of games. */
const SHIPPED = ['scenarios/attrition-direct.yaml', 'examples/games/conquest-dice-siege.yaml'];

/** Lists the names of the shipped scenarios. */
const listShippedNames = (): string[] =>
  SHIPPED.flatMap((example) => {
    const path = findExampleFile(example);
    return path === undefined ? [] : readdirSync(dirname(path)).map((file) => basename(file, '.yaml'));
  });

/** Path of a file, or of the shipped scenario with this name. */
function resolveScenarioPath(source: string): string {
  if (/[\\/]/.test(source) || extname(source) !== '' || existsSync(source)) return source;
  for (const example of SHIPPED) {
    const shipped = findExampleFile(`${dirname(example)}/${source}.yaml`);
    if (shipped !== undefined) return shipped;
  }
  const hint = suggestName(source, listShippedNames());
  throw new InputError('scenario', 'the name of a shipped scenario, or the path of a file', `"${source}"${hint}`, {
    code: 'unknown-name',
  });
}

/** Adds the policies and the games that fields of a file name. @returns a copy of the fields, and the systems */
async function completeFields(fields: Fields, systems: SystemRegistry) {
  const value = structuredClone(fields);
  const { loadPolicies } = await import('../rules/scenario/load-policies.ts');
  await loadPolicies(value, '');
  return { value, registry: await addGamesOf(systems, value) };
}

/** A scenario of the client, and the name that it had when it was loaded. */
interface LabeledFields {
  readonly label: string;
  readonly fields: Fields;
}

const isLabeled = (value: unknown): value is LabeledFields =>
  isFields(value) && typeof value['label'] === 'string' && isFields(value['fields']);

async function loadSubject(source: unknown, systems: SystemRegistry): Promise<ScenarioSubject> {
  if (typeof source === 'string') {
    const scenario = await loadScenario(source, { systems });
    return { scenario, name: scenario.name ?? basename(source, extname(source)) };
  }
  const fields = isLabeled(source) ? source.fields : source;
  if (!isFields(fields))
    throw new InputError('scenario', 'a name, a path or the fields of a scenario', describeFound(fields));
  const { value, registry } = await completeFields(fields, systems);
  const scenario = validateScenario(value, { systems: registry });
  return { scenario, name: scenario.name ?? (isLabeled(source) ? source.label : scenario.system) };
}

/** Scenarios that are kept: reading one takes longer than most exact answers. */
const KEPT_SCENARIOS = 64;

const keptScenarios = new WeakMap<SystemRegistry, Map<string, ScenarioSubject>>();

/** Identifies the content of a source; for a file, by its times and size. */
async function identifySource(source: unknown): Promise<string> {
  if (typeof source !== 'string') return JSON.stringify(source);
  const { mtimeMs = 0, ctimeMs = 0, size = 0 } = (await stat(source).catch(() => undefined)) ?? {};
  return [resolve(source), mtimeMs, ctimeMs, size].join(' ');
}

/**
 * Reads a scenario: the name of a shipped one, a path, or its fields, with or without a label.
 * @throws InputError if the scenario is invalid
 */
export async function readScenarioSubject(source: unknown, systems: SystemRegistry): Promise<ScenarioSubject> {
  const given = typeof source === 'string' ? resolveScenarioPath(source) : source;
  const kept = keptScenarios.get(systems) ?? new Map<string, ScenarioSubject>();
  keptScenarios.set(systems, kept);
  const key = await identifySource(given);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const subject = await loadSubject(given, systems);
  // Policies can be in other files, which change on their own.
  if ('policies' in subject.scenario) return subject;
  kept.set(key, subject);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_SCENARIOS && oldest !== undefined) kept.delete(oldest);
  return subject;
}

/**
 * Reads a scenario with changed fields, and the policy files that the changes name.
 * @param changes values by path: `{ 'attacker.hp': 30, 'policies.attacker': 'policy.json' }`
 */
export async function readChangedScenario(
  source: unknown,
  changes: unknown,
  systems: SystemRegistry,
): Promise<ScenarioSubject> {
  const subject = await readScenarioSubject(source, systems);
  if (!isFields(changes)) throw new InputError('changes', 'values by path', describeFound(changes));
  const { loadPolicySource } = await import('../rules/scenario/load-policies.ts');
  const values = Object.entries(changes).map(async ([path, value]) => [
    path,
    path.startsWith('policies.') ? await loadPolicySource(path, value, '') : value,
  ]);
  const loaded = Object.fromEntries(await Promise.all(values)) as Fields;
  return { ...subject, scenario: updateScenario(subject.scenario, loaded) };
}

/** Replaces the name of a shipped scenario in a sweep or roster by its path, and a labeled scenario by its fields. */
function resolveInnerScenario(document: Fields): Fields {
  const { scenario } = document;
  if (typeof scenario === 'string') return { ...document, scenario: resolveScenarioPath(scenario) };
  return isLabeled(scenario) ? { ...document, scenario: scenario.fields } : document;
}

/** Reads a file, or its fields. */
async function readDocument<T>(
  kind: string,
  source: unknown,
  systems: SystemRegistry,
  load: (path: string, options: { systems: SystemRegistry }) => Promise<T>,
  validate: (value: unknown, options: { systems: SystemRegistry }) => Promise<T>,
  resolveScenarios = resolveInnerScenario,
): Promise<T> {
  if (typeof source === 'string') return await load(source, { systems });
  if (!isFields(source)) throw new InputError(kind, `a path or the fields of a ${kind}`, describeFound(source));
  const { value, registry } = await completeFields(resolveScenarios(source), systems);
  return await validate(value, { systems: registry });
}

/** @throws InputError if the sweep is invalid */
export const readSweepSubject = (source: unknown, systems: SystemRegistry): Promise<Sweep> =>
  readDocument('sweep', source, systems, loadSweep, validateSweep);

/** @throws InputError if the roster is invalid */
export const readRosterSubject = (source: unknown, systems: SystemRegistry): Promise<Roster> =>
  readDocument('roster', source, systems, loadRoster, validateRoster);

/** Replaces names of shipped scenarios, and labeled scenarios, in a balance problem. */
function resolveProblemScenarios(document: Fields): Fields {
  const { scenarios } = document;
  if (!isFields(scenarios)) return document;
  const resolved = Object.entries(scenarios).map(([name, given]) => {
    const hasPlace = isFields(given) && !isLabeled(given) && given['system'] === undefined;
    return [name, resolveInnerScenario(hasPlace ? given : { scenario: given })];
  });
  return { ...document, scenarios: Object.fromEntries(resolved) as Fields };
}

/** Names a file, or its fields, in results and messages. */
export function nameSource(source: unknown): string {
  if (typeof source === 'string') return source;
  return isLabeled(source) ? source.label : (detectFileKind(source) ?? 'scenario');
}

/** Reads a scenario or another document: the name of a shipped scenario, a path, or fields. */
export async function openSource(source: unknown, systems: SystemRegistry): Promise<DocumentSource> {
  if (typeof source === 'string')
    return await loadSource(resolveScenarioPath(source), 'a scenario or another file of warpool', { systems });
  const fields = isLabeled(source) ? source.fields : source;
  if (!isFields(fields)) throw new InputError('files', 'names, paths, or fields of files', describeFound(fields));
  const resolve = detectFileKind(fields) === 'problem' ? resolveProblemScenarios : resolveInnerScenario;
  const { value, registry } = await completeFields(resolve(fields), systems);
  return await createValueSource(value, { systems: registry });
}

/** @throws InputError if the balance problem is invalid */
export const readProblemSubject = (source: unknown, systems: SystemRegistry): Promise<BalanceProblem> =>
  readDocument('balance problem', source, systems, loadBalanceProblem, validateBalanceProblem, resolveProblemScenarios);
