import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadScenario, runScript, solveSync, validateScenario } from 'warpool';
import { testSystem } from 'warpool/testing';
import system from './my-duel.js';

// Runs the checks for all systems: keys, distributions, draws, replays, examples.
testSystem(system, { describe, test });

test('the higher total hits, and equal totals do nothing', () => {
  const fields = { system: 'my-duel', attacker: { lives: 1 }, defender: { lives: 1, skill: 1 } };
  const scenario = validateScenario(fields, { systems: [system] });
  const rolls = [{ sample: 4 }, { sample: 3 }, { sample: 6 }, { sample: 4 }];
  const { outcome, metrics } = runScript(scenario, rolls);
  assert.equal(outcome, 'attacker');
  assert.equal(metrics.rounds, 2);
});

test('an even duel is even', async () => {
  const scenario = await loadScenario('scenarios/even.yaml', { systems: [system] });
  const [attacker, defender] = solveSync(scenario).summary.outcomes;
  assert.ok(Math.abs(attacker.p - defender.p) < 1e-12);
});
