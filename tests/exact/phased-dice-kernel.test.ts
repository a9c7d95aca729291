/** The law of phased dice as its kernel works it out: to the digit, whatever was solved before, and at which price. */
import { describe, expect, test } from 'vitest';
import { valueCounts } from '../../src/answers/tally.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { type ExactLaw, solveModel } from '../../src/engines/kernel/chain.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { dealt } from '../systems/phased-dice-dealt.ts';
import { scenario } from '../systems/phased-dice-fight.ts';
import { inKernel } from './compared.ts';

/** Undefined where the budget refuses. */
function within<T>(solve: () => T): T | undefined {
  try {
    return solve();
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** The greatest difference from the chain in any probability, as a part of it; undefined if the chain is too large. */
function apart(given: PhasedDice, steps: number): number | undefined {
  const model = phasedDice.model(given);
  const chain = within(() => solveModel(model, { steps, moves: 4_000_000 }));
  const kernel = chain && inKernel(given);
  if (kernel === undefined) return undefined;
  const gaps = model.outcomes.flatMap((_, o) =>
    model.metrics.flatMap((_metric, m) => {
      const known = new Map(valueCounts(kernel.law, m, o));
      // Where the last rounds of one of them are beyond those of the other, they hold less than this.
      const likely = valueCounts(chain?.law ?? kernel.law, m, o).filter(([, p]) => p > 1e-14);
      return likely.map(([value, p]) => Math.abs((known.get(value) ?? 0) - p) / p);
    }),
  );
  return Math.max(...gaps);
}

/** Dice that always hit, so that a side takes hits at least, and sides of which the last unit takes fewer. */
const SURE = [
  ...[1, 2, 3].map((knights) => ({ units: { elite: 2, knight: knights } })),
  { units: { elite: 3, spearman: 2 } },
].flatMap((attacker, a, all) =>
  all.map((defender, d) => {
    const elite = { class: 'infantry', era: 3, bonus: 3, dice: 1 + (a % 2), hits: 2 + (d % 2) };
    return scenario({ unitTypes: { elite }, attacker, defender: { ...defender, target: ['infantry'] } });
  }),
);

const DEALT = Array.from({ length: 40 * DEPTH }, (_, index) => dealt(index));

/** Armies that share what can become of them. */
const GRID = [0, 1, 2, 3].flatMap((cannon) =>
  [0, 1, 3].map((knight) =>
    scenario({
      site: 'settlement',
      attacker: { units: { cannon, knight, dragoon: 1, rifleman: 3 }, target: ['infantry', 'artillery', 'cavalry'] },
      defender: { units: { trebuchet: 2, cannon: 1, dragoon: 2, rifleman: 1 + knight }, target: ['cavalry'] },
    }),
  ),
);

describe('every probability has the digits that it has by the chain', () => {
  test.each([
    ['where dice always hit', SURE, 20_000, SURE.length],
    ['on dealt scenarios', DEALT, 1500, 5 * DEPTH],
    ['on cells of a grid', GRID.slice(0, 4), 20_000, 2],
  ])('%s', { timeout: 60_000 }, (_, scenarios, steps, least) => {
    const gaps = scenarios.map((given) => apart(given, steps)).filter((gap) => gap !== undefined);
    expect(gaps.length).toBeGreaterThanOrEqual(least);
    expect(Math.max(...gaps)).toBeLessThan(1e-12);
  });
});

test('a law has the same bits whatever was solved or refused before', () => {
  const cells = [...GRID, ...SURE, ...DEALT.slice(0, 40)];
  const solved =
    (moves: number) =>
    (given: PhasedDice): ExactLaw | undefined =>
      within(() => inKernel(given, { steps: 1e9, moves }));
  const first = cells.map(solved(20_000_000));
  expect(first.filter((law) => law !== undefined).length).toBeGreaterThan(40);
  const again = cells.map((_, i) => {
    const cell = (i * 19 + 5) % cells.length;
    const refused = (i * 29 + 3) % cells.length;
    solved(300 * i)(cells[refused] as PhasedDice);
    return [cell, solved(20_000_000)(cells[cell] as PhasedDice)] as const;
  });
  expect(new Set(again.map(([cell]) => cell)).size).toBe(cells.length);
  for (const [cell, law] of again) expect(law).toEqual(first[cell]);
});

test.each([
  ['ground', 3_798_945],
  ['great-wall', 2_070_929],
  ['last-stand', 1266],
  ['dogfight', 111_138],
  ['fleet', 18_281],
  ['broadside', 14_053],
])('%s takes %i moves, neither more nor less', async (name, moves) => {
  const given = await loadScenario(`scenarios/phased-dice-${name}.yaml`);
  expect(inKernel(given, { steps: 1e9, moves })).toBeDefined();
  expect(() => inKernel(given, { steps: 1e9, moves: moves - 1 })).toThrow(BudgetError);
});
