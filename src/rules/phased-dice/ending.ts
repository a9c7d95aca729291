/** When a battle is over, how it ends, and by which rule. */
import type { Facts } from '../../core/chance/door.ts';
import { PLAYERS } from './allocation.ts';
import { type Army, livesIn, type Side } from './army.ts';
import { type CombatState, ENEMY, type Force, REST } from './state.ts';

export const OUTCOMES = ['attacker', 'defender', 'mutual', 'stalemate', 'retreat'] as const;

export interface Ending {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly rule: string;
  readonly facts?: Facts;
}

/** Both armies, and what becomes of one that is left with aircraft alone and does not retreat. */
export interface Field {
  readonly attacker: Army;
  readonly defender: Army;
  readonly airOnly: 'defeated' | 'stalemate';
}

/** True if a side has dice to roll in a phase. */
export function canRoll({ byPhase }: Army, { counts }: Force, phase: number): boolean {
  for (const { index, dice } of byPhase[phase] ?? []) if (dice > 0 && (counts[index] ?? 0) > 0) return true;
  return false;
}

/** True if anyone has dice to roll in a phase. */
export function isFought(field: Field, state: CombatState, phase: number): boolean {
  return canRoll(field.attacker, state.attacker, phase) || canRoll(field.defender, state.defender, phase);
}

/** True if a side has a unit that its reserve can fell: on the ground, where what the aircraft could not take is placed. */
export function canPlace({ ground }: Army, { counts, reserve }: Force): boolean {
  return reserve > 0 && ground.some(({ index, hits }) => (counts[index] ?? 0) > 0 && hits <= reserve);
}

/** True if a side has aircraft left and nothing else. */
export function isAirborne({ troops, ground }: Army, { counts }: Force): boolean {
  return !livesIn(ground, counts) && livesIn(troops, counts);
}

/** True if nobody could roll a die in the next round. */
function isStuck(field: Field, state: CombatState): boolean {
  const first = state.round === 0 ? 0 : 1;
  return !field.attacker.byPhase.some((_, phase) => phase >= first && isFought(field, state, phase));
}

/** The end of a battle in which one side has aircraft left and nothing else. */
function endByAir({ airOnly }: Field, side: Side): Ending {
  const facts = { side: PLAYERS[side] };
  if (airOnly === 'stalemate') return { outcome: 'stalemate', rule: 'end.air-only.stalemate', facts };
  return { outcome: ENEMY[side], rule: 'end.air-only', facts };
}

/** The end that losses have brought about, if any. Before it, attackers with aircraft alone may retreat. */
function endByLosses(field: Field, state: CombatState): Ending | undefined {
  const { attacker, defender } = field;
  if (livesIn(attacker.ground, state.attacker.counts) && livesIn(defender.ground, state.defender.counts))
    return undefined;
  const gone = (side: Side): boolean => !livesIn(field[side].troops, state[side].counts);
  const loser = gone('attacker') ? 'attacker' : gone('defender') ? 'defender' : undefined;
  if (loser === 'attacker' && gone('defender')) return { outcome: 'mutual', rule: 'end.mutual' };
  if (loser !== undefined) return { outcome: ENEMY[loser], rule: 'end.destroyed', facts: { side: PLAYERS[loser] } };
  const ours = isAirborne(attacker, state.attacker);
  const theirs = isAirborne(defender, state.defender);
  if (ours && theirs) return { outcome: 'stalemate', rule: 'end.air-both' };
  if (theirs) return endByAir(field, 'defender');
  return ours && state.phase === REST ? endByAir(field, 'attacker') : undefined;
}

/** How the battle has ended, if it is over. Losses are looked at after a phase, so not before the first. */
export function endingOf(field: Field, state: CombatState): Ending | undefined {
  if (state.dealt !== null || state.pending !== undefined) return undefined;
  if (state.withdrawn) return { outcome: 'retreat', rule: 'retreat' };
  const begun = state.round > 0 && state.phase !== 0;
  const end = begun ? endByLosses(field, state) : undefined;
  if (end !== undefined) return end;
  return state.phase === REST && isStuck(field, state) ? { outcome: 'stalemate', rule: 'end.no-dice' } : undefined;
}
