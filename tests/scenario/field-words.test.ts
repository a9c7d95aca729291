/** Labels of fields from the declarations of their systems. */
import { expect, test } from 'vitest';
import { loadScenario, updateScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { labelField } from '../../src/rules/scenario/label-field.ts';

test.each<[file: string, path: string, words: string]>([
  ['phased-dice-ground', 'attacker.units.rifleman', 'attacker’s rifleman'],
  ['phased-dice-ground', 'unitTypes.tank.dice', 'tank’s dice'],
  ['phased-dice-ground', 'attacker.retreat.afterRounds', 'attacker’s retreat after rounds'],
  ['phased-dice-ground', 'site', 'site'],
  ['phased-dice-ground', 'maxRounds', 'max rounds'],
  ['token-conflict-city', 'areas[0].tokens.assyria', 'Thebes’ assyria'],
  ['attrition-direct', 'attacker.hp', 'attacker’s hit points'],
  ['attrition-direct', 'attacker.indirectDefense', 'attacker’s indirect defense'],
  ['attrition-direct', 'nobody.knows', 'nobody’s knows'],
])('%s: the label of %s is %s', async (file, path, words) => {
  expect(labelField(await loadScenario(`scenarios/${file}.yaml`), path)).toBe(words);
});

test('labels of list elements contain their names', () => {
  const unit = (name: string, party: string) => ({ name, party, attack: 1, defense: 1, hp: 5 });
  const combatants = [unit('Hunters', 'a'), unit('Wolves', 'b')];
  const scenario = validateScenario({ system: 'attrition', mode: 'mass', combatants });
  expect(labelField(scenario, 'combatants[1].hp')).toBe('Wolves’ hit points');
});

test('ambiguous labels contain the index', async () => {
  const bluff = await loadScenario('scenarios/strength-cards-bluff.yaml');
  const counterparts = updateScenario(bluff, { 'attacker.hand[2].name': 'Assault' });
  expect(labelField(counterparts, 'attacker.hand[2].weight')).toBe('attacker’s Assault weight (hand 3)');
});
