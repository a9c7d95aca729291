/** Strength and cards as an environment: cards, air tokens, and the unit that takes the next point of damage. */
import { InputError } from '../../core/errors.ts';
import { lead, type Rollout, type Weights } from '../rollout.ts';
import type { Written } from '../struct.ts';
import { type Force, type Forces, forcesOf, NONE, SIDES } from './forces.ts';
import { EXTRA, type EXTRA_SIDE, EXTRA_UNIT, POINTS } from './layout.ts';
import type { EngagementState } from './model.ts';
import { featuresOf, observe, PLAIN } from './observe.ts';
import { decode } from './record.ts';
import type { StrengthCards } from './schema.ts';

const [CARD, AIR, LOSSES] = POINTS;
const [PLAY, HOLD] = ['air:play', 'air:hold'] as const;

const namesOf = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

function action(point: string, option: string | number): string {
  if (point === CARD) return `card:${String(option)}`;
  if (point === LOSSES) return `hit:${String(option)}`;
  return option === NONE ? HOLD : PLAY;
}

/** Options of either side. Tokens that are played are one action, which is there without any, too. */
function optionsOf({ attacker, defender }: Forces) {
  const either = (kind: 'cards' | 'units') => [...new Set([...namesOf(attacker[kind]), ...namesOf(defender[kind])])];
  return { [CARD]: either('cards'), [AIR]: ['token', NONE], [LOSSES]: either('units') };
}

/** Names of all actions, in their order. */
function actionsOf(forces: Forces): string[] {
  return Object.entries(optionsOf(forces)).flatMap(([point, options]) => options.map((each) => action(point, each)));
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

const signOf = (player: string): 1 | -1 => (player === SIDES[0] ? 1 : -1);

function healthLead(forces: Forces, player: string): Weights {
  const attacker = ['hp.attacker', forces.attacker.health] as const;
  const defender = ['hp.defender', forces.defender.health] as const;
  return signOf(player) > 0 ? lead(attacker, defender) : lead(defender, attacker);
}

export function rollout(scenario: StrengthCards): Rollout<EngagementState> {
  const forces = forcesOf(scenario);
  return {
    points: POINTS,
    players: SIDES,
    actions: optionsOf(forces),
    action,
    features: featuresOf(forces),
    observe: (state, player) => observe(scenario, state, player),
    kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
    rewards: {
      hp: (player) => healthLead(forces, player),
      material: (player) => material(forces, signOf(player)),
      capture: (player) => ({ captured: signOf(player) }),
    },
  };
}
