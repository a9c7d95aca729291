/** Fixtures for tests of attrition: scenarios, and a function that runs a script step by step. */
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import type { State } from '../../src/rules/system.ts';

export const unit = (fields: object = {}) => ({ attack: 1, defense: 1, hp: 25, ...fields });

export const direct = (attacker: object, defender: object, options: object = {}) =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'direct',
    attacker: unit(attacker),
    defender: unit(defender),
    ...options,
  });

export const indirect = (attacker: object, defender: object, options: object = {}) =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'indirect',
    attacker: unit({ ranged: 1, ...attacker }),
    defender: unit(defender),
    ...options,
  });

export const mass = (combatants: object[], options: object = {}) =>
  attrition.schema.parse({
    system: 'attrition',
    mode: 'mass',
    combatants: combatants.map((fields, k) => ({ name: `u${String(k)}`, party: `p${String(k)}`, ...unit(fields) })),
    ...options,
  });

type Scenario = ReturnType<typeof direct>;

/** Returns the state of a battle after `steps` steps of a script. */
export function walk(scenario: Scenario, script: readonly ScriptEntry[], steps: number): State {
  const model = attrition.model(scenario);
  const chance = new ScriptedChance(script);
  let state = model.start(chance);
  for (let k = 0; k < steps; k++) state = model.step(state, chance);
  chance.checkUsed();
  return state;
}
