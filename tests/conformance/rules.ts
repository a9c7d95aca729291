/** Rules of a system: each one applies in some battle, and replays have the results of the kernel. */
import { expect, test } from 'vitest';
import { createBattleResult, replay } from '../../src/analysis/replay.ts';
import { RuleCountingChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { formatReplay } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { KernelSystem, Scenario } from '../../src/rules/system.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { modesOf, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, SEED } from '../depth.ts';
import { shipped } from './shipped.ts';

/** Scenarios with rules that the other scenarios seldom or never apply. */
const RARE: Readonly<Record<string, readonly object[]>> = {
  'phased-dice': [
    { mode: 'ground', attacker: { units: { spearman: 1 } }, defender: { units: { spearman: 1 } } },
    {
      mode: 'ground',
      unitTypes: { spearman: { dice: 0 } },
      attacker: { units: { spearman: 1 } },
      defender: { units: { spearman: 1 } },
    },
  ],
  'cube-bag': [
    {
      attacker: { armies: [{ units: { swordsman: 1 }, modifiers: { courage: 1 } }] },
      defender: { armies: [{ units: { swordsman: 1 } }] },
    },
  ],
  'token-conflict': [
    {
      areas: [{ name: 'Thebes', limit: 2, city: 'egypt', tokens: { assyria: 8 } }],
      players: {
        egypt: { stock: 20, hand: 3, advances: ['engineering'] },
        assyria: { advances: ['engineering'], takeCard: false },
      },
    },
  ],
};

/** Loads shipped scenarios, examples and rare scenarios, and generates scenarios from the declared ranges. */
async function scenariosOf(system: KernelSystem, generated: number, seed?: number): Promise<Scenario[]> {
  const files = await Promise.all(shipped(system.id).map((file) => loadScenario(`scenarios/${file}`)));
  const examples = system.examples.map(({ scenario }) => system.schema.parse(scenario));
  const rare = (RARE[system.id] ?? []).map((scenario) => system.schema.parse({ system: system.id, ...scenario }));
  const dealt = modesOf(system).flatMap((mode) => sampleScenarios(system, mode, generated, seed));
  return [...files, ...examples, ...rare, ...dealt];
}

export function ruleTests(system: KernelSystem): void {
  test.runIf(DEPTH > 1)('every rule applies in some battle', async () => {
    const unseen = new Set(Object.keys(system.rules));
    for (const scenario of await scenariosOf(system, 300)) {
      if (unseen.size === 0) break;
      const model = system.model(scenario);
      for (let index = 0; index < 20; index++) {
        const chance = new RuleCountingChance(Stream.forBattle(3n, index));
        playBattle(model, chance);
        for (const id of chance.applied.keys()) {
          expect(Object.hasOwn(system.rules, id), id).toBe(true);
          unseen.delete(id);
        }
      }
    }
    expect([...unseen]).toEqual([]);
  });

  test('a replay has the result of the kernel and describes every event', async () => {
    const module = await loadKernel(system.id);
    for (const scenario of await scenariosOf(system, 5 * DEPTH, SEED)) {
      const model = system.model(scenario);
      const kernel = new SystemKernel(module, createCountsShape(model), system.encode(scenario));
      for (const battle of [0, 1, 2 ** 53 - 1]) {
        const reported = replay(scenario, { seed: 5n, battle });
        expect({ outcome: reported.outcome, metrics: reported.metrics }).toEqual(
          createBattleResult(model, kernel.play(5n, battle)),
        );
        const text = formatReplay(reported, 'a battle', system, { width: 100, paint: PLAIN_PAINT });
        expect(text).not.toMatch(/undefined|NaN|\[object/);
        expect(text).toContain(`Outcome: ${reported.outcome}`);
      }
    }
  });
}
