/**
 * Two robots start at opposite corners of a square grid, cross it, and move simultaneously. Red wins when it reaches
 * the opposite corner. Red loses if both robots are in the same cell before. A move can slip to a neighboring cell.
 * The system models the game `robot_coordination2` of the tests of PRISM-games (Kwiatkowska, Norman, Parker, Santos),
 * with the property that the first robot reaches its goal without a collision.
 */
import { defineSystem, integer } from 'warpool/system';

/** @typedef {{ red: number[], blue: number[], moves: string[] }} State cells [x, y]; hidden moves */
/** @typedef {import('warpool/system').Phase<State>} Phase */

const SIDES = /** @type {const} */ (['red', 'blue']);
const MOVES = ['across', 'along', 'diagonal', 'wait'];
const NAMES = ['straight', 'slip', 'slip'];

/** Steps [x, y] of each move: without a slip, then for each of two slips. @type {Record<string, number[][]>} */
const STEPS = {
  ...{
    across: [
      [1, 0],
      [1, 1],
      [1, -1],
    ],
    along: [
      [0, 1],
      [1, 1],
      [-1, 1],
    ],
  },
  ...{
    diagonal: [
      [1, 1],
      [0, 1],
      [1, 0],
    ],
    wait: [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  },
};

export default defineSystem({
  id: 'robots',
  title: 'Robots on a grid',
  about: 'Red crosses a grid from corner to corner; blue crosses it the other way at the same time, and can hit red.',
  fields: {
    size: integer(2, 9, 'Cells of a side of the grid.').default(5),
    red: integer(0, 100, 'Percentage of the moves of red that slip to a neighboring cell.').default(10),
    blue: integer(0, 100, 'Percentage of the moves of blue that slip to a neighboring cell.').default(10),
  },
  decisions: [
    {
      ...{ point: 'move', who: 'both', about: 'A move towards the goal. Nobody knows where the other moves.' },
      policies: ['diagonal if possible'],
      describe: {
        across: ['moves across', 'move across'],
        along: ['moves along', 'move along'],
        diagonal: ['moves diagonally', 'move diagonally'],
        wait: ['waits', 'wait'],
      },
    },
  ],
  rules: { moved: ({ side, x, y }) => `${side} is ${x} cells across and ${y} along from its start.` },
  examples: { small: { size: 3 }, exact: { size: 2, red: 0, blue: 0 } },
  battle({ size, ...slips }) {
    const goal = size - 1;
    /** Lists the legal moves of a robot. Its coordinates count from its own start. @param {number[]} cell */
    const listMoves = ([x = 0, y = 0]) => {
      if (x === goal && y === goal) return ['wait'];
      return ['diagonal', 'across', 'along'].filter(
        (move) => (move === 'along' || x < goal) && (move === 'across' || y < goal),
      );
    };
    /** @param {0 | 1} side @returns {Phase} */
    const choose = (side) => (state, chance) => {
      const moves = listMoves(state[SIDES[side]]);
      return { ...state, moves: [...state.moves, chance.decide('move', SIDES[side], moves, () => moves[0] ?? 'wait')] };
    };
    /** @type {Phase} */
    const move = (state, chance) => {
      const [red = [], blue = []] = SIDES.map((name, side) => {
        const steps = STEPS[state.moves[side] ?? 'wait'] ?? [];
        const slip = slips[name];
        const step = steps[chance.at('slip', side).pick([200 - 2 * slip, slip, slip], NAMES)] ?? [];
        const cell = state[name].map((at, axis) => Math.min(goal, Math.max(0, at + (step[axis] ?? 0))));
        chance.rule('moved', () => ({ side: side === 0 ? 'Red' : 'Blue', x: cell[0] ?? 0, y: cell[1] ?? 0 }));
        return cell;
      });
      return { red, blue, moves: [] };
    };
    return {
      outcomes: ['red', 'blue'],
      streams: { slip: 2 },
      /** @returns {State} */
      start: () => ({ red: [0, 0], blue: [0, 0], moves: [] }),
      round: [choose(0), choose(1), move],
      outcome({ red, blue }) {
        if (red.every((at, axis) => at + (blue[axis] ?? 0) === goal)) return 'blue';
        return red.every((at) => at === goal) ? 'red' : undefined;
      },
    };
  },
  // The features omit `moves`, because the second robot must not observe the move of the first robot.
  environment: ({ size }) => ({
    players: SIDES,
    actions: { move: MOVES },
    features: SIDES.flatMap((name) =>
      ['x', 'y'].map((axis, k) => ({
        ...{ name: `${axis}.${name}`, high: size - 1 },
        of: (/** @type {State} */ state) => state[name][k] ?? 0,
      })),
    ),
  }),
});
