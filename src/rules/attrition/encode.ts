/** Encodes the scenario for assembly/systems/attrition.ts. */
import {
  computeExcessProbabilities,
  computeSumProbabilities,
  getDifferenceTable,
  getSumThresholds,
} from '../../core/index.ts';
import { LayoutBuilder } from '../layout.ts';
import { MASS, MODES, TERMS, UNIT } from './layout.ts';
import {
  computePreyBonus,
  createBlow,
  createFirstShot,
  createReturnShot,
  listParties,
  parseScenarioDice,
} from './model.ts';
import type { Attrition, Direct, Indirect, Mass } from './schema.ts';

/** Added to the difference of two rolls of an impossible blow: it never does damage. */
const NEVER = -1_000_000;

interface EncodedBlow {
  readonly bonus: number;
  readonly prey: number;
  readonly happens: boolean;
}

function encodeDuel(
  scenario: Direct | Indirect,
  rounds: number,
  forth: EncodedBlow,
  back: EncodedBlow,
): Int32Array<ArrayBuffer> {
  const layout = new LayoutBuilder(TERMS.size);
  const dice = parseScenarioDice(scenario);
  const distribution = ({ happens, bonus }: EncodedBlow): readonly number[] =>
    happens ? computeExcessProbabilities(dice, bonus) : [1];
  const terms = TERMS.pack({
    mode: MODES.indexOf(scenario.mode),
    attackerHp: scenario.attacker.hp,
    defenderHp: scenario.defender.hp,
    forth: forth.happens ? forth.bonus : NEVER,
    forthPrey: forth.prey,
    back: back.happens ? back.bonus : NEVER,
    backPrey: back.prey,
    rounds,
    differences: layout.difference(getDifferenceTable(dice)),
    forthLaw: layout.probabilities(distribution(forth)),
    backLaw: layout.probabilities(distribution(back)),
  });
  return layout.finish(terms);
}

function encodeMass(scenario: Mass): Int32Array<ArrayBuffer> {
  const { combatants } = scenario;
  const dice = parseScenarioDice(scenario);
  const parties = listParties(scenario);
  const layout = new LayoutBuilder(MASS.size);
  const units = combatants.map(({ hp, party, attack, defense }) => {
    return { hp, party: parties.indexOf(party), armed: attack !== null, attack: attack ?? 0, defense };
  });
  const head = MASS.pack({
    mode: MODES.indexOf(scenario.mode),
    combatants: combatants.length,
    parties: parties.length,
    lessOne: scenario.massDivisor === 'n-1',
    maxRounds: scenario.maxRounds,
    reach: dice.reach,
    least: dice.count,
    dice: layout.quantiles(getSumThresholds(dice)),
    units: layout.records(UNIT, units),
    prey: layout.words(combatants.flatMap((from) => combatants.map((to) => computePreyBonus(scenario, from, to)))),
    nearest: scenario.massRounding === 'nearest',
    law: layout.probabilities(computeSumProbabilities(dice)),
  });
  return layout.finish(head);
}

export function encode(scenario: Attrition): Int32Array<ArrayBuffer> {
  if (scenario.mode === 'mass') return encodeMass(scenario);
  if (scenario.mode === 'indirect') {
    const [first, second] = [createFirstShot(scenario), createReturnShot(scenario)];
    return encodeDuel(
      scenario,
      1,
      { ...first, happens: first.void === undefined },
      { ...second, happens: second.void === undefined },
    );
  }
  const [forth, back] = [createBlow(scenario, true), createBlow(scenario, false)];
  // If no unit can hurt another, the battle ends before its first round.
  return encodeDuel(
    scenario,
    forth.harmless && back.harmless ? 0 : scenario.maxRounds,
    { ...forth, happens: !forth.harmless },
    { ...back, happens: !back.harmless },
  );
}
