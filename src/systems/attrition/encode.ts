/** The scenario as assembly/systems/attrition.ts reads it. */
import { differenceTable } from '../../chance/alias.ts';
import { excessProbabilities, sumProbabilities, sumTable } from '../../chance/laws.ts';
import { Layout } from '../layout.ts';
import { diceOf, preyBonus } from './blow.ts';
import { blowOf } from './direct.ts';
import { firstShot, returnShot } from './indirect.ts';
import { partiesOf } from './mass.ts';
import type { Attrition, Direct, Indirect, Mass } from './schema.ts';

const MODE = { direct: 0, indirect: 1, mass: 2 };

/** Added to the difference of two rolls of a blow that does not happen: nothing gets through. */
const NEVER = -1_000_000;

interface Hit {
  readonly bonus: number;
  readonly prey: number;
  readonly happens: boolean;
}

function duel(scenario: Direct | Indirect, rounds: number, forth: Hit, back: Hit): Int32Array<ArrayBuffer> {
  const layout = new Layout(11);
  const dice = diceOf(scenario);
  const law = ({ happens, bonus }: Hit): readonly number[] => (happens ? excessProbabilities(dice, bonus) : [1]);
  layout.set(0, MODE[scenario.mode], scenario.attacker.hp, scenario.defender.hp);
  layout.set(3, forth.happens ? forth.bonus : NEVER, forth.prey);
  layout.set(5, back.happens ? back.bonus : NEVER, back.prey);
  layout.set(7, rounds, layout.difference(differenceTable(dice)));
  layout.set(9, layout.probabilities(law(forth)), layout.probabilities(law(back)));
  return layout.finish();
}

function mass(scenario: Mass): Int32Array<ArrayBuffer> {
  const { combatants } = scenario;
  const dice = diceOf(scenario);
  const parties = partiesOf(scenario);
  const layout = new Layout(12);
  const units = combatants.flatMap(({ hp, party, attack, defense }) => [
    hp,
    parties.indexOf(party),
    Number(attack !== null),
    attack ?? 0,
    defense,
  ]);
  const prey = combatants.flatMap((from) => combatants.map((to) => preyBonus(scenario, from, to)));
  layout.set(0, MODE.mass, combatants.length, parties.length, scenario.massDivisor === 'n-1' ? 1 : 0);
  layout.set(4, scenario.maxRounds, dice.reach, dice.count);
  layout.set(7, layout.quantiles(sumTable(dice)), layout.words(units), layout.words(prey));
  layout.set(10, scenario.massRounding === 'nearest', layout.probabilities(sumProbabilities(dice)));
  return layout.finish();
}

export function encode(scenario: Attrition): Int32Array<ArrayBuffer> {
  if (scenario.mode === 'mass') return mass(scenario);
  if (scenario.mode === 'indirect') {
    const [first, second] = [firstShot(scenario), returnShot(scenario)];
    return duel(
      scenario,
      1,
      { ...first, happens: first.void === undefined },
      { ...second, happens: second.void === undefined },
    );
  }
  const [forth, back] = [blowOf(scenario, true), blowOf(scenario, false)];
  // When nobody can hurt anybody the battle is over before it begins.
  return duel(
    scenario,
    forth.harmless && back.harmless ? 0 : scenario.maxRounds,
    { ...forth, happens: !forth.harmless },
    { ...back, happens: !back.harmless },
  );
}
