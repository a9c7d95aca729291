/** Checks of rules as functions: they play to the end, the same every time, and change nothing. */
import { Counting, Sampled, Stream } from '../core/index.ts';
import {
  apart,
  authored,
  type BattleResult,
  differences,
  few,
  isForeign,
  isOpened,
  lastOutcome,
  type Model,
  maxRounds,
  type Scenario,
  type State,
  shown,
  textOf,
  watch,
} from '../rules/index.ts';
import { explore, firstError, Unsteady } from './explore.ts';
import {
  at,
  type Check,
  type CheckedScenario,
  type CheckFound,
  lineOf,
  note,
  type SeenNames,
  told,
  unchecked,
} from './finding.ts';

/** Battles of a subject by index, as many as the effort allows; `play` says how many steps one took. */
function* battlesOf({ effort }: CheckedScenario, share = 1): Generator<number, void, number> {
  let steps = 0;
  for (let battle = 0; battle < effort.battles * share && steps < effort.steps * share; battle++)
    steps += 1 + (yield battle);
}

/** Does something for each battle. @param act returns the steps that it took; undefined ends it */
function eachBattle(subject: CheckedScenario, share: number, act: (battle: number) => number | undefined): number {
  const battles = battlesOf(subject, share);
  let played = 0;
  for (let next = battles.next(0); next.done !== true; played++) {
    const steps = act(next.value);
    if (steps === undefined) break;
    next = battles.next(steps);
  }
  return played;
}

/** Why a battle could not be played, and what helps. */
function failure(error: unknown, battle: number): CheckFound {
  const message = told(error);
  const advice = message.includes('declared as an integer')
    ? 'Counts would be wrong. Declare the bounds of the metric as wide as its values, or mend the rule that leads there.'
    : message.startsWith('the outcome "')
      ? 'Nobody could count it. Name every outcome in "outcomes".'
      : /weight/.test(message)
        ? 'A law has whole weights of 0 or more, at least one above 0.'
        : 'The rules failed in this battle: every run that comes to it stops.';
  return { message, advice, battle };
}

const ENDLESS =
  'Let "outcome" return a name as soon as one side is beaten, or state maxRounds in a scenario whose battles end only by it.';

/** Whether a scenario states its round limit. A loaded scenario has one in any case: it counts unless it is the default. */
function statesLimit(input: unknown): boolean {
  const stated = (input as { readonly maxRounds?: unknown } | null)?.maxRounds;
  return stated !== undefined && !(isOpened(input as Scenario) && stated === maxRounds.parse(undefined));
}

/** Judges battles that end only at the round limit: right where the scenario states it, a note where nobody named it. */
function onlyByLimit({ input, generated }: CheckedScenario, message: string): CheckFound[] {
  if (generated) return [{ ...note(message), advice: 'That is right if the rules let nobody win in such a scenario.' }];
  return statesLimit(input) ? [note(message)] : [{ message, advice: ENDLESS, battle: 0 }];
}

/** Judges battles of a scenario that all ended at the round limit. */
function allCalledOff(subject: CheckedScenario, played: number): CheckFound[] {
  const { model } = subject.open;
  const message = `all ${String(played)} battles ended as ${lastOutcome(model)} after ${String(model.maxRounds)} rounds`;
  if (explore(model, subject.effort.ways).ends) {
    subject.seen.canEnd = true;
    return [note(message)];
  }
  return onlyByLimit(subject, `${message}, and no state that was met has an outcome`);
}

/** Finds rules whose battles end at the round limit in every scenario, so that no declared outcome is ever reached. */
export function neverDecided(outcomes: ReadonlySet<string>, { outcomes: seen, canEnd }: SeenNames): CheckFound[] {
  if (canEnd || seen.size === 0 || outcomes.size === 0 || [...outcomes].some((name) => seen.has(name))) return [];
  const [limit = ''] = seen;
  return [{ message: `all battles of all scenarios ended as ${limit} at the round limit`, advice: ENDLESS }];
}

export const plays: Check = {
  id: 'battles',
  title: 'battles are played to their end, with declared outcomes and metrics within their bounds',
  first: true,
  run(subject) {
    const { open, seed, seen, effort } = subject;
    const { model } = open;
    const found: CheckFound[] = [];
    let [calledOff, ended] = [0, 0];
    const played = eachBattle(subject, 1, (battle) => {
      const door = new Counting(Stream.of(seed, battle));
      try {
        const { result, steps } = watch(model, door, effort.steps);
        for (const id of door.fired.keys()) seen.rules.add(id);
        if (result === undefined) return steps;
        ended++;
        const outcome = model.outcomes[result.outcome] ?? '';
        seen.outcomes.add(outcome);
        if (outcome === lastOutcome(model)) calledOff++;
        return steps;
      } catch (error) {
        found.push(failure(error, battle));
        return undefined;
      }
    });
    if (found.length > 0) return found;
    if (ended === 0) return [unchecked(`no battle was over after ${String(effort.steps)} steps`)];
    return calledOff === ended && ended > 1 ? allCalledOff(subject, played) : [];
  },
};

const textOfResult = (model: Model<State>, result: BattleResult | undefined, state: State): string =>
  result === undefined
    ? `in ${shown(authored(state))}`
    : `${model.outcomes[result.outcome] ?? ''} with ${model.metrics
        .map(({ name }, m) => `${name} ${String(result.metrics[m])}`)
        .join(', ')}`;

const REPEATED = 'The same seed would give other results each time, and exact answers would be wrong.';

const KEPT =
  'The rules keep something between battles, such as a variable of the module or a list that is changed. ' +
  'Keep all that a battle changes in its state.';

/** How battles end when they are played in an order; by index. */
function playedIn(subject: CheckedScenario, model: Model<State>, order: readonly number[]): Map<number, string> {
  const most = subject.effort.steps;
  return new Map(
    order.map((battle) => {
      const { result, state } = watch(model, new Sampled(Stream.of(subject.seed, battle)), most);
      return [battle, textOfResult(model, result, state)];
    }),
  );
}

/** What the rules ask of their surroundings in one battle. */
function asked(subject: CheckedScenario, battle: number): CheckFound | undefined {
  const { open, seed, effort } = subject;
  try {
    const model = open.system.model(open.scenario);
    apart(watch, model, new Sampled(Stream.of(seed, battle)), effort.steps);
    return undefined;
  } catch (error) {
    if (!isForeign(error)) throw error;
    return { message: `${error.message}${at(error)}`, advice: REPEATED, battle };
  }
}

function asksElsewhere(subject: CheckedScenario): CheckFound[] {
  for (const battle of [0, 1, 2]) {
    const found = asked(subject, battle);
    if (found !== undefined) return [found];
  }
  return [];
}

/** What a check finds; nothing if the rules fail, which another check tells. */
function unlessFailing(run: Check['run']): Check['run'] {
  return (subject) => {
    try {
      return run(subject);
    } catch {
      return [];
    }
  };
}

export const repeats: Check = {
  id: 'repeatable',
  title: 'the same battle ends the same, whenever it is played',
  first: true,
  run: unlessFailing((subject) => {
    const elsewhere = asksElsewhere(subject);
    if (elsewhere.length > 0) return elsewhere;
    const { open } = subject;
    const order: number[] = [];
    eachBattle(subject, 0.25, (battle) => {
      order.push(battle);
      return subject.effort.steps / subject.effort.battles;
    });
    const first = playedIn(subject, open.system.model(open.scenario), order);
    const others = [
      ['again in another order', playedIn(subject, open.system.model(open.scenario), order.toReversed())],
      ['once more', playedIn(subject, open.model, order)],
    ] as const;
    for (const [how, other] of others)
      for (const [battle, ending] of first)
        if (other.get(battle) !== ending) {
          const message = `a battle ended as ${ending}; played ${how} it ended as ${other.get(battle) ?? ''}`;
          return [{ message, advice: `${REPEATED} ${KEPT}`, battle }];
        }
    return [];
  }),
};

/** A copy that nobody can change. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

/** The line in which a step changes its state: it fails where it cannot. */
function changingLine(model: Model<State>, before: State, door: Sampled): string {
  try {
    model.step(frozen(before), door);
    return '';
  } catch (error) {
    const line = lineOf(error);
    return line === '' ? '' : ` (${line})`;
  }
}

function copied(state: State): State | undefined {
  try {
    return structuredClone(state);
  } catch {
    return undefined;
  }
}

const UNCHANGED =
  'Exact answers and automata go back to earlier states. Return a new state: ({ ...state, hp: state.hp - 1 }).';

/** Does a step, and tells where it changed its state. */
function stepping(model: Model<State>, state: State, act: () => State, door: Sampled): [after: State, told?: string] {
  const [text, before] = [textOf(state), copied(state)];
  const after = act();
  if (textOf(state) === text) return [after];
  const line = before === undefined ? '' : changingLine(model, copied(before) ?? before, door);
  const what = before === undefined ? [] : differences(authored(before), authored(state));
  return [after, `${line}${what.length === 0 ? '' : `: ${few(what)} before and after`}`];
}

export const changesNothing: Check = {
  id: 'states',
  title: 'the rules never change a state that they were given',
  first: true,
  run: unlessFailing(({ open, seed, effort, ...rest }) => {
    const { model } = open;
    const found: CheckFound[] = [];
    eachBattle({ open, seed, effort, ...rest }, 0.1, (battle) => {
      const door = new Sampled(Stream.of(seed, battle));
      const { steps } = watch(model, door, effort.steps, (state, act) => {
        if (state === undefined || found.length > 0) return act();
        const [after, changed] = stepping(model, state, act, door);
        if (changed === undefined) return after;
        const message = `round ${String(after.round)} changed the state that it was given${changed}`;
        found.push({ message, advice: UNCHANGED, battle });
        return after;
      });
      return found.length === 0 ? steps : undefined;
    });
    return found;
  }),
};

const failingAdvice = (error: unknown): string =>
  error instanceof Unsteady ? KEPT : 'Few battles may come there, but those that do stop the run.';

export const survives: Check = {
  id: 'reach',
  title: 'every state that a battle can come to has a next step',
  first: true,
  run(subject) {
    const { open, effort } = subject;
    const explored = explore(open.model, effort.ways);
    const failed = firstError(explored);
    if (failed !== undefined) return [{ message: failed, advice: failingAdvice(explored.errors[0]?.error) }];
    const [changed] = explored.changed;
    if (changed !== undefined)
      return [
        {
          message: `a step changed the state that it was given; afterwards it was ${changed}`,
          advice: UNCHANGED,
        },
      ];
    if (explored.endless)
      return onlyByLimit(
        subject,
        `battles end only at the round limit: none of all ${String(explored.states)} states has an outcome`,
      );
    return explored.whole ? [] : [unchecked(`more states than were looked at (${String(explored.states)})`)];
  },
};
