/**
 * Kernel, automaton and reference play the same battles, bit for bit, over scenarios from the declared ranges: in
 * order, one by one in any order, and in any cut.
 */
import { expect, test } from 'vitest';
import { digest, scenarioHash } from '../../src/answers/digest.ts';
import { battlesIn, countBattle, emptyTally, shapeOf } from '../../src/answers/tally.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { compile } from '../../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../../src/engines/automaton/encode.ts';
import { EndingsKernel } from '../../src/engines/kernel/endings.ts';
import { borrow, giveBack } from '../../src/engines/kernel/instance.ts';
import { Kernel, type KernelBuild, loadKernel } from '../../src/engines/kernel/kernel.ts';
import { playBattle } from '../../src/rules/battle.ts';
import type { KernelSystem, Scenario } from '../../src/rules/system.ts';
import { namedModes, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, SEED } from '../depth.ts';

const SCENARIOS = DEPTH === 1 ? 9 : 50;
const BATTLES = DEPTH === 1 ? 250 : 1000;
/** Where a run of them is cut. */
const CUT = 100;
/** Battles that are listed, in two parts. */
const BATTLES_LISTED = 110;
const LISTED = 47;
const BUILDS: readonly KernelBuild[] = ['release', 'debug'];

/** Steps up to which scenarios are compiled, and which share of them is at the very least. */
const STEPS = 4000;
const COMPILED = 0.2;

interface Modules {
  readonly kernels: readonly WebAssembly.Module[];
  readonly automata: readonly WebAssembly.Module[];
  readonly rounds: readonly WebAssembly.Module[];
}

/** The scenario as an automaton, in each build; none if it cannot be one. */
function automataOf(system: KernelSystem, scenario: Scenario, { automata, rounds }: Modules): EndingsKernel[] {
  const model = system.model(scenario);
  const automaton = compile(model, STEPS);
  if (automaton === undefined) return [];
  const code = encodeAutomaton(automaton);
  const { endings } = automaton;
  return (automaton.rounds === undefined ? automata : rounds).map((module) =>
    EndingsKernel.compiled(module, shapeOf(model), endings, code, automaton.rounds),
  );
}

/** Leaves rubbish where a scenario had its memory: the next one, which gets the same instance, must not care. */
function spoil(module: WebAssembly.Module): void {
  const instance = borrow(module) as Record<'scenarioAddress' | 'recordsAddress', WebAssembly.Global | undefined> & {
    readonly memory: WebAssembly.Memory;
  };
  const { scenarioAddress, recordsAddress, memory } = instance;
  const from = Number((scenarioAddress ?? recordsAddress)?.value);
  // Before its first scenario an instance has no such place.
  if (from > 0) new Uint8Array(memory.buffer, from).fill(0xa5);
  giveBack(module, instance);
}

/** Returns true if the scenario was compiled as well. */
function expectTwins(system: KernelSystem, scenario: Scenario, modules: Modules, seed: bigint): boolean {
  const model = system.model(scenario);
  const shape = shapeOf(model);
  const automata = automataOf(system, scenario, modules);
  const kernels = [...modules.kernels.map((module) => new Kernel(module, shape, system.encode(scenario))), ...automata];
  const builds = [...BUILDS.map((build) => `${build} kernel`), ...BUILDS.map((build) => `${build} automaton`)];
  const counted = emptyTally(shape);
  const rows: (readonly number[])[] = [];
  const what = JSON.stringify(scenario);
  for (let index = 0; index < BATTLES; index++) {
    const told = playBattle(model, new Sampled(Stream.of(seed, index)));
    countBattle(counted, told.outcome, told.metrics);
    rows.push([told.outcome, ...told.metrics]);
    for (const [k, kernel] of kernels.entries()) {
      const played = kernel.play(seed, index);
      const same = played.outcome === told.outcome && played.metrics.every((value, m) => value === told.metrics[m]);
      if (same) continue;
      // Played once more, to know who does not always play alike.
      const again = { kernel: kernel.play(seed, index), told: playBattle(model, new Sampled(Stream.of(seed, index))) };
      expect({ played, again }, `${String(builds[k])}, battle ${String(index)} of ${what}`).toEqual({
        played: told,
        again,
      });
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
    const listed = [
      ...Array.from(kernel.list(seed, 0, LISTED)),
      ...Array.from(kernel.list(seed, LISTED, BATTLES_LISTED - LISTED)),
    ];
    expect(listed, what).toEqual(rows.slice(0, BATTLES_LISTED).flat());
    expect(battlesIn(kernel.take())).toBe(BATTLES_LISTED);
    kernel.run(seed, 0, CUT);
    kernel.run(seed, CUT, BATTLES - CUT);
    expect(digest(played, shape, kernel.take()), what).toBe(digest(played, shape, counted));
    kernel.close();
  }
  for (const module of [...modules.kernels, ...modules.automata, ...modules.rounds]) spoil(module);
  return automata.length > 0;
}

export function kernelTests(system: KernelSystem): void {
  test.each(namedModes(system))('%s', { timeout: 600_000 }, async (_, mode) => {
    const modules = {
      kernels: await Promise.all(BUILDS.map((build) => loadKernel(system.id, build))),
      automata: await Promise.all(BUILDS.map((build) => loadKernel('automaton', build))),
      rounds: await Promise.all(BUILDS.map((build) => loadKernel('rounds', build))),
    };
    const scenarios = sampleScenarios(system, mode, SCENARIOS, SEED);
    const compiled = scenarios.filter((scenario, k) => expectTwins(system, scenario, modules, BigInt(k)));
    // Most of mass combat has too many defences that may be rolled.
    expect(compiled.length).toBeGreaterThanOrEqual(mode === 'mass' ? 1 : COMPILED * SCENARIOS);
  });
}
