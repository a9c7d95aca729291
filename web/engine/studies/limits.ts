/** Limits of sweeps and rosters in the page; the command line has none. */

/** Maximum number of cells. */
export const CELLS_MAX = 1600;

/** Maximum values of one field, and of each of two fields: more are not distinguishable in a figure. */
export const LINE_MAX = 200;
export const SIDE_MAX = 40;

/** Maximum number of armies of each side of a roster. */
export const ARMIES_MAX = 30;
