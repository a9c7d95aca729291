/** Kernel of chains, tested with small manual chains: movement, order and cost of probability mass. */
import { describe, expect, test } from 'vitest';
import { Transitions } from '../../src/engines/exact/chain.ts';
import { KIND } from '../../src/engines/exact/layout.ts';
import { MassKernel, solveFinalStates, solveModel } from '../../src/engines/kernel/chain-solver.ts';
import type { Model, State } from '../../src/rules/system.ts';
import { listValueCounts } from '../../src/stats/counts.ts';

function to(...pairs: readonly (readonly [target: number, probability: number])[]): Transitions {
  const found = new Transitions();
  for (const [target, probability] of pairs) found.add(target, probability);
  return found;
}

function taken(mass: MassKernel, kind: number): [node: number, mass: number][] {
  const found: [number, number][] = [];
  mass.takeMass(kind, (node, share) => found.push([node, share]));
  return found;
}

describe('MassKernel', () => {
  test('moves mass to nodes by kind and returns it in order of arrival', () => {
    const mass = new MassKernel(100);
    const kinds = [KIND.resting, KIND.over, KIND.within, KIND.over];
    mass.addTransitions(kinds, to([3, 0.25], [0, 0.5], [1, 0.25]));
    expect(mass.begin()).toBe(0);
    expect(mass.openMass()).toBe(0.5);
    mass.addTransitions(kinds, to([0, 0.5], [2, 0.5]), 0);
    mass.addTransitions(kinds, to([1, 1]), 2);
    expect(mass.move(KIND.resting)).toBe(1);
    expect(mass.openMass()).toBe(0.25);
    expect(mass.move(KIND.within)).toBe(0);
    expect(taken(mass, KIND.over)).toEqual([
      [3, 0.25],
      [1, 0.5],
    ]);
    expect(taken(mass, KIND.over)).toEqual([]);
    expect(taken(mass, KIND.resting)).toEqual([[0, 0.25]]);
    mass.close();
  });

  test('rejects one move more than the budget', () => {
    for (const [moves, within] of [
      [3, 0],
      [2, -1],
    ] as const) {
      const mass = new MassKernel(moves);
      mass.addTransitions([KIND.resting, KIND.over], to([0, 1]));
      expect(mass.begin()).toBe(0);
      mass.addTransitions([KIND.resting, KIND.over], to([0, 0.5], [1, 0.5]), 0);
      expect(mass.move(KIND.resting)).toBe(within);
      mass.close();
    }
  });

  test('keeps mass when its memory grows, and starts the next chain without mass', () => {
    for (let run = 0; run < 2; run++) {
      const mass = new MassKernel(1e6);
      const kinds = [KIND.resting, KIND.over];
      mass.addTransitions(kinds, to([0, 0.75], [1, 0.25]));
      mass.begin();
      for (let more = 0; more < 5000; more++) kinds.push(more % 2 === 0 ? KIND.resting : KIND.over);
      mass.addTransitions(kinds, to([5000, 0.5], [1, 0.5]), 0);
      mass.move(KIND.resting);
      expect(taken(mass, KIND.over)).toEqual([[1, 0.625]]);
      expect(taken(mass, KIND.resting)).toEqual([[5000, 0.375]]);
      mass.close();
    }
  });
});

/** Creates a model that counts up and, if `stops`, ends each step with probability 1/2: every number is a state. */
const climb = (maxRounds: number, stops: boolean): Model<State & { readonly at: number }> => ({
  outcomes: ['stopped', 'stalemate'],
  metrics: [
    { name: 'rounds', min: 0, max: maxRounds },
    { name: 'at', min: 0, max: 1_000_000 },
  ],
  maxRounds,
  roundsMetric: 0,
  start: () => ({ round: 0, at: 1 }),
  step: ({ round, at }, chance) => ({ round: round + 1, at: stops && chance.pick([1, 1]) === 0 ? -at : at + 1 }),
  resting: () => true,
  outcome: ({ at }) => (at < 0 ? 'stopped' : undefined),
  measure: ({ round, at }) => [round, Math.abs(at)],
  key: ({ at }) => at,
});

describe('a chain with an unlimited number of states', () => {
  test('is explored up to the round limit', () => {
    const { states, steps, distribution: exactDistribution, lost } = solveModel(climb(7, false));
    expect({ states, steps, lost }).toEqual({ states: 8, steps: 8, lost: 0 });
    expect(listValueCounts(exactDistribution, 1, 1)).toEqual([[8, 1]]);
  });

  test('is explored while its mass is a normal floating-point number', () => {
    const { states, distribution: exactDistribution, lost } = solveModel(climb(1_000_000, true));
    expect(lost).toBe(2 ** -1023);
    expect(states).toBe(2 * 1024 + 1);
    expect((exactDistribution.outcomes[0] ?? 0) + lost).toBe(1);
    expect(solveFinalStates(climb(3, true)).map(({ metrics, probability }) => [...metrics, probability])).toEqual([
      [1, 1, 0.5],
      [2, 2, 0.25],
      [3, 3, 0.125],
      [3, 4, 0.125],
    ]);
  });
});
