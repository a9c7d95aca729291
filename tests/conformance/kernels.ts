/**
 * Kernel, automaton and reference engine simulate the same battles, bit for bit, for scenarios from the declared
 * ranges: in order, one by one in any order, and in parts.
 */
import { expect, test } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../../src/engines/automaton/encode-automaton.ts';
import { FinalStateKernel } from '../../src/engines/kernel/final-state-kernel.ts';
import { acquireInstance, releaseInstance } from '../../src/engines/kernel/instance.ts';
import { type KernelBuild, loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { KernelSystem, Scenario } from '../../src/rules/system.ts';
import { addBattle, createCountsShape, createEmptyCounts, getBattleCount } from '../../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../../src/stats/digest.ts';
import { namedModes, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, SEED } from '../depth.ts';

const BATTLES = DEPTH === 1 ? 125 : 1000;
/** Number of battles in the first part of a run. */
const CUT = 100;
/** Number of battles whose results are listed as rows, and number of these in the first part. */
const BATTLES_LISTED = 110;
const LISTED = 47;
const BUILDS: readonly KernelBuild[] = ['release', 'debug'];

/** Maximum steps to compile a scenario, and minimum share of compiled scenarios. */
const STEPS = 4000;
const COMPILED = 0.2;

interface Modules {
  readonly kernels: readonly WebAssembly.Module[];
  readonly automata: readonly WebAssembly.Module[];
  readonly rounds: readonly WebAssembly.Module[];
}

/** Compiles a scenario to an automaton in each build; returns an empty list if that is not possible. */
function automataOf(system: KernelSystem, scenario: Scenario, { automata, rounds }: Modules): FinalStateKernel[] {
  const model = system.model(scenario);
  const automaton = compileAutomaton(model, STEPS);
  if (automaton === undefined) return [];
  const code = encodeAutomaton(automaton);
  const { finalStates: endings } = automaton;
  return (automaton.rounds === undefined ? automata : rounds).map((module) =>
    FinalStateKernel.createCompiled(module, createCountsShape(model), endings, code, automaton.rounds),
  );
}

/** Overwrites the memory of a scenario, which must not affect the next scenario in the same instance. */
function spoil(module: WebAssembly.Module): void {
  const instance = acquireInstance(module) as Record<
    'scenarioAddress' | 'recordsAddress',
    WebAssembly.Global | undefined
  > & {
    readonly memory: WebAssembly.Memory;
  };
  const { scenarioAddress, recordsAddress, memory } = instance;
  const from = Number((scenarioAddress ?? recordsAddress)?.value);
  // Before its first scenario an instance has no such address.
  if (from > 0) new Uint8Array(memory.buffer, from).fill(0xa5);
  releaseInstance(module, instance);
}

/** Compares the engines and builds. @returns true if the scenario was also compiled */
function expectTwins(system: KernelSystem, scenario: Scenario, modules: Modules, seed: bigint): boolean {
  const model = system.model(scenario);
  const shape = createCountsShape(model);
  const automata = automataOf(system, scenario, modules);
  const kernels = [
    ...modules.kernels.map((module) => new SystemKernel(module, shape, system.encode(scenario))),
    ...automata,
  ];
  const builds = [...BUILDS.map((build) => `${build} kernel`), ...BUILDS.map((build) => `${build} automaton`)];
  const counted = createEmptyCounts(shape);
  const rows: (readonly number[])[] = [];
  const what = JSON.stringify(scenario);
  for (let index = 0; index < BATTLES; index++) {
    const reported = playBattle(model, new SampledChance(Stream.forBattle(seed, index)));
    addBattle(counted, reported.outcome, reported.metrics);
    rows.push([reported.outcome, ...reported.metrics]);
    for (const [k, kernel] of kernels.entries()) {
      const simulated = kernel.play(seed, index);
      const same =
        simulated.outcome === reported.outcome && simulated.metrics.every((value, m) => value === reported.metrics[m]);
      if (same) continue;
      // Repeated to find out which engine is not reproducible.
      const again = {
        kernel: kernel.play(seed, index),
        told: playBattle(model, new SampledChance(Stream.forBattle(seed, index))),
      };
      expect({ played: simulated, again }, `${String(builds[k])}, battle ${String(index)} of ${what}`).toEqual({
        played: reported,
        again,
      });
    }
  }
  const shuffled = createEmptyCounts(shape);
  for (let k = 0; k < BATTLES; k++) {
    const alone = kernels[0]?.play(seed, (k * 617) % BATTLES);
    if (alone !== undefined) addBattle(shuffled, alone.outcome, alone.metrics);
  }
  const simulated = { scenarioHash: hashScenario(scenario), system: system.id, seed, from: 0, to: BATTLES };
  expect(computeDigest(simulated, shape, shuffled), what).toBe(computeDigest(simulated, shape, counted));
  for (const kernel of kernels) {
    const listed = [
      ...Array.from(kernel.simulateRows(seed, 0, LISTED)),
      ...Array.from(kernel.simulateRows(seed, LISTED, BATTLES_LISTED - LISTED)),
    ];
    expect(listed, what).toEqual(rows.slice(0, BATTLES_LISTED).flat());
    expect(getBattleCount(kernel.take())).toBe(BATTLES_LISTED);
    kernel.run(seed, 0, CUT);
    kernel.run(seed, CUT, BATTLES - CUT);
    expect(computeDigest(simulated, shape, kernel.take()), what).toBe(computeDigest(simulated, shape, counted));
    kernel.close();
  }
  for (const module of [...modules.kernels, ...modules.automata, ...modules.rounds]) spoil(module);
  return automata.length > 0;
}

export function kernelTests(system: KernelSystem): void {
  test.each(namedModes(system))('%s', { timeout: 600_000 }, async (_, mode) => {
    const count = DEPTH > 1 ? 50 : mode === 'mass' ? 9 : 4;
    const modules = {
      kernels: await Promise.all(BUILDS.map((build) => loadKernel(system.id, build))),
      automata: await Promise.all(BUILDS.map((build) => loadKernel('automaton', build))),
      rounds: await Promise.all(BUILDS.map((build) => loadKernel('rounds', build))),
    };
    const scenarios = sampleScenarios(system, mode, count, SEED);
    const compiled = scenarios.filter((scenario, k) => expectTwins(system, scenario, modules, BigInt(k)));
    // Most mass battles have too many possible rolls of defense.
    expect(compiled.length).toBeGreaterThanOrEqual(mode === 'mass' ? 1 : COMPILED * count);
  });
}
