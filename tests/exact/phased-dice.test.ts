/** Exact answers of small phased-dice battles, compared with an enumeration of all rolls by independent code. */
import { describe, expect, test } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import { listValueCounts } from '../../src/stats/counts.ts';

/** Units of one side: knights (cavalry, 2 dice, 2 hits, value 2) and spearmen (infantry, 1 die, 1 hit, value 3). */
interface Side {
  readonly knights: number;
  readonly spearmen: number;
  readonly reserve: number;
}

const alive = ({ knights, spearmen }: Side): boolean => knights + spearmen > 0;

/** Assigns hits to infantry first, then to cavalry. A unit takes all its hits or none. */
function place(side: Side, hits: number): Side {
  if (hits === 0) return side;
  let { knights, spearmen, reserve } = side;
  reserve += hits;
  while (spearmen > 0 && reserve >= 1) {
    spearmen--;
    reserve -= 1;
  }
  while (knights > 0 && reserve >= 2) {
    knights--;
    reserve -= 2;
  }
  return { knights, spearmen, reserve };
}

/** Lists every sequence of hits and misses of `dice` dice: number of hits and probability. */
function rolls(dice: number, value: number): [hits: number, p: number][] {
  if (dice === 0) return [[0, 1]];
  return rolls(dice - 1, value).flatMap(([hits, p]): [number, number][] => [
    [hits + 1, (p * value) / 6],
    [hits, (p * (6 - value)) / 6],
  ]);
}

function count(attacker: Side, defender: Side, site: number, maxRounds: number): Map<string, number> {
  const exactDistribution = new Map<string, number>();
  const end = (outcome: string, round: number, a: Side, d: Side, p: number): void => {
    const name = [outcome, round, a.knights + a.spearmen, d.knights + d.spearmen].join();
    exactDistribution.set(name, (exactDistribution.get(name) ?? 0) + p);
  };
  const visit = (round: number, phase: 'cavalry' | 'infantry', a: Side, d: Side, p: number): void => {
    if (phase === 'cavalry' && round > maxRounds) {
      end('stalemate', maxRounds, a, d, p);
      return;
    }
    const [base, own, enemy] = phase === 'cavalry' ? [2, 2 * a.knights, 2 * d.knights] : [3, a.spearmen, d.spearmen];
    for (const [dealt, q] of rolls(own, Math.max(1, base - site))) {
      for (const [taken, r] of rolls(enemy, base)) {
        const [newA, newD] = [place(a, taken), place(d, dealt)];
        if (alive(newA) && alive(newD)) {
          const next = phase === 'cavalry' ? 'infantry' : 'cavalry';
          visit(round + Number(phase === 'infantry'), next, newA, newD, p * q * r);
        } else {
          const outcome = alive(newA) ? 'attacker' : alive(newD) ? 'defender' : 'mutual';
          end(outcome, round, newA, newD, p * q * r);
        }
      }
    }
  };
  visit(1, 'cavalry', attacker, defender, 1);
  return exactDistribution;
}

describe('chain equals the enumeration of all rolls', () => {
  test.each([
    [{ knights: 0, spearmen: 1 }, { knights: 0, spearmen: 1 }, 'open'],
    [{ knights: 1, spearmen: 1 }, { knights: 1, spearmen: 0 }, 'open'],
    [{ knights: 1, spearmen: 2 }, { knights: 1, spearmen: 1 }, 'settlement'],
    [{ knights: 1, spearmen: 1 }, { knights: 1, spearmen: 1 }, 'great-wall'],
  ])('for %j against %j, %s', (attacker, defender, site) => {
    const side = ({ knights, spearmen }: Omit<Side, 'reserve'>) => ({
      units: { knight: knights, spearman: spearmen },
      target: ['infantry'],
    });
    const scenario = phasedDice.schema.parse({
      system: 'phased-dice',
      mode: 'ground',
      site,
      maxRounds: 2,
      attacker: side(attacker),
      defender: side(defender),
    });
    const model = phasedDice.model(scenario);
    const { distribution: exactDistribution } = solveModel(model);
    const penalty = { open: 0, settlement: 1, 'great-wall': 2 }[site] ?? 0;
    const counted = count({ ...attacker, reserve: 0 }, { ...defender, reserve: 0 }, penalty, 2);
    const sumOf = (wanted: (cells: string[]) => boolean): number =>
      [...counted].reduce((sum, [name, p]) => sum + (wanted(name.split(',')) ? p : 0), 0);
    expect(sumOf(() => true)).toBeCloseTo(1, 12);
    for (const [o, outcome] of model.outcomes.entries()) {
      expect(exactDistribution.outcomes[o], outcome).toBeCloseTo(
        sumOf(([name]) => name === outcome),
        12,
      );
      for (const m of [0, 1, 2]) {
        for (const [value, p] of listValueCounts(exactDistribution, m, o)) {
          const matching = sumOf((cells) => cells[0] === outcome && Number(cells[m + 1]) === value);
          expect(p, `${outcome} ${String(value)}`).toBeCloseTo(matching, 12);
        }
      }
    }
  });
});
