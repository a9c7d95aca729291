/**
 * Kernel and reference play the same battles, bit for bit, over scenarios from the declared ranges: in order, one by
 * one in any order, and in any cut.
 */
import { describe, expect, test } from 'vitest';
import { Sampled } from '../../src/chance/sampled.ts';
import { Stream } from '../../src/chance/stream.ts';
import { Kernel } from '../../src/kernel/kernel.ts';
import { type KernelBuild, loadKernel } from '../../src/kernel/load.ts';
import { digest, scenarioHash } from '../../src/stats/digest.ts';
import { countBattle, emptyTally, shapeOf } from '../../src/stats/tally.ts';
import { playBattle } from '../../src/systems/battle.ts';
import { systems } from '../../src/systems/index.ts';
import type { Scenario, System } from '../../src/systems/system.ts';
import { modesOf, sampleScenarios } from '../arbitraries.ts';

const SCENARIOS = 300;
const BATTLES = 1000;
const BUILDS: readonly KernelBuild[] = ['release', 'debug'];

function expectTwins(system: System, scenario: Scenario, modules: readonly WebAssembly.Module[], seed: bigint): void {
  const model = system.model(scenario);
  const shape = shapeOf(model);
  const kernels = modules.map((module) => new Kernel(module, shape, system.encode(scenario)));
  const counted = emptyTally(shape);
  const what = JSON.stringify(scenario);
  for (let index = 0; index < BATTLES; index++) {
    const told = playBattle(model, new Sampled(Stream.of(seed, index)));
    countBattle(counted, told.outcome, told.metrics);
    for (const [k, kernel] of kernels.entries()) {
      const played = kernel.play(seed, index);
      const same = played.outcome === told.outcome && played.metrics.every((value, m) => value === told.metrics[m]);
      if (!same) expect(played, `${String(BUILDS[k])} kernel, battle ${String(index)} of ${what}`).toEqual(told);
    }
  }
  const shuffled = emptyTally(shape);
  for (let k = 0; k < BATTLES; k++) {
    const alone = kernels[0]?.play(seed, (k * 617) % BATTLES);
    if (alone !== undefined) countBattle(shuffled, alone.outcome, alone.metrics);
  }
  const played = { scenarioHash: scenarioHash(scenario), system: system.id, seed, from: 0, to: BATTLES };
  expect(digest(played, shape, shuffled), what).toBe(digest(played, shape, counted));
  for (const kernel of kernels) {
    kernel.run(seed, 0, 300);
    kernel.run(seed, 300, BATTLES - 300);
    expect(digest(played, shape, kernel.take()), what).toBe(digest(played, shape, counted));
  }
}

const cases = systems.flatMap((system) => modesOf(system).map((mode) => ({ system, mode, id: system.id })));

describe.each(cases)('$id $mode', ({ system, mode }) => {
  test(`${String(SCENARIOS)} scenarios x ${String(BATTLES)} battles: kernel (release, debug) equals reference`, {
    timeout: 300_000,
  }, async () => {
    const modules = await Promise.all(BUILDS.map((build) => loadKernel(system.id, build)));
    for (const [k, scenario] of sampleScenarios(system, mode, SCENARIOS).entries()) {
      expectTwins(system, scenario, modules, BigInt(k));
    }
  });
});
