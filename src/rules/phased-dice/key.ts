/** Names of states: what the rest of a battle depends on. */
import type { Key } from '../system.ts';
import { type Army, type Side, total } from './army.ts';
import { type CombatState, type Force, type Pending, REST, SIDES } from './state.ts';

/** Phases from REST on, the end of the last among them. */
const PHASE_VALUES = 6;

/** A key that is a number is a whole one below this. */
const NUMBERS = 2 ** 53;

/** Hits that all units take together that can be hit in a phase. */
function health({ troops, ground }: Army, phase: number, { counts }: Force): number {
  return total(phase === 0 ? troops : ground, counts, ({ hits }) => hits);
}

/** What a pending decision adds to the key. @param most as many of the hits of a side as make a difference */
function pendingKey({ point, side, hits, named }: Pending, most: (side: Side, hits: number) => number): string {
  const parts = SIDES.map((each) => `${String(most(each, hits[each]))}:${named[each] ?? ''}`);
  return [point, side, ...parts].join(';');
}

/** How many forces of an army are told apart by number; the reserve is less than the hits of some unit then. */
const reserves = ({ troops }: Army): number => 1 + troops.reduce((most, { hits }) => Math.max(most, hits), 0);
const forces = (army: Army): number => army.troops.reduce((ways, { count }) => ways * (count + 1), reserves(army));

/**
 * @param memory as many rounds as the rules look back on
 */
export function keysOf(armies: Readonly<Record<Side, Army>>, memory: number): (state: CombatState) => Key {
  const { attacker, defender } = armies;
  const rounds = Math.max(1, memory);
  const dealtMost = defender.troops.reduce((sum, { count, hits }) => sum + count * hits, 0);
  const heads = 2 * (rounds + 1) * PHASE_VALUES * (dealtMost + 2);
  const isPacked = heads * forces(attacker) * forces(defender) < NUMBERS;
  const room = { attacker: reserves(attacker), defender: reserves(defender) };

  /** Hits beyond what all units that can be hit can take make no difference. */
  const most = (state: CombatState, side: Side, hits: number): number =>
    Math.min(hits, health(armies[side], state.phase, state[side]));

  function text(state: CombatState, round: number, dealt: number): string {
    const sides = SIDES.map((side) => `${String(state[side].reserve)}:${state[side].counts.join()}`);
    const key = [round, state.phase, dealt, state.withdrawn, ...sides].join(';');
    const { pending } = state;
    return pending === undefined ? key : `${key};${pendingKey(pending, (side, hits) => most(state, side, hits))}`;
  }

  /** Goes on from the number of what has been named, a digit for each part. */
  function named(before: number, { troops }: Army, { counts, reserve }: Force, reserveValues: number): number {
    let key = before * reserveValues + reserve;
    for (let k = 0; k < troops.length; k++) key = key * ((troops[k]?.count ?? 0) + 1) + (counts[k] ?? 0);
    return key;
  }

  return (state) => {
    const { phase, pending, attacker: ours, defender: theirs } = state;
    const round = Math.min(state.round, rounds);
    // 0 before the attacker's roll.
    const dealt = state.dealt === null ? 0 : 1 + most(state, 'defender', state.dealt);
    const isSmall = ours.reserve < room.attacker && theirs.reserve < room.defender;
    if (!isPacked || !isSmall || pending !== undefined) return text(state, round, dealt);
    const head = ((round * PHASE_VALUES + phase - REST) * (dealtMost + 2) + dealt) * 2 + (state.withdrawn ? 1 : 0);
    return named(named(head, attacker, ours, room.attacker), defender, theirs, room.defender);
  };
}
