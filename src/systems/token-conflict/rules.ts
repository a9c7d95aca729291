/** The rules of token conflict by id: where each comes from and how a replay tells it. */
import type { Facts } from '../../chance/door.ts';
import type { Rule } from '../system.ts';

const tokens = (f: Facts, fact = 'tokens'): string => (f[fact] === 1 ? '1 token' : `${f[fact]} tokens`);

/** The seed breaks off before the steps of a successful attack, and has no text of the advances. */
const OUTSIDE = 'completed from outside the seed';

export const rules = {
  count: {
    source: `${OUTSIDE}: counts as ranges or weights`,
    tell: (f) => `Tokens of ${f['player']} in ${f['area']}: ${f['tokens']}.`,
  },
  'conflict.limit': {
    source:
      'seed 004, the paragraph before Atakowanie miasta: no conflict of players who share an area within its limit',
    tell: (f) => `Conflict in ${f['area']}: ${tokens(f, 'total')} of several players, limit ${f['limit']}.`,
  },
  'conflict.city': {
    source: 'seed 004, Kolejność rozstrzygania konfliktów: tokens of several players beside a city',
    tell: (f) => `Conflict before the city in ${f['area']}, until one player is left.`,
  },
  'conflict.none': {
    source:
      'seed 004, the paragraph before Atakowanie miasta: no conflict of players who share an area within its limit',
    tell: (f) => `No conflict in ${f['area']}.`,
  },
  round: {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: rounds of token removal, counted anew each time',
    tell: (f) => `A round in ${f['area']}: ${f['tokens']}.`,
  },
  'order.tie': {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: equals remove tokens at the same time',
    tell: (f) => `Equals, at the same time: ${f['players']}.`,
  },
  'order.metalworking': {
    source: `${OUTSIDE}: advance metalworking`,
    tell: (f) => `With Metalworking ${f['player']} acts after everyone without.`,
  },
  'lose.token': {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: each removes one token, which returns to the stock',
    tell: (f) => `One token of ${f['player']} goes, ${f['left']} left.`,
  },
  'lose.ship': {
    source: `${OUTSIDE}: advance navalWarfare; policy sacrifice`,
    tell: (f) => `A ship of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'lose.adjacent': {
    source: `${OUTSIDE}: advance advancedMilitary; policy sacrifice`,
    tell: (f) => `An adjacent token of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'end.one': {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: ends when tokens of one player are left',
    tell: (f) => `Only ${f['player']} is left in ${f['area']}.`,
  },
  'end.limit': {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: ends when the limit is kept',
    tell: (f) => `Now ${f['area']} holds ${tokens(f, 'total')}, within its limit of ${f['limit']}.`,
  },
  'end.none': {
    source: 'seed 004, 4a. Rozstrzyganie konfliktów jednostek: removal at the same time can leave nobody',
    tell: (f) => `Nobody is left in ${f['area']}.`,
  },
  'attack.order': {
    source: 'seed 004, Kolejność rozstrzygania konfliktów, 4b: an owner orders attacks on its cities; policy cityOrder',
    tell: (f) => `Of its cities ${f['player']} lets ${f['area']} come next.`,
  },
  'attack.none': {
    source: 'seed 004, Atakowanie miasta: only tokens of others attack',
    tell: (f) => `The city in ${f['area']} is not attacked.`,
  },
  'attack.fails': {
    source: 'seed 004, 4b. Atakowanie miast: an attack that fails loses all its tokens; option needed',
    tell: (f) =>
      `With ${tokens(f)}, ${f['need']} needed, ${f['player']} fails before the city of ${f['owner']} in ` +
      `${f['area']} and loses ${f['tokens'] === 1 ? 'it' : 'them'}.`,
  },
  'attack.succeeds': {
    source: 'seed 004, 4b. Atakowanie miast: 7 tokens take a city; option needed',
    tell: (f) =>
      `With ${tokens(f)}, ${f['need']} needed, ${f['player']} takes the city of ${f['owner']} in ${f['area']}.`,
  },
  'engineering.attacker': {
    source: `${OUTSIDE}: advance engineering of the attacker`,
    tell: (f) => `The attacker has Engineering: ${f['need']} tokens suffice, the city becomes ${f['becomes']}.`,
  },
  'engineering.defender': {
    source: `${OUTSIDE}: advance engineering of the defender; option engineeringCity`,
    tell: (f) => `The defender has Engineering: ${f['need']} tokens are needed, the city becomes ${f['becomes']}.`,
  },
  'engineering.void': {
    source: `${OUTSIDE}: advance engineering of both`,
    tell: () => 'Both have Engineering: it counts for neither.',
  },
  'city.tokens': {
    source: `${OUTSIDE}: a city that falls becomes tokens of its owner; option cityTokens`,
    tell: (f) => `The city becomes ${tokens(f)} of ${f['player']}.`,
  },
  'city.short': {
    source: `${OUTSIDE}: the tokens come from the owner's stock, as far as it goes`,
    tell: (f) => `The city becomes only ${tokens(f)} instead of ${f['becomes']}: the stock of ${f['player']} is short.`,
  },
  'city.pirates': {
    source: `${OUTSIDE}: a pirate city becomes tokens of the barbarians, who have them without limit; option cityTokens`,
    tell: (f) => `The pirate city becomes ${tokens(f)} of the barbarians.`,
  },
  card: {
    source: `${OUTSIDE}: a card of the owner's hand for the attacker; policy takeCard`,
    tell: (f) => `A random card passes from ${f['from']} to ${f['player']}.`,
  },
  'card.left': {
    source: `${OUTSIDE}: policy takeCard`,
    tell: (f) => `No card is drawn: ${f['player']} does without.`,
  },
  'card.none': {
    source: `${OUTSIDE}: no card of an empty hand`,
    tell: (f) => `No card is drawn: ${f['from']} has none.`,
  },
  'card.pirates': {
    source: `${OUTSIDE}: pirates hold no cards`,
    tell: () => 'Pirates have no cards to draw from.',
  },
  treasury: {
    source: `${OUTSIDE}: tokens of the attacker pass from stock to treasury; option treasury, policy takeTreasury`,
    tell: (f) => `From stock to treasury: ${tokens(f)} of ${f['player']}.`,
  },
  'treasury.left': {
    source: `${OUTSIDE}: policy takeTreasury`,
    tell: (f) => `Nothing goes to the treasury: ${f['player']} does without.`,
  },
  'treasury.none': {
    source: `${OUTSIDE}: nothing of an empty stock; option treasury`,
    tell: (f) =>
      f['most'] === 0
        ? 'Nothing goes to the treasury in this scenario.'
        : `Nothing goes to the treasury: the stock of ${f['player']} is empty.`,
  },
  'reward.barbarians': {
    source: `${OUTSIDE}: barbarians get neither cards nor treasury`,
    tell: () => 'Barbarians take no card and have no treasury.',
  },
  'pirates.stay': {
    source: `${OUTSIDE}: barbarians of a fallen city remain; option pirateSurvivors: stay`,
    tell: (f) => `Of the pirate city ${tokens(f)} of the barbarians stay.`,
  },
  'pirates.remove': {
    source: `${OUTSIDE}: barbarians of a fallen city leave; option pirateSurvivors: remove`,
    tell: (f) => `Of the pirate city ${tokens(f)} of the barbarians leave.`,
  },
} satisfies Record<string, Rule>;
