/** Rank of a battle among all battles, by an enumerated distribution and by simulated battles. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openBattleFunction, visitBattles } from '../../src/analysis/battle-function.ts';
import { parseScenario, simulate, solveSync } from '../../src/index.ts';
import { computeLuckTails, createLuckReports, type LuckInput, listLuckOptions } from '../../src/report/odds/luck.ts';
import { getSides } from '../../src/report/scenario/sides.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import type { SystemRegistry } from '../../src/rules/registry.ts';
import { fought, shareOf } from './chain.ts';

let games: SystemRegistry;

beforeAll(async () => {
  games = await loadSystems(['examples/games/conquest-dice.mjs']);
});

function risk(attacker: number, defender: number): LuckInput {
  const text = `system: conquest-dice\nattacker: ${String(attacker)}\ndefender: ${String(defender)}\n`;
  const scenario = parseScenario(text, { source: 'risk', systems: games });
  const { summary, distribution: exactDistribution } = solveSync(scenario);
  return { scenario, summary, counts: exactDistribution };
}

const sideOf = ({ scenario }: LuckInput, at: number) => {
  const side = getSides(scenario)[at];
  if (side === undefined) throw new TypeError(`no side ${String(at)}`);
  return side;
};

describe('luck by an exact distribution', () => {
  const ATTACKER = 5;
  const DEFENDER = 4;

  test('has the tails of the enumeration, for both sides', () => {
    const known = risk(ATTACKER, DEFENDER);
    const left = fought(ATTACKER, DEFENDER);
    // Fewer remaining armies of the attacker, or more of the defender, are worse for the attacker.
    const value = (attacker: number, defender: number): number => attacker - defender;
    for (const [outcome, n, at] of [
      ['attacker', 2, 2],
      ['attacker', 5, 5],
      ['defender', 1, -1],
      ['defender', 4, -4],
    ] as const) {
      const tails = computeLuckTails(known, sideOf(known, 0), outcome, n);
      expect(tails.worse).toBeCloseTo(
        shareOf(left, (a, d) => value(a, d) < at),
        12,
      );
      expect(tails.same).toBeCloseTo(
        shareOf(left, (a, d) => value(a, d) === at),
        12,
      );
      expect(tails.better).toBeCloseTo(
        shareOf(left, (a, d) => value(a, d) > at),
        12,
      );
      const { worse, same, better } = computeLuckTails(known, sideOf(known, 1), outcome, n);
      expect([worse, same, better]).toEqual([tails.better, tails.same, tails.worse]);
    }
  });

  test('is reported with both tails and the share that counts in both', () => {
    const known = risk(9, 4);
    const left = fought(9, 4);
    const [shown] = createLuckReports(known, 'defender', 4);
    const share = (p: number): string => `${(100 * p).toFixed(2)} %`;
    expect(shown?.verdict).toBe('Bad luck for the attacker');
    expect(shown?.lines[0]).toContain(`(${share(shareOf(left, (_, d) => d === 4))})`);
    expect(shown?.lines[1]).toBe('This or a better result for the attacker happens in every battle (100 %).');
    expect(shown?.lines[2]).toMatch(/% of battles have exactly this result and count in both\.$/);
    const even = risk(ATTACKER, DEFENDER);
    expect(createLuckReports(even, 'attacker', 5)[0]?.verdict).toBe('Slightly unusual');
    expect(createLuckReports(even, 'attacker', 3)[0]?.verdict).toBe('Nothing unusual');
    expect(createLuckReports(risk(3, 9), 'attacker', 1)[0]?.verdict).toBe('Good luck for the attacker');
  });

  test('has options for the remaining armies of the winner', () => {
    const options = listLuckOptions(risk(ATTACKER, DEFENDER));
    expect(options.map(({ outcome, clause, metric }) => [outcome, clause, metric?.title])).toEqual([
      ['attacker', 'the attacker wins', 'armies that the attacker had left'],
      ['defender', 'the defender wins', 'armies that the defender had left'],
    ]);
    expect(options[0]?.metric).toMatchObject({ low: 1, high: 5, step: 1 });
  });
});

const DUEL = parseScenario(`system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 14 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 12 }
`);

describe('luck by simulated battles', () => {
  const BATTLES = 3000;

  test('equals the rank among battles that are compared one by one', async () => {
    const { summary, counts } = await simulate(DUEL, { battles: BATTLES, seed: 5, engine: 'kernel' });
    const known: LuckInput = { scenario: DUEL, summary, counts, battles: BATTLES };
    const { outcomes, metrics } = getBoundScenario(DUEL).shape;
    const [own, other] = ['hp.attacker', 'hp.defender'].map((name) => metrics.findIndex((m) => m.name === name));
    const play = await openBattleFunction(DUEL, BATTLES, undefined);
    const heights: { outcome: string; own: number; other: number; height: number }[] = [];
    await visitBattles(0, BATTLES, undefined, (battle) => {
      const { outcome, metrics: values } = play(5n, battle);
      const [mine = 0, theirs = 0] = [values[own ?? 0], values[other ?? 0]];
      const height = { attacker: 1000 + mine, defender: -1000 - theirs }[outcomes[outcome] ?? ''] ?? mine;
      heights.push({ outcome: outcomes[outcome] ?? '', own: mine, other: theirs, height });
      return true;
    });
    expect(heights).toHaveLength(BATTLES);
    for (const { outcome, own, other, height } of heights.slice(0, 60)) {
      const tails = computeLuckTails(known, sideOf(known, 0), outcome, outcome === 'defender' ? other : own);
      expect(tails).toEqual({
        worse: heights.filter((each) => each.height < height).length,
        same: heights.filter((each) => each.height === height).length,
        better: heights.filter((each) => each.height > height).length,
      });
    }
  });

  test('is never reported as certain', async () => {
    const { summary, counts } = await simulate(DUEL, { battles: 200, seed: 5 });
    const known: LuckInput = { scenario: DUEL, summary, counts, battles: 200 };
    const [shown] = createLuckReports(known, 'defender', 12);
    expect(shown?.lines[1]).toMatch(
      /^This or a better result for Swordsmen happens in almost every battle \(> 9\d\.\d+ %\)\.$/,
    );
  });
});

test('luck in a system without metrics of sides depends only on outcomes', async () => {
  const systems = await loadSystems(['examples/systems/hand.mjs']);
  const scenario = parseScenario('system: hand\nred: 2\nblue: 3\n', { source: 'hand', systems });
  const { summary, distribution: exactDistribution } = solveSync(scenario);
  const known: LuckInput = { scenario, summary, counts: exactDistribution };
  expect(listLuckOptions(known).map(({ metric }) => metric)).toEqual([undefined, undefined]);
  const tails = computeLuckTails(known, sideOf(known, 0), 'red', undefined);
  expect(tails.same).toBeCloseTo(0.3125, 12);
  expect(tails.worse).toBeCloseTo(0.6875, 12);
});
