/** Types of duel.js, which is JavaScript like the systems of users. */
import type { System } from '../../src/rules/system.ts';

export function duel(
  id: string,
  battle?: (scenario: Readonly<Record<'lives' | 'morale', number>>) => object,
  more?: object,
): System;

export const good: System;
