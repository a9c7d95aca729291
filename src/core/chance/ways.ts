/** How many ways a draw may have where all of them are followed. */
import { BudgetError } from '../errors.ts';
import { grouped } from './numerals.ts';

/** As many as a law may have values, and a handful hands. */
const WAYS_MAX = 2 ** 16;

/**
 * Ways in which some of the cubes of a bag can be drawn, by colour; beyond the limit some number that is above it.
 * Counted colour by colour; to draw some is to leave the others.
 */
function waysToDraw(bag: readonly number[], count: number): number {
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const drawn = Math.min(count, size - count);
  const widest = Math.max(...bag.map((cubes) => Math.min(cubes, drawn) - Math.max(0, drawn - (size - cubes)) + 1));
  if (widest > WAYS_MAX) return widest;
  let ways = [1, ...new Array<number>(Math.max(0, drawn)).fill(0)];
  for (const cubes of bag) {
    let held = 0;
    ways = ways.map((own, k) => {
      held += own - (ways[k - cubes - 1] ?? 0);
      return held;
    });
    if ((ways.at(-1) ?? 0) > WAYS_MAX) break;
  }
  return ways.at(-1) ?? 0;
}

/** @throws BudgetError if there are more than 65536 */
function checkWays(what: string, ways: number, instead: string): void {
  if (ways <= WAYS_MAX) return;
  const [found, most] = [grouped(ways), grouped(WAYS_MAX)];
  throw new BudgetError(`${what} has ${found} ways or more, and at most ${most} can be followed; ${instead}`);
}

/** @throws BudgetError if so many cubes can be drawn in more than 65536 ways */
export function checkDraw(bag: readonly number[], count: number): void {
  if (bag.length < 2) return;
  const size = bag.reduce((sum, cubes) => sum + cubes, 0);
  const what = `draw: ${grouped(count)} of ${grouped(size)} in ${grouped(bag.length)} kinds`;
  checkWays(what, waysToDraw(bag, count), 'draw one by one, each in a phase of its own, or tell fewer kinds apart');
}

/** @throws BudgetError if there are more than 65536 weights */
export function checkPick(weights: readonly number[]): void {
  checkWays('pick', weights.length, 'pick in several steps');
}

/** @throws BudgetError if so many dice have more than 65536 numbers of hits */
export function checkHits(dice: number): void {
  checkWays(`hits: ${grouped(dice)} dice`, dice + 1, 'roll them in several steps');
}
