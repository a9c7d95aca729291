/** Tests of kernel instances that attach to the memory of another instance. Their initialization must not change it. */
import { beforeAll, expect, test } from 'vitest';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { encodeEnvSpec } from '../../src/environments/encode-env-spec.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import { EnvironmentKernel } from '../../src/environments/environment-kernel.ts';
import { createSharedMemory } from '../../src/environments/threads/environment-threads.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { requireBuild } from './fixtures.ts';

beforeAll(requireBuild);

const playable = shippedSystems.filter((system) => 'environment' in system);

test.each(playable)(
  'instances of $id share one memory without changing the results',
  async ({ id, schema, examples }) => {
    const scenarios = examples.map(({ scenario }) => ({ scenario: schema.parse(scenario) }));
    const words = encodeEnvSpec(createEnvSpec(scenarios, { agents: 'all' }));
    const module = await loadKernel(id, 'shared');
    const memory = createSharedMemory();
    const room = { envs: 32, first: 0, threads: 3 };
    const host = EnvironmentKernel.init(module, words, room, memory);
    const bytes = (): Uint8Array => new Uint8Array(memory.buffer).slice();
    const laid = bytes();
    const others = [1, 2].map((thread) => EnvironmentKernel.attach(module, host.configBytes, room, thread, memory));
    expect(Buffer.compare(bytes(), laid)).toBe(0);
    expect(others.map(({ places }) => places)).toEqual([host.places, host.places]);

    // The result must not depend on which instance steps an environment, or on the order.
    const play = (turns: readonly (readonly [EnvironmentKernel, number, number])[]): Uint8Array => {
      host.seed = 5n;
      host.exports.env_reset(0, room.envs);
      for (let s = 0; s < 20; s++) {
        for (const [{ exports }, from, to] of turns) {
          exports.env_suggest(1, from, to);
          exports.env_step(from, to);
        }
      }
      const { finished } = host.fields;
      finished.fill(0);
      return host.allBytes.slice();
    };
    const [second = host, third = host] = others;
    const alone = play([[host, 0, 32]]);
    const together = play([
      [third, 9, 17],
      [host, 17, 32],
      [second, 0, 9],
    ]);
    expect(Buffer.compare(together, alone)).toBe(0);
  },
);
