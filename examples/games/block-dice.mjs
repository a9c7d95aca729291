/**
 * Combat of block games: a block rolls one die for each of its steps (strength points). All A blocks fire first, then
 * all B, C and D blocks. Among blocks with the same letter, the defender's blocks fire first. A die that shows the
 * firepower of the block or less is a hit. By default, each hit removes one step from the enemy block with the most
 * steps.
 */
import { defineSystem, integer, oneOf, z } from 'warpool/system';

/**
 * State of a battle.
 * - `attacker`, `defender`: steps left of each block;
 * - `hits`: hits of the blocks that fired last, until the enemy has assigned them; then 0;
 * - `fired`: letter of the blocks that scored these hits, 1 for A to 4 for D; 0 without such hits;
 * - `left`: outcome of a retreat, or '' if no side has retreated.
 * @typedef {'defender' | 'attacker'} Side
 * @typedef {Record<Side, readonly number[]> & { hits: number, fired: number, left: string }} State
 * @typedef {import('warpool/system').Phase<State>} Phase
 */

const SIDES = /** @type {const} */ (['defender', 'attacker']);
const ENEMY = /** @type {const} */ ({ defender: 'attacker', attacker: 'defender' });
const ORDERS = /** @type {const} */ (['poorest', 'slowest', 'swiftest']);
const ABOUT = 'Which of the blocks that may take a hit does: of the poorest firepower, the last to fire, or the first.';
const ENDS = { attacker: 'withdrawn', defender: 'abandoned' };
const WORTH = { attacker: 1, abandoned: 0.5, withdrawn: -0.5, held: -0.5, defender: -1 };

const rating = z.string().regex(/^[A-D][1-6]$/, 'a letter A..D and a firepower 1..6, such as B3');
const block = z.strictObject({ rating, steps: integer(1, 4, 'Steps, and so dice.') });
const army = z.strictObject({
  blocks: z.array(block).min(1).max(10),
  retreatAt: integer(0, 40, 'It retreats at the end of a round with so many steps or fewer.').default(0),
  losses: oneOf(ORDERS, ABOUT).default('poorest'),
});

/** Computes the sum of a list. @param {readonly number[]} steps */
const sum = (steps) => steps.reduce((total, each) => total + each, 0);
/**
 * Parses the ratings of blocks: `turn` is the letter as a number, 1 for A to 4 for D, and `value` is the firepower.
 * @param {z.infer<typeof army>} of
 */
const parsed = ({ blocks }) =>
  blocks.map((of) => ({ ...of, turn: ' ABCD'.indexOf(of.rating.charAt(0)), value: Number(of.rating.charAt(1)) }));

/**
 * Returns the sort key of a block in an order of losses: hits are assigned to the block with the lowest key first.
 * `poorest` starts with the lowest firepower (for equal firepower, the last to fire). `slowest` starts with the last to
 * fire, and `swiftest` with the first to fire (for equal letters, the lowest firepower).
 * @param {{ turn: number, value: number }} block
 * @param {string} order
 */
const rank = ({ turn, value }, order) =>
  order === 'poorest' ? value * 10 - turn : value + turn * (order === 'slowest' ? -10 : 10);

export default defineSystem({
  id: 'block-dice',
  title: 'Blocks and dice',
  about: 'Blocks roll a die for each step, A before B before C, the defender first; a hit reduces the strongest.',
  fields: {
    attacker: army.meta({ description: 'The army that attacks.' }),
    defender: army.meta({ description: 'The army that defends.' }),
    hits: oneOf(['strongest', 'owner'], 'Which blocks may take a hit: the strongest, or all.').default('strongest'),
  },
  decisions: [
    {
      ...{ point: 'losses', who: 'the side that is hit', about: ABOUT, policies: [...ORDERS] },
      describe: Object.fromEntries(ORDERS.map((each) => [each, [`hurts its ${each} blocks`, `hurt its ${each}`]])),
    },
    {
      ...{ point: 'retreat', who: 'both, the defender first', about: 'At the end of a round: stays, or retreats.' },
      ...{ policies: ['retreatAt'], describe: { stay: ['stays', 'stay'], retreat: ['retreats', 'retreat'] } },
    },
  ],
  rules: {
    fire: ({ side, letter, dice, hits }) => `${letter} blocks of the ${side}: ${hits} of ${dice} dice hit.`,
    losses: ({ side, blocks }) => `The ${side} has ${blocks}.`,
  },
  examples: {
    duel: { attacker: { blocks: [{ rating: 'B3', steps: 3 }] }, defender: { blocks: [{ rating: 'C2', steps: 4 }] } },
    choice: {
      attacker: { blocks: ['A2', 'C3'].map((each) => ({ rating: each, steps: 2 })), losses: 'slowest', retreatAt: 1 },
      defender: { blocks: [{ rating: 'B2', steps: 3 }], retreatAt: 1 },
      ...{ hits: 'owner', maxRounds: 3 },
    },
  },
  battle: ({ hits: takers, ...armies }) => {
    const blocks = { attacker: parsed(armies.attacker), defender: parsed(armies.defender) };
    const all = { attacker: blocks.attacker.map((of) => of.steps), defender: blocks.defender.map((of) => of.steps) };
    /**
     * Returns the steps of the blocks of a side after all hits of the state, which it assigns one by one.
     * @param {Side} side
     * @param {State} state
     * @param {string} order order of losses
     */
    const reduced = (side, state, order) => {
      const left = [...state[side]];
      for (let hit = 0; hit < state.hits; hit++) {
        const least = takers === 'owner' ? 1 : Math.max(...left);
        const able = blocks[side].map((each, k) => ({ k, steps: left[k] ?? 0, rank: rank(each, order) }));
        // Among blocks with the same rating, the block with the most steps is first.
        const targets = able.toSorted((a, b) => a.rank - b.rank || b.steps - a.steps);
        const { k = 0, steps = 0 } = targets.find((each) => each.steps >= least) ?? {};
        left[k] = steps - 1;
      }
      return left;
    };

    /**
     * Creates two phases: the blocks of a side with one letter fire, then the enemy assigns the hits to its blocks.
     * @param {Side} side
     * @param {number} turn 1 for A to 4 for D
     * @returns {Phase[]}
     */
    const volley = (side, turn) => [
      (state, chance) => {
        const able = blocks[side].map((of, k) => ({ ...of, dice: of.turn === turn ? (state[side][k] ?? 0) : 0 }));
        const pools = able.filter((pool) => pool.dice > 0);
        const dice = sum(pools.map((pool) => pool.dice));
        if (dice === 0) return state;
        const found = chance.at(`${side} ${turn}`).hits(pools);
        chance.rule('fire', () => ({ side, letter: ' ABCD'.charAt(turn), dice, hits: found }));
        const hits = Math.min(found, sum(state[ENEMY[side]]));
        return { ...state, hits, fired: hits > 0 ? turn : 0 };
      },
      (state, chance) => {
        if (state.hits === 0) return state;
        const enemy = ENEMY[side];
        const policy = armies[enemy].losses;
        // Orders with the same result are one option. The policy is last in the list, so that it is always an option.
        const ways = new Map([...ORDERS, policy].map((order) => [String(reduced(enemy, state, order)), order]));
        const order = ways.size === 1 ? policy : chance.decide('losses', enemy, [...ways.values()], () => policy);
        const left = reduced(enemy, state, order);
        const told = () => blocks[enemy].map((of, k) => `${of.rating} ${left[k]}`).join(', ');
        chance.rule('losses', () => ({ side: enemy, blocks: told() }));
        return { ...state, [enemy]: left, hits: 0, fired: 0 };
      },
    ];
    /** Creates the phase in which a side stays or retreats. @param {Side} side @returns {Phase} */
    const retreat = (side) => (state, chance) => {
      const policy = () => (sum(state[side]) <= armies[side].retreatAt ? 'retreat' : 'stay');
      return {
        ...state,
        left: chance.decide('retreat', side, ['stay', 'retreat'], policy) === 'stay' ? '' : ENDS[side],
      };
    };

    const turns = [1, 2, 3, 4].flatMap((turn) =>
      SIDES.filter((side) => blocks[side].some((each) => each.turn === turn)).map((side) => ({ side, turn })),
    );
    return {
      outcomes: ['attacker', 'defender', 'withdrawn', 'abandoned'],
      atRoundLimit: 'held', // With `maxRounds: 3`, an attacker that has not won after three rounds must retreat.
      metrics: {
        'steps.attacker': { min: 0, max: sum(all.attacker), of: (state) => sum(state.attacker) },
        'steps.defender': { min: 0, max: sum(all.defender), of: (state) => sum(state.defender) },
      },
      streams: Object.fromEntries(turns.map(({ side, turn }) => [`${side} ${turn}`, 10])),
      /** Returns the initial state. @returns {State} */
      start: () => ({ ...all, hits: 0, fired: 0, left: '' }),
      round: [...turns.flatMap(({ side, turn }) => volley(side, turn)), ...SIDES.map(retreat)],
      outcome: ({ attacker, defender, left }) =>
        sum(defender) === 0 ? 'attacker' : sum(attacker) === 0 ? 'defender' : left === '' ? undefined : left,
      key: (state) => `${state.attacker} ${state.defender} ${state.hits} ${state.fired} ${state.left}`,
    };
  },
  environment: (scenario) => ({
    players: SIDES,
    reward: (outcome, player) => WORTH[/** @type {keyof typeof WORTH} */ (outcome)] * (player === 'attacker' ? 1 : -1),
    actions: { losses: ORDERS, retreat: ['stay', 'retreat'] },
    features: [
      ...SIDES.flatMap((side) =>
        parsed(scenario[side]).map((of, k) => ({ name: `${side}.${k + 1}.${of.rating}`, high: 4 })),
      ),
      ...['hits', 'fired'].map((name) => ({ name, high: name === 'hits' ? 40 : 4 })),
    ],
    observe: (state) => [...state.defender, ...state.attacker, state.hits, state.fired],
  }),
});
