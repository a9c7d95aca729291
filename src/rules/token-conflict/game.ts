/** A turn's conflicts: counts and conflict of each area, then the attacks on cities. */
import type { Door } from '../../core/chance/door.ts';
import { keyOf } from '../key.ts';
import type { Model } from '../system.ts';
import { attackStep, type Course, WHOLE } from './attack.ts';
import { conflictStep } from './conflict.ts';
import { METRICS } from './layout.ts';
import { metricsOf } from './metrics.ts';
import { JOINT } from './names.ts';
import type { Contingent, Plan } from './plan.ts';
import { at, type ConflictState, IDLE, musterOf } from './state.ts';
import { pendingKey, pendingTurn, TURNS } from './turn.ts';

function drawCount(plan: Plan, state: ConflictState, contingent: Contingent, door: Door): ConflictState {
  const { index, area, player, place, count } = contingent;
  door.seek(place);
  const tokens = at(count.values, door.pick(count.weights));
  door.rule('count', () => ({ player: plan.players[player]?.name ?? '', area: plan.areas[area]?.name ?? '', tokens }));
  return { ...state, task: state.task + 1, tokens: state.tokens.with(index, tokens) };
}

function move(plan: Plan, before: ConflictState, course: Course, door: Door): ConflictState {
  const task = plan.tasks[before.task];
  if (task === undefined) throw new Error('a battle that is over goes on');
  const state = before.round === 0 ? { ...before, round: 1 } : before;
  switch (task.kind) {
    case 'count':
      return drawCount(plan, state, task.contingent, door);
    case 'conflict':
      return conflictStep(plan, task.area, state, course.round, door);
    case 'attack':
      return attackStep(plan, task, state, course, door);
  }
}

/** A turn: a step, or of a round and of a reward only as much as one player decides. */
function turn(plan: Plan, state: ConflictState, door: Door): ConflictState {
  const { pending } = state;
  return pending === undefined ? move(plan, state, TURNS, door) : pendingTurn(plan, state, pending, door);
}

/** A step, or what is left of one. */
function step(plan: Plan, before: ConflictState, door: Door): ConflictState {
  if (before.pending === undefined) return move(plan, before, WHOLE, door);
  let state = before;
  while (state.pending !== undefined) state = turn(plan, state, door);
  return state;
}

/** Tokens by player, of all areas. */
function tokensOf(plan: Plan, { tokens }: ConflictState): number[] {
  const sums = plan.players.map(() => 0);
  for (const { player, index } of plan.contingents) sums[player] = at(sums, player) + at(tokens, index);
  return sums;
}

export function gameOf(plan: Plan, outcomes: readonly string[]): Model<ConflictState> {
  const over = ({ task }: ConflictState): boolean => task >= plan.tasks.length;

  /** Tokens of areas that are done matter as sums only, stocks and hands only while there are cities to attack. */
  function key(state: ConflictState): string {
    const { tokens, ships, adjacent, results, pending } = state;
    const done = plan.players.map(() => 0);
    const live: number[] = [];
    for (const { index, area, player } of plan.contingents) {
      if (results[area] === '') live.push(at(tokens, index), at(ships, index), at(adjacent, index));
      else done[player] = at(done, player) + at(tokens, index);
    }
    const numbers = [live.length, state.round, state.task, state.engaged - IDLE, state.rounds, ...live, ...done];
    numbers.push(...state.lost, ...state.spent, ...state.cards, ...state.treasury);
    if (plan.attacks.length > 0 && !over(state)) numbers.push(...state.stock, ...state.hand);
    const known = `${keyOf(numbers)};${results.join(JOINT)}`;
    return pending === undefined ? known : `${known};${pendingKey(pending)}`;
  }

  return {
    outcomes,
    metrics: metricsOf(plan),
    maxRounds: 1,
    roundsMetric: undefined,
    start: () => musterOf(plan),
    step: (state, door) => step(plan, state, door),
    turn: (state, door) => turn(plan, state, door),
    resting: ({ round }) => round === 0,
    outcome: (state) => (over(state) ? state.results.join(JOINT) : undefined),
    measure(state) {
      const { rounds, lost, spent, cards, treasury } = state;
      return METRICS.values({ rounds, left: tokensOf(plan, state), lost, pool: spent, cards, treasury });
    },
    key,
  };
}
