/** What a battle is between two steps, and between the decisions of a step. */
import type { State } from '../system.ts';
import type { Side } from './army.ts';
import type { GroundClass } from './units.ts';

/** What one side has in a battle. */
export interface Force {
  /** Living units by troop. */
  readonly counts: readonly number[];
  /** Hits taken that no unit could take yet. */
  readonly reserve: number;
}

export type Hits = Readonly<Record<Side, number>>;

/** A decision that a step comes to before it is done. */
export interface Pending {
  readonly point: 'target' | 'losses' | 'retreat';
  /** Who decides. */
  readonly side: Side;
  /**
   * Hits that each side has still to place in this phase, its reserve among them. For a side that was not hit, 0 until
   * its losses are asked for.
   */
  readonly hits: Hits;
  /** Classes named in this phase, by the side that has named them. */
  readonly named: Readonly<Record<Side, GroundClass | undefined>>;
  /** The units that come first have taken what they can: all ground units are hit. */
  readonly further: boolean;
  /** Units that the side has lost in this phase, by troop: what is told when its hits are placed. */
  readonly fallen: readonly number[];
}

export interface CombatState extends State {
  /** The phase that comes next, or `REST` between two rounds. */
  readonly phase: number;
  /** Hits that the attacker has rolled in this phase, the defender's roll being due; null before that. */
  readonly dealt: number | null;
  readonly attacker: Force;
  readonly defender: Force;
  /** The attacker has retreated. */
  readonly withdrawn: boolean;
  /** Between two turns of one step only. */
  readonly pending?: Pending;
}

export const SIDES = ['attacker', 'defender'] as const;
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;

/** What stands for the phase between two rounds. */
export const REST = -1;

/** No class is named. */
export const NOBODY: Pending['named'] = { attacker: undefined, defender: undefined };

/** The decisions of a phase, in their order. */
export const STAGES = [
  { point: 'target', side: 'attacker' },
  { point: 'target', side: 'defender' },
  { point: 'losses', side: 'attacker' },
  { point: 'losses', side: 'defender' },
] as const;

/** The decision at the end of a round. */
export const RETREAT: Pending = {
  point: 'retreat',
  side: 'attacker',
  hits: { attacker: 0, defender: 0 },
  named: NOBODY,
  further: false,
  fallen: [],
};
