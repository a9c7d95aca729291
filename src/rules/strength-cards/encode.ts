/** The scenario as assembly/systems/strength-cards.ts reads it. */
import { facesTable, type Lot, weightThresholds } from '../../core/index.ts';
import { Layout } from '../layout.ts';
import type { Written } from '../struct.ts';
import { type CardForce, forcesOf } from './army.ts';
import { ABSORBER, CARD, FATES, type FORCE, HEAD, TOKEN } from './layout.ts';
import { ABSORBERS, type StrengthCards } from './schema.ts';

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

function token(
  { strength, dice, weight }: CardForce['tokens'][number],
  table: (dice: Lot) => number,
): Written<typeof TOKEN> {
  const fate = weight <= 0 ? 'held' : weight >= 1 ? 'played' : 'drawn';
  const [threshold = 0] = fate === 'drawn' ? weightThresholds([1 - weight, weight]) : [];
  return { strength, dice: table(dice), fate: FATES.indexOf(fate), threshold };
}

/** More points than can be dealt. */
const NO_LIMIT = 2 ** 31 - 1;

function side(layout: Layout, force: CardForce, table: (dice: Lot) => number): Written<typeof FORCE> {
  const { cards, tokens, units, order, losses, absorb, retreats } = force;
  const weights = cards.map(({ weight }) => weight);
  const possible = weights.filter((weight) => weight > 0).length;
  const lead = (card: CardForce['cards'][number]): number => card.strength - card.enemyStrength;
  const cardTable = cards.map((card) => ({ lead: lead(card), symbols: card.symbols, dice: table(card.dice) }));
  const tokenTable = tokens.map((each) => token(each, table));
  return {
    onlyCard: possible === 1 ? weights.findIndex((weight) => weight > 0) : -1,
    cardDraw: layout.quantiles(weightThresholds(weights)),
    cards: layout.records(CARD, cardTable),
    tokenCount: tokens.length,
    tokens: layout.records(TOKEN, tokenTable),
    lot: table(force.lot),
    units: units.length,
    hp: layout.words(order.map((index) => force.hp[index] ?? 0)),
    health: force.health,
    spread: losses === 'spread',
    absorberCount: absorb.length,
    absorbers: layout.records(
      ABSORBER,
      absorb.map(({ by, most }) => ({ by: ABSORBERS.indexOf(by), most: Math.min(most, NO_LIMIT) })),
    ),
    nowhere: !retreats,
  };
}

export function encode(scenario: StrengthCards): Int32Array<ArrayBuffer> {
  const layout = new Layout(HEAD.size);
  const { attacker, defender } = forcesOf(scenario);
  const { fortification, portFleets } = scenario.defender;
  const table = lots(layout);
  const ahead = attacker.strength - defender.strength;
  const head = HEAD.pack({
    ahead,
    initiative: scenario.initiative === 'attacker',
    ...{ fortification, portFleets },
    sides: [side(layout, attacker, table), side(layout, defender, table)],
  });
  return layout.finish(head);
}
