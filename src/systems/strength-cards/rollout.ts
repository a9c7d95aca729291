/** Strength and cards as an environment: cards, air tokens, and the unit that takes the next point of damage. */
import { InputError } from '../../errors.ts';
import { lead, type Rollout, type Weights, worthOf } from '../rollout.ts';
import type { Written } from '../struct.ts';
import type { EngagementState } from './engagement.ts';
import { type Force, type Forces, forcesOf, NONE, SIDES } from './forces.ts';
import { EXTRA, type EXTRA_SIDE, EXTRA_UNIT, POINTS } from './layout.ts';
import type { StrengthCards } from './schema.ts';
import { featuresOf, observe, PLAIN } from './sight.ts';
import { decode } from './words.ts';

const [CARD, , LOSSES] = POINTS;
const [PLAY, HOLD] = ['air:play', 'air:hold'] as const;

const namesOf = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

function action(point: string, option: string | number): string {
  if (point === CARD) return `card:${String(option)}`;
  if (point === LOSSES) return `hit:${String(option)}`;
  return option === NONE ? HOLD : PLAY;
}

function actionsOf({ attacker, defender }: Forces): string[] {
  const cards = [...attacker.cards, ...defender.cards];
  const units = [...attacker.units, ...defender.units];
  return [
    ...new Set(namesOf(cards).map((name) => action(CARD, name))),
    ...[PLAY, HOLD],
    ...new Set(namesOf(units).map((name) => action(LOSSES, name))),
  ];
}

/** What the kernel asks for beside the scenario; units are in the order of the losses policy. */
function encode(scenario: StrengthCards): readonly number[] {
  const forces = forcesOf(scenario);
  const actions = actionsOf(forces);
  const tables: number[] = [];
  const place = (table: readonly number[]): number => {
    const at = EXTRA.size + tables.length;
    tables.push(...table);
    return at;
  };
  let feature = PLAIN;
  const sides = SIDES.map((side): Written<typeof EXTRA_SIDE> => {
    const { cards, tokens, units, order }: Force = forces[side];
    const [cardsAt, tokensAt, unitAt] = [feature, feature + cards.length, feature + cards.length + tokens.length];
    feature = unitAt + units.length;
    const played = namesOf(cards).map((name) => actions.indexOf(action(CARD, name)));
    const hit = order.flatMap((index) => {
      const name = units[index]?.name ?? '';
      return EXTRA_UNIT.pack({ action: actions.indexOf(action(LOSSES, name)), feature: unitAt + index });
    });
    return { cards: cards.length, cardsAt, tokensAt, cardTable: place(played), unitTable: place(hit) };
  });
  const strength = SIDES.map((side) => forces[side].strength);
  return [...EXTRA.pack({ play: actions.indexOf(PLAY), strength, sides }), ...tables];
}

/** Shares of the units that each side began with; what is eliminated in retreat is gone too. */
function material({ attacker, defender }: Forces, sign: 1 | -1): Weights {
  if (!attacker.retreats && !defender.retreats) {
    const expected = 'hp, capture or a table: eliminated units can be of either side where both have retreatTo: none';
    throw new InputError('reward', expected, '"material"');
  }
  const [own, enemy] = [-sign / attacker.units.length, sign / defender.units.length];
  return { 'lost.attacker': own, 'lost.defender': enemy, eliminated: attacker.retreats ? enemy : own };
}

function weights(scenario: StrengthCards, reward: string, player: string): Weights {
  const sign = player === SIDES[0] ? 1 : -1;
  if (reward === 'capture') return { captured: sign };
  const forces = forcesOf(scenario);
  if (reward !== 'hp') return material(forces, sign);
  const attacker = ['hp.attacker', forces.attacker.health] as const;
  const defender = ['hp.defender', forces.defender.health] as const;
  return sign > 0 ? lead(attacker, defender) : lead(defender, attacker);
}

export const rollout: Rollout<StrengthCards, EngagementState> = {
  points: POINTS,
  players: () => SIDES,
  actions: (scenario) => actionsOf(forcesOf(scenario)),
  action,
  features: (scenario) => featuresOf(forcesOf(scenario)),
  observe,
  encode,
  decode,
  worth: (_, outcome, player) => worthOf(SIDES, outcome, player),
  rewards: ['hp', 'material', 'capture'],
  weights,
};
