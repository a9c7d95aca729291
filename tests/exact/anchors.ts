/** Known answers that every solver must return. */
import { expect } from 'vitest';
import { attrition } from '../../src/rules/attrition/index.ts';
import type { Attrition } from '../../src/rules/attrition/schema.ts';
import type { Summary } from '../../src/stats/summary.ts';

/** Creates the reference duel, with optional changes of its sides and options. */
export const duel = (attacker: object, defender: object, options: object = {}): Attrition =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'direct',
    attacker: { attack: 1, defense: 1, hp: 30, ...attacker },
    defender: { attack: 1, defense: 1, hp: 25, ...defender },
    ...options,
  });

/** Compares a summary with the known answer for 30 hit points against 25, 3d10 and all modifiers +1. */
export function expectAnchors(summary: Summary, lost: number): void {
  const [attacker, defender, mutual, stalemate] = summary.outcomes.map(({ p }) => p);
  expect(attacker).toBeCloseTo(0.576475948, 9);
  expect(defender).toBeCloseTo(0.362154046, 9);
  expect(mutual).toBeCloseTo(0.061370006, 9);
  expect(stalemate).toBe(0);
  expect(summary.metrics[0]?.mean).toBeCloseTo(8.393088, 6);
  expect(lost).toBeLessThan(1e-15);
}
