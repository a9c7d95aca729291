import { describe, expect, test } from 'vitest';
import { findEquilibriumSync } from '../../src/analysis/find-equilibrium.ts';
import { formatEquilibriumSheet } from '../../src/report/policies/equilibrium.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';

const look = { width: 80, paint: PLAIN_PAINT };

describe('the sheet of a game of cards', () => {
  test('tells the value, both mixtures, and what policies give away', async () => {
    const scenario = await loadScenario('scenarios/strength-cards-bluff.yaml');
    const sheet = formatEquilibriumSheet(findEquilibriumSync(scenario, { payoff: 'hp-difference' }), 'a bluff', look);
    expect(sheet.split('\n').slice(0, 12)).toEqual([
      'a bluff · strength-cards · payoff hp-difference',
      '',
      'Value of the game: 1.658730 (hit points of attacker minus defender)',
      'Value with the policies of the scenario: 1.366667',
      '',
      '          equilibrium            payoff against  payoff against',
      'attacker            %  policy %     equilibrium          policy',
      'Assault       47.6190        60        1.658730        1.833333',
      'Barrage       52.3810        20        1.658730        1.500000',
      'Patrol         0             20       -0.150794       -0.166667',
      '  exploitability of its policy: 1.025397',
      '  best response to enemy policy: Assault',
    ]);
  });

  test('shows the air tokens of the pairs of cards that are met, or of all', async () => {
    const solution = findEquilibriumSync(await loadScenario('scenarios/strength-cards-island.yaml'), {
      payoff: 'hp-difference',
    });
    const lines = formatEquilibriumSheet(solution, 'an island', look).split('\n');
    expect(lines.slice(9, 11)).toEqual([
      '  exploitability of its policy: 1.950788, of which 0.574245 by its cards',
      '  best response to enemy policy: Assault',
    ]);
    expect(lines.slice(19, 26)).toEqual([
      '                      equilibrium            payoff against  payoff against',
      'cards / air tokens              %  policy %     equilibrium          policy',
      'Assault / Dig in          52.1189        25        0.166667       -0.666667',
      '  attacker: no token      85.7143        50        0.166667        0.500000',
      '  attacker: Bombers       14.2857        50        0.166667       -1.833333',
      '  defender: no token      16.6667        50       -0.166667        1.916667',
      '  defender: Fighters      83.3333        50       -0.166667       -0.583333',
    ]);
    // What is 0 but for rounding is shown as 0.
    expect(lines).toContain('  attacker: Bombers       14.2857        50        1.000000        0');
    // The time at its end may break the last line.
    expect(lines.slice(-5).join('\n')).toMatch(/\ncards x sets of air tokens: 2 x 2 against 2 x 2 · error at most /);
    const pairs = (sheet: string) => sheet.split('\n').filter((line) => / \/ (Dig in|Stand fast) /.test(line)).length;
    const won = findEquilibriumSync(solution.scenario, { payoff: 'win' });
    expect(pairs(formatEquilibriumSheet(won, 'an island', look))).toBe(1);
    expect(formatEquilibriumSheet(won, 'an island', look)).toContain('\n(--pairs shows 3 more pairs of cards)\n');
    expect(pairs(formatEquilibriumSheet(won, 'an island', look, true))).toBe(4);
  });

  test('says how many pairs are left out, one or more', () => {
    const token = { name: 'Bombs', strength: -1, dice: ['sample-8'], weight: 0 };
    const hand = [{ name: 'Stand fast', strength: 5 }, { name: 'Waver' }];
    const units = [{ sample: 'infantry-2' }];
    const scenario = validateScenario({
      system: 'strength-cards',
      attacker: { units, airTokens: [token] },
      defender: { units, hand },
    });
    expect(formatEquilibriumSheet(findEquilibriumSync(scenario, { payoff: 'win' }), 'bombs', look)).toContain(
      '\n(--pairs shows 1 more pair of cards)\n',
    );
  });

  test('leaves out what hardly matters if there is much', () => {
    const unit = { sample: 'infantry-2' };
    const hand = Array.from({ length: 40 }, (_, c) => ({ name: `Card ${String(c)}`, strength: c, weight: 50 - c }));
    const scenario = validateScenario({
      system: 'strength-cards',
      attacker: { units: [unit], hand },
      defender: { units: [unit] },
    });
    const lines = formatEquilibriumSheet(findEquilibriumSync(scenario, { payoff: 'win' }), 'many', look).split('\n');
    const shown = lines.filter((line) => /^Card \d+ /.test(line)).map((line) => line.split('  ')[0]);
    expect(shown).toHaveLength(12);
    expect(shown).toContain('Card 0');
    expect(shown).not.toContain('Card 30');
    expect(lines).toContain('(--json also has 28 more)');
    expect(lines.filter((line) => line.startsWith('no card'))).toHaveLength(1);
  });

  test('lets no name move the cursor', () => {
    const unit = { sample: 'infantry-2' };
    const hand = [{ name: 'a\u001B[2J' }];
    const scenario = validateScenario({
      system: 'strength-cards',
      attacker: { units: [unit], hand },
      defender: { units: [unit] },
    });
    expect(formatEquilibriumSheet(findEquilibriumSync(scenario), 'x', look)).not.toContain('\u001B');
  });
});
