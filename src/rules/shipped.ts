/** The systems of the package, each with a kernel: one line per system. The page loads each when it is first named. */
import { attrition } from './attrition/index.ts';
import { cubeBag } from './cube-bag/index.ts';
import { phasedDice } from './phased-dice/index.ts';
import { strengthCards } from './strength-cards/index.ts';
import type { KernelSystem } from './system.ts';
import { tokenConflict } from './token-conflict/index.ts';

/** The shipped systems. */
export const systems: readonly KernelSystem[] = [attrition, phasedDice, cubeBag, strengthCards, tokenConflict];
