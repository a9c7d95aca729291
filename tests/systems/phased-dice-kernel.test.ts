/** Phased dice: the kernel against the reference, and the exact solver against states that are not merged. */
import { beforeAll, describe, expect, it } from 'vitest';
import { countBattle, emptyTally, shapeOf, valueCounts } from '../../src/answers/tally.ts';
import { Recorded } from '../../src/core/chance/recorded.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { solveModel } from '../../src/engines/kernel/chain.ts';
import { Kernel, loadKernel } from '../../src/engines/kernel/kernel.ts';
import { playBattle } from '../../src/rules/battle.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { DEPTH } from '../depth.ts';
import { dealt } from './phased-dice-dealt.ts';
import { scenario } from './phased-dice-fight.ts';

const SCENARIOS = 300;
const PLAYED = DEPTH === 1 ? 90 : SCENARIOS;
const BATTLES = 63 * DEPTH;
const SEED = 77n;

const scenarios = Array.from({ length: SCENARIOS }, (_, index) => dealt(index));

describe('the kernel plays as the reference does', () => {
  const modules: Record<string, WebAssembly.Module> = {};
  const seen = new Map<string, number>();

  beforeAll(async () => {
    modules['release'] = await loadKernel('phased-dice', 'release');
    modules['debug'] = await loadKernel('phased-dice', 'debug');
  });

  it.each([0, 1, 2, 3, 4, 5])(`in part %i of ${String(PLAYED)} scenarios`, (part) => {
    for (const [index, given] of scenarios.slice(0, PLAYED).entries()) {
      if (index % 6 !== part) continue;
      const model = phasedDice.model(given);
      const words = phasedDice.encode(given);
      const kernels = Object.values(modules).map((module) => new Kernel(module, model, words));
      const counted = emptyTally(shapeOf(model));
      for (let battle = 0; battle < BATTLES; battle++) {
        const expected = playBattle(model, new Sampled(Stream.of(SEED, battle)));
        countBattle(counted, expected.outcome, expected.metrics);
        for (const kernel of kernels) {
          const played = kernel.play(SEED, battle);
          const same =
            played.outcome === expected.outcome && played.metrics.every((value, m) => value === expected.metrics[m]);
          if (!same) expect({ index, battle, given, ...played }).toEqual({ index, battle, given, ...expected });
        }
        const outcome = model.outcomes[expected.outcome] ?? '';
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
      for (const kernel of kernels) {
        kernel.run(SEED, 0, 23);
        kernel.run(SEED, 23, BATTLES - 23);
        const tally = kernel.take();
        expect([...tally.outcomes]).toEqual([...counted.outcomes]);
        for (const m of model.metrics.keys()) expect(valueCounts(tally, m)).toEqual(valueCounts(counted, m));
      }
    }
  });

  it('in battles of every outcome', () => {
    const counts = phasedDice.model(scenarios[0] as PhasedDice).outcomes.map((outcome) => seen.get(outcome) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThan(DEPTH === 1 ? 20 : 100 * DEPTH);
  });

  it('in battles of more dice than a word holds', () => {
    const big = scenario({
      attacker: { units: { cannon: 90, 'mechanized-infantry': 64, stealth: 13 } },
      defender: { units: { catapult: 65, howitzer: 200, spearman: 1000, rifleman: 300 } },
      unitTypes: { howitzer: { bonus: 9 } },
    });
    const model = phasedDice.model(big);
    const kernels = Object.values(modules).map((module) => new Kernel(module, model, phasedDice.encode(big)));
    for (let battle = 0; battle < 40; battle++) {
      const expected = playBattle(model, new Sampled(Stream.of(SEED, battle)));
      for (const kernel of kernels) expect(kernel.play(SEED, battle)).toEqual(expected);
    }
  });

  it('and counts what it plays', () => {
    const given = scenarios[1] as PhasedDice;
    const model = phasedDice.model(given);
    const kernel = new Kernel(modules['release'] as WebAssembly.Module, model, phasedDice.encode(given));
    kernel.run(SEED, 0, BATTLES);
    const tally = kernel.take();
    const rounds = new Map<number, number>();
    for (let battle = 0; battle < BATTLES; battle++) {
      const [round = 0] = kernel.play(SEED, battle).metrics;
      rounds.set(round, (rounds.get(round) ?? 0) + 1);
    }
    expect(valueCounts(tally, 0)).toEqual([...rounds].sort(([a], [b]) => a - b));
  });
});

describe('the exact solver', () => {
  it('finds the law of two spearmen by hand', () => {
    // Each hits with 1/2; until someone does, nothing changes.
    const model = phasedDice.model(
      scenario({ attacker: { units: { spearman: 1 } }, defender: { units: { spearman: 1 } } }),
    );
    const { law } = solveModel(model);
    const [attacker = 0, defender = 0, mutual = 0] = law.outcomes;
    expect([attacker, defender, mutual].map((p) => Math.abs(p - 1 / 3) < 1e-12)).toEqual([true, true, true]);
    const rounds = new Map(valueCounts(law, 0));
    expect(rounds.get(3)).toBeCloseTo(0.75 / 16, 12);
  });

  it('merges only states that go on alike', () => {
    const small = scenarios
      .map((given) => ({ ...given, maxRounds: Math.min(given.maxRounds, 3) }))
      .filter(({ attacker, defender }) => {
        const counts = [attacker, defender].flatMap((each) => Object.values<number | undefined>(each.units));
        return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) <= 6;
      });
    let merged = 0;
    for (const given of small) {
      const model = phasedDice.model(given);
      const whole = solveModel({ ...model, key: (state) => JSON.stringify(state) }, { steps: 200_000, moves: 1e9 });
      const short = solveModel(model);
      merged += whole.states - short.states;
      for (const [m, column] of short.law.metrics.entries()) {
        expect(column.low).toBe(whole.law.metrics[m]?.low);
        const other = whole.law.metrics[m]?.counts ?? [];
        expect(Math.max(...column.counts.map((p, k) => Math.abs(p - (other[k] ?? -1))))).toBeLessThan(1e-12);
      }
    }
    expect(small.length).toBeGreaterThan(20);
    expect(merged).toBeGreaterThan(1000);
  });
});

describe('the telling', () => {
  it('knows every rule that applies, and every rule applies somewhere', () => {
    const told = new Map<string, string>();
    for (const given of scenarios) {
      for (let battle = 0; battle < 6; battle++) {
        const door = new Recorded(Stream.of(SEED, battle));
        playBattle(phasedDice.model(given), door);
        for (const event of door.events) {
          if (event.kind === 'rule') told.set(phasedDice.rules[event.id]?.tell(event.facts) ?? '', event.id);
        }
      }
    }
    const proper = /^(?!.*undefined)[A-Z][^{}]*\.$/;
    expect([...told.keys()].filter((text) => !proper.test(text))).toEqual([]);
    expect([...new Set(told.values())].sort()).toEqual(Object.keys(phasedDice.rules).sort());
  });
});
