/** What is wrong with a scenario, or what it is. */

import { getBoundScenario, parseScenario, type Scenario } from '../../../src/rules/index.ts';
import { hashScenario } from '../../../src/stats/index.ts';
import { type InputProblem, listProblems } from '../errors.ts';
import { getRegistry } from '../registry/registry.ts';

/** A scenario that was read: complete, with all defaults. */
export interface ValidScenario {
  readonly ok: true;
  readonly scenario: Scenario;
  readonly hash: string;
  readonly system: string;
  readonly title: string;
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

/** A problem with its place in the text, both from 1. */
export interface LocatedProblem extends InputProblem {
  readonly line: number;
  readonly column: number;
  /** The field, `attacker.hp`; empty if it is about the text. */
  readonly field: string;
}

export interface InvalidScenario {
  readonly ok: false;
  readonly problems: readonly LocatedProblem[];
  /** Problems beyond those. */
  readonly more: number;
}

export type CheckResult = ValidScenario | InvalidScenario;

/** What messages call the text; they add line and column. */
const PLACE = 'scenario';

/** What the command line does by an option is done by a panel here. */
const adaptToPage = (words: string): string => words.replace('by option systems', 'in "Custom rules"');

function locateProblem(problem: InputProblem): LocatedProblem {
  const [, line = '1', column = '1', field = ''] = /^scenario:(\d+):(\d+) ?(.*)$/s.exec(problem.place) ?? [];
  const { expected, message } = problem;
  const words = { expected: adaptToPage(expected), message: adaptToPage(message) };
  return { ...problem, ...words, line: Number(line), column: Number(column), field };
}

/** The scenario of a text. @param place what messages call the text @throws InputError */
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
  /** Reads a text; what is wrong with it is an answer, not an error. */
  check(text: string): CheckResult {
    try {
      return describeValidScenario(parseScenarioText(text));
    } catch (error) {
      const told = listProblems(error);
      if (told === undefined) throw error;
      return { ok: false, problems: told.problems.map(locateProblem), more: told.more };
    }
  },
};
