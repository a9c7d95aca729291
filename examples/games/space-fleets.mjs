/** Space combat and landings of Twilight Imperium, fourth edition: each d10 hits on its unit's combat value or more. */
import { sum as added, count, d, defineSystem, integer, named, z } from 'warpool/system';

/** @typedef {'attacker' | 'defender'} Side */
/** @typedef {{ attacker: number[], defender: number[], next: number[], opening: boolean, landed: boolean,
 *  leaving: boolean }} State Numbers of units by type. `next`: the defender's units after the attacker's fire. */

/** Combat value, upgraded combat value, dice and price in half resources, in the default order of losses. */
const UNITS = `warSun 3 3 3 24,flagship 5 5 2 16,dreadnought 5 5 1 8,fighter 9 8 1 1,destroyer 9 8 1 2,cruiser 7 6 1 4,
carrier 9 9 1 6,damagedDreadnought 5 5 1 8,damagedFlagship 5 5 2 16,damagedWarSun 3 3 3 24,mech 6 6 1 4,infantry 8 7 1 1,
damagedMech 6 6 1 4`.split(/,\s?/);
const [TYPES, ...COLUMNS] = [0, 1, 2, 3, 4].map((k) => UNITS.map((unit) => unit.split(' ')[k]));
const [COMBAT, UPGRADED, DICE, PRICES] = COLUMNS.map((column) => column.map(Number));
const FOE = /** @type {const} */ ({ attacker: 'defender', defender: 'attacker' });
const [WAR_SUN, , DREADNOUGHT, FIGHTER, DESTROYER, , , HIT_DREADNOUGHT, , HIT_WAR_SUN, MECH] = TYPES.keys();
const isShip = (type) => type < MECH;
/** Unit types that can be hit, by the aim of the fire. */
const AIMS = { fighters: (type) => type === FIGHTER, ships: isShip, troops: (type) => !isShip(type) };
/** Damaged type after a first hit, or -1. In UNITS, such ships and troops are hit first, because no unit is lost. */
const HURT = TYPES.map((type) => TYPES.indexOf(`damaged${type.charAt(0).toUpperCase()}${type.slice(1)}`));
const sum = (units, worth = (_) => 1) => units.reduce((all, n, type) => all + n * Number(worth(type)), 0);
const told = (units) => units.flatMap((n, t) => (n > 0 ? [`${n} ${TYPES[t]}`] : [])).join(', ');
const byType = (of) => Object.fromEntries(TYPES.map((type, t) => [type, of(type, t)]));
const RETREAT = { stay: ['stays', 'stay'], retreat: ['announces a retreat', 'announce a retreat'] };
const LOSES = byType((type) => [`loses ${type} first`, `lose ${type} first`]);
const LAWS = new Map(); // Distributions of the number of hits, by a text such as `2d10 at 5+`; each is computed once.
const hitsOf = (dice) => {
  const name = dice.map(([n, value]) => `${n}d10 at ${value}+`).join(', ');
  if (!LAWS.has(name)) {
    const laws = dice.map(([n, value]) => count(n, d(10), (face) => face >= value));
    LAWS.set(name, named(`hits of ${name}`, added(...laws)));
  }
  return LAWS.get(name);
};

const side = z.strictObject({
  ...byType((_, t) => integer(0, 30, `${DICE[t]} d10, combat ${COMBAT[t]}; ${PRICES[t] / 2} resources.`).default(0)),
  pds: integer(0, 12, 'Guns: 6 or more, upgraded 5. Of the defender they also shield the planet.').default(0),
  upgraded: z
    .array(z.enum(['fighter', 'destroyer', 'cruiser', 'infantry', 'pds']))
    .default([])
    .meta({ description: 'Types that are upgraded.' }),
  bonus: integer(-3, 3, 'Added to the combat rolls.').default(0),
  losses: z.array(z.enum(TYPES)).default([]).meta({ description: 'Lost first, in this order; then the usual one.' }),
});

export default defineSystem({
  id: 'space-fleets',
  title: 'Space fleets and landings',
  about: 'Space cannon, barrage, rounds of combat, bombardment and ground combat, d10 each, as in Twilight Imperium.',
  fields: {
    ...{ attacker: side, defender: side },
    retreatAt: integer(0, 300, 'The attacker announces a retreat with so many ships or fewer.').default(0),
  },
  costs: byType((_, t) => PRICES[t] / 2),
  decisions: [
    { point: 'retreat', who: 'attacker', about: 'Before a space round.', policies: ['retreatAt'], describe: RETREAT },
    {
      point: 'losses',
      who: 'both',
      about: 'Before enemy fire: what is lost first.',
      policies: ['losses'],
      describe: LOSES,
    },
  ],
  rules: {
    order: ({ who, type }) => `The ${who} loses ${type} first.`,
    fires: ({ who, what, aim, hits, enemy, left }) =>
      `${what} of the ${who} at ${aim}; hits: ${hits}. The ${enemy} has ${left || 'nothing'} left.`,
    announces: ({ choice }) => `The attacker means to ${choice}.`,
  },
  examples: {
    duel: { attacker: { dreadnought: 1, fighter: 1 }, defender: { cruiser: 1, destroyer: 1 }, retreatAt: 1 },
    invasion: { attacker: { warSun: 1, infantry: 1 }, defender: { fighter: 1, pds: 1, infantry: 1 } },
    raid: { attacker: { dreadnought: 1, mech: 1, upgraded: ['pds'], pds: 1 }, defender: { infantry: 1 } },
  },
  battle({ retreatAt, ...sides }) {
    const begun = (who) => TYPES.map((type) => sides[who][type]);
    const order = (who) => [...new Set([...sides[who].losses, ...TYPES])].map((type) => TYPES.indexOf(type));
    const orders = { attacker: order('attacker'), defender: order('defender') };
    const isUp = (who, type) => sides[who].upgraded.includes(type);
    /** Returns true if the attacker can land: it has ships and troops, and the defender has no ships. */
    const clear = ({ attacker, defender }) =>
      sum(defender, isShip) === 0 && sum(attacker, isShip) > 0 && sum(attacker, AIMS.troops) > 0;
    /** Returns the fire of a side in a part of the round: name, aim, [number of dice, minimum roll] pairs. */
    const volley = (who, part, { opening, landed, ...state }) => {
      const own = state[who];
      const guns = [[sides[who].pds, isUp(who, 'pds') ? 5 : 6]];
      if (part === 'cannon') return ['Space cannon', 'ships', opening ? guns : []];
      if (part === 'barrage') {
        const [dice, value] = isUp(who, 'destroyer') ? [3, 6] : [2, 9];
        return ['Anti-fighter barrage', 'fighters', opening ? [[own[DESTROYER] * dice, value]] : []];
      }
      if (part === 'invasion') {
        if (landed || !clear(state)) return ['', 'troops', []];
        if (who === 'defender') return ['Space cannon', 'troops', guns];
        const suns = own[WAR_SUN] + own[HIT_WAR_SUN];
        const dice = [
          [own[DREADNOUGHT] + own[HIT_DREADNOUGHT], 5],
          [3 * suns, 3],
        ];
        return ['Bombardment', 'troops', sides.defender.pds > 0 && suns === 0 ? [] : dice];
      }
      const values = TYPES.map((type, t) => (isUp(who, type) ? UPGRADED : COMBAT)[t] - sides[who].bonus);
      const dice = [...new Set(values)].map((value) => [
        sum(own, (t) => values[t] === value && isShip(t) !== landed && DICE[t]),
        value,
      ]);
      return ['Combat', landed ? 'troops' : 'ships', dice];
    };
    const lose = (units, hits, types) => {
      const left = [...units];
      for (let open = hits; open > 0; open--) {
        const type = types.find((t) => left[t] > 0);
        if (type === undefined) break;
        left[type] -= 1;
        if (HURT[type] >= 0) left[HURT[type]] += 1;
      }
      return left;
    };
    /** @param {Side} who @param {string} part @returns {import('warpool/system').Phase<State>} */
    const fire = (who, part) => (state, chance) => {
      const enemy = FOE[who];
      const [what, aim, all] = volley(who, part, state);
      const dice = all.filter(([n]) => n > 0);
      let units = state[enemy];
      const types = dice.length === 0 ? [] : orders[enemy].filter((t) => units[t] > 0 && AIMS[aim](t));
      if (types.length > 0) {
        const options = types.map((t) => TYPES[t]);
        const first = types.length > 1 ? chance.decide('losses', enemy, options, () => options[0]) : options[0];
        if (types.length > 1) chance.rule('order', () => ({ who: enemy, type: first }));
        const hits = chance.at(`${who} ${part}`).sample(hitsOf(dice));
        units = lose(units, hits, [TYPES.indexOf(first), ...orders[enemy]].filter(AIMS[aim]));
        const left = units;
        chance.rule('fires', () => ({ who, what, aim, hits, enemy, left: told(left) }));
      }
      if (who === 'attacker') return { ...state, next: units };
      const landed = state.landed || (part === 'invasion' && clear(state));
      const now = {
        attacker: units,
        defender: state.next,
        next: [], // Empty until the attacker fires again.
        opening: state.opening && part !== 'barrage', // True until both sides have fired their barrage in round 1.
        landed, // True after the attacker has landed its troops.
      };
      return { ...state, ...now };
    };
    /** @type {import('warpool/system').Phase<State>} */
    const announce = (state, chance) => {
      const ships = sum(state.attacker, isShip);
      if (state.landed) return state;
      const policy = () => (ships <= retreatAt ? 'retreat' : 'stay');
      const choice = chance.decide('retreat', 'attacker', ['stay', 'retreat'], policy);
      chance.rule('announces', () => ({ choice }));
      return { ...state, leaving: choice === 'retreat' }; // Retreats after this round if both sides have ships left.
    };
    const left = (who, worth) => ({ min: 0, max: sum(begun(who), worth), of: (state) => sum(state[who], worth) });
    const price = (type) => PRICES[type];
    const parts = ['cannon', 'barrage', 'invasion', 'combat'];
    const [cannon, barrage, invasion, combat] = parts.map((part) => [fire('attacker', part), fire('defender', part)]);
    const value = (who) => ({ ...left(who, price), unit: 0.5 });
    return {
      outcomes: ['attacker', 'defender', 'mutual', 'retreated'],
      metrics: {
        ...{ 'ships.attacker': left('attacker', isShip), 'ships.defender': left('defender', isShip) },
        ...{ 'troops.attacker': left('attacker', AIMS.troops), 'troops.defender': left('defender', AIMS.troops) },
        ...{ 'value.attacker': value('attacker'), 'value.defender': value('defender') },
      },
      streams: Object.fromEntries(parts.flatMap((part) => Object.keys(FOE).map((who) => [`${who} ${part}`, 1]))),
      start: () => {
        const fleets = { attacker: begun('attacker'), defender: begun('defender') };
        return { ...fleets, next: [], opening: true, landed: false, leaving: false };
      },
      round: [...cannon, ...barrage, ...invasion, announce, ...combat],
      outcome({ attacker, defender, next, opening, landed, leaving }, phase) {
        if (next.length > 0 || opening) return undefined;
        const [mine, theirs] = [attacker, defender].map((units) => sum(units, landed ? AIMS.troops : isShip));
        if (mine > 0 && theirs > 0) return leaving && !landed && phase === 0 ? 'retreated' : undefined;
        if (mine > 0) return landed || sum(attacker, AIMS.troops) === 0 ? 'attacker' : undefined;
        return theirs > 0 || sum(defender) > 0 ? 'defender' : 'mutual';
      },
      key: (state) => Object.values(state).join('|'),
    };
  },
  environment: () => ({
    players: ['attacker', 'defender'],
    actions: { retreat: ['stay', 'retreat'], losses: TYPES },
    features: [
      ...['opening', 'landed', 'leaving'].map((name) => ({ name, high: 1, of: (state) => Number(state[name]) })),
      ...['attacker', 'defender', 'next'].flatMap((who) =>
        TYPES.map((type, t) => ({
          name: `${who}.${type}`,
          unit: 'units',
          high: 60,
          of: (state) => state[who][t] ?? 0,
        })),
      ),
    ],
  }),
});
