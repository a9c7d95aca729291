/** Encodes the scenario for assembly/systems/strength-cards.ts. */
import { computeWeightThresholds, type DiceSet, getDiceSetTable } from '../../core/index.ts';
import { LayoutBuilder } from '../layout.ts';
import type { StructInput } from '../struct.ts';
import { type CardForce, getForces } from './army.ts';
import { ABSORBER, CARD, FATES, type FORCE, HEAD, TOKEN } from './layout.ts';
import { ABSORBERS, type StrengthCards } from './schema.ts';

/** Encodes a dice set as its least sum and the thresholds of greater ones. */
function encodeDiceSet(layout: LayoutBuilder, dice: DiceSet): number {
  const { least, table } = getDiceSetTable(dice);
  const offset = layout.words([least]);
  layout.quantiles(table);
  return offset;
}

/** Creates an encoder in which equal dice sets share a table. */
function createDiceSetEncoder(layout: LayoutBuilder): (dice: DiceSet) => number {
  const none = encodeDiceSet(layout, []);
  return (dice) => (dice.length === 0 ? none : encodeDiceSet(layout, dice));
}

function encodeToken(
  { strength, dice, weight }: CardForce['tokens'][number],
  table: (dice: DiceSet) => number,
): StructInput<typeof TOKEN> {
  const fate = weight <= 0 ? 'held' : weight >= 1 ? 'played' : 'drawn';
  const [threshold = 0] = fate === 'drawn' ? computeWeightThresholds([1 - weight, weight]) : [];
  return { strength, dice: table(dice), fate: FATES.indexOf(fate), threshold };
}

/** Exceeds any damage. */
const NO_LIMIT = 2 ** 31 - 1;

function encodeSide(
  layout: LayoutBuilder,
  force: CardForce,
  table: (dice: DiceSet) => number,
): StructInput<typeof FORCE> {
  const { cards, tokens, units, order, losses, absorb, retreats } = force;
  const weights = cards.map(({ weight }) => weight);
  const possible = weights.filter((weight) => weight > 0).length;
  const lead = (card: CardForce['cards'][number]): number => card.strength - card.enemyStrength;
  const cardTable = cards.map((card) => ({ lead: lead(card), symbols: card.symbols, dice: table(card.dice) }));
  const tokenTable = tokens.map((each) => encodeToken(each, table));
  return {
    onlyCard: possible === 1 ? weights.findIndex((weight) => weight > 0) : -1,
    cardDraw: layout.quantiles(computeWeightThresholds(weights)),
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
  const layout = new LayoutBuilder(HEAD.size);
  const { attacker, defender } = getForces(scenario);
  const { fortification, portFleets } = scenario.defender;
  const table = createDiceSetEncoder(layout);
  const ahead = attacker.strength - defender.strength;
  const head = HEAD.pack({
    ahead,
    initiative: scenario.initiative === 'attacker',
    ...{ fortification, portFleets },
    sides: [encodeSide(layout, attacker, table), encodeSide(layout, defender, table)],
  });
  return layout.finish(head);
}
