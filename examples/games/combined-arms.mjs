/** Combat of Axis & Allies 1942, second edition: each d6 hits on its unit's value or less. Both sides fire at once. */
import { defineSystem, flag, integer, oneOf, z } from 'warpool/system';

/**
 * State of a battle. `attacker`, `defender`: numbers of units by type; `next`: the defender's units after the fire of
 * the attacker, which replace `defender` when the defender has fired, else []; `opening`: true in round 1; `over`:
 * outcome `standoff` or `retreated` after `press`, else ''.
 * @typedef {'attacker' | 'defender'} Side
 * @typedef {{ attacker: number[], defender: number[], next: number[], opening: boolean, over: string }} State
 */

/** Attack value, defense value and price, by price. Battleships are first: their first hit only damages them. */
const UNITS = `battleship 4 4 20,infantry 1 2 3,artillery 2 2 4,gun 0 0 5,tank 3 3 6,submarine 2 1 6,destroyer 2 2 8,
fighter 3 4 10,bomber 4 1 12,cruiser 3 3 12,carrier 1 2 14,damaged 4 4 20`.split(/,\s?/);
const [TYPES, ...COLUMNS] = [0, 1, 2, 3].map((k) => UNITS.map((unit) => unit.split(' ')[k]));
const [attack, defence, PRICES] = COLUMNS.map((column) => column.map(Number));
const VALUES = { attacker: attack, defender: defence };
const FOE = /** @type {const} */ ({ attacker: 'defender', defender: 'attacker' });
const [BATTLESHIP, INFANTRY, ARTILLERY, GUN, TANK, SUBMARINE, DESTROYER, FIGHTER, BOMBER, CRUISER, , DAMAGED] =
  TYPES.keys();
/** Default order of losses: guns, which fire before their side takes hits and never again, then the others by price. */
const LOST = ['gun', ...TYPES]; // Submarines and aircraft that cannot hit any enemy unit cannot be hit either.
const isLand = (type) => type >= INFANTRY && type <= TANK;
const isAir = (type) => type === FIGHTER || type === BOMBER;
const bombards = (type) => type === BATTLESHIP || type === CRUISER || type === DAMAGED;
const fights = (type, place) => isAir(type) || isLand(type) === (place === 'land');
/** Types that can be hit by guns, by submarines, by aircraft at sea without a destroyer, and by all other units. */
const AIMS = { aircraft: isAir, ships: (type) => !isAir(type), surface: (type) => type !== SUBMARINE, all: () => true };
/** Sums `worth` over all units (default: 1 for each unit). @param {readonly number[]} units numbers of units by type */
const sum = (units, worth = (_) => 1) => units.reduce((all, n, type) => all + n * Number(worth(type)), 0);
const told = (units) => units.flatMap((n, t) => (n > 0 ? [`${n} ${TYPES[t]}`] : [])).join(', ');
const byType = (of) => Object.fromEntries(TYPES.map((type, t) => [type, of(type, t)]));
const pool = (dice, value) => ({ dice, value });
const PRESS = { on: ['presses on', 'press on'], retreat: ['retreats', 'retreat'] };
const LOSES = byType((type) => [`loses ${type} first`, `lose ${type} first`]);

/** Creates the schema of a side. @param {Side} who */
const side = (who) =>
  z.strictObject({
    ...byType((_, t) =>
      integer(
        0,
        40,
        `${t === GUN ? 'Fires at aircraft once' : `Hits with ${VALUES[who][t]} or less`}; price ${PRICES[t]}.`,
      ).default(0),
    ),
    losses: z
      .array(z.enum(TYPES))
      .default([])
      .meta({ description: 'Lost first, in this order; then guns, others by price.' }),
  });

export default defineSystem({
  id: 'combined-arms',
  title: 'Combined arms',
  about: 'A dozen types of units, a d6 each at its value or less, in rounds on land or at sea, as in Axis & Allies.',
  fields: {
    ...{ attacker: side('attacker'), defender: side('defender') },
    place: oneOf(['land', 'sea'], 'On land, ships of the attacker bombard.').default('land'),
    keepLand: flag('The attacker loses its last land unit after all aircraft.').default(false),
    gunDice: integer(1, 40, 'Dice of an anti-aircraft gun; in all at most one for each aircraft.').default(3),
    bombardment: oneOf(['answered', 'unanswered'], 'Whether what it hits still fires.').default('answered'),
    luck: oneOf(['dice', 'low'], 'low: 6 points of value are a hit, the rest is one die.').default('dice'),
    retreatAt: integer(0, 480, 'The attacker retreats with so many units or fewer.').default(0),
  },
  costs: byType((_, t) => PRICES[t]),
  check({ place, ...sides }, reject) {
    for (const who of Object.keys(FOE))
      for (const [t, type] of TYPES.entries()) {
        const joins =
          who === 'attacker' ? (place === 'land' && bombards(t)) || (fights(t, place) && t !== GUN) : fights(t, place);
        if (!joins && sides[who][type] > 0)
          reject([who, type], `0, for none of the ${who} takes part in a ${place} battle`, String(sides[who][type]));
      }
  },
  decisions: [
    { point: 'press', who: 'attacker', about: 'Fight another round?', policies: ['retreatAt'], describe: PRESS },
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
    fires: ({ who, aim, hits, enemy, left }) =>
      `The ${who} fires${aim === 'all' ? '' : ` at ${aim}`}; hits: ${hits}. The ${enemy} has ${left || 'nothing'} left.`,
  },
  examples: {
    assault: { attacker: { infantry: 2, artillery: 1, fighter: 1 }, defender: { infantry: 2, gun: 1 }, retreatAt: 1 },
    convoy: { place: 'sea', attacker: { submarine: 2, bomber: 1 }, defender: { submarine: 1, battleship: 1 } },
    landing: { attacker: { infantry: 2, bomber: 1, cruiser: 1 }, defender: { tank: 1 }, keepLand: true, luck: 'low' },
  },
  battle({ place, keepLand, gunDice, bombardment, luck, retreatAt, ...sides }) {
    const isSea = place === 'sea';
    const begun = (who, when = fights) => TYPES.map((type, t) => (when(t, place) ? sides[who][type] : 0));
    const shelling = begun('attacker', (type) => !isSea && bombards(type));
    const order = (who) => [...new Set([...sides[who].losses, ...LOST])].map((type) => TYPES.indexOf(type));
    const orders = { attacker: order('attacker'), defender: order('defender') };
    /** Lists the fire of a side in a part of a round: [aim, dice] pairs. `dice[k]` dice hit on k + 1 or less. */
    const volleys = (who, early, { opening, ...state }) => {
      const [own, enemy, attacks] = [state[who], state[FOE[who]], who === 'attacker'];
      const guns = early && opening && !attacks ? Math.min(own[GUN] * gunDice, sum(enemy, isAir)) : 0;
      const helped = !early && attacks ? Math.min(own[INFANTRY], own[ARTILLERY]) : 0;
      const shells = attacks && opening && early === (bombardment === 'unanswered');
      const aim = (t) => (t === SUBMARINE ? 'ships' : isAir(t) && isSea && own[DESTROYER] === 0 ? 'surface' : 'all');
      const volley = { aircraft: [guns], ships: [0, 0, 0, 0], surface: [0, 0, 0, 0], all: [-helped, helped, 0, 0] };
      for (const [t, n] of own.entries()) {
        // Submarines fire in the early part if the enemy has no destroyer.
        const isNow = early === (t === SUBMARINE && enemy[DESTROYER] === 0);
        const firing = (isNow ? n : 0) + (shells ? shelling[t] : 0);
        if (firing > 0 && t !== GUN) volley[aim(t)][VALUES[who][t] - 1] += firing;
      }
      return Object.entries(volley).filter(([at, pools]) => sum(pools) > 0 && sum(enemy, AIMS[at]) > 0);
    };
    const rolled = (counts) => {
      const points = sum(counts, (k) => k + 1);
      if (luck === 'low') return [pool(Math.floor(points / 6), 6), pool(Math.sign(points % 6), points % 6)];
      return counts.map((dice, k) => pool(dice, k + 1));
    };
    const lose = (units, hits, types, keeps) => {
      const left = [...units];
      for (let open = hits; open > 0; open--) {
        const last = keeps && sum(left, isLand) === 1 ? isLand : () => false;
        const can = (t) => left[t] > 0;
        const type = types.find((t) => can(t) && !last(t)) ?? types.find(can);
        if (type === undefined) break;
        left[type] -= 1;
        if (type === BATTLESHIP) left[DAMAGED] += 1;
      }
      return left;
    };
    /** @param {Side} who @param {boolean} early @returns {import('warpool/system').Phase<State>} */
    const fire = (who, early) => (state, chance) => {
      const [enemy, volley] = [FOE[who], volleys(who, early, state)];
      const types = orders[enemy].filter((t) => state[enemy][t] > 0 && volley.some(([aim]) => AIMS[aim](t)));
      const options = types.map((t) => TYPES[t]);
      const first = types.length > 1 ? chance.decide('losses', enemy, options, () => options[0]) : options[0];
      if (types.length > 1) chance.rule('order', () => ({ who: enemy, type: first }));
      let units = state[enemy];
      for (const [aim, counts] of volley) {
        const hits = chance.at(`${who} at ${aim}`, early ? 0 : 16).hits(rolled(counts));
        const may = [TYPES.indexOf(first), ...orders[enemy]].filter(AIMS[aim]);
        units = lose(units, hits, may, keepLand && who === 'defender');
        const left = units;
        chance.rule('fires', () => ({ who, aim, hits, enemy, left: told(left) }));
      }
      if (who === 'attacker') return { ...state, next: units };
      return { ...state, attacker: units, defender: state.next, next: [], opening: state.opening && early };
    };
    /** @type {import('warpool/system').Phase<State>} */
    const press = (state, chance) => {
      const fires = (who) => [true, false].some((early) => volleys(who, early, state).length > 0);
      if (!fires('attacker') && !fires('defender')) return { ...state, over: 'standoff' };
      const policy = () => (sum(state.attacker) <= retreatAt ? 'retreat' : 'on');
      const choice = chance.decide('press', 'attacker', ['on', 'retreat'], policy);
      return choice === 'on' ? state : { ...state, over: 'retreated' };
    };
    const left = (who, worth) => ({ min: 0, max: sum(begun(who), worth), of: (state) => sum(state[who], worth) });
    const price = (type) => PRICES[type];
    const slots = Object.keys(FOE).flatMap((who) => Object.keys(AIMS).map((aim) => [`${who} at ${aim}`, 32]));
    return {
      outcomes: ['attacker', 'defender', 'mutual', 'standoff', 'retreated'],
      atRoundLimit: 'retreated',
      metrics: {
        ...{ 'units.attacker': left('attacker'), 'units.defender': left('defender') },
        ...{ 'value.attacker': left('attacker', price), 'value.defender': left('defender', price) },
        taken: { min: 0, max: 1, of: (state) => Number(sum(state.attacker, isLand) > 0 && sum(state.defender) === 0) },
      },
      streams: Object.fromEntries(slots),
      start: () => ({ attacker: begun('attacker'), defender: begun('defender'), next: [], opening: true, over: '' }),
      round: [fire('attacker', true), fire('defender', true), fire('attacker', false), fire('defender', false), press],
      outcome({ next, over, ...state }) {
        if (next.length > 0) return undefined;
        const [mine, theirs] = [sum(state.attacker), sum(state.defender)];
        if (mine > 0 && theirs > 0) return over || undefined;
        return mine > 0 ? 'attacker' : theirs > 0 ? 'defender' : 'mutual';
      },
      key: (state) => Object.values(state).join('|'),
    };
  },
  environment: () => ({
    players: ['attacker', 'defender'],
    actions: { press: ['on', 'retreat'], losses: TYPES },
    features: [
      { name: 'opening', high: 1, of: ({ opening }) => Number(opening) },
      ...['attacker', 'defender', 'next'].flatMap((who) =>
        TYPES.map((type, t) => ({
          name: `${who}.${type}`,
          unit: 'units',
          high: 80,
          of: (state) => state[who][t] ?? 0,
        })),
      ),
    ],
    rewards: { taken: (player) => ({ taken: player === 'attacker' ? 1 : -1 }) },
  }),
});
