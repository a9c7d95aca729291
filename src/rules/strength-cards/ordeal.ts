/** The settlement in turns: what happens by itself up to a point of damage that leaves a choice, then point by point. */
import type { Door } from '../../core/chance/door.ts';
import type { Forces } from './forces.ts';
import { leavesChoice, outlast, parry, type Toll, wound } from './losses.ts';
import type { Side, StrengthCards } from './schema.ts';
import { blowTo, type Clash, conclude, type Settled } from './settlement.ts';

/** A side whose units take damage. */
export interface Ordeal {
  readonly side: Side;
  /** Points that they have still to take. */
  readonly points: number;
  /** Hit points left, by unit. */
  readonly hp: readonly number[];
  /** What the defender was left with, once the attacker takes damage. */
  readonly defender: Toll | null;
}

/** Either the next choice, or the end. */
type Stage = Ordeal | Settled;

export interface Ordeals {
  /** From the dice to the first point of damage that leaves a choice. */
  begin(clash: Clash, door: Door): Stage;
  /** A point goes to a unit that its owner names; then on to the next one that leaves a choice. */
  strike(clash: Clash, ordeal: Ordeal, door: Door): Stage;
}

export function ordealsOf(scenario: StrengthCards, forces: Forces): Ordeals {
  function suffer(clash: Clash, side: Side, defender: Toll | null, door: Door): Stage {
    const blow = blowTo(side, forces, clash);
    parry(blow, door);
    return goOn(clash, { side, points: blow.shares.units, hp: forces[side].hp, defender }, door);
  }

  function goOn(clash: Clash, ordeal: Ordeal, door: Door): Stage {
    const { side, points, hp, defender } = ordeal;
    if (leavesChoice(hp, points)) return ordeal;
    const left = wound(forces[side], hp, points, points, door);
    const toll = outlast(blowTo(side, forces, clash), left, door);
    if (defender === null) return suffer(clash, 'attacker', toll, door);
    return conclude(scenario, forces, clash, { attacker: toll, defender }, door);
  }

  return {
    begin: (clash, door) => suffer(clash, 'defender', null, door),
    strike(clash, ordeal, door) {
      const hp = wound(forces[ordeal.side], ordeal.hp, ordeal.points, 1, door);
      return goOn(clash, { ...ordeal, points: ordeal.points - 1, hp }, door);
    },
  };
}
