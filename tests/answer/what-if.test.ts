/** Effect of one more unit: by an enumerated distribution, and by common random numbers if nothing is exact. */
import { describe, expect, test } from 'vitest';
import { computeWhatIf } from '../../src/analysis/sensitivity/what-if.ts';
import { parseScenario, solveSync } from '../../src/index.ts';
import { createWhatIfQuestions, createWhatIfTables, type WhatIfTable } from '../../src/report/odds/what-if.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { createArmyForm } from '../../web/engine/editing/army-form.ts';
import { listAbsentTypes } from '../../web/engine/editing/army-form-edits.ts';
import { fought, shareOf } from './chain.ts';

async function tablesFor(scenario: Scenario, budget?: number, absent: readonly string[] = []): Promise<WhatIfTable[]> {
  const questions = createWhatIfQuestions(scenario, absent);
  const requested = questions.map(({ side, of, counters }) => ({
    ...{ id: side.id, of },
    paths: counters.map(({ path }) => path),
  }));
  const found = await computeWhatIf(scenario, requested, {
    battles: 4000,
    seed: '1',
    ...(budget !== undefined && { budget }),
  });
  return createWhatIfTables(scenario, questions, found);
}

describe('one more army', () => {
  const won = (attacker: number, defender: number): number =>
    100 * shareOf(fought(attacker, defender), (_, left) => left === 0);

  test('changes the win probabilities of both sides as enumerated', async () => {
    const systems = await loadSystems(['examples/games/conquest-dice.mjs']);
    const scenario = parseScenario('system: conquest-dice\nattacker: 5\ndefender: 4\n', { source: 'risk', systems });
    const [attacker, defender] = await tablesFor(scenario);
    const own = attacker?.rows.find(({ path }) => path === 'attacker');
    const other = defender?.rows.find(({ path }) => path === 'defender');
    expect(own?.points).toBeCloseTo(won(6, 4) - won(5, 4), 10);
    expect(own?.fewer).toBe(`−${(won(5, 4) - won(4, 4)).toFixed(2)}`);
    expect(own?.after).toBe(`${won(6, 4).toFixed(2)} %`);
    expect(other?.points).toBeCloseTo(won(5, 4) - won(5, 5), 10);
    expect(attacker?.lines[0]).toMatch(
      /^One more strength helps the attacker most: \+\d+\.\d\d points, to \d\d\.\d\d %\.$/,
    );
  });
});

describe('units with prices', () => {
  test('have percentage points per price, and the best one is named', async () => {
    const systems = await loadSystems(['examples/games/combined-arms.mjs']);
    const text = 'system: combined-arms\nattacker: { infantry: 3, tank: 1 }\ndefender: { infantry: 3 }\n';
    const scenario = parseScenario(text, { source: 'land', systems });
    const [attacker] = await tablesFor(scenario);
    const row = (name: string) => attacker?.rows.find((each) => each.name === name);
    expect(row('infantry')).toMatchObject({ price: '3', value: 3 });
    expect(row('tank')).toMatchObject({ price: '6', value: 1 });
    const more = parseScenario(text.replace('tank: 1', 'tank: 2'), { source: 'land', systems });
    const p = (of: Scenario): number => solveSync(of).summary.outcomes.find(({ name }) => name === 'attacker')?.p ?? 0;
    expect(row('tank')?.points).toBeCloseTo(100 * (p(more) - p(scenario)), 9);
    expect(Number(row('tank')?.valueForPrice)).toBeCloseTo((100 * (p(more) - p(scenario))) / 6, 2);
    expect(attacker?.lines[1]).toMatch(/points for each 1 of cost/);
    // Units that cannot fight on land are rejected and omitted.
    expect(row('submarine')).toBeUndefined();
  });

  test('use the prices of the file instead of the prices of the system', async () => {
    const systems = await loadSystems(['examples/games/combined-arms.mjs']);
    const text =
      'system: combined-arms\nattacker: { infantry: 3 }\ndefender: { infantry: 3 }\ncosts: { attacker.infantry: 7 }\n';
    const scenario = parseScenario(text, { source: 'land', systems });
    const [attacker, defender] = createWhatIfQuestions(scenario);
    expect(attacker?.counters.flatMap(({ name, price }) => (price === undefined ? [] : [[name, price]]))).toEqual([
      ['infantry', 7],
    ]);
    expect(defender?.counters.some(({ price }) => price !== undefined)).toBe(false);
  });
});

const DUEL = parseScenario(`system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 14 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 12 }
`);

describe('absent types of units', () => {
  const TEXT = `system: phased-dice
mode: ground
attacker: { units: { knight: 2 } }
defender: { units: { spearman: 2 } }
costs: { units.knight: 4, units.cannon: 9 }
`;
  const scenario = parseScenario(TEXT, { source: 'ground' });
  const absent = listAbsentTypes(TEXT, createArmyForm(TEXT).sides);

  test('include each type of the front once, except for present ones', () => {
    expect(absent).toContain('attacker.units.cannon');
    expect(absent).not.toContain('attacker.units.knight');
    expect(absent).not.toContain('attacker.units.frigate');
    const [attacker, defender] = createWhatIfQuestions(scenario, [...absent, 'attacker.units.knight']);
    const named = attacker?.counters.map(({ name }) => name) ?? [];
    expect(named).toEqual([...new Set(named)]);
    expect(attacker?.counters.find(({ name }) => name === 'cannon')).toEqual({
      ...{ path: 'attacker.units.cannon', name: 'cannon', value: 0, price: 9 },
    });
    expect(defender?.counters.every(({ path }) => path.startsWith('defender.'))).toBe(true);
  });

  test('may help most, by the same points as in the scenario file', async () => {
    const [attacker] = await tablesFor(scenario, undefined, ['attacker.units.cannon', 'defender.units.cannon']);
    const row = attacker?.rows.find(({ name }) => name === 'cannon');
    const p = (text: string): number =>
      solveSync(parseScenario(text, { source: 'ground' })).summary.outcomes.find(({ name }) => name === 'attacker')
        ?.p ?? 0;
    const one = p(TEXT.replace('knight: 2', 'knight: 2, cannon: 1'));
    expect(row).toMatchObject({ value: 0, price: '9' });
    expect(row?.fewer).toBeUndefined();
    expect(row?.points).toBeCloseTo(100 * (one - p(TEXT)), 9);
    expect(row?.points).toBeGreaterThan(0);
    const knight = attacker?.rows.find(({ name }) => name === 'knight');
    expect(attacker?.rows[0]).toBe(row);
    expect(attacker?.lines).toEqual([
      `One more cannon helps the attacker most: ${row?.more ?? ''} points, to ${row?.after ?? ''}.`,
      expect.stringMatching(/ gives most: .* points for each 1 of cost/),
      `Of units already present, one more knight helps most: ${knight?.more ?? ''} points, to ${knight?.after ?? ''}.`,
    ]);
  });
});

describe('effects without exact answers', () => {
  test('have intervals that contain the exact change', async () => {
    const exact = await tablesFor(DUEL);
    const simulated = await tablesFor(DUEL, 1);
    for (const [t, table] of simulated.entries()) {
      for (const row of table.rows) {
        const known = exact[t]?.rows.find(({ path }) => path === row.path);
        const [, sign = '', value = '0', half = '0'] = /^([+−]?)([\d.]+)(?: ± ([\d.]+))?$/.exec(row.more ?? '') ?? [];
        const points = Number(value) * (sign === '−' ? -1 : 1);
        expect(Math.abs(points - (known?.points ?? 0)), row.path).toBeLessThanOrEqual(Number(half) + 0.06);
      }
    }
    expect(simulated[0]?.rows[0]?.more).toMatch(/ ± /);
    expect(exact[0]?.rows[0]?.more).not.toMatch(/ ± /);
  });

  test('are partial after a signal', async () => {
    const questions = createWhatIfQuestions(DUEL);
    const requested = questions.map(({ side, of, counters }) => ({
      ...{ id: side.id, of },
      paths: counters.map(({ path }) => path),
    }));
    const controller = new AbortController();
    const seen: number[] = [];
    const found = await computeWhatIf(DUEL, requested, {
      signal: controller.signal,
      onProgress: ({ done }) => {
        seen.push(done);
        if (seen.length === 2) controller.abort();
      },
    });
    expect(found.complete).toBe(false);
    expect(found.sides).toHaveLength(1);
    expect(createWhatIfTables(DUEL, questions, found)[0]?.rows.length).toBeGreaterThan(0);
    const early = await computeWhatIf(DUEL, requested, { signal: AbortSignal.abort() }).catch(
      (error: unknown) => error,
    );
    expect(early).toEqual({ sides: [], complete: false });
  });
});

test('each side of several combatants has its own fields', () => {
  const brawl = parseScenario(`system: attrition
mode: mass
combatants:
  - { name: Bravo, party: watch, attack: 1, defense: 1, hp: 4 }
  - { name: Cutpurse, party: thieves, attack: 1, defense: 1, hp: 3 }
`);
  expect(
    createWhatIfQuestions(brawl).map(({ side, counters }) => [
      side.id,
      counters.find(({ name }) => /hp$/.test(name))?.name,
    ]),
  ).toEqual([
    ['watch', 'Bravo hp'],
    ['thieves', 'Cutpurse hp'],
  ]);
});
