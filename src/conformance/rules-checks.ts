/** Checks of rules as functions: battles end, are repeatable, and do not modify states. */
import { RuleCountingChance, SampledChance, Stream } from '../core/index.ts';
import {
  type BattleEnd,
  callIsolated,
  formatFew,
  formatValue,
  getRoundLimitOutcome,
  isAmbientAccess,
  isBound,
  listDifferences,
  type Model,
  maxRounds,
  type Scenario,
  type State,
  serializeValue,
  traceBattle,
  unwrapState,
} from '../rules/index.ts';
import { NondeterminismError } from './enumerate-paths.ts';
import { describeFirstError, explore } from './explore-states.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  createNote,
  createUnchecked,
  describeError,
  findAuthorPosition,
  formatAuthorPosition,
  type ObservedNames,
} from './findings.ts';

/** Yields battle indices within the effort; `next` receives the steps of the last one. */
function* listBattles({ effort }: CheckedScenario, share = 1): Generator<number, void, number> {
  let steps = 0;
  for (let battle = 0; battle < effort.battles * share && steps < effort.steps * share; battle++)
    steps += 1 + (yield battle);
}

/** Calls `act` for each battle. @param act returns its number of steps; undefined stops */
function forEachBattle(subject: CheckedScenario, share: number, act: (battle: number) => number | undefined): number {
  const battles = listBattles(subject, share);
  let played = 0;
  for (let next = battles.next(0); next.done !== true; played++) {
    const steps = act(next.value);
    if (steps === undefined) break;
    next = battles.next(steps);
  }
  return played;
}

/** Describes a failed battle, with advice. */
function createFailure(error: unknown, battle: number): CheckMessage {
  const message = describeError(error);
  const advice = message.includes('declared as an integer')
    ? 'Counts would be wrong. Widen the declared bounds of the metric, or correct the rule.'
    : message.startsWith('the outcome "')
      ? 'It could not be counted. List every outcome in "outcomes".'
      : /weight/.test(message)
        ? 'A distribution has integer weights of 0 or more, at least one above 0.'
        : 'The rules failed in this battle; every run that contains it stops there.';
  return { message, advice, battle };
}

const ENDLESS_ADVICE =
  'Let "outcome" return a name as soon as one side is beaten, or set maxRounds in scenarios whose battles end only at the round limit.';

/** True if a scenario sets its round limit. Loaded scenarios always have one; it counts unless it is the default. */
function hasRoundLimit(input: unknown): boolean {
  const stated = (input as { readonly maxRounds?: unknown } | null)?.maxRounds;
  return stated !== undefined && !(isBound(input as Scenario) && stated === maxRounds.parse(undefined));
}

/** Judges battles that end only at the round limit: correct if the scenario sets it, a note for generated scenarios. */
function judgeLimitEnds({ input, generated }: CheckedScenario, message: string): CheckMessage[] {
  if (generated) return [{ ...createNote(message), advice: 'This is correct if nobody can win in such a scenario.' }];
  return hasRoundLimit(input) ? [createNote(message)] : [{ message, advice: ENDLESS_ADVICE, battle: 0 }];
}

/** Judges a scenario whose battles all ended at the round limit. */
function checkLimitEnds(subject: CheckedScenario, played: number): CheckMessage[] {
  const { model } = subject.open;
  const message = `all ${String(played)} battles ended as ${getRoundLimitOutcome(model)} after ${String(model.maxRounds)} rounds`;
  if (explore(model, subject.effort.ways).ends) {
    subject.observed.canEnd = true;
    return [createNote(message)];
  }
  return judgeLimitEnds(subject, `${message}, and no explored state has an outcome`);
}

/** Finds rules whose battles end at the round limit in every scenario, so that no declared outcome is ever reached. */
export function checkDecidedEnds(
  outcomes: ReadonlySet<string>,
  { outcomes: seen, canEnd }: ObservedNames,
): CheckMessage[] {
  if (canEnd || seen.size === 0 || outcomes.size === 0 || [...outcomes].some((name) => seen.has(name))) return [];
  const [limit = ''] = seen;
  return [{ message: `all battles of all scenarios ended as ${limit} at the round limit`, advice: ENDLESS_ADVICE }];
}

export const battlesCheck: ConformanceCheck = {
  id: 'battles',
  title: 'battles end, with declared outcomes and metrics within their bounds',
  first: true,
  run(subject) {
    const { open, seed, observed: seen, effort } = subject;
    const { model } = open;
    const found: CheckMessage[] = [];
    let [calledOff, ended] = [0, 0];
    const played = forEachBattle(subject, 1, (battle) => {
      const chance = new RuleCountingChance(Stream.forBattle(seed, battle));
      try {
        const { result, steps } = traceBattle(model, chance, effort.steps);
        for (const id of chance.applied.keys()) seen.rules.add(id);
        if (result === undefined) return steps;
        ended++;
        const outcome = model.outcomes[result.outcome] ?? '';
        seen.outcomes.add(outcome);
        if (outcome === getRoundLimitOutcome(model)) calledOff++;
        return steps;
      } catch (error) {
        found.push(createFailure(error, battle));
        return undefined;
      }
    });
    if (found.length > 0) return found;
    if (ended === 0) return [createUnchecked(`no battle ended within ${String(effort.steps)} steps`)];
    return calledOff === ended && ended > 1 ? checkLimitEnds(subject, played) : [];
  },
};

const describeResult = (model: Model<State>, result: BattleEnd | undefined, state: State): string =>
  result === undefined
    ? `in ${formatValue(unwrapState(state))}`
    : `${model.outcomes[result.outcome] ?? ''} with ${model.metrics
        .map(({ name }, m) => `${name} ${String(result.metrics[m])}`)
        .join(', ')}`;

const REPEATABILITY_ADVICE = 'The same seed would give different results each time, and exact answers would be wrong.';

const KEPT_STATE_ADVICE =
  'The rules keep data between battles, such as a variable of the module or a list that is modified. ' +
  'Keep everything that a battle changes in its state.';

/** Simulates battles in an order, and returns their results by index. */
function simulateInOrder(subject: CheckedScenario, model: Model<State>, order: readonly number[]): Map<number, string> {
  const most = subject.effort.steps;
  return new Map(
    order.map((battle) => {
      const { result, state } = traceBattle(model, new SampledChance(Stream.forBattle(subject.seed, battle)), most);
      return [battle, describeResult(model, result, state)];
    }),
  );
}

/** Finds accesses of the rules to their environment in one battle. */
function findAmbientAccess(subject: CheckedScenario, battle: number): CheckMessage | undefined {
  const { open, seed, effort } = subject;
  try {
    const model = open.system.model(open.scenario);
    callIsolated(traceBattle, model, new SampledChance(Stream.forBattle(seed, battle)), effort.steps);
    return undefined;
  } catch (error) {
    if (!isAmbientAccess(error)) throw error;
    return { message: `${error.message}${formatAuthorPosition(error)}`, advice: REPEATABILITY_ADVICE, battle };
  }
}

function checkAmbientAccess(subject: CheckedScenario): CheckMessage[] {
  for (const battle of [0, 1, 2]) {
    const found = findAmbientAccess(subject, battle);
    if (found !== undefined) return [found];
  }
  return [];
}

/** Wraps a check so that it finds nothing if the rules fail, which another check reports. */
function skipOnRulesError(run: ConformanceCheck['run']): ConformanceCheck['run'] {
  return (subject) => {
    try {
      return run(subject);
    } catch {
      return [];
    }
  };
}

export const repeatabilityCheck: ConformanceCheck = {
  id: 'repeatable',
  title: 'the same battle always has the same result',
  first: true,
  run: skipOnRulesError((subject) => {
    const elsewhere = checkAmbientAccess(subject);
    if (elsewhere.length > 0) return elsewhere;
    const { open } = subject;
    const order: number[] = [];
    forEachBattle(subject, 0.25, (battle) => {
      order.push(battle);
      return subject.effort.steps / subject.effort.battles;
    });
    const first = simulateInOrder(subject, open.system.model(open.scenario), order);
    const others = [
      ['again in another order', simulateInOrder(subject, open.system.model(open.scenario), order.toReversed())],
      ['once more', simulateInOrder(subject, open.model, order)],
    ] as const;
    for (const [how, other] of others)
      for (const [battle, result] of first)
        if (other.get(battle) !== result) {
          const message = `a battle ended as ${result}; simulated ${how}, it ended as ${other.get(battle) ?? ''}`;
          return [{ message, advice: `${REPEATABILITY_ADVICE} ${KEPT_STATE_ADVICE}`, battle }];
        }
    return [];
  }),
};

/** Freezes a value deeply. */
function copyFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) copyFrozen(inner);
  return value;
}

/** Finds the line in which a step modifies its state, by the error on a frozen one. */
function findMutatingLine(model: Model<State>, before: State, chance: SampledChance): string {
  try {
    model.step(copyFrozen(before), chance);
    return '';
  } catch (error) {
    const line = findAuthorPosition(error);
    return line === '' ? '' : ` (${line})`;
  }
}

function copyState(state: State): State | undefined {
  try {
    return structuredClone(state);
  } catch {
    return undefined;
  }
}

const IMMUTABILITY_ADVICE =
  'Exact answers and automata return to earlier states. Return a new state: ({ ...state, hp: state.hp - 1 }).';

/** Runs a step, and describes how it modified its state. */
function stepFrozen(
  model: Model<State>,
  state: State,
  act: () => State,
  chance: SampledChance,
): [after: State, told?: string] {
  const [text, before] = [serializeValue(state), copyState(state)];
  const after = act();
  if (serializeValue(state) === text) return [after];
  const line = before === undefined ? '' : findMutatingLine(model, copyState(before) ?? before, chance);
  const what = before === undefined ? [] : listDifferences(unwrapState(before), unwrapState(state));
  return [after, `${line}${what.length === 0 ? '' : `: ${formatFew(what)} before and after`}`];
}

export const immutabilityCheck: ConformanceCheck = {
  id: 'states',
  title: 'the rules never modify a state that was passed to them',
  first: true,
  run: skipOnRulesError(({ open, seed, effort, ...rest }) => {
    const { model } = open;
    const found: CheckMessage[] = [];
    forEachBattle({ open, seed, effort, ...rest }, 0.1, (battle) => {
      const chance = new SampledChance(Stream.forBattle(seed, battle));
      const { steps } = traceBattle(model, chance, effort.steps, (state, act) => {
        if (state === undefined || found.length > 0) return act();
        const [after, changed] = stepFrozen(model, state, act, chance);
        if (changed === undefined) return after;
        const message = `round ${String(after.round)} modified the state that was passed to it${changed}`;
        found.push({ message, advice: IMMUTABILITY_ADVICE, battle });
        return after;
      });
      return found.length === 0 ? steps : undefined;
    });
    return found;
  }),
};

const adviseOnFailure = (error: unknown): string =>
  error instanceof NondeterminismError
    ? KEPT_STATE_ADVICE
    : 'Such battles may be rare, but each of them stops the run.';

export const reachabilityCheck: ConformanceCheck = {
  id: 'reach',
  title: 'every reachable state has a next step',
  first: true,
  run(subject) {
    const { open, effort } = subject;
    const explored = explore(open.model, effort.ways);
    const failed = describeFirstError(explored);
    if (failed !== undefined) return [{ message: failed, advice: adviseOnFailure(explored.errors[0]?.error) }];
    const [changed] = explored.changed;
    if (changed !== undefined)
      return [
        {
          message: `a step modified the state that was passed to it; afterwards it was ${changed}`,
          advice: IMMUTABILITY_ADVICE,
        },
      ];
    if (explored.endless)
      return judgeLimitEnds(
        subject,
        `battles end only at the round limit: none of all ${String(explored.states)} states has an outcome`,
      );
    return explored.isComplete ? [] : [createUnchecked(`only ${String(explored.states)} states; there are more`)];
  },
};
