/** Notable battles: the typical, the luckiest and the closest one. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { replay } from '../../src/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { findNotableBattles, notable } from '../../web/engine/studies/battle.ts';
import { task } from '../../web/engine/task.ts';

const battle = (outcome: number, ...metrics: number[]) => ({ outcome, metrics });

describe('findNotableBattles', () => {
  test('returns as typical the battle nearest to the means of the most frequent outcome', () => {
    // Means of outcome 0: 5 and 2. Battle 3 has them, and another outcome.
    const battles = [
      battle(0, 9, 2),
      battle(0, 1, 2),
      battle(0, 5, 2),
      battle(1, 5, 2),
      battle(0, 5, 3),
      battle(0, 5, 1),
    ];
    expect(findNotableBattles(battles).typical).toBe(2);
  });

  test("returns as luckiest a rarer outcome whose metrics differ most from the usual winner's", () => {
    const battles = [
      battle(0, 9, 0),
      battle(0, 8, 0),
      battle(0, 7, 1),
      battle(1, 1, 3),
      battle(1, 0, 8),
      battle(1, 2, 2),
    ];
    expect(findNotableBattles([...battles, battle(0, 9, 0)]).luckiest).toBe(4);
  });

  test('returns as closest the battle between the metrics of both outcomes', () => {
    const battles = [
      battle(0, 9, 0),
      battle(0, 8, 0),
      battle(1, 0, 9),
      battle(0, 1, 0),
      battle(1, 0, 8),
      battle(0, 7, 0),
    ];
    expect(findNotableBattles(battles).closest).toBe(3);
  });

  test('returns three battles even if all outcomes are equal', () => {
    expect(findNotableBattles([battle(0, 3), battle(0, 3)])).toEqual({
      typical: 0,
      luckiest: 0,
      closest: 0,
      examined: 2,
    });
    expect(findNotableBattles([battle(2)])).toEqual({ typical: 0, luckiest: 0, closest: 0, examined: 1 });
  });
});

test('notable returns battles that `replay` reproduces', async () => {
  const file = 'scenarios/attrition-direct.yaml';
  const found = await notable.notable({ text: readFileSync(file, 'utf8'), seed: '1' }, 900);
  expect(found?.examined).toBe(10_000);
  const scenario = await loadScenario(file);
  const at = (index: number) => replay(scenario, { seed: 1, battle: index });
  const { typical = 0, luckiest = 0, closest = 0 } = found ?? {};
  expect(at(typical).outcome).toBe('attacker');
  expect(at(luckiest).outcome).toBe('defender');
  const [worst, near] = [at(luckiest), at(closest)];
  // Winning defenders keep 10 on average.
  expect(worst.metrics['hp.defender']).toBeGreaterThan(20);
  expect(Math.max(near.metrics['hp.defender'] ?? 0, near.metrics['hp.attacker'] ?? 0)).toBeLessThan(5);
});

test('notable examines fewer battles after a stop', async () => {
  task.stop(901);
  const requested = { text: readFileSync('scenarios/attrition-direct.yaml', 'utf8'), seed: '1' };
  const work = notable.notable(requested, 902);
  task.stop(902);
  expect((await work)?.examined ?? 0).toBeLessThan(10_000);
});
