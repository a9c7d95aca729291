/** Types of mistakes.js: each of its exports is a system. */
import type { System } from '../../src/rules/system.ts';

declare const mistakes: Readonly<Record<string, System>>;
export = mistakes;
