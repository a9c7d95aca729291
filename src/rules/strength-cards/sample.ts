/**
 * A complete set of dice, units, cards and air tokens. The source prints no figures, so every one here is
 * invented: good for trying out, worth nothing as evidence about any printed game.
 */
import type { Faces } from '../../core/chance/door.ts';

export interface SampleUnit {
  readonly attack: number;
  readonly defense: number;
  readonly hp: number;
  /** The name of its die. */
  readonly die: string;
}

export interface SampleToken {
  readonly strength: number;
  /** The names of its dice. */
  readonly dice: readonly string[];
}

export interface SampleCard extends SampleToken {
  readonly enemyStrength: number;
  readonly hpSymbols: number;
}

/** Said wherever the sample set is shown. */
export const INVENTED = 'All figures of the sample set are invented; the source prints none.';

/** Weak to strong: no face of a die is lower than that of the die before it. */
export const sampleDice: Readonly<Record<string, Faces>> = {
  'sample-1': [0, 0, 0, 0, 0, 1],
  'sample-2': [0, 0, 0, 0, 1, 1],
  'sample-3': [0, 0, 0, 1, 1, 1],
  'sample-4': [0, 0, 1, 1, 1, 1],
  'sample-5': [0, 0, 1, 1, 1, 2],
  'sample-6': [0, 1, 1, 1, 2, 2],
  'sample-7': [0, 1, 1, 2, 2, 3],
  'sample-8': [1, 1, 2, 2, 3, 3],
};

const unit = (attack: number, defense: number, hp: number, die: number): SampleUnit => ({
  attack,
  defense,
  hp,
  die: `sample-${String(die)}`,
});

/** Six kinds of three levels. */
export const sampleUnits: Readonly<Record<string, SampleUnit>> = {
  'infantry-1': unit(1, 2, 1, 2),
  'infantry-2': unit(2, 3, 2, 3),
  'infantry-3': unit(3, 4, 3, 4),
  'motorised-1': unit(2, 2, 1, 3),
  'motorised-2': unit(3, 2, 2, 4),
  'motorised-3': unit(4, 3, 2, 5),
  'armour-1': unit(3, 2, 2, 5),
  'armour-2': unit(4, 3, 2, 6),
  'armour-3': unit(5, 4, 3, 7),
  'artillery-1': unit(2, 1, 1, 4),
  'artillery-2': unit(3, 1, 1, 5),
  'artillery-3': unit(4, 2, 1, 6),
  'garrison-1': unit(0, 2, 2, 1),
  'garrison-2': unit(1, 3, 3, 2),
  'garrison-3': unit(1, 5, 4, 3),
  'fleet-1': unit(2, 2, 2, 4),
  'fleet-2': unit(3, 4, 3, 6),
  'fleet-3': unit(5, 5, 4, 8),
};

const card = (strength: number, enemyStrength: number, hpSymbols: number, ...dice: number[]): SampleCard => ({
  strength,
  enemyStrength,
  hpSymbols,
  dice: dice.map((die) => `sample-${String(die)}`),
});

/** A deck of twelve. */
export const sampleCards: Readonly<Record<string, SampleCard>> = {
  advance: card(2, 0, 0),
  assault: card(3, 0, 0, 4),
  breakthrough: card(4, 0, 0, 2, 2),
  'all-out-attack': card(5, 1, 0, 5),
  probe: card(1, 0, 1),
  barrage: card(0, 0, 0, 6, 3),
  encirclement: card(2, -1, 0, 1),
  ambush: card(1, -2, 0, 2),
  feint: card(0, -3, 0),
  'dig-in': card(2, 0, 2),
  counterattack: card(3, 0, 1),
  'field-hospital': card(0, 0, 3),
};

export const sampleTokens: Readonly<Record<string, SampleToken>> = {
  fighter: { strength: 1, dice: ['sample-1'] },
  bomber: { strength: 1, dice: ['sample-5'] },
  'ground-attack': { strength: 2, dice: ['sample-3'] },
};
