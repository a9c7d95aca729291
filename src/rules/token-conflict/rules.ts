/** Rules of token conflict by id: their sources and their sentences in replays. */
import type { EventData } from '../../core/index.ts';
import type { Rule } from '../system.ts';

const formatTokens = (f: EventData, fact = 'tokens'): string => (f[fact] === 1 ? '1 token' : `${f[fact]} tokens`);

export const rules = {
  count: {
    source: 'counts as ranges or weights',
    outside: true,
    describe: (f) => `Tokens of ${f['player']} in ${f['area']}: ${f['tokens']}.`,
  },
  'conflict.limit': {
    source: 'the paragraph before Attacking a city: no conflict of players who share an area within its limit',
    original: 'Atakowanie miasta',
    describe: (f) => `Conflict in ${f['area']}: ${formatTokens(f, 'total')} of several players, limit ${f['limit']}.`,
  },
  'conflict.city': {
    source: 'Order of conflicts: tokens of several players next to a city',
    original: 'Kolejność rozstrzygania konfliktów',
    describe: (f) => `Conflict before the city in ${f['area']}, until one player is left.`,
  },
  'conflict.none': {
    source: 'the paragraph before Attacking a city: no conflict of players who share an area within its limit',
    original: 'Atakowanie miasta',
    describe: (f) => `No conflict in ${f['area']}.`,
  },
  round: {
    source: '4a. Conflicts of units: rounds of token removal, counted anew each time',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `A round in ${f['area']}: ${f['tokens']}.`,
  },
  'order.tie': {
    source: '4a. Conflicts of units: equals remove tokens at the same time',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `Equals, at the same time: ${f['players']}.`,
  },
  'order.metalworking': {
    source: 'advance metalworking',
    outside: true,
    describe: (f) => `With Metalworking ${f['player']} acts after everyone without.`,
  },
  'lose.token': {
    source: '4a. Conflicts of units: each removes one token, which returns to the stock',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `One token of ${f['player']} goes, ${f['left']} left.`,
  },
  'lose.ship': {
    source: 'advance navalWarfare; policy sacrifice',
    outside: true,
    describe: (f) => `A ship of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'lose.adjacent': {
    source: 'advance advancedMilitary; policy sacrifice',
    outside: true,
    describe: (f) => `An adjacent token of ${f['player']} goes instead, ${f['left']} left.`,
  },
  'end.one': {
    source: '4a. Conflicts of units: ends when tokens of one player are left',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `Only ${f['player']} is left in ${f['area']}.`,
  },
  'end.limit': {
    source: '4a. Conflicts of units: ends when the limit is kept',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `Now ${f['area']} holds ${formatTokens(f, 'total')}, within its limit of ${f['limit']}.`,
  },
  'end.none': {
    source: '4a. Conflicts of units: removal at the same time can leave nobody',
    original: '4a. Rozstrzyganie konfliktów jednostek',
    describe: (f) => `Nobody is left in ${f['area']}.`,
  },
  'attack.order': {
    source: 'Order of conflicts, 4b: an owner orders attacks on its cities; policy cityOrder',
    original: 'Kolejność rozstrzygania konfliktów',
    describe: (f) => `${f['player']} chooses that its city in ${f['area']} is attacked next.`,
  },
  'attack.none': {
    source: 'Attacking a city: only tokens of others attack',
    original: 'Atakowanie miasta',
    describe: (f) => `The city in ${f['area']} is not attacked.`,
  },
  'attack.fails': {
    source: '4b. Attacking cities: an attack that fails loses all its tokens; option needed',
    original: '4b. Atakowanie miast',
    describe: (f) =>
      `With ${formatTokens(f)}, ${f['need']} needed, ${f['player']} fails before the city of ${f['owner']} in ` +
      `${f['area']} and loses ${f['tokens'] === 1 ? 'it' : 'them'}.`,
  },
  'attack.succeeds': {
    source: '4b. Attacking cities: 7 tokens take a city; option needed',
    original: '4b. Atakowanie miast',
    describe: (f) =>
      `With ${formatTokens(f)}, ${f['need']} needed, ${f['player']} takes the city of ${f['owner']} in ${f['area']}.`,
  },
  'engineering.attacker': {
    source: 'advance engineering of the attacker',
    outside: true,
    describe: (f) => `The attacker has Engineering: ${f['need']} tokens suffice, the city becomes ${f['becomes']}.`,
  },
  'engineering.defender': {
    source: 'advance engineering of the defender; option engineeringCity',
    outside: true,
    describe: (f) => `The defender has Engineering: ${f['need']} tokens are needed, the city becomes ${f['becomes']}.`,
  },
  'engineering.void': {
    source: 'advance engineering of both',
    outside: true,
    describe: () => 'Both have Engineering: it counts for neither.',
  },
  'city.tokens': {
    source: 'a city that falls becomes tokens of its owner; option cityTokens',
    outside: true,
    describe: (f) => `The city becomes ${formatTokens(f)} of ${f['player']}.`,
  },
  'city.short': {
    source: "the tokens come from the owner's stock, as far as it goes",
    outside: true,
    describe: (f) =>
      `The city becomes only ${formatTokens(f)} instead of ${f['becomes']}: the stock of ${f['player']} is short.`,
  },
  'city.pirates': {
    source: 'a pirate city becomes tokens of the barbarians, who have them without limit; option cityTokens',
    outside: true,
    describe: (f) => `The pirate city becomes ${formatTokens(f)} of the barbarians.`,
  },
  card: {
    source: "a card of the owner's hand for the attacker; policy takeCard",
    outside: true,
    describe: (f) => `A random card passes from ${f['from']} to ${f['player']}.`,
  },
  'card.left': {
    source: 'policy takeCard',
    outside: true,
    describe: (f) => `No card is drawn: ${f['player']} does without.`,
  },
  'card.none': {
    source: 'no card of an empty hand',
    outside: true,
    describe: (f) => `No card is drawn: ${f['from']} has none.`,
  },
  'card.pirates': {
    source: 'pirates hold no cards',
    outside: true,
    describe: () => 'Pirates have no cards to draw from.',
  },
  treasury: {
    source: 'tokens of the attacker pass from stock to treasury; option treasury, policy takeTreasury',
    outside: true,
    describe: (f) => `From stock to treasury: ${formatTokens(f)} of ${f['player']}.`,
  },
  'treasury.left': {
    source: 'policy takeTreasury',
    outside: true,
    describe: (f) => `Nothing goes to the treasury: ${f['player']} does without.`,
  },
  'treasury.none': {
    source: 'nothing of an empty stock; option treasury',
    outside: true,
    describe: (f) =>
      f['most'] === 0
        ? 'Nothing goes to the treasury in this scenario.'
        : `Nothing goes to the treasury: the stock of ${f['player']} is empty.`,
  },
  'reward.barbarians': {
    source: 'barbarians get neither cards nor treasury',
    outside: true,
    describe: () => 'Barbarians take no card and have no treasury.',
  },
  'pirates.stay': {
    source: 'barbarians of a fallen city remain; option pirateSurvivors: stay',
    outside: true,
    describe: (f) => `Of the pirate city ${formatTokens(f)} of the barbarians stay.`,
  },
  'pirates.remove': {
    source: 'barbarians of a fallen city leave; option pirateSurvivors: remove',
    outside: true,
    describe: (f) => `Of the pirate city ${formatTokens(f)} of the barbarians leave.`,
  },
} satisfies Record<string, Rule>;
