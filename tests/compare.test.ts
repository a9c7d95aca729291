import { describe, expect, test } from 'vitest';
import { compare } from '../src/analysis/comparing/compare.ts';
import { compareRules } from '../src/analysis/comparing/compare-rules.ts';
import { simulate } from '../src/analysis/simulate.ts';
import { solveSync } from '../src/analysis/solve.ts';
import { InputError, RunError } from '../src/core/errors.ts';
import { loadScenario, updateScenario } from '../src/rules/scenario/index.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const stronger = updateScenario(duel, { 'attacker.attack': 2 });
const ground = await loadScenario('scenarios/phased-dice-ground.yaml');
const lastStand = await loadScenario('scenarios/phased-dice-last-stand.yaml');
const hunters = await loadScenario('scenarios/attrition-hunters.yaml');

const few = { battles: 2000, seed: 3 };

describe('compare with two scenarios', () => {
  test('returns the result of compareRules in the field all', async () => {
    const { all, battles } = await compare([duel, stronger], few);
    expect(all).toEqual(await compareRules(duel, stronger, few));
    expect(battles).toBe(2000);
  });

  test('reports progress, and compares the battles simulated before the signal', async () => {
    const stop = new AbortController();
    const reported: number[] = [];
    const { battles } = await compare([duel, stronger], {
      battles: 100_000_000,
      signal: stop.signal,
      onProgress({ done, total: requested }) {
        reported.push(done);
        expect(requested).toBe(100_000_000);
        stop.abort();
      },
    });
    expect(reported[0]).toBeGreaterThan(0);
    expect(battles).toBeGreaterThanOrEqual(reported.at(-1) ?? 0);
    expect(battles).toBeLessThan(100_000_000);
  });

  test('ranks attack +1 higher, by estimates and by exact answers', async () => {
    const { of, kind, pairs, order, groups, standings } = await compare([duel, stronger], few);
    expect({ of, kind, order, groups }).toEqual({ of: 'attacker', kind: 'outcome', order: [1, 0], groups: [[1], [0]] });
    const [gap] = pairs;
    expect(gap?.verdict).toBe('higher');
    expect(gap?.ci95[0]).toBeGreaterThan(0);
    const exact = [duel, stronger].map((scenario) => solveSync(scenario).summary.outcomes[0]?.p ?? 0);
    expect(standings.map((standing) => standing.exact)).toEqual(exact);
    expect(gap?.exact).toBe((exact[1] ?? 0) - (exact[0] ?? 0));
    expect(standings.map(({ rank }) => rank)).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  test('reports a tie of a scenario with itself', async () => {
    const { pairs, groups, standings } = await compare([duel, duel], { ...few, of: 'rounds' });
    expect(pairs[0]).toMatchObject({ difference: 0, differing: 0, verdict: 'tie', exact: 0 });
    // No battle differed, but one could, by up to 10 000 rounds.
    expect(pairs[0]?.ci95[1]).toBeCloseTo(10_000 * (1 - 0.025 ** (1 / 2000)), 9);
    expect(groups).toEqual([[0, 1]]);
    expect(standings[0]?.rank).toEqual([1, 2]);
  });

  test('simulates the same battles as a run with the same option from', async () => {
    const { standings, from } = await compare([duel, stronger], { ...few, from: 500, of: 'rounds' });
    const { summary } = await simulate(stronger, { ...few, from: 500 });
    expect(from).toBe(500);
    expect(standings[1]?.value).toBeCloseTo(summary.metrics[0]?.mean ?? 0, 9);
  });
});

describe('a +1 modifier in phased dice needs five times fewer battles when paired', () => {
  test.each([
    ['a knight of the last stand', lastStand],
    ['two knights of the ground attack', ground],
  ])('%s', async (_, scenario) => {
    const modified = updateScenario(scenario, { 'unitTypes.knight.bonus': 1 });
    const { pairs, of } = await compare([scenario, modified], { battles: 40_000 });
    expect(of).toBe('attacker');
    expect(pairs[0]?.verdict).not.toBe('tie');
    expect(pairs[0]?.varianceReduction).toBeGreaterThan(5.5);
  });
});

describe('compare with several scenarios', () => {
  const hp = [25, 27, 26].map((points) => updateScenario(duel, { 'attacker.hp': points }));

  test('ranks them by their exact values', async () => {
    const { order, groups, pairs } = await compare([...hp, duel, duel], few);
    expect(pairs).toHaveLength(10);
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
    expect(order.indexOf(2)).toBeLessThan(order.indexOf(0));
    expect(groups).toContainEqual([3, 4]);
  });

  test('groups them by their intervals if exact answers exceed the budget', async () => {
    const crowds = [0, 0, 5].map((attack) =>
      updateScenario(hunters, { 'combatants.0.attack': attack, 'combatants.0.hp': 90 }),
    );
    const { groups, pairs, standings, order } = await compare(crowds, { battles: 500, of: 'rounds' });
    for (const [s, { rank, exact }] of standings.entries()) {
      expect(exact).toBeUndefined();
      expect(order.indexOf(s) + 1).toBeGreaterThanOrEqual(rank[0]);
      expect(order.indexOf(s) + 1).toBeLessThanOrEqual(rank[1]);
    }
    expect(groups.some((group) => group.includes(0) && group.includes(1))).toBe(true);
    expect(pairs[0]?.verdict).toBe('tie');
  });
});

describe('compare with the option best', () => {
  /** Scenarios that are too large for exact answers at these numbers of battles. */
  const crowds = [0, 4, 4, 6].map((attack) =>
    updateScenario(hunters, { 'combatants.0.attack': attack, 'combatants.0.hp': 90, maxRounds: 60 }),
  );
  const course = { battles: 6000, seed: 3, of: 'rounds' };
  const target = { ...course, best: 'lowest' } as const;

  test('finds the lowest value with fewer battles, the same ones as without best', async () => {
    const { best, standings, order, battles, all } = await compare(crowds, target);
    expect(all).toBeUndefined();
    expect(best).toMatchObject({
      goal: 'lowest',
      reason: 'one',
      remaining: [3],
      analyses: [1185, 1777, 2666, 4000, 6000],
    });
    expect(best?.eliminated.map(({ scenario }) => scenario).sort()).toEqual([0, 1, 2]);
    expect(order[0]).toBe(3);
    expect(order.map((s) => standings[s]?.value)).toEqual(standings.map(({ value }) => value).sort((a, b) => a - b));
    expect(standings[3]?.rank).toEqual([1, 1]);
    expect(best?.simulated[3]).toBe(battles);
    expect(best?.savedBattles).toBe(
      4 * 6000 - (best?.simulated ?? []).reduce((sum, simulation) => sum + simulation, 0),
    );
    expect(best?.savedBattles).toBeGreaterThan(6000);
    for (const [s, simulation] of (best?.simulated ?? []).entries()) {
      const fixed = await compare(crowds, { ...course, battles: simulation });
      expect(standings[s]?.value).toBe(fixed.standings[s]?.value);
      expect(standings[s]?.exact).toBeUndefined();
    }
  });

  test('reports a tie if the battles run out or the difference is within indifference', async () => {
    const tie = await compare(crowds.slice(0, 3), target);
    expect(tie.best).toMatchObject({ reason: 'battles', remaining: [1, 2], eliminated: [{ scenario: 0 }] });
    expect(tie.battles).toBe(6000);
    const { standings } = await compare(crowds, { ...course, battles: 6000 });
    expect(tie.standings[1]?.value).toBe(standings[1]?.value);
    const close = await compare(crowds.slice(1, 3), { ...target, indifference: 0.5, from: 7 });
    expect(close.best).toMatchObject({ reason: 'indifference', remaining: [0, 1], indifference: 0.5 });
    expect(close.battles).toBeLessThan(6000);
  });

  test('decides by exact answers if they are available', async () => {
    const scenarios = [duel, stronger, duel, stronger];
    const { best, standings, pairs } = await compare(scenarios, { best: 'highest' });
    expect(best).toMatchObject({ reason: 'exact', remaining: [1, 3], simulated: [1027, 1027, 1027, 1027] });
    expect(best?.eliminated.map(({ scenario, against }) => [scenario, against])).toEqual([
      [0, 1],
      [2, 1],
    ]);
    expect(standings[0]?.exact).toBe(solveSync(duel).summary.outcomes[0]?.p);
    expect(pairs[1]).toMatchObject({ first: 0, second: 2, exact: 0, verdict: 'tie' });
  });

  test('returns the result of the last interim analysis after a signal', async () => {
    const stop = new AbortController();
    const reported: number[] = [];
    const { best, battles } = await compare(crowds.slice(1, 3), {
      ...target,
      battles: 1e9,
      signal: stop.signal,
      onProgress({ done, total: requested }) {
        reported.push(requested);
        if (done > 3000) stop.abort();
      },
    });
    expect(best).toMatchObject({ reason: 'interrupted', remaining: [0, 1] });
    expect(best?.analyses).toContain(battles);
    expect(battles).toBeGreaterThanOrEqual(2000);
    expect(battles).toBeLessThan(1e9);
    expect(new Set(reported)).toEqual(new Set([1e9]));
    await expect(compare(crowds, { ...target, signal: AbortSignal.abort() })).rejects.toThrow(
      'stopped before the first step',
    );
  });

  test('rejects indifference without best, and an indifference of 0', async () => {
    await expect(compare(crowds, { indifference: 1 })).rejects.toThrow('indifference requires best');
    await expect(compare(crowds, { best: 'lowest', indifference: 0 })).rejects.toThrow(
      'expected a number above 0, found 0',
    );
  });
});

test('compare and compareRules reject invalid scenarios and options', async () => {
  await expect(compare([duel], few)).rejects.toThrow('scenarios: expected 2..100 scenarios, found 1');
  await expect(compare([duel, ground], few)).rejects.toThrow(InputError);
  await expect(compare([duel, duel], { of: 'atacker' })).rejects.toThrow('"atacker" (did you mean attacker?)');
  await expect(compare([duel, duel], { from: -1 })).rejects.toThrow('from: expected an integer 0..');
  await expect(compare([duel, duel], { signal: AbortSignal.abort() })).rejects.toThrow(RunError);
  await expect(compareRules(duel, stronger, { signal: AbortSignal.abort() })).rejects.toThrow(RunError);
});
