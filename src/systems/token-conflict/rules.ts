/** The rules of token conflict by id: where each comes from and how a replay tells it. */
import type { Facts } from '../../chance/door.ts';
import type { Model, Rule } from '../system.ts';
import { modelOf } from './model.ts';
import { joined, outcomesByArea } from './outcomes.ts';
import { planOf } from './plan.ts';
import type { TokenConflict } from './schema.ts';
import type { ConflictState } from './state.ts';

export function model(scenario: TokenConflict): Model<ConflictState> {
  const plan = planOf(scenario);
  return modelOf(plan, joined(outcomesByArea(scenario, plan)));
}

const tokens = (f: Facts, fact = 'tokens'): string => (f[fact] === 1 ? '1 token' : `${f[fact]} tokens`);

export const rules = {
  count: {
    source: 'option: counts as ranges or weights',
    tell: (f) => `Tokens of ${f['player']} in ${f['area']}: ${f['tokens']}.`,
  },
  'conflict.limit': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: several players above the limit',
    tell: (f) => `Conflict in ${f['area']}: ${tokens(f, 'total')} of several players, limit ${f['limit']}.`,
  },
  'conflict.city': {
    source: 'seed 004, Kolejność rozstrzygania konfliktów: several players beside a city',
    tell: (f) => `Conflict before the city in ${f['area']}, until one player is left.`,
  },
  'conflict.none': {
    source: 'seed 004, conflict arises only between players above the limit, or beside a city',
    tell: (f) => `No conflict in ${f['area']}.`,
  },
  round: {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: rounds of token removal, counted anew each time',
    tell: (f) => `A round in ${f['area']}: ${f['tokens']}.`,
  },
  'order.tie': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: equals remove tokens at the same time',
    tell: (f) => `Equals, at the same time: ${f['players']}.`,
  },
  'order.metalworking': {
    source: 'advance metalworking',
    tell: (f) => `With Metalworking ${f['player']} acts after everyone without.`,
  },
  'lose.token': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: each removes one token, to his stock',
    tell: (f) => `One token of ${f['player']} goes, ${f['left']} left.`,
  },
  'lose.ship': {
    source: 'advance navalWarfare; policy sacrifice',
    tell: (f) => `A ship of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'lose.adjacent': {
    source: 'advance advancedMilitary; policy sacrifice',
    tell: (f) => `An adjacent token of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'end.one': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: ends when tokens of one player are left',
    tell: (f) => `Only ${f['player']} is left in ${f['area']}.`,
  },
  'end.limit': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: ends when the limit is kept',
    tell: (f) => `Now ${f['area']} holds ${tokens(f, 'total')}, within its limit of ${f['limit']}.`,
  },
  'end.none': {
    source: 'seed 004, Rozstrzyganie konfliktów jednostek: removal at the same time can leave nobody',
    tell: (f) => `Nobody is left in ${f['area']}.`,
  },
  'attack.none': {
    source: 'seed 004, Atakowanie miasta: only tokens of others attack',
    tell: (f) => `The city in ${f['area']} is not attacked.`,
  },
  'attack.fails': {
    source: 'seed 004, Atakowanie miast: with fewer tokens than needed all are lost',
    tell: (f) =>
      `With ${tokens(f)}, ${f['need']} needed, ${f['player']} fails before the city of ${f['owner']} in ` +
      `${f['area']} and loses them.`,
  },
  'attack.succeeds': {
    source: 'seed 004, Atakowanie miast: 7 tokens take a city',
    tell: (f) =>
      `With ${tokens(f)}, ${f['need']} needed, ${f['player']} takes the city of ${f['owner']} in ${f['area']}.`,
  },
  'engineering.attacker': {
    source: 'advance engineering of the attacker',
    tell: (f) => `The attacker has Engineering: ${f['need']} tokens suffice, the city becomes ${f['becomes']}.`,
  },
  'engineering.defender': {
    source: 'advance engineering of the defender; option engineeringCity',
    tell: (f) => `The defender has Engineering: ${f['need']} tokens are needed, the city becomes ${f['becomes']}.`,
  },
  'engineering.void': {
    source: 'advance engineering of both',
    tell: () => 'Both have Engineering: it counts for neither.',
  },
  'city.tokens': {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 1',
    tell: (f) => `The city becomes ${tokens(f)} of ${f['player']}.`,
  },
  'city.short': {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 1: a stock that is short',
    tell: (f) => `The city becomes only ${tokens(f)} instead of ${f['becomes']}: the stock of ${f['player']} is short.`,
  },
  'city.pirates': {
    source: 'seed 004, Barbarzyńcy: pirate cities are theirs, and they have tokens without limit',
    tell: (f) => `The pirate city becomes ${tokens(f)} of the barbarians.`,
  },
  card: {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 3; policy takeCard',
    tell: (f) => `A random card passes from ${f['from']} to ${f['player']}.`,
  },
  'card.left': {
    source: 'policy takeCard',
    tell: (f) => `No card is drawn: ${f['player']} does without.`,
  },
  'card.none': {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 3: an empty hand',
    tell: (f) => `No card is drawn: ${f['from']} has none.`,
  },
  'card.pirates': {
    source: 'seed 004, Barbarzyńcy: pirates hold no cards',
    tell: () => 'Pirates have no cards to draw from.',
  },
  treasury: {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 4; policy takeTreasury',
    tell: (f) => `From stock to treasury: ${tokens(f)} of ${f['player']}.`,
  },
  'treasury.left': {
    source: 'policy takeTreasury',
    tell: (f) => `Nothing goes to the treasury: ${f['player']} does without.`,
  },
  'treasury.none': {
    source: 'seed 004, Rozpatrywanie udanego ataku na miasto, step 4: an empty stock',
    tell: (f) => `Nothing goes to the treasury: the stock of ${f['player']} is empty.`,
  },
  'reward.barbarians': {
    source: 'seed 004, Barbarzyńcy: they get neither cards nor treasury',
    tell: () => 'Barbarians take no card and have no treasury.',
  },
  'pirates.stay': {
    source: 'option pirateSurvivors: stay',
    tell: (f) => `Of the pirate city ${tokens(f)} of the barbarians stay.`,
  },
  'pirates.remove': {
    source: 'option pirateSurvivors: remove',
    tell: (f) => `Of the pirate city ${tokens(f)} of the barbarians leave.`,
  },
} satisfies Record<string, Rule>;
