import { describe, expect, test } from 'vitest';
import { compareRules } from '../src/analysis/comparing/compare-rules.ts';
import { findBattles } from '../src/analysis/find-battles.ts';
import { replay } from '../src/analysis/replay.ts';
import { measureRuleCoverageSync } from '../src/analysis/rule-coverage.ts';
import { simulate } from '../src/analysis/simulate.ts';
import { solveSync } from '../src/analysis/solve.ts';
import { AbortError, InputError } from '../src/core/errors.ts';
import { applyChanges, loadScenario, updateScenario } from '../src/rules/scenario/index.ts';
import { Z95 } from '../src/stats/intervals.ts';
import { computePairedShareInterval } from '../src/stats/paired-counts.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const siege = await loadScenario('scenarios/phased-dice-ground.yaml');

describe('findBattles', () => {
  test('returns exactly the first battles whose replays meet the condition', async () => {
    const { matches: found, examined: looked } = await findBattles(siege, {
      where: 'winner=attacker && rounds>=9',
      limit: 3,
      seed: 4,
    });
    expect(found).toHaveLength(3);
    expect(looked).toBe((found.at(-1)?.battle ?? 0) + 1);
    for (const { battle, outcome, metrics } of found) {
      expect(replay(siege, { seed: 4, battle })).toMatchObject({ outcome, metrics });
      expect(outcome).toBe('attacker');
      expect(metrics['rounds']).toBeGreaterThanOrEqual(9);
    }
    const all = Array.from({ length: looked }, (_, battle) => replay(siege, { seed: 4, battle }));
    const meeting = all.filter(({ outcome, metrics }) => outcome === 'attacker' && (metrics['rounds'] ?? 0) >= 9);
    expect(meeting.map(({ battle }) => battle)).toEqual(found.map(({ battle }) => battle));
  });

  test('returns the same number of battles as a run counts', async () => {
    const { matches: found } = await findBattles(duel, {
      where: 'outcome=mutual',
      limit: 10_000,
      battles: 5000,
      from: 100,
    });
    const { summary } = await simulate(duel, { battles: 5000, from: 100 });
    expect(found).toHaveLength(summary.outcomes.find(({ name }) => name === 'mutual')?.count ?? -1);
  });

  test('stops at a signal, and rejects options out of range', async () => {
    const stop = new AbortController();
    const onProgress = (): void => {
      stop.abort();
    };
    const { complete, examined: looked } = await findBattles(duel, {
      where: 'rounds>9000',
      signal: stop.signal,
      onProgress,
    });
    expect(complete).toBe(false);
    expect(looked).toBeGreaterThan(0);
    await expect(findBattles(duel, { where: 'rounds>9000', signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
    await expect(findBattles(duel, { where: 'rounds>1', limit: 0 })).rejects.toThrow(InputError);
  });
});

describe('measureRuleCoverageSync', () => {
  test('counts how often each rule applied, including rules that never applied', () => {
    const rules = new Map(measureRuleCoverageSync(duel, { battles: 50 }).map((rule) => [rule.id, rule]));
    const rounds = Array.from({ length: 50 }, (_, battle) => replay(duel, { battle }).metrics['rounds'] ?? 0);
    const simulated = rounds.reduce((sum, each) => sum + each, 0);
    expect(rules.get('round')).toMatchObject({ fired: simulated, battles: 50 });
    expect(rules.get('direct.blow')).toMatchObject({ fired: 2 * simulated, battles: 50 });
    expect(rules.get('mass.hit')).toMatchObject({ fired: 0, battles: 0 });
    expect([...rules.values()].every(({ source }) => source.length > 0)).toBe(true);
  });
});

describe('changes of a scenario', () => {
  test('set fields by their paths, including omitted fields', () => {
    const changed = updateScenario(siege, { 'attacker.units.cannon': 5, 'unitTypes.cannon.bonus': 2, site: 'open' });
    expect(changed).toMatchObject({
      attacker: { units: { cannon: 5 } },
      unitTypes: { cannon: { bonus: 2 } },
      site: 'open',
    });
    expect(siege).toMatchObject({ attacker: { units: { cannon: 3 } }, unitTypes: {}, site: 'settlement' });
  });

  test('accept indices of lists in paths', async () => {
    const mass = await loadScenario('scenarios/attrition-mass.yaml');
    expect(updateScenario(mass, { 'combatants[1].hp': 3 })).toMatchObject({ combatants: [{}, { hp: 3 }, {}, {}] });
  });

  test.each([
    [['attacker.hp'], '--set: expected path=value, found "attacker.hp"'],
    [['attacker.hp=0'], '--set attacker.hp: expected an integer 1..100000, found 0'],
    [['attacker.hpp=1'], '--set attacker.hpp: expected one of'],
    [['attacker={'], '--set attacker: expected a value in YAML, found "{"'],
  ])('reject %j', (changes, message) => {
    expect(() => applyChanges(duel, changes)).toThrow(message);
  });
});

describe('compareRules', () => {
  test('agrees with two runs of the same seed, and with the exact difference', async () => {
    const changed = updateScenario(duel, { 'attacker.attack': 2 });
    const battles = 40_000;
    const { outcomes, metrics } = await compareRules(duel, changed, { battles, seed: 9 });
    const runs = await Promise.all([duel, changed].map((scenario) => simulate(scenario, { battles, seed: 9 })));
    const exact = [duel, changed].map((scenario) => solveSync(scenario).summary);
    for (const [o, { p, difference, ci95, varianceReduction: gain }] of outcomes.entries()) {
      expect(p).toEqual(runs.map(({ summary }) => summary.outcomes[o]?.p));
      const truth = (exact[1]?.outcomes[o]?.p ?? 0) - (exact[0]?.outcomes[o]?.p ?? 0);
      const half = (ci95[1] - ci95[0]) / 2;
      // The half-width of a 95 % interval is 1.96 standard errors; 2.6 times that is five.
      expect(Math.abs(difference - truth)).toBeLessThan(2.6 * half);
      if (difference !== 0) expect(gain).toBeGreaterThan(1);
    }
    for (const [m, { mean, difference, ci95, varianceReduction: gain }] of metrics.entries()) {
      for (const [k, run] of runs.entries()) expect(mean[k]).toBeCloseTo(run.summary.metrics[m]?.mean ?? 0, 9);
      const truth = (exact[1]?.metrics[m]?.mean ?? 0) - (exact[0]?.metrics[m]?.mean ?? 0);
      expect(Math.abs(difference - truth)).toBeLessThan(2.6 * ((ci95[1] - ci95[0]) / 2));
      expect(gain).toBeGreaterThan(5);
    }
  });

  test('finds no difference between a scenario and itself, with intervals around 0', async () => {
    const { outcomes, metrics } = await compareRules(duel, duel, { battles: 100 });
    expect(outcomes.every(({ difference, ci95 }) => difference === 0 && ci95[0] < 0 && ci95[1] > 0)).toBe(true);
    expect(metrics.every(({ difference }) => difference === 0)).toBe(true);
  });

  test('rejects scenarios of different systems', async () => {
    await expect(compareRules(duel, siege)).rejects.toThrow(InputError);
  });

  test('has intervals that cover the true difference even if few pairs differ', () => {
    // Exact coverage by enumeration: lost ~ Binomial(n, b), gained by the remaining pairs.
    const n = 60;
    const choose = (from: number, k: number): number => {
      let ways = 1;
      for (let i = 1; i <= k; i++) ways = (ways * (from - k + i)) / i;
      return ways;
    };
    for (const [b, c] of [
      [0.02, 0.05],
      [0.1, 0.2],
      [0.01, 0.01],
    ] as const) {
      let covered = 0;
      for (let lost = 0; lost <= n; lost++) {
        for (let gained = 0; gained + lost <= n; gained++) {
          const ways = choose(n, lost) * choose(n - lost, gained);
          const p = ways * b ** lost * c ** gained * (1 - b - c) ** (n - lost - gained);
          const [low, high] = computePairedShareInterval(lost, gained, n, Z95);
          if (low <= c - b && c - b <= high) covered += p;
        }
      }
      expect(covered, `${String(b)} and ${String(c)}`).toBeGreaterThan(0.93);
    }
  });
});
