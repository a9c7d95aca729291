/** Detection of optimal policies that use hidden information, with the decision and the hidden data. */
import { describe, expect, test } from 'vitest';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { createBestResponseSheet } from '../../src/report/policies/best-response.ts';
import { formatSheet } from '../../src/report/sheet/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { System } from '../../src/rules/system.ts';
import { defineSystem, type Phase } from '../../src/system.ts';
import { conform } from '../../src/testing.ts';

interface March {
  readonly trap: number;
  readonly n: number;
  readonly went: string;
}

/** Creates a system. @param shown value of the feature `trap` @param late true to draw the trap after the decision */
function ambush(shown: (trap: number, player: string | undefined) => number, late = false): System {
  const lay: Phase<March> = (state, chance) => ({ ...state, trap: chance.at('trap').pick([1, 1]) });
  const march: Phase<March> = (state, chance) => {
    const went = chance.decide('march', 'red', ['go', 'wait'], () => 'go');
    return { ...state, n: state.n + 1, went };
  };
  return defineSystem({
    id: 'ambush',
    title: 'Ambush',
    about: 'The way may be trapped, each day anew.',
    fields: {},
    rules: {},
    decisions: [
      {
        ...{ point: 'march', who: 'red', about: 'Goes or waits, four days at the most.', policies: ['go'] },
        describe: { go: ['goes', 'go'], wait: ['waits', 'wait'] },
      },
    ],
    examples: { one: {} },
    battle: () => ({
      outcomes: ['red', 'blue'],
      metrics: {},
      streams: { trap: 1 },
      start: (): March => ({ trap: 0, n: 0, went: '' }),
      round: late ? [march, lay] : [lay, march],
      outcome({ trap, n, went }, phase) {
        if (late && phase !== 0) return undefined;
        if (went === 'go') return trap === 1 ? 'blue' : 'red';
        return n > 3 ? 'blue' : undefined;
      },
    }),
    environment: () => ({
      players: ['red'],
      actions: { march: ['go', 'wait'] },
      features: [
        { name: 'n', high: 9, of: ({ n }) => n },
        { name: 'trap', high: 1, of: ({ trap }, player) => shown(trap, player) },
      ],
    }),
  });
}

const wrong = async (system: System) => (await conform(system, { quick: true })).filter(({ ok }) => !ok);

describe('conform', () => {
  test('reports an optimal policy that uses a trap without a feature', async () => {
    const [found] = await wrong(ambush(() => 0));
    expect(found).toMatchObject({ check: 'secrets', scenario: 'one', checked: true });
    expect(found?.message).toBe(
      'at the decision "march" the optimal policy would cheat: two states look the same to "red", but they differ in ' +
        'trap: 0 and 1, and it chooses "go" in one and "wait" in the other; its value would be 0.9375 instead of ' +
        '0.5000, the best value with the features',
    );
    expect(found?.advice).toMatch(/add a feature for it.*draw it when it is needed/);
  });

  test.each<[string, System]>([
    ['shown to the player', ambush((trap) => trap)],
    ['drawn after the decision', ambush(() => 0, true)],
  ])('reports nothing for a trap that is %s', async (_, system) => {
    expect(await wrong(system)).toEqual([]);
  });
});

describe('findBestResponseSync', () => {
  const best = (system: System) => findBestResponseSync(validateScenario({ system: 'ambush' }, { systems: [system] }));
  const look = { width: 2000, paint: PLAIN_PAINT };

  test('warns if the optimal policy uses a trap without a feature', () => {
    const found = best(ambush(() => 0));
    expect(found.warning).toMatch(
      /^at the decision "march" the optimal policy would cheat: .* differ in trap: .*\. If the player may/,
    );
    expect(found.toJSON().warning).toBe(found.warning);
    expect(formatSheet(createBestResponseSheet(found, 'one'), look)).toContain(
      'Warning: at the decision "march" the optimal policy would cheat',
    );
  });

  test('does not warn if the trap is shown or drawn later', () => {
    expect(best(ambush((trap) => trap))).not.toHaveProperty('warning');
    expect(best(ambush(() => 0, true))).not.toHaveProperty('warning');
  });
});
