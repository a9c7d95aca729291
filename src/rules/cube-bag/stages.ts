/** The stages of a battle, and what a battle has come to between two draws. */
import type { State } from '../system.ts';
import type { Cubes, Side } from './army.ts';

export const OUTCOMES = ['attacker', 'defender', 'mutual', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Stage {
  readonly act: 'conversion' | 'draw' | 'extraDraw' | 'redraw' | 'losses' | 'recovery';
  readonly side: Side;
}

export const STAGES: readonly Stage[] = [
  { act: 'conversion', side: 'defender' },
  { act: 'conversion', side: 'attacker' },
  { act: 'draw', side: 'attacker' },
  { act: 'extraDraw', side: 'defender' },
  { act: 'redraw', side: 'attacker' },
  { act: 'redraw', side: 'defender' },
  { act: 'losses', side: 'attacker' },
  { act: 'recovery', side: 'defender' },
  { act: 'recovery', side: 'attacker' },
];

/** Before the first stage: armies count their bonuses, and the bag is filled. */
export const READY = -1;

/** After the last stage. */
export const OVER: number = STAGES.length;

/** What one side has in a battle. */
export interface Force {
  /** Units in the battle, by troop. */
  readonly units: readonly number[];
  /** Units and structures destroyed, by slot: troops, then types of structures. */
  readonly lost: readonly number[];
  /** Enemy units converted. */
  readonly conversions: number;
  readonly recoveries: number;
  /** Own cubes of successful checks. */
  readonly experience: number;
}

/** Damage that is being placed on the objects of a side. */
export interface Blow {
  readonly side: Side;
  /** What is left of it. */
  readonly damage: number;
}

export interface BagState extends State {
  /** Index of the stage that is due, `READY` or `OVER`. */
  readonly stage: number;
  /** Tries made in it; before the first one bonuses chosen; where cubes are drawn one by one 1 once the side draws. */
  readonly tries: number;
  readonly bag: Cubes;
  readonly drawn: Cubes;
  readonly attacker: Force;
  readonly defender: Force;
  /** Marks on structures that stand, of both sides. */
  readonly marks: number;
  /** Number of the army that is to count a bonus, or from which a unit is to be converted; 0 if it can be any, or none is. */
  readonly army: number;
  /** What the next turn begins with, if that is not a draw: a bonus to count, a unit to convert, or an object to remove. */
  readonly pending: 'bonus' | 'conversion' | Blow | undefined;
}

/** A battle with another force of a side. A name that is computed in a literal would cost ten times as much. */
export function withForce(state: BagState, side: Side, force: Force): BagState {
  return side === 'attacker' ? { ...state, attacker: force } : { ...state, defender: force };
}

/** Colours by index. */
export const COLOUR = { attacker: 0, defender: 1 } as const;
export const NEUTRAL = 2;

export const size = (cubes: readonly number[]): number => cubes.reduce((sum, each) => sum + each, 0);

/** Cubes of two lots together; `sign` -1 takes the second away. */
export function together(a: Cubes, b: readonly number[], sign: 1 | -1 = 1): Cubes {
  return [a[0] + sign * (b[0] ?? 0), a[1] + sign * (b[1] ?? 0), a[2] + sign * (b[2] ?? 0)];
}
