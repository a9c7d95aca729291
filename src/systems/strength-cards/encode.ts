/** The scenario as assembly/systems/strength-cards.ts reads it. */
import type { Lot } from '../../chance/door.ts';
import { facesTable, weightThresholds } from '../../chance/laws.ts';
import { Layout } from '../layout.ts';
import { type Force, forcesOf } from './forces.ts';
import { ABSORBERS, type StrengthCards } from './schema.ts';

/** Words of the head: options, then each side. */
const OPTIONS = 4;
const SIDE_WORDS = 14;

/** What becomes of an air token: never played, always played, or drawn. */
const HELD = 0;
const PLAYED = 1;
const DRAWN = 2;

/** A lot as its least sum and the thresholds of greater ones. */
function lot(layout: Layout, dice: Lot): number {
  const { least, table } = facesTable(dice);
  const offset = layout.words([least]);
  layout.quantiles(table);
  return offset;
}

/** Lots that come again share a table. */
function lots(layout: Layout): (dice: Lot) => number {
  const none = lot(layout, []);
  return (dice) => (dice.length === 0 ? none : lot(layout, dice));
}

/** A token as [half points, table of its dice, what becomes of it, the least word with which it is played]. */
function token({ strength, dice, weight }: Force['tokens'][number], table: (dice: Lot) => number): number[] {
  const fate = weight <= 0 ? HELD : weight >= 1 ? PLAYED : DRAWN;
  const [threshold = 0] = fate === DRAWN ? weightThresholds([1 - weight, weight]) : [];
  return [strength, table(dice), fate, threshold | 0];
}

/**
 * What a side has: the only card with a weight, or -1; the table by which a card is drawn; cards as [half points
 * that they put the side ahead, symbols, table of their dice]; number of tokens and they themselves; table of the
 * units' dice; number of units, their hit points in the order of the losses policy, the sum of them, and whether
 * losses are spread; what takes damage before what, and whether its survivors have nowhere to go.
 */
function side(layout: Layout, force: Force, table: (dice: Lot) => number): (number | boolean)[] {
  const { cards, tokens, units, order, losses, absorb, retreats } = force;
  const weights = cards.map(({ weight }) => weight);
  const possible = weights.filter((weight) => weight > 0).length;
  const cardWords = cards.flatMap((card) => [card.strength - card.enemyStrength, card.symbols, table(card.dice)]);
  const tokenWords = tokens.flatMap((each) => token(each, table));
  return [
    possible === 1 ? weights.findIndex((weight) => weight > 0) : -1,
    layout.quantiles(weightThresholds(weights)),
    layout.words(cardWords),
    tokens.length,
    layout.words(tokenWords),
    table(force.lot),
    units.length,
    layout.words(order.map((index) => force.hp[index] ?? 0)),
    force.health,
    losses === 'spread',
    ...absorb.map((absorber) => ABSORBERS.indexOf(absorber)),
    !retreats,
  ];
}

export function encode(scenario: StrengthCards): Int32Array<ArrayBuffer> {
  const layout = new Layout(OPTIONS + 2 * SIDE_WORDS);
  const { attacker, defender } = forcesOf(scenario);
  const { fortification, portFleets } = scenario.defender;
  const table = lots(layout);
  const ahead = attacker.strength - defender.strength;
  layout.set(0, ahead, scenario.initiative === 'attacker', fortification, portFleets);
  layout.set(OPTIONS, ...side(layout, attacker, table));
  layout.set(OPTIONS + SIDE_WORDS, ...side(layout, defender, table));
  return layout.finish();
}
