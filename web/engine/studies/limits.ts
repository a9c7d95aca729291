/** How much a page sweeps; sweep files have no such limits. */

/** Cells that are played and drawn. */
export const CELLS_MAX = 1600;

/** Values of a field, alone and beside another: more could not be told apart in a picture. */
export const LINE_MAX = 200;
export const SIDE_MAX = 40;
