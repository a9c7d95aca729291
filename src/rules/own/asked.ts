/** What rules may ask the door for: weights and counts that are none would be drawn as something else. */
import type { Chance, DicePool, Faces, Lot } from '../../core/chance/door.ts';
import { RulesError } from '../../core/errors.ts';
import { describeFound } from '../scenario/finding.ts';

/** Items of a list that a message shows. */
const SHOWN = 12;

function refuse(asked: string, expected: string, found: unknown): never {
  const list =
    Array.isArray(found) && found.length <= SHOWN ? `[${found.map(String).join(', ')}]` : describeFound(found);
  throw new RulesError(`door.${asked}: expected ${expected}, found ${list}`);
}

/** Types do not hold in JavaScript. */
const isList = (value: unknown): boolean => Array.isArray(value);

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** @throws RulesError unless they are numbers of 0 or more, with a sum above 0 */
export function checkWeights(weights: readonly number[]): void {
  let total = 0;
  if (Array.isArray(weights))
    for (const weight of weights) total = typeof weight === 'number' && weight >= 0 ? total + weight : Number.NaN;
  if (total > 0 && total < Number.POSITIVE_INFINITY) return;
  refuse('pick', 'weights of 0 or more, at least one above 0', weights);
}

/** @throws RulesError unless counts are whole numbers of 0 or more */
export function checkBag(bag: readonly number[], count: number): void {
  if (!Array.isArray(bag) || bag.length === 0 || !bag.every(isCount))
    refuse('draw', 'how many there are of each kind, whole numbers of 0 or more', bag);
  if (!isCount(count)) refuse('draw', 'how many are drawn, a whole number of 0 or more', count);
}

/** @throws RulesError unless dice are counted, and hit on whole numbers */
export function checkPools(pools: readonly DicePool[]): void {
  if (!isList(pools)) refuse('hits', 'a list of pools', pools);
  for (const { dice, value } of pools) {
    if (!isCount(dice)) refuse('hits', 'dice, a whole number of 0 or more', dice);
    if (!isCount(value)) refuse('hits', 'a value, a whole number of 0 or more', value);
  }
}

/** @throws RulesError unless it is some dice of some faces */
export function checkDice(dice: Parameters<Chance['sum']>[0]): void {
  const given: Partial<typeof dice> | undefined = dice;
  const { count, sides } = { ...given };
  if (count === undefined || !isCount(count)) refuse('sum', 'count, a whole number of 0 or more', count);
  if (sides === undefined || !isCount(sides) || sides === 0) refuse('sum', 'sides, a whole number of 1 or more', sides);
}

const isDie = (faces: Faces): boolean => Array.isArray(faces) && faces.length === 6 && faces.every(isCount);

/** @throws RulesError unless all dice have six faces that show whole numbers */
export function checkLots(lots: readonly Lot[]): void {
  if (!isList(lots)) refuse('faces', 'a list of lots', lots);
  for (const lot of lots) {
    if (!isList(lot)) refuse('faces', 'lots, each a list of dice', lot);
    for (const die of lot) if (!isDie(die)) refuse('faces', 'dice of six faces, whole numbers of 0 or more', die);
  }
}
