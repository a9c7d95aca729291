/** The shipped systems: one line per system. The web app has another list: web/build/systems.ts. */
import { attrition } from './attrition/index.ts';
import { cubeBag } from './cube-bag/index.ts';
import { phasedDice } from './phased-dice/index.ts';
import { strengthCards } from './strength-cards/index.ts';
import type { KernelSystem } from './system.ts';
import { tokenConflict } from './token-conflict/index.ts';

/** The shipped systems, each with a kernel. */
export const shippedSystems: readonly KernelSystem[] = [attrition, phasedDice, cubeBag, strengthCards, tokenConflict];
