/** Validates a scenario. */

import { getBoundScenario, parseScenario, type Scenario } from '../../../src/rules/index.ts';
import { hashScenario } from '../../../src/stats/index.ts';
import { type InputProblem, listProblems } from '../errors.ts';
import { getRegistry } from '../registry/registry.ts';

/** Valid scenario with all defaults. */
export interface ValidScenario {
  readonly ok: true;
  readonly scenario: Scenario;
  readonly hash: string;
  readonly system: string;
  readonly title: string;
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

/** Problem with its position in the text; line and column start at 1. */
export interface LocatedProblem extends InputProblem {
  readonly line: number;
  readonly column: number;
  /** Field, such as `attacker.hp`; empty for a problem of the whole text. */
  readonly field: string;
}

export interface InvalidScenario {
  readonly ok: false;
  readonly problems: readonly LocatedProblem[];
  /** Number of further problems. */
  readonly more: number;
}

export type CheckResult = ValidScenario | InvalidScenario;

/** Name of the text in messages, followed by line and column. */
const PLACE = 'scenario';

/** Replaces an option of the library by a panel of the page, and the reason why a path is invalid by its remedy. */
export const adaptToPage = (words: string): string =>
  words
    .replace('by option systems', 'in "Custom rules"')
    .replace('policy file, because the scenario is a text', 'policy file: replace the path by the JSON of the file');

function locateProblem(problem: InputProblem): LocatedProblem {
  const [, line = '1', column = '1', field = ''] = /^scenario:(\d+):(\d+) ?(.*)$/s.exec(problem.place) ?? [];
  const { expected, message } = problem;
  const words = { expected: adaptToPage(expected), message: adaptToPage(message) };
  return { ...problem, ...words, line: Number(line), column: Number(column), field };
}

/** Parses the scenario of a text. @param place name of the text in messages @throws InputError */
export function parseScenarioText(text: string, place = PLACE): Scenario {
  return parseScenario(text, { source: place, systems: getRegistry() });
}

function describeValidScenario(scenario: Scenario): ValidScenario {
  const { system, shape } = getBoundScenario(scenario);
  return {
    ok: true,
    scenario,
    hash: hashScenario(scenario),
    system: system.id,
    title: system.title,
    outcomes: shape.outcomes,
    metrics: shape.metrics.map(({ name }) => name),
  };
}

export const check = {
  /** Validates a text; problems are returned, not thrown. */
  check(text: string): CheckResult {
    try {
      return describeValidScenario(parseScenarioText(text));
    } catch (error) {
      const reported = listProblems(error);
      if (reported === undefined) throw error;
      return { ok: false, problems: reported.problems.map(locateProblem), more: reported.more };
    }
  },
};
