/** Strength and cards: the exact solver against a count of all cases, a worked example, and sentences of rules. */
import { describe, expect, it } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { RecordedChance } from '../../src/core/chance/recorded-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { sampleScenarios } from '../arbitraries.ts';
import { DEPTH } from '../depth.ts';
import { keyTest, tellingTest } from './alike.ts';
import { scenario } from './strength-cards-fight.ts';

const few = sampleScenarios(strengthCards, undefined, Math.max(150, 80 * DEPTH)) as StrengthCards[];

const tiny = scenario({
  river: 'open',
  initiative: 'attacker',
  absorb: ['fortification', 'symbols', 'units'],
  dice: { a: [0, 1, 1, 2, 3, 5], b: [0, 0, 0, 1, 2, 2] },
  attacker: {
    units: [
      { name: 'Far', attack: 3, defense: 1, hp: 2, die: ['a', 'b'], acrossRiver: true },
      { name: 'Spent', attack: 9, defense: 1, hp: 1, die: ['a', 'a'], exhausted: true },
    ],
    support: [{ attack: 3, defense: 0, acrossRiver: true }],
    hand: [
      { name: 'Push', strength: 2, weight: 3 },
      { name: 'Fire', enemyStrength: -1, dice: ['b'], hpSymbols: 1 },
    ],
    airTokens: [{ strength: 1, dice: ['b'], weight: 0.25 }],
    absorb: ['units', 'symbols', 'fortification'],
    retreatTo: 'none',
  },
  defender: {
    units: [
      { name: 'Old', attack: 1, defense: 1, hp: 1, die: 'b' },
      { name: 'New', attack: 1, defense: 2, hp: 3, die: 'b' },
    ],
    hand: [{ name: 'Hold', strength: 1, hpSymbols: 1 }],
    noCard: 1,
    fortification: 1,
    losses: 'spread',
    retreatTo: 'none',
    portFleets: 2,
  },
});

/** Computes the distribution of the tiny scenario again, without chance, model or tables. */
function counted(): Map<string, number> {
  const exactDistribution = new Map<string, number>();
  const [a, b] = [
    [0, 1, 1, 2, 3, 5],
    [0, 0, 0, 1, 2, 2],
  ];
  const sums = (...dice: (readonly number[])[]): number[] =>
    dice.reduce<number[]>((before, die) => before.flatMap((sum) => die.map((face) => sum + face)), [0]);
  for (const push of [true, false]) {
    for (const air of [true, false]) {
      for (const hold of [true, false]) {
        const margin = 1.5 + 1.5 + (push ? 2 : 1) + (air ? 1 : 0) - (1 + 2 + 1 + (hold ? 1 : 0));
        const p = (push ? 0.75 : 0.25) * (air ? 0.25 : 0.75) * 0.5;
        const forth = sums(a, b, ...(push ? [] : [b]), ...(air ? [b] : []));
        const back = sums(b, b);
        for (const x of forth) {
          for (const y of back) {
            const won = margin >= 0;
            // Defender: one level, then the symbol, then the units: New 3 -> 2 -> 1, Old, New.
            const toUnits = Math.min(4, Math.max(0, x - 1 - (hold ? 1 : 0)));
            const [newHp, oldHp] = (
              [
                [3, 1],
                [2, 1],
                [1, 1],
                [0, 1],
                [0, 0],
              ] as const
            )[toUnits] ?? [0, 0];
            const order = toUnits === 3 ? [1, 0] : [newHp, oldHp];
            const survivors = order.filter((hp) => hp > 0).length;
            // Attacker: the cheaper unit (1 hp), then the other, then the symbol of Fire.
            const hurt = Math.min(3, y);
            const own = [Math.max(0, 1 - hurt), Math.min(2, 3 - hurt)];
            const alive = own.filter((hp) => hp > 0).length;
            const captured = won && alive > 0;
            const room = 4 + 1 + (hold ? 1 : 0);
            const metrics = [
              2 * margin,
              x,
              y,
              Math.min(y, 3 + (push ? 0 : 1)),
              Math.min(x, room),
              2 - alive,
              2 - survivors,
              won ? survivors : alive,
              won ? 3 - hurt : 0,
              won ? 0 : 4 - toUnits,
              Number(captured),
              captured || x > 0 ? 0 : 1,
              captured ? 2 : 0,
            ];
            for (const [m, value] of metrics.entries()) {
              const key = `${won ? 'attacker' : 'defender'} ${String(m)} ${String(value)}`;
              exactDistribution.set(key, (exactDistribution.get(key) ?? 0) + p / (forth.length * back.length));
            }
          }
        }
      }
    }
  }
  return exactDistribution;
}

describe('the exact solver', () => {
  it('returns the distribution of all metrics and outcomes from a count of all cases', () => {
    const model = strengthCards.model(tiny);
    const { distribution: exactDistribution, lost } = solveModel(model);
    expect(lost).toBe(0);
    const expected = counted();
    let values = 0;
    for (const [m, { name }] of model.metrics.entries()) {
      for (const [o, outcome] of model.outcomes.entries()) {
        for (const [value, p] of listValueCounts(exactDistribution, m, o)) {
          const key = `${outcome} ${String(m)} ${String(value)}`;
          expect(p, `${name}: ${key}`).toBeCloseTo(expected.get(key) ?? -1, 11);
          values++;
        }
      }
    }
    expect(values).toBe(expected.size);
    expect(values).toBeGreaterThan(60);
  });

  keyTest(
    { system: strengthCards, scenarios: few },
    { most: DEPTH > 1 ? 80 : 10, compared: 10, merged: 5 * (DEPTH - 1) },
  );

  it('needs few steps for the shipped scenarios', async () => {
    for (const name of ['land', 'bluff', 'fleet', 'pocket', 'fortress', 'island']) {
      expect(solveSync(await loadScenario(`scenarios/strength-cards-${name}.yaml`)).steps).toBeLessThan(1000);
    }
  });

  it('equals the hand-computed values of the attack across the river', async () => {
    // 2.5 + 3 + 2 + 1 against 4 + 3 + 1 + 2: -1.5, and +3 or +1 for the card, +1 for the aircraft half the time.
    const { summary } = solveSync(await loadScenario('scenarios/strength-cards-land.yaml'));
    expect(summary.outcomes[0]?.p).toBeCloseTo(5 / 6, 14);
    const [margin] = summary.metrics;
    expect(margin?.histogram.map(([value]) => value)).toEqual([-0.5, 0.5, 1.5, 2.5]);
    expect(margin?.histogram.map(([, p]) => p.toFixed(12))).toEqual(
      [1 / 6, 1 / 6, 1 / 3, 1 / 3].map((p) => p.toFixed(12)),
    );
    expect([margin?.mean, margin?.variance]).toEqual([expect.closeTo(4 / 3, 12), expect.closeTo(41 / 36, 12)]);
  });
});

describe('the replay', () => {
  tellingTest({ system: strengthCards, scenarios: few, seed: 7n }, 10);

  it('shows dice that add up to the damage', () => {
    for (let battle = 0; battle < 200; battle++) {
      const chance = new RecordedChance(Stream.forBattle(3n, battle));
      const model = strengthCards.model(tiny);
      const { metrics } = playBattle(model, chance);
      const sums = chance.events.flatMap((event) => (event.kind === 'faces' ? [event.sum] : []));
      expect(sums).toEqual(metrics.slice(1, 3));
    }
  });
});
