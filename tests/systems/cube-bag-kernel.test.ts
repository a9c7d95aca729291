/**
 * Cubes from a bag over generated scenarios: kernel, turns, keys and sentences of rules; the exact solver against brute
 * force.
 */
import { describe, expect, it } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { DEPTH } from '../depth.ts';
import { keyTest, Twins, tellingTest, turnTests } from './alike.ts';
import { dealtScenarios } from './cube-bag-dealt.ts';
import { army, scenario } from './cube-bag-fight.ts';

const SCENARIOS = DEPTH > 1 ? 300 : 100;
const BATTLES = DEPTH === 1 ? 32 : 125 * DEPTH;
const dealt = { system: cubeBag, scenarios: dealtScenarios(SCENARIOS), seed: 78n };

describe('the kernel equals the reference', () => {
  const counterparts = new Twins(dealt);

  it.each([0, 1, 2, 3])(`in part %i of ${String(SCENARIOS)} scenarios`, (part) => {
    for (const given of dealt.scenarios.filter((_, index) => index % 4 === part))
      counterparts.expectSame(given, BATTLES);
  });

  it('in battles of every outcome', () => {
    const counts = ['attacker', 'defender', 'mutual', 'none'].map((outcome) => counterparts.seen.get(outcome) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThan(DEPTH === 1 ? 10 : 30 * DEPTH);
  });

  it('with a bag of 400 cubes', () => {
    const tries = { conversions: 100, conversionFactors: -1, recoveries: 100 };
    const defender = { ...army({ swordsman: 150, peasant: 40 }), ...tries };
    counterparts.expectSame(scenario({ attacker: army({ archer: 200, galley: 9 }), defender }), 40);
  });
});

describe('the model', () => {
  tellingTest(dealt, 12);
  turnTests({ ...dealt, scenarios: dealt.scenarios.slice(0, SCENARIOS / 2) }, 6);
});

/** Battle of one type on each side without structures, computed by drawing cubes one by one, without the solver. */
interface Tiny {
  readonly units: readonly [number, number];
  readonly extras: readonly [number, number];
  readonly peasants: number;
  readonly conversions: number;
  readonly draw: number;
  readonly redraw: number;
  readonly recoveries: number;
}

type Hand = readonly [number, number, number];
type Then = (hand: Hand, bag: Hand, p: number) => void;

function oneByOne(bag: Hand, cubes: number, p: number, then: Then, hand: Hand = [0, 0, 0]): void {
  const total = bag[0] + bag[1] + bag[2];
  if (cubes === 0 || total === 0) {
    then(hand, bag, p);
    return;
  }
  for (const colour of [0, 1, 2] as const) {
    const there = bag[colour];
    if (there === 0) continue;
    const less = bag.map((count, c) => count - Number(c === colour)) as unknown as Hand;
    const more = hand.map((count, c) => count + Number(c === colour)) as unknown as Hand;
    oneByOne(less, cubes - 1, (p * there) / total, then, more);
  }
}

/**
 * Returns the probability of each [outcome, drawn.attacker, losses.attacker, losses.defender, conversions, recoveries,
 * experience].
 */
function bruteForce(tiny: Tiny): Map<string, number> {
  const exactDistribution = new Map<string, number>();
  const [ours, theirs] = tiny.units;
  const defenders = theirs + tiny.peasants;

  function recover(bag: Hand, left: number, reported: number[], lost: number, p: number): void {
    if (left === 0 || (reported[5] ?? 0) >= lost) {
      exactDistribution.set(reported.join(), (exactDistribution.get(reported.join()) ?? 0) + p);
      return;
    }
    oneByOne(bag, 2, p, (hand, rest, q) => {
      const passed = hand[0] === 0 && hand[1] + hand[2] > 0;
      const next = [...reported];
      next[5] = (next[5] ?? 0) + Number(passed);
      next[6] = (next[6] ?? 0) + (passed ? hand[1] : 0);
      recover(passed ? rest : bag, left - 1, next, lost, q);
    });
  }

  function settle(drawn: Hand, bag: Hand, converted: number, experience: number, p: number): void {
    const lostOurs = Math.min(ours - converted, drawn[1]);
    const lostTheirs = Math.min(defenders, drawn[0]);
    const goneOurs = lostOurs + converted === ours;
    const goneTheirs = lostTheirs === defenders;
    const outcome = goneOurs ? (goneTheirs ? 2 : 1) : goneTheirs ? 0 : 3;
    const reported = [outcome, drawn[0], lostOurs, lostTheirs, converted, 0, experience];
    recover(bag, tiny.recoveries, reported, lostTheirs, p);
  }

  function fightOn(bag: Hand, converted: number, experience: number, p: number): void {
    oneByOne(bag, Math.min(tiny.draw, ours), p, (drawn, rest, q) => {
      const enemy = Math.min(tiny.redraw, drawn[1]);
      const neutral = Math.min(tiny.redraw - enemy, drawn[2]);
      const back: Hand = [rest[0], rest[1] + enemy, rest[2] + neutral];
      oneByOne(back, enemy + neutral, q, (again, left, r) => {
        const kept: Hand = [drawn[0] + again[0], drawn[1] - enemy + again[1], drawn[2] - neutral + again[2]];
        settle(kept, left, converted, experience, r);
      });
    });
  }

  function convert(bag: Hand, left: number, converted: number, experience: number, p: number): void {
    if (left === 0 || converted === ours) {
      fightOn(bag, converted, experience, p);
      return;
    }
    oneByOne(bag, 2, p, (hand, rest, q) => {
      const passed = hand[0] === 0 && hand[1] + hand[2] > 0;
      if (passed) convert(rest, left - 1, converted + 1, experience + hand[1], q);
      else convert(bag, left - 1, converted, experience, q);
    });
  }

  convert([ours + tiny.extras[0], theirs + tiny.extras[1], tiny.peasants], tiny.conversions, 0, 0, 1);
  return exactDistribution;
}

describe('the exact solver', () => {
  const tinies: readonly Tiny[] = [
    { units: [1, 1], extras: [0, 0], peasants: 0, conversions: 0, draw: 9, redraw: 0, recoveries: 0 },
    { units: [3, 2], extras: [1, 2], peasants: 1, conversions: 0, draw: 9, redraw: 0, recoveries: 1 },
    { units: [2, 3], extras: [2, 0], peasants: 2, conversions: 2, draw: 9, redraw: 0, recoveries: 2 },
    { units: [4, 2], extras: [0, 1], peasants: 1, conversions: 1, draw: 3, redraw: 2, recoveries: 3 },
    { units: [2, 2], extras: [0, 3], peasants: 0, conversions: 3, draw: 9, redraw: 1, recoveries: 1 },
  ];

  it.each(tinies)('equals the enumeration of cubes drawn one by one: %o', (tiny) => {
    const given = scenario({
      attacker: {
        ...army({ archer: tiny.units[0] }, { extras: { action: tiny.extras[0] } }),
        draw: tiny.draw,
        technologies: { trainedArmy: tiny.redraw },
      },
      defender: {
        ...army({ archer: tiny.units[1], peasant: tiny.peasants }, { extras: { action: tiny.extras[1] } }),
        conversions: tiny.conversions,
        recoveries: tiny.recoveries,
      },
    });
    const model = cubeBag.model(given);
    const { distribution: exactDistribution } = solveModel(model);
    const brute = [...bruteForce(tiny)].map(([reported, p]) => ({ told: reported.split(',').map(Number), p }));
    for (const o of [0, 1, 2, 3]) {
      const p = brute.filter(({ told: reported }) => reported[0] === o).reduce((sum, each) => sum + each.p, 0);
      expect(exactDistribution.outcomes[o]).toBeCloseTo(p, 13);
    }
    const names = ['drawn.attacker', 'losses.attacker', 'losses.defender'];
    names.push('conversions.defender', 'recoveries.defender', 'experience.defender');
    for (const [k, name] of names.entries()) {
      const { low, width, counts } = exactDistribution.metrics[
        model.metrics.findIndex((metric) => metric.name === name)
      ] ?? {
        low: 0,
        width: 0,
        counts: [],
      };
      for (const [index, found] of [...counts].entries()) {
        const outcome = Math.floor(index / width);
        const value = low + (index % width);
        const same = brute.filter(({ told: reported }) => reported[0] === outcome && reported[k + 1] === value);
        expect(found, `${name} ${String(value)}`).toBeCloseTo(
          same.reduce((sum, { p }) => sum + p, 0),
          13,
        );
      }
    }
  });

  keyTest(dealt, { most: DEPTH > 1 ? 30 : 10, compared: 10, merged: 0 });
});
