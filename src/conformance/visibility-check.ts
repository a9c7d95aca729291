/** Notes what features show: the options of decisions, and choices of other players. */

import { BudgetError, type Chance, InputError } from '../core/index.ts';
import { createScenarioSpec, DecisionChance, findHiddenChoices, type OpenDecision } from '../environments/index.ts';
import { formatValue, type Key, type State } from '../rules/index.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  createAbsence,
  createNote,
  createUnchecked,
} from './findings.ts';

/** Visits decisions that any choices of the players reach. @param ways maximum number of paths */
function visitDecisions(
  { open: { model }, effort: { ways } }: CheckedScenario,
  visit: (question: OpenDecision, state: State) => void,
): void {
  const chance = new DecisionChance(() => true);
  const known = new Set<Key>();
  const states: State[] = [];
  let paths = 0;
  const add = (state: State): void => {
    paths++;
    const key = model.key(state);
    if (known.has(key)) return;
    known.add(key);
    if (model.outcome(state) === undefined) states.push(state);
  };
  chance.walk((each) => model.start(each), add);
  for (const state of states) {
    if (paths >= ways) return;
    const turn = (each: Chance): State => model.turn?.(state, each) ?? model.step(state, each);
    const question = chance.walk(turn, add);
    if (question === undefined) continue;
    visit(question, state);
    for (const option of question.options) chance.walk(turn, add, option);
  }
}

/** Finds states with equal features for a player who has different options. */
function findUnequalOptions(subject: CheckedScenario): CheckMessage[] {
  const spec = createScenarioSpec(subject.open.scenario);
  const known = new Map<string, OpenDecision>();
  const found: CheckMessage[] = [];
  visitDecisions(subject, (question, state) => {
    const { player, point, options } = question;
    const name = `${player} ${point} ${spec.observe(state, player).join()}`;
    const { options: others } = known.get(name) ?? question;
    known.set(name, known.get(name) ?? question);
    if (others.join() === options.join() || found.length > 0) return;
    found.push({
      ok: true,
      message:
        `two states have equal features for ${player}, but different options at "${point}": ` +
        `${formatValue(others)} and ${formatValue(options)}`,
      advice: 'Policies that read only features cannot distinguish the states. Add a feature that shows the options.',
    });
  });
  return found;
}

/** Describes whether the choices of each player at each point are hidden from the other one. */
function noteChoices({ open: { scenario }, effort: { ways } }: CheckedScenario): CheckMessage[] {
  try {
    const found = findHiddenChoices(scenario, ways);
    if (typeof found === 'string')
      return [createNote(`private information that lasts: ${found}; equilibria cannot be computed`)];
    return found.map(({ player, point, other, hidden, total, until }) => {
      const name = `choices of ${player} at "${point}"`;
      if (hidden === 0) return createNote(`${name} are visible to ${other} before its next decision`);
      const points = [...until].map((each) => `"${each}"`).join(' and ');
      const often = hidden < total ? ', in some states' : '';
      return createNote(`${name} are hidden from ${other} until it has decided at ${points}${often}`);
    });
  } catch (error) {
    if (error instanceof BudgetError && error.message.includes('are hidden for so long'))
      return [createNote(error.message)];
    if (error instanceof BudgetError) return [createUnchecked('too many states to find hidden choices')];
    if (error instanceof InputError) return [createUnchecked(error.message)];
    throw error;
  }
}

export const visibilityCheck: ConformanceCheck = {
  id: 'visibility',
  title: 'what players can observe: their options, and choices of others',
  run(subject) {
    const { system } = subject.open;
    if (system.environment === undefined) return [createAbsence('the system has no "environment"')];
    if (system.decisions.length === 0) return [createAbsence('the rules have no decisions')];
    try {
      return [...findUnequalOptions(subject), ...noteChoices(subject)];
    } catch (error) {
      if (error instanceof InputError) return [createUnchecked(error.message)];
      throw error;
    }
  },
};
