/** What is wrong with a scenario, or what it is. */

import { scenarioHash } from '../../src/answers/index.ts';
import { opened, parseScenario, type Scenario } from '../../src/rules/index.ts';
import { type Problem, problemsOf } from './errors.ts';
import { registry } from './registry.ts';

/** A scenario that was read: complete, with all defaults. */
export interface Good {
  readonly ok: true;
  readonly scenario: Scenario;
  readonly hash: string;
  readonly system: string;
  readonly title: string;
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

/** A problem with its place in the text, both from 1. */
export interface Marked extends Problem {
  readonly line: number;
  readonly column: number;
  /** The field, `attacker.hp`; empty if it is about the text. */
  readonly field: string;
}

export interface Bad {
  readonly ok: false;
  readonly problems: readonly Marked[];
  /** Problems beyond those. */
  readonly more: number;
}

export type Checked = Good | Bad;

/** What messages call the text; they add line and column. */
const PLACE = 'scenario';

/** What the command line does by an option is done by a panel here. */
const inPage = (words: string): string => words.replace(', by --systems', ', opened in "Own systems"');

function marked(problem: Problem): Marked {
  const [, line = '1', column = '1', field = ''] = /^scenario:(\d+):(\d+) ?(.*)$/s.exec(problem.place) ?? [];
  const { expected, message } = problem;
  const words = { expected: inPage(expected), message: inPage(message) };
  return { ...problem, ...words, line: Number(line), column: Number(column), field };
}

/** The scenario of a text. @param place what messages call the text @throws InputError */
export function scenarioOf(text: string, place = PLACE): Scenario {
  return parseScenario(text, { source: place, systems: registry() });
}

function goodOf(scenario: Scenario): Good {
  const { system, shape } = opened(scenario);
  return {
    ok: true,
    scenario,
    hash: scenarioHash(scenario),
    system: system.id,
    title: system.title,
    outcomes: shape.outcomes,
    metrics: shape.metrics.map(({ name }) => name),
  };
}

export const check = {
  /** Reads a text; what is wrong with it is an answer, not an error. */
  check(text: string): Checked {
    try {
      return goodOf(scenarioOf(text));
    } catch (error) {
      const told = problemsOf(error);
      if (told === undefined) throw error;
      return { ok: false, problems: told.problems.map(marked), more: told.more };
    }
  },
};
