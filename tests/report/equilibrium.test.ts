import { describe, expect, test } from 'vitest';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { createEquilibriumSheet } from '../../src/report/policies/equilibrium.ts';
import { formatSheet } from '../../src/report/sheet/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';

const CARDS = {
  reward: { attacker: { metrics: { 'hp.attacker': 1, 'hp.defender': -1 } } },
  decisions: ['card', 'air'],
};

const format = (scenario: Scenario, name: string, options: object = CARDS): string =>
  formatSheet(createEquilibriumSheet(findEquilibriumSync(scenario, options), name), { width: 80, paint: PLAIN_PAINT });

describe('report of an equilibrium', () => {
  test('shows the value, both mixtures, and the exploitability', async () => {
    const lines = format(await loadScenario('scenarios/strength-cards-bluff.yaml'), 'a bluff').split('\n');
    expect(lines.slice(0, 19)).toEqual([
      'a bluff · strength-cards · reward custom',
      '',
      'Value for attacker: 1.658730',
      'With the policies of the scenario: 1.366667',
      '',
      '                       policy against',
      'player    equilibrium   best response  exploitability',
      'attacker     1.658730        0.633333        1.025397',
      'defender    -1.658730       -1.833333        0.174603',
      'NashConv: 1.200000',
      '',
      'outcome   equilibrium %',
      'attacker        21.5420',
      'defender        78.4580',
      '',
      'Decisions in the equilibrium: 2',
      'attacker: Assault 48 %, Barrage 52 % (policy Assault 60 %, Barrage 20 %, Patrol',
      '20 %, visits 1)',
      '  strength.attacker 12, strength.defender 14, hp.attacker.Corps 4,',
    ]);
    expect(lines).toContain('States in which the policy of attacker loses: 1');
    expect(lines).toContain('(visits 1, loss 1.0254, 100 % of the exploitability)');
  });

  test('shows the air tokens by the cards that are observed', async () => {
    const sheet = format(await loadScenario('scenarios/strength-cards-island.yaml'), 'an island');
    expect(sheet).toContain('\nattacker     0.419924       -1.530864        1.950788\n');
    expect(sheet).toContain('\nattacker: hold 86 %, play 14 % (policy hold 50 %, play 50 %, visits 0.5212)\n');
    expect(sheet).toContain(
      '\nhold 17 %, play 83 % instead of hold 50 %, play 50 % (visits 0.5000, loss\n0.3333, 40.3 % of',
    );
    // The last decisions are one of several equilibria.
    expect(sheet).toContain('\ndefender: hold (policy hold 50 %, play 50 %, visits 0.0764, one of several)\n');
  });

  test('shows the range of the probabilities of a first decision', async () => {
    const sheet = format(await loadScenario('scenarios/strength-cards-bluff.yaml'), 'bluff', {});
    expect(sheet.replaceAll(/\s+/g, ' ')).toContain(
      'one of several: Assault 0 to 100 %, Barrage 0 to 100 %, Patrol 0 to 100 %)',
    );
  });

  test('omits decisions if there are many', async () => {
    const fleet = await loadScenario('scenarios/phased-dice-fleet.yaml');
    const lines = format(fleet, 'fleet', {}).split('\n');
    expect(lines).toContain('Decisions in the equilibrium: 56');
    expect(lines).toContain('(--json also has 46 more)');
    expect(lines.filter((line) => line.startsWith('attacker: '))).toHaveLength(10);
  });

  test('prints no control characters of names', () => {
    const unit = { sample: 'infantry-2' };
    const scenario = validateScenario({
      system: 'strength-cards',
      attacker: { units: [unit], hand: [{ name: 'a\u001B[2J' }, { name: 'b' }] },
      defender: { units: [unit] },
    });
    expect(format(scenario, 'x')).not.toContain('\u001B');
  });
});
