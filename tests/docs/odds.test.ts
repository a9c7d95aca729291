/** Tables of odds in docs/reference/games equal the output of `npm run odds` for the comments above them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GAME_IDS } from '../../src/rules/games.ts';
import { DEPTH } from '../depth.ts';

interface Odds {
  readonly withOdds: (markdown: string) => Promise<string>;
}

const { withOdds } = (await import(/* @vite-ignore */ new URL('../../scripts/odds.js', import.meta.url).href)) as Odds;

const textOf = (id: string): string => readFileSync(`docs/reference/games/${id}.md`, 'utf8');

const GRID = `<!-- odds
scenario: conquest-dice-osborne.yaml
rows: { head: attackers, path: attacker, values: [2, 10] }
columns: { path: defender, values: [1, 5], unit: defender, of: attacker }
-->
`;

describe('the tables of odds', () => {
  test('are on the page of every game', () => {
    expect(readdirSync('docs/reference/games').sort()).toEqual(GAME_IDS.map((id) => `${id}.md`).sort());
    for (const id of GAME_IDS) expect(textOf(id), id).toMatch(/^<!-- odds\n/m);
  });

  test.runIf(DEPTH > 1).each(GAME_IDS)('equal the computed tables: %s', { timeout: 120_000 }, async (id) => {
    expect(await withOdds(textOf(id))).toBe(textOf(id));
  });

  test('are inserted or replaced, without a change of other text', async () => {
    const table = `| attackers | 1 defender |     5 |
| --------- | ---------: | ----: |
| 2         |      75.42 |  4.91 |
| 10        |    > 99.99 | 91.63 |
`;
    const made = `Before.\n\n${GRID}\n${table}\nAfter.\n\n| a |\n| - |\n`;
    expect(await withOdds(`Before.\n\n${GRID}\nAfter.\n\n| a |\n| - |\n`)).toBe(made);
    expect(await withOdds(made.replace('4.91', '4.92').replace('10  ', '11  '))).toBe(made);
    expect(await withOdds(made)).toBe(made);
  });

  test('have rows and columns of changes, with digits, notes, percentages and losses', async () => {
    const requested = `<!-- odds
scenario: { system: combined-arms, attacker: { infantry: 3 }, defender: { infantry: 2 } }
rows: [{}, { set: [attacker.tank=1, retreatAt=1], note: stronger }]
columns: [{ of: attacker, digits: 1 }, { of: taken, percent: true }, { as: lost, of: units.attacker, from: 4 }]
digits: 3
-->
`;
    const [, , ...rows] = (await withOdds(requested)).split('\n').filter((line) => line.startsWith('|'));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells[0]?.[1]).toBe('');
    expect(cells[1]?.[1]).toBe('`attacker.tank=1`, `retreatAt=1`');
    expect(cells[1]?.[5]).toBe('stronger');
    for (const [, , wins = '', taken = '', lost = ''] of cells) {
      expect(wins).toMatch(/^\d\d\.\d$/);
      expect(taken).toMatch(/^\d\d\.\d{3}$/);
      expect(Number(lost)).toBeGreaterThan(0);
      expect(Number(lost)).toBeLessThan(4);
    }
  });

  test('are rejected for unknown names', async () => {
    await expect(withOdds(GRID.replace('of: attacker', 'of: attackers'))).rejects.toThrow('the name attackers');
    await expect(withOdds(GRID.replace('path: defender', 'path: defenders'))).rejects.toThrow('defenders');
  });
});
