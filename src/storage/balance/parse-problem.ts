/** Parses balance problems. */
import {
  type BalanceProblem,
  createProblemField,
  type ProblemField,
  type ProblemScenario,
  type ProblemTarget,
  parseProblemTarget,
  type ScenarioLoader,
  type ScenarioPath,
} from '../../analysis/index.ts';
import { type Amount, describeNumeral, findAmount, InputError } from '../../core/index.ts';
import {
  checkBySchema,
  checkFileKind,
  collectInputErrors,
  type DocumentSource,
  formatPosition,
  getBoundScenario,
  getValueAt,
  type Path,
  setFields,
} from '../../rules/index.ts';
import { type ProblemFieldFile, type ProblemFile, problemSchema } from './problem-file.ts';

type Locate = (path: Path) => string;

/** Loads a scenario, and applies its changes. */
async function loadProblemScenario(
  { scenarios }: ProblemFile,
  name: string,
  { value }: DocumentSource,
  loader: ScenarioLoader,
  locate: Locate,
): Promise<ProblemScenario> {
  const entry = scenarios[name] ?? '';
  if (typeof entry === 'string') return { name, scenario: await loader.load(entry, ['scenarios', name]) };
  const path = ['scenarios', name, 'scenario'];
  // The schema copies a scenario, and a copy loses a system that was given as an object.
  const given = getValueAt(value, path) as typeof entry.scenario;
  const scenario = await loader.load(given, path);
  return { name, scenario: setFields(scenario, Object.entries(entry.set), locate(['scenarios', name, 'set'])) };
}

function listFieldPaths({ path, paths, scenarios }: ProblemFieldFile, names: readonly string[]): ScenarioPath[] {
  const byScenario = paths ?? Object.fromEntries((scenarios ?? names).map((name) => [name, path ?? '']));
  return Object.entries(byScenario).flatMap(([name, each]) =>
    [each].flat().map((own): ScenarioPath => [names.indexOf(name), own]),
  );
}

function parseTolerance(text: string, place: string): Amount {
  const amount = findAmount(text, ['pp']);
  if (amount !== undefined && amount.value > 0) return amount;
  throw new InputError(place, 'a number above 0, or points of probabilities such as 1pp', describeNumeral(text));
}

function parseTargets({ targets }: ProblemFile, scenarios: readonly ProblemScenario[], locate: Locate) {
  const shapes = scenarios.map(({ name, scenario }) => ({ name, shape: getBoundScenario(scenario).shape }));
  return targets.map((target, t) => (): ProblemTarget => {
    const place = ['targets', t];
    if (typeof target === 'string') return parseProblemTarget(target, undefined, shapes, locate(place));
    const { target: text, tolerance } = target;
    const at = locate([...place, 'tolerance']);
    const accepted =
      typeof tolerance === 'number'
        ? ({ value: tolerance, unit: '' } as const)
        : tolerance && parseTolerance(tolerance, at);
    return parseProblemTarget(text, accepted || undefined, shapes, locate([...place, 'target']));
  });
}

function createFields({ fields }: ProblemFile, scenarios: readonly ProblemScenario[], locate: Locate) {
  const names = scenarios.map(({ name }) => name);
  return fields.map((field, f) => (): ProblemField => {
    const { name, range, step, current, cost, monotone } = field;
    const paths = listFieldPaths(field, names);
    const request = { name: name ?? paths[0]?.[1] ?? '', paths, range, step, current, cost, monotone };
    const place: Path = ['fields', f];
    return createProblemField(scenarios, request, (property) => {
      const written = property === 'path' && field.path === undefined ? 'paths' : property;
      return locate(
        written in field && field[written as keyof typeof field] !== undefined ? [...place, written] : place,
      );
    });
  });
}

/** Checks that fields have unique names and paths, and that each scenario has a target and a field. */
function checkProblem({ scenarios, fields, targets }: BalanceProblem, locate: Locate): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [f, { name, paths: own }] of fields.entries()) {
    const keys = own.map(([s, path]) => `${scenarios[s]?.name ?? ''}.${path}`);
    const twice = keys.find((key) => paths.has(key)) ?? (names.has(name) ? name : undefined);
    if (twice !== undefined)
      throw new InputError(locate(['fields', f]), 'unique names, and each path of a scenario once', `"${twice}" again`);
    names.add(name);
    for (const key of keys) paths.add(key);
  }
  for (const [s, { name }] of scenarios.entries()) {
    const place = locate(['scenarios', name]);
    if (!targets.some(({ terms }) => terms.some(({ scenario }) => scenario === s)))
      throw new InputError(place, 'a scenario with a target', `no target of ${name}`);
    if (!fields.some((field) => field.paths.some(([scenario]) => scenario === s)))
      throw new InputError(place, 'a scenario with a field', `no field of ${name}`);
  }
}

/**
 * Parses a balance problem.
 * @param name of the problem in results if it has no label
 * @param loader loads its scenarios
 * @throws InputError for an invalid file or scenario
 */
export async function parseBalanceProblem(
  source: DocumentSource,
  name: string,
  loader: ScenarioLoader,
): Promise<BalanceProblem> {
  checkFileKind(source, 'problem');
  const locate: Locate = (at) => formatPosition(source, at);
  const file = checkBySchema(problemSchema, source);
  const scenarios = await collectInputErrors(
    Object.keys(file.scenarios).map((each) => () => loadProblemScenario(file, each, source, loader, locate)),
  );
  const [fields, targets] = await collectInputErrors([
    () => collectInputErrors(createFields(file, scenarios, locate)),
    () => collectInputErrors(parseTargets(file, scenarios, locate)),
  ]);
  const problem = { name: file.name ?? name, scenarios, fields, targets };
  checkProblem(problem, locate);
  return problem;
}
