/** Exact answers of battles with aircraft, compared with values computed by hand and an enumeration of all rolls. */
import { describe, expect, test } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { solveInKernel } from '../../src/engines/kernel/kernel-solver.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { type Counts, createCountsShape, listValueCounts } from '../../src/stats/counts.ts';
import { scenario } from '../systems/phased-dice-fight.ts';

/** Returns the distributions from the chain and from the kernel. */
function lawsOf(given: PhasedDice): Counts[] {
  const model = phasedDice.model(given);
  const budget = { steps: 1_000_000, moves: 1e9 };
  const kernel = solveInKernel(getBoundScenario(given), budget);
  if (kernel === undefined) throw new Error('the kernel has no law');
  return [solveModel(model).distribution, kernel.distribution];
}

const OUTCOMES = ['attacker', 'defender', 'mutual', 'stalemate', 'retreat'];

describe('known answer', () => {
  const jets = { units: { jet: 2 } };
  const raided = { units: { spearman: 3, catapult: 1 } };
  // At least four of six dice must roll 4 or less.
  const destroyed = hitsOf(6, 4).reduce((sum, p, hits) => sum + (hits < 4 ? 0 : p), 0);
  const anchors: readonly (readonly [string, PhasedDice, Record<string, number>])[] = [
    [
      'a hit of the air phase waits in reserve and fells the spearman one phase later',
      scenario({
        attacker: { units: { biplane: 1, spearman: 1 } },
        defender: { units: { stealth: 1, spearman: 1 } },
        unitTypes: { stealth: { dice: 0 } },
      }),
      { attacker: 5 / 9, defender: 2 / 9, stalemate: 2 / 9 },
    ],
    [
      'an air raid goes home',
      scenario({ attacker: { ...jets, retreat: { afterRounds: 2 } }, defender: raided }),
      { attacker: destroyed, retreat: 1 - destroyed },
    ],
    [
      'an air raid does not go home',
      scenario({ attacker: jets, defender: raided }),
      { attacker: destroyed, defender: 1 - destroyed },
    ],
  ];

  test('six dice with value 4 have at least four hits with probability 0.680384088', () => {
    expect(destroyed).toBeCloseTo(0.680384088, 9);
  });

  test.each(anchors)('%s: equals the outcomes of chain and kernel', (_, given, exactDistribution) => {
    for (const { outcomes } of lawsOf(given)) {
      for (const [o, outcome] of OUTCOMES.entries())
        expect(outcomes[o], outcome).toBeCloseTo(exactDistribution[outcome] ?? 0, 12);
    }
  });

  test.each(anchors.slice(1))('%s: chain and kernel end after one round with two jets left', (_, given) => {
    for (const exactDistribution of lawsOf(given)) {
      expect(listValueCounts(exactDistribution, 0).map(([rounds]) => rounds)).toEqual([1]);
      expect(listValueCounts(exactDistribution, 1).map(([left]) => left)).toEqual([2]);
    }
  });

  test.each(anchors)('%s: agrees with simulated battles', async (_, given, exactDistribution) => {
    const kernel = new SystemKernel(
      await loadKernel('phased-dice'),
      createCountsShape(phasedDice.model(given)),
      phasedDice.encode(given),
    );
    const battles = 1_000_000;
    kernel.run(7n, 0, battles);
    const { outcomes } = kernel.take();
    for (const [o, outcome] of OUTCOMES.entries()) {
      const p = exactDistribution[outcome] ?? 0;
      // Five standard deviations: exceeded with probability 6e-7 each. The seed is fixed.
      expect(Math.abs((outcomes[o] ?? 0) - p * battles), outcome).toBeLessThanOrEqual(
        5 * Math.sqrt(p * (1 - p) * battles),
      );
    }
  });
});

/** Units of one side: aircraft with the strength of the side, knights, spearmen, and hits in reserve. */
interface Side {
  readonly planes: number;
  readonly knights: number;
  readonly spearmen: number;
  readonly reserve: number;
}

interface Rules {
  /** Dice and hits of the aircraft of each side; their value is 1 more. */
  readonly strength: readonly [number, number];
  readonly goesHome: boolean;
  readonly airOnly: string;
  readonly maxRounds: number;
}

const onGround = ({ knights, spearmen }: Side): number => knights + spearmen;
const all = (side: Side): number => side.planes + onGround(side);

/** Assigns hits to spearmen first, then knights; in the air phase to aircraft before both. */
function place(side: Side, hits: number, strength: number, isAir: boolean): Side {
  let { planes, knights, spearmen } = side;
  let pool = side.reserve + hits;
  while (isAir && planes > 0 && pool >= strength) {
    planes--;
    pool -= strength;
  }
  if (!isAir || planes === 0) {
    while (spearmen > 0 && pool >= 1) {
      spearmen--;
      pool -= 1;
    }
    while (knights > 0 && pool >= 2) {
      knights--;
      pool -= 2;
    }
  }
  return { planes, knights, spearmen, reserve: pool };
}

/** Returns the probability distribution of the number of hits. */
function hitsOf(dice: number, value: number): number[] {
  let exactDistribution = [1];
  for (let die = 0; die < dice; die++) {
    const p = Math.min(6, value) / 6;
    exactDistribution = [...exactDistribution, 0].map(
      (q, hits) => q * (1 - p) + (exactDistribution[hits - 1] ?? 0) * p,
    );
  }
  return exactDistribution;
}

/** Returns the number of dice of a side in a phase, and their value. */
function pool(phase: number, { planes, knights, spearmen }: Side, strength: number): [dice: number, value: number] {
  if (phase === 0) return [planes * strength, 1 + strength];
  if (phase === 2) return [2 * knights, 2];
  return [phase === 3 ? spearmen : 0, 3];
}

/** Returns the outcome after losses within a round, or undefined if the battle continues. */
function ending(a: Side, d: Side, airOnly: string): string | undefined {
  if (all(a) === 0) return all(d) === 0 ? 'mutual' : 'defender';
  if (all(d) === 0) return 'attacker';
  if (onGround(d) > 0) return undefined;
  return onGround(a) === 0 || airOnly === 'stalemate' ? 'stalemate' : 'attacker';
}

/** Enumerates all rolls. Returns probabilities by outcome, rounds, aircraft and ground units of both sides. */
function count(attacker: Side, defender: Side, rules: Rules): Map<string, number> {
  const exactDistribution = new Map<string, number>();
  const end = (outcome: string, round: number, a: Side, d: Side, p: number): void => {
    const name = [outcome, round, a.planes, onGround(a), d.planes, onGround(d)].join();
    exactDistribution.set(name, (exactDistribution.get(name) ?? 0) + p);
  };
  const rest = (round: number, a: Side, d: Side, p: number): void => {
    if (onGround(a) === 0) end(rules.goesHome ? 'retreat' : rules.airOnly, round, a, d, p);
    else if (round === rules.maxRounds) end('stalemate', round, a, d, p);
    else visit(round + 1, 1, a, d, p);
  };
  const visit = (round: number, phase: number, a: Side, d: Side, p: number): void => {
    const [plane, enemy] = rules.strength;
    for (const [dealt, q] of hitsOf(...pool(phase, a, plane)).entries()) {
      for (const [taken, r] of hitsOf(...pool(phase, d, enemy)).entries()) {
        const newA = place(a, taken, plane, phase === 0);
        const newD = place(d, dealt, enemy, phase === 0);
        const over = ending(newA, newD, rules.airOnly);
        if (over !== undefined) end(over, round, newA, newD, p * q * r);
        else if (phase < 3) visit(round, phase + 1, newA, newD, p * q * r);
        else rest(round, newA, newD, p * q * r);
      }
    }
  };
  visit(1, 0, attacker, defender, 1);
  return exactDistribution;
}

const PLANES = ['', 'biplane', 'monoplane', 'jet', 'stealth'];

describe('chain and kernel equal the enumeration of all rolls', () => {
  const two = { maxRounds: 2 };
  test.each([
    [[1, 0, 1], [1, 0, 2], [1, 3], two],
    [[1, 0, 2], [1, 1, 1], [2, 3], two],
    [[1, 1, 1], [1, 0, 1], [3, 2], { ...two, airOnly: 'stalemate' }],
    [[2, 0, 0], [1, 1, 1], [2, 2], { ...two, retreat: { afterRounds: 2 } }],
    [[1, 0, 1], [1, 0, 2], [2, 4], { ...two, retreat: { whenWeaker: 0 } }],
    [[1, 0, 1], [2, 0, 1], [3, 1], { ...two, retreat: { whenWeaker: 0 }, airOnly: 'stalemate' }],
    [[2, 1, 0], [1, 1, 0], [1, 2], two],
    [[0, 1, 1], [1, 0, 0], [1, 3], two],
  ])(
    'for %j against %j, strengths %j, options %j',
    (own, enemy, strength, { retreat, airOnly, maxRounds }: Record<string, unknown>) => {
      const units = (counts: readonly number[], side: number) => ({
        [PLANES[strength[side] ?? 0] ?? '']: counts[0],
        knight: counts[1],
        spearman: counts[2],
      });
      const side = (counts: readonly number[], k: number) => ({ units: units(counts, k), target: ['infantry'] });
      const given = scenario({
        attacker: { ...side(own, 0), ...(retreat === undefined ? {} : { retreat }) },
        defender: side(enemy, 1),
        maxRounds,
        ...(airOnly === undefined ? {} : { airOnly }),
      });
      const force = ([planes = 0, knights = 0, spearmen = 0]: readonly number[]): Side => ({
        planes,
        knights,
        spearmen,
        reserve: 0,
      });
      const counted = count(force(own), force(enemy), {
        strength: strength as [number, number],
        goesHome: retreat !== undefined,
        airOnly: airOnly === 'stalemate' ? 'stalemate' : 'defender',
        maxRounds: 2,
      });
      const sumOf = (wanted: (cells: string[]) => boolean): number =>
        [...counted].reduce((sum, [name, p]) => sum + (wanted(name.split(',')) ? p : 0), 0);
      expect(sumOf(() => true)).toBeCloseTo(1, 12);
      const model = phasedDice.model(given);
      const left = (cells: string[], k: number): number => Number(cells[2 * k]) + Number(cells[2 * k + 1]);
      for (const exactDistribution of lawsOf(given)) {
        for (const [o, outcome] of OUTCOMES.entries()) {
          expect(exactDistribution.outcomes[o], outcome).toBeCloseTo(
            sumOf(([name]) => name === outcome),
            12,
          );
          for (const [m, { name }] of model.metrics.slice(0, 3).entries()) {
            for (const [value, p] of listValueCounts(exactDistribution, m, o)) {
              const matching = sumOf(
                (cells) => cells[0] === outcome && (m === 0 ? Number(cells[1]) : left(cells, m)) === value,
              );
              expect(p, `${outcome} ${name} ${String(value)}`).toBeCloseTo(matching, 12);
            }
          }
        }
      }
    },
  );
});
