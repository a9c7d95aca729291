/** The manuals list exactly the members of definitions and of the chance source, and the columns of stores. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { ROW_NAMES } from '../../src/storage/sweep/rows.ts';
import { defineSystem, type RoundContext } from '../../src/system.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/rule-api.md'), 'utf8');

/** Returns the first words of the first column of the table below a line. */
function listed(line: string): string[] {
  const [, table = ''] = /^.*\n\n(\|[\s\S]*?)\n\n/.exec(page.slice(page.indexOf(line))) ?? [];
  return [...table.matchAll(/^\| `(\w+)/gm)].map(([, name = '']) => name);
}

const STRANGE = { strangeMember: 1 };

/** Returns the members that the error about an unknown member lists. */
function membersBy(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    const [, names = ''] = /expected members among (.*), found "strangeMember"/.exec((error as Error).message) ?? [];
    return names.split(', ');
  }
  return [];
}

let chance: RoundContext | undefined;

const BATTLE = {
  outcomes: ['won'],
  start: (given: RoundContext) => {
    chance = given;
    return { left: 1 };
  },
  round: () => ({ left: 0 }),
  outcome: ({ left }: { left: number }) => (left === 0 ? 'won' : undefined),
};
const ENVIRONMENT = { players: ['red'], actions: { go: ['go'] }, features: [{ name: 'left', high: 3, of: () => 1 }] };
const DECISION = { point: 'go', who: 'red', about: 'Goes.', policies: ['go'] };
const METRIC = { min: 0, max: 1, of: () => 0 };

const define = (more: object) =>
  defineSystem({ id: 'a', title: 'A', about: 'A.', fields: {}, battle: () => BATTLE, ...more } as never);
const scenario = (more: object) => validateScenario({ system: 'a' }, { systems: [define(more)] });
const battle = (more: object) => solveSync(scenario({ battle: () => ({ ...BATTLE, ...more }) }));
const environment = (more: object) =>
  createEnvSpec([{ scenario: scenario({ decisions: [DECISION], environment: () => ({ ...ENVIRONMENT, ...more }) }) }]);

test.each<[string, () => unknown]>([
  ['`defineSystem({ ... })` rejects', () => define(STRANGE)],
  ['Members of a decision:', () => define({ decisions: [{ ...DECISION, ...STRANGE }] })],
  ['Members of a battle:', () => battle(STRANGE)],
  ['Members of a metric:', () => battle({ metrics: { left: { ...METRIC, ...STRANGE } } })],
  ['Members of an environment', () => environment(STRANGE)],
  ['Members of a feature:', () => environment({ features: [{ ...ENVIRONMENT.features[0], ...STRANGE }] })],
])('the table below "%s" lists exactly the members', (line, act) => {
  const members = membersBy(act);
  expect(members.length).toBeGreaterThan(3);
  expect(listed(line).toSorted()).toEqual(members.toSorted());
});

test('the table of the chance source lists exactly its methods', () => {
  battle({});
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(chance)).filter((name) => name !== 'constructor');
  expect(names).toContain('sample');
  expect(listed('samples one.').toSorted()).toEqual(names.toSorted());
});

test('a phase without streams has 16 words, as documented', () => {
  expect(page).toContain('without streams a phase has at most 16 words');
  const drawing = (count: number) =>
    battle({
      round: (_: unknown, at: RoundContext) => {
        for (let k = 0; k < count; k++) at.pick([1]);
        return { left: 0 };
      },
    });
  expect(() => drawing(16)).not.toThrow();
  expect(() => drawing(17)).toThrow('the phase has 0 left');
});

test('the table of columns lists exactly the columns of a store', () => {
  const manual = readFileSync(join(import.meta.dirname, '../../docs/how-to/sweep.md'), 'utf8');
  const [, table = ''] = /columns:\n\n(\| column \| content \|[\s\S]*?)\n\n/.exec(manual) ?? [];
  const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );
  expect(named).toEqual(ROW_NAMES);
});
