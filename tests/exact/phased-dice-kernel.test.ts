/** Distributions from the kernel of phased-dice: accuracy, independence of earlier calls, and cost in moves. */
import { describe, expect, test } from 'vitest';
import { BudgetError } from '../../src/core/errors.ts';
import { type ExactDistribution, solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { DEPTH } from '../depth.ts';
import { Dealer } from '../systems/dealer.ts';
import { dealt } from '../systems/phased-dice-dealt.ts';
import { scenario } from '../systems/phased-dice-fight.ts';
import { within } from './budgets.ts';
import { inKernel } from './compared.ts';

/** Returns the largest relative difference from the chain in any probability; undefined if the chain is too large. */
function apart(given: PhasedDice, steps: number): number | undefined {
  const model = phasedDice.model(given);
  const chain = within(() => solveModel(model, { steps, moves: 4_000_000 }));
  const kernel = chain && inKernel(given);
  if (kernel === undefined) return undefined;
  const gaps = model.outcomes.flatMap((_, o) =>
    model.metrics.flatMap((_metric, m) => {
      const known = new Map(listValueCounts(kernel.distribution, m, o));
      // Kernel and chain may differ in their last round; rounds of only one of them have less probability than this.
      const likely = listValueCounts(chain?.distribution ?? kernel.distribution, m, o).filter(([, p]) => p > 1e-14);
      return likely.map(([value, p]) => Math.abs((known.get(value) ?? 0) - p) / p);
    }),
  );
  return Math.max(...gaps);
}

/** Creates a random scenario with unit types whose dice always hit, and one type whose dice do not. */
function sure(index: number): PhasedDice {
  const deal = new Dealer(1n, index);
  const type = (bonus: number) => ({
    ...{ class: deal.pick(['infantry', 'cavalry', 'artillery']), era: 3, bonus },
    ...{ dice: 1 + deal.below(3), hits: 1 + deal.below(4) },
  });
  const side = () => ({
    units: { elite: deal.below(3), guard: deal.below(3), plain: 1 + deal.below(4), spearman: deal.below(3) },
    target: deal.pick([['infantry', 'cavalry'], ['artillery'], 'most-dice']),
  });
  const unitTypes = { elite: type(3), guard: type(4), plain: type(0) };
  return scenario({ unitTypes, attacker: side(), defender: side() });
}

/** Number of scenarios of each kind. */
const COUNT = DEPTH > 1 ? 80 : 8;

/**
 * Scenarios with dice that always hit. In 66 and 191, two attackers deal equal hits; further hits on the later one stop
 * mattering much earlier.
 */
const SURE = [66, 191, ...Array.from({ length: COUNT }, (_, index) => index)].map(sure);

const DEALT = Array.from({ length: COUNT }, (_, index) => dealt(index));

/** Grid of armies with common intermediate states. */
const GRID = [0, 1, 2, 3].flatMap((cannon) =>
  [0, 1, 3].map((knight) =>
    scenario({
      site: 'settlement',
      attacker: { units: { cannon, knight, dragoon: 1, rifleman: 3 }, target: ['infantry', 'artillery', 'cavalry'] },
      defender: { units: { trebuchet: 2, cannon: 1, dragoon: 2, rifleman: 1 + knight }, target: ['cavalry'] },
    }),
  ),
);

describe('every probability from the kernel equals the chain to 1e-12', () => {
  test.each([
    ['where dice always hit', SURE, 1500, 0.3 * COUNT],
    ['on dealt scenarios', DEALT, 1500, 0.125 * COUNT],
    ['on cells of a grid', GRID.slice(0, 2 * DEPTH), 20_000, DEPTH],
  ])('%s', { timeout: 60_000 }, (_, scenarios, steps, least) => {
    const gaps = scenarios.map((given) => apart(given, steps)).filter((gap) => gap !== undefined);
    expect(gaps.length).toBeGreaterThanOrEqual(least);
    expect(Math.max(...gaps)).toBeLessThan(1e-12);
  });
});

test('the kernel returns the same bits after other solved or rejected scenarios', () => {
  const cells = [...GRID, ...SURE.slice(0, COUNT / 4), ...DEALT.slice(0, COUNT / 2 - 1)];
  const solved =
    (moves: number) =>
    (given: PhasedDice): ExactDistribution | undefined =>
      within(() => inKernel(given, { steps: 1e9, moves }));
  const first = cells.map(solved(20_000_000));
  expect(first.filter((exactDistribution) => exactDistribution !== undefined).length).toBeGreaterThan(COUNT / 2);
  const again = cells.map((_, i) => {
    const cell = (i * 19 + 5) % cells.length;
    const rejection = (i * 29 + 3) % cells.length;
    solved(300 * i)(cells[rejection] as PhasedDice);
    return [cell, solved(20_000_000)(cells[cell] as PhasedDice)] as const;
  });
  expect(new Set(again.map(([cell]) => cell)).size).toBe(cells.length);
  for (const [cell, exactDistribution] of again) expect(exactDistribution).toEqual(first[cell]);
});

test.each([
  ['ground', 3_798_945],
  ['great-wall', 2_070_929],
  ['last-stand', 1266],
  ['dogfight', 111_138],
  ['fleet', 18_281],
  ['broadside', 14_053],
])('the kernel solves phased-dice-%s in exactly %i moves', async (name, moves) => {
  const given = await loadScenario(`scenarios/phased-dice-${name}.yaml`);
  expect(inKernel(given, { steps: 1e9, moves })).toBeDefined();
  expect(() => inKernel(given, { steps: 1e9, moves: moves - 1 })).toThrow(BudgetError);
});

test.each([
  [1, 610_419],
  [3, 71_973],
  [8, 92_636],
])('the kernel solves scenario %i with dice that always hit in exactly %i moves', (index, moves) => {
  expect(inKernel(sure(index), { steps: 1e9, moves })).toBeDefined();
  expect(() => inKernel(sure(index), { steps: 1e9, moves: moves - 1 })).toThrow(BudgetError);
});
