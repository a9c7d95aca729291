/** What rules may ask the chance source for: weights and counts that are none would be drawn as something else. */

import {
  type Chance,
  type DicePool,
  type DiceSet,
  type Distribution,
  describeFound,
  type EventData,
  type Faces,
  POOL_CHUNK,
  type RandomDraws,
  RulesError,
} from '../../core/index.ts';

/** Items of a list that a message shows. */
const SHOWN_MAX = 12;

function rejectArgument(asked: string, expected: string, found: unknown): never {
  const list =
    Array.isArray(found) && found.length <= SHOWN_MAX ? `[${found.map(String).join(', ')}]` : describeFound(found);
  throw new RulesError(`chance.${asked}: expected ${expected}, found ${list}`);
}

/** Types do not hold in JavaScript. */
const isList = (value: unknown): boolean => Array.isArray(value);

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** @throws RulesError unless they are numbers of 0 or more, with a sum above 0 */
function checkWeights(weights: readonly number[]): void {
  let total = 0;
  if (Array.isArray(weights))
    for (const weight of weights) total = typeof weight === 'number' && weight >= 0 ? total + weight : Number.NaN;
  if (total > 0 && total < Number.POSITIVE_INFINITY) return;
  rejectArgument('pick', 'weights of 0 or more, at least one above 0', weights);
}

/** @throws RulesError unless counts are whole numbers of 0 or more, and the bag holds as many cards as are drawn */
function checkBag(bag: readonly number[], count: number): void {
  if (!Array.isArray(bag) || bag.length === 0 || !bag.every(isCount))
    rejectArgument('draw', 'the number of each kind, whole numbers of 0 or more', bag);
  if (!isCount(count)) rejectArgument('draw', 'the number to draw, a whole number of 0 or more', count);
  let held = 0;
  for (const kind of bag as readonly number[]) held += kind;
  if (count > held) rejectArgument('draw', `at most ${String(held)} card${held === 1 ? '' : 's'}`, count);
}

/** @throws RulesError unless there are as many names as things, or none at all */
function checkNames(asked: string, names: readonly string[] | undefined, things: readonly number[]): void {
  const given: unknown = names;
  if (given === undefined) return;
  const fits =
    Array.isArray(given) && given.length === things.length && given.every((each) => typeof each === 'string');
  if (!fits) rejectArgument(asked, `${String(things.length)} names, one for each element of the list`, given);
}

/** @throws RulesError unless dice are counted, and hit on whole numbers */
function checkPools(pools: readonly DicePool[]): void {
  if (!isList(pools)) rejectArgument('hits', 'a list of pools', pools);
  for (const { dice, value } of pools) {
    if (!isCount(dice)) rejectArgument('hits', 'dice, a whole number of 0 or more', dice);
    if (!isCount(value)) rejectArgument('hits', 'a value, a whole number of 0 or more', value);
  }
}

/** @throws RulesError unless it is some dice of some faces */
function checkDice(dice: Parameters<RandomDraws['sum']>[0]): void {
  const given: Partial<typeof dice> | undefined = dice;
  const { count, sides } = { ...given };
  if (count === undefined || !isCount(count)) rejectArgument('sum', 'count, a whole number of 0 or more', count);
  if (sides === undefined || !isCount(sides) || sides === 0)
    rejectArgument('sum', 'sides, a whole number of 1 or more', sides);
}

const isDie = (faces: Faces): boolean => Array.isArray(faces) && faces.length === 6 && faces.every(isCount);

/** @throws RulesError unless all dice have six faces that show whole numbers */
function checkLots(lots: readonly DiceSet[]): void {
  if (!isList(lots)) rejectArgument('faces', 'a list of dice sets', lots);
  for (const lot of lots) {
    if (!isList(lot)) rejectArgument('faces', 'dice sets, each a list of dice', lot);
    for (const die of lot)
      if (!isDie(die)) rejectArgument('faces', 'dice of six faces, whole numbers of 0 or more', die);
  }
}

// The chance of a round: it gives every draw a place of its own in the battle's stream. A round has as many words as its
// slots have together; a draw that needs more words than its slot has left is refused.

/** Words of the stream by the name of what is drawn there. */
export type Streams = Readonly<Record<string, number>>;

/** Where each slot of a round begins, and how many words it has. */
export interface RoundStreams {
  readonly words: number;
  readonly slots: ReadonlyMap<string, { readonly first: number; readonly words: number }>;
  /** Decision points that the system declares. */
  readonly points: ReadonlySet<string>;
}

/** Draws of a battle, by name. */
export interface RoundContext extends Omit<RandomDraws, 'seek' | 'excess'> {
  /**
   * Where the next draws are taken from: a slot of the round, or a word in it. Scenarios that are compared then roll the
   * same dice for the same things. Without it draws take the words of the round in turn.
   * @param slot  a name among the slots of the battle
   * @param index 0 or more: the word of the slot, such as the place of a unit
   */
  at(slot: string, index?: number): RoundContext;
  /**
   * A player's decision; the first thing that a phase asks, and the only one.
   * @param options what is allowed, never empty
   * @param policy  what the policy of the scenario does
   */
  decide: Chance['decide'];
  /** Tells a replay that a rule applied: its id, and the facts that its sentence is made of. */
  rule: Chance['rule'];
}

export class ModelRoundContext implements RoundContext {
  readonly #chance: Chance;
  readonly #places: RoundStreams;
  readonly #base: number;
  #next: number;
  #left: number;
  #slot: string | undefined;

  /**
   * @param base  the place of the first word of the round
   * @param first the word of the round from which draws without a slot are taken
   * @param words as many words these draws have
   */
  constructor(chance: Chance, places: RoundStreams, base: number, first: number, words: number) {
    this.#chance = chance;
    this.#places = places;
    this.#base = base;
    this.#next = first;
    this.#left = words;
  }

  at(slot: string, index = 0): this {
    const place = this.#places.slots.get(slot);
    if (place === undefined) {
      const known = [...this.#places.slots.keys()].join(', ');
      throw new RulesError(`there is no stream "${slot}"; the battle declares ${known === '' ? 'none' : known}`);
    }
    if (!Number.isInteger(index) || index < 0 || index >= place.words)
      throw new RulesError(`stream "${slot}" has words 0..${String(place.words - 1)}, not ${String(index)}`);
    this.#slot = slot;
    this.#next = place.first + index;
    this.#left = place.words - index;
    return this;
  }

  sample(law: Distribution): number {
    this.#claim(1);
    return this.#chance.sample(law);
  }

  roll(count: number, sides: number): readonly number[] {
    this.#claim(1);
    return this.#chance.roll(count, sides);
  }

  sum(dice: Parameters<RandomDraws['sum']>[0]): number {
    checkDice(dice);
    this.#claim(1);
    return this.#chance.sum(dice);
  }

  hits(pools: readonly DicePool[]): number {
    checkPools(pools);
    this.#claim(pools.reduce((words, { dice }) => words + Math.ceil(dice / POOL_CHUNK), 0));
    return this.#chance.hits(pools);
  }

  faces(lots: readonly (readonly Faces[])[]): number {
    checkLots(lots);
    this.#claim(lots.length);
    return this.#chance.faces(lots);
  }

  draw(bag: readonly number[], count: number, names?: readonly string[]): number[] {
    checkBag(bag, count);
    checkNames('draw', names, bag);
    this.#claim(bag.length - 1, 'cards');
    return this.#chance.draw(bag, count, names);
  }

  pick(weights: readonly number[], names?: readonly string[]): number {
    checkWeights(weights);
    checkNames('pick', names, weights);
    this.#claim(1);
    return this.#chance.pick(weights, names);
  }

  decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (!this.#places.points.has(point))
      throw new RulesError(
        `the decision point "${point}" is not declared: add { point: '${point}', who, about, policies } to decisions`,
      );
    if (options.length === 0) throw new RulesError(`${player} has no option at the decision point "${point}"`);
    return this.#chance.decide(point, player, options, policy);
  }

  rule(id: string, facts?: () => EventData): void {
    if (facts !== undefined && typeof (facts as unknown) !== 'function')
      throw new RulesError(`chance.rule("${id}") needs a function that returns the event data: () => ({ ... })`);
    this.#chance.rule(id, facts);
  }

  /** @param name a slot to declare where the words of the phase are not enough */
  #claim(words: number, name = 'dice'): void {
    const { slots } = this.#places;
    if (this.#slot === undefined && slots.size > 0) {
      const [first = ''] = slots.keys();
      throw new RulesError(
        `a draw names no stream, but the battle declares ${[...slots.keys()].join(', ')}: name one, such as chance.at('${first}').sample(d(6))`,
      );
    }
    if (words > this.#left) {
      const place = this.#slot === undefined ? 'the phase' : `stream "${this.#slot}"`;
      const needed = `${String(words)} word${words === 1 ? '' : 's'}`;
      const slot = this.#slot ?? name;
      const spent = (slots.get(slot)?.words ?? this.#left) - this.#left;
      throw new RulesError(
        `a draw needs ${needed}, but ${place} has ${String(this.#left)} left: declare streams: { ${slot}: ${String(spent + words)} }`,
      );
    }
    this.#chance.seek(this.#base + this.#next);
    this.#next += words;
    this.#left -= words;
  }
}
