/**
 * The difference of two equal rolls from 16 bits: an alias table of 32 slots x 256 atoms over the
 * distance |X - Y|, and a sign. Sixteen bits cannot hold the law exactly, so what they cannot hold
 * escapes to a full word over the residual law; together they are exact within 2^-32 of the escape's
 * share. Two bytes a draw is what lets a vector of byte lanes play sixteen battles at once.
 *
 * Bits of the half word: 0-4 the slot, 7 the sign, 8-15 the atom within the slot; 5 and 6 are unused.
 * Source: alias method, A. J. Walker 1977; integer weights and escape as in "alias with rejection".
 */

import type { Dice } from './door.ts';
import { distanceLaw, thresholds } from './laws.ts';

export const SLOTS = 32;
export const ATOMS = 256;

/** What a table holds instead of a distance when the draw must go on to the residual law. */
export const ESCAPE = -1;

export interface DifferenceTable {
  /** Atoms below the cut give `primary`, the others `alias`. Each of length 32. */
  readonly cut: Uint8Array;
  readonly primary: Int16Array;
  readonly alias: Int16Array;
  /** Quantile thresholds over distances 0, 1, ... of the residual law; empty when nothing escapes. */
  readonly residual: Uint32Array;
}

interface Share {
  readonly distance: number;
  atoms: number;
}

/** The whole atoms of the likeliest 31 distances, and the escape's, which has all that is left. */
function shares(weights: readonly bigint[], total: bigint): Share[] {
  const all = BigInt(SLOTS * ATOMS);
  const likeliest = weights
    .map((weight, distance) => ({ distance, atoms: Number((weight * all) / total) }))
    .sort((a, b) => b.atoms - a.atoms || a.distance - b.distance)
    .slice(0, SLOTS - 1);
  const held = likeliest.reduce((sum, { atoms }) => sum + atoms, 0);
  return [...likeliest, { distance: ESCAPE, atoms: SLOTS * ATOMS - held }];
}

/** Fills every slot with one share, topped up by another (Vose's order: short ones first). */
function fill(table: DifferenceTable, pending: Share[]): void {
  for (let slot = 0; slot < SLOTS; slot++) {
    pending.sort((a, b) => a.atoms - b.atoms || a.distance - b.distance);
    const least = pending[0];
    const most = pending.at(-1);
    if (least === undefined || most === undefined) throw new Error('alias table: ran out of atoms');
    table.primary[slot] = least.distance;
    table.alias[slot] = most.distance;
    if (least.atoms >= ATOMS) {
      table.alias[slot] = least.distance;
      least.atoms -= ATOMS;
    } else {
      table.cut[slot] = least.atoms;
      most.atoms -= ATOMS - least.atoms;
      least.atoms = 0;
    }
    if (least.atoms === 0) pending.shift();
    if (pending.length > 0 && most.atoms === 0 && pending.at(-1) === most) pending.pop();
  }
}

function residualTable(weights: readonly bigint[], total: bigint, held: readonly Share[]): Uint32Array {
  const left = weights.map((weight) => weight * BigInt(SLOTS * ATOMS));
  for (const { distance, atoms } of held) {
    if (distance !== ESCAPE) left[distance] = (left[distance] ?? 0n) - BigInt(atoms) * total;
  }
  return left.some((weight) => weight > 0n) ? thresholds({ offset: 0, weights: left }) : new Uint32Array(0);
}

const made = new Map<string, DifferenceTable>();

/** The table of the difference of two rolls of `dice`. */
export function differenceTable(dice: Dice): DifferenceTable {
  const name = `${String(dice.count)}d${String(dice.sides)}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const { weights } = distanceLaw(dice);
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const held = shares(weights, total);
  const table = {
    cut: new Uint8Array(SLOTS),
    primary: new Int16Array(SLOTS),
    alias: new Int16Array(SLOTS),
    residual: residualTable(weights, total, held),
  };
  fill(
    table,
    held.filter(({ atoms }) => atoms > 0),
  );
  made.set(name, table);
  return table;
}
