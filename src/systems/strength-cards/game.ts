/**
 * The game of cards and air tokens before a battle: both sides choose secretly and at once. All else follows by
 * the rules, so what two choices are worth is an exact expectation over the dice.
 */
import { branches } from '../../chance/enumerated.ts';
import { type Choice, gainOf, lotsOf } from './choice.ts';
import { ENEMY, type Force, type Forces, forceOf, forcesOf } from './forces.ts';
import { blowOf, takeDamage } from './losses.ts';
import type { Payoff } from './payoff.ts';
import type { Side, StrengthCards } from './schema.ts';
import { winnerOf } from './settlement.ts';

/** A card and a set of air tokens. */
export interface Strategy extends Choice {
  /** Name of the card; `none` if none is played. */
  readonly cardName: string;
  /** Names of the tokens that are played. */
  readonly tokens: readonly string[];
  /** Probability that the side's policy plays it. */
  readonly policy: number;
}

/** How many strategies a side has. */
export function strategiesOf(scenario: StrengthCards, side: Side): number {
  const { cards, tokens } = forceOf(scenario, side);
  return cards.length * 2 ** tokens.length;
}

function strategies({ cards, tokens }: Force): Strategy[] {
  const total = cards.reduce((sum, { weight }) => sum + weight, 0);
  const subsets = Array.from({ length: 2 ** tokens.length }, (_, bits) =>
    tokens.map((_token, t) => (bits >> t) % 2 === 1),
  );
  return cards.flatMap((played, card) =>
    subsets.map((air) => ({
      card,
      air,
      cardName: played.name,
      tokens: tokens.filter((_, t) => air[t]).map(({ name }) => name),
      policy: tokens.reduce((p, { weight }, t) => p * (air[t] === true ? weight : 1 - weight), played.weight / total),
    })),
  );
}

/** What a side can expect to be left with. */
interface Remains {
  readonly hp: number;
  /** Probability that some unit lives. */
  readonly alive: number;
}

/** What is left of `force` with such a card against the dice of the enemy's choice. */
function remains(force: Force, symbols: number, enemy: Force, choice: Choice): Remains {
  const lots = lotsOf(enemy, choice);
  let [hp, alive] = [0, 0];
  const act = branches((door) => takeDamage(blowOf(force, door.faces(lots), symbols), door));
  for (const { value, probability } of act) {
    const left = value.hp.reduce((sum, each) => sum + each, 0);
    hp += probability * left;
    if (left > 0) alive += probability;
  }
  return { hp, alive };
}

/** What is left of a side by the enemy's choice and the symbols of its own card, each computed once. */
function remainsOf(forces: Forces, side: Side) {
  const known = new Map<string, Remains>();
  const enemy = forces[ENEMY[side]];
  return (own: Choice, other: Choice): Remains => {
    const symbols = forces[side].cards[own.card]?.symbols ?? 0;
    const key = `${String(symbols)};${String(other.card)};${other.air.join()}`;
    let found = known.get(key);
    if (found === undefined) {
      found = remains(forces[side], symbols, enemy, other);
      known.set(key, found);
    }
    return found;
  };
}

export interface CardGame {
  readonly attacker: readonly Strategy[];
  readonly defender: readonly Strategy[];
  /** matrix[a][d]: what the attacker expects of his strategy a against d. */
  readonly matrix: readonly (readonly number[])[];
}

/** The game of a scenario. Its cost is in proportion to the product of what `strategiesOf` gives. */
export function cardGame(scenario: StrengthCards, payoff: Payoff): CardGame {
  const forces = forcesOf(scenario);
  const { attacker, defender } = forces;
  const [attackers, defenders] = [strategies(attacker), strategies(defender)];
  const ofAttacker = remainsOf(forces, 'attacker');
  const ofDefender = remainsOf(forces, 'defender');

  function worth(a: Strategy, d: Strategy): number {
    const margin = attacker.strength - defender.strength + gainOf(attacker, a) - gainOf(defender, d);
    const won = winnerOf(margin, scenario.initiative) === 'attacker';
    if (payoff === 'win') return Number(won);
    if (payoff === 'capture') return won ? ofAttacker(a, d).alive : 0;
    const gone = won && !defender.retreats;
    return (won || attacker.retreats ? ofAttacker(a, d).hp : 0) - (gone ? 0 : ofDefender(d, a).hp);
  }

  return { attacker: attackers, defender: defenders, matrix: attackers.map((a) => defenders.map((d) => worth(a, d))) };
}
