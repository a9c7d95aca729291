/** Limits of sweeps in the page; sweep files have none. */

/** Maximum number of cells. */
export const CELLS_MAX = 1600;

/** Maximum values of one field, and of each of two fields: more are not distinguishable in a figure. */
export const LINE_MAX = 200;
export const SIDE_MAX = 40;
