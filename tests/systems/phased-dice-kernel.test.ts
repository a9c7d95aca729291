/** Phased dice over generated scenarios: kernel, turns, keys and sentences of rules. */
import { describe, expect, it } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { DEPTH } from '../depth.ts';
import { keyTest, Twins, tellingTest, turnTests } from './alike.ts';
import { dealt } from './phased-dice-dealt.ts';
import { scenario } from './phased-dice-fight.ts';

const SCENARIOS = 300;
const PLAYED = DEPTH === 1 ? 90 : SCENARIOS;
const BATTLES = 63 * DEPTH;

const scenarios = Array.from({ length: SCENARIOS }, (_, index) => dealt(index));
const all = { system: phasedDice, scenarios, seed: 77n };

describe('the kernel equals the reference', () => {
  const counterparts = new Twins(all);

  it.each([0, 1, 2, 3, 4, 5])(`in part %i of ${String(PLAYED)} scenarios`, (part) => {
    for (const given of scenarios.slice(0, PLAYED).filter((_, index) => index % 6 === part))
      counterparts.expectSame(given, BATTLES);
  });

  it('in battles of every outcome', () => {
    const counts = ['attacker', 'defender', 'mutual', 'stalemate', 'retreat'].map(
      (each) => counterparts.seen.get(each) ?? 0,
    );
    expect(Math.min(...counts)).toBeGreaterThan(DEPTH === 1 ? 20 : 100 * DEPTH);
  });

  it('in battles with more dice than a word holds', () => {
    const big = scenario({
      attacker: { units: { cannon: 90, 'mechanized-infantry': 64, stealth: 13 } },
      defender: { units: { catapult: 65, howitzer: 200, spearman: 1000, rifleman: 300 } },
      unitTypes: { howitzer: { bonus: 9 } },
    });
    counterparts.expectSame(big, 40);
  });
});

describe('the model', () => {
  tellingTest(all, 6);
  turnTests({ ...all, scenarios: scenarios.slice(0, 120 * DEPTH) }, 3);
});

describe('the exact solver', () => {
  it('returns the hand-computed distribution of two spearmen', () => {
    // Each hits with 1/2; until someone does, nothing changes.
    const model = phasedDice.model(
      scenario({ attacker: { units: { spearman: 1 } }, defender: { units: { spearman: 1 } } }),
    );
    const { distribution: exactDistribution } = solveModel(model);
    const [attacker = 0, defender = 0, mutual = 0] = exactDistribution.outcomes;
    expect([attacker, defender, mutual].map((p) => Math.abs(p - 1 / 3) < 1e-12)).toEqual([true, true, true]);
    const rounds = new Map(listValueCounts(exactDistribution, 0));
    expect(rounds.get(3)).toBeCloseTo(0.75 / 16, 12);
  });

  const small = scenarios
    .map((given) => ({ ...given, maxRounds: Math.min(given.maxRounds, 3) }))
    .filter(({ attacker, defender }) => {
      const counts = [attacker, defender].flatMap((each) => Object.values<number | undefined>(each.units));
      return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) <= 6;
    });
  keyTest({ ...all, scenarios: small }, { most: 20 * DEPTH, compared: 20, merged: 1000 });
});
