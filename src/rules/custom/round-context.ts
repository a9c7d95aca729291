/** Checks the arguments of draws in custom rules: invalid weights and counts would give wrong draws. */

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

/** Maximum number of list items in a message. */
const SHOWN_MAX = 12;

function rejectArgument(requested: string, expected: string, found: unknown): never {
  const list =
    Array.isArray(found) && found.length <= SHOWN_MAX ? `[${found.map(String).join(', ')}]` : describeFound(found);
  throw new RulesError(`chance.${requested}: expected ${expected}, found ${list}`);
}

/** Returns true for lists, which JavaScript callers may not pass. */
const isList = (value: unknown): boolean => Array.isArray(value);

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** @throws RulesError if weights are not numbers of 0 or more, with a sum above 0 */
function checkWeights(weights: readonly number[]): void {
  let total = 0;
  if (Array.isArray(weights))
    for (const weight of weights) total = typeof weight === 'number' && weight >= 0 ? total + weight : Number.NaN;
  if (total > 0 && total < Number.POSITIVE_INFINITY) return;
  rejectArgument('pick', 'weights of 0 or more, at least one above 0', weights);
}

/** @throws RulesError if counts are not whole numbers of 0 or more, or the bag has fewer cards than requested */
function checkBag(bag: readonly number[], count: number): void {
  if (!Array.isArray(bag) || bag.length === 0 || !bag.every(isCount))
    rejectArgument('draw', 'the number of each kind, whole numbers of 0 or more', bag);
  if (!isCount(count)) rejectArgument('draw', 'the number to draw, a whole number of 0 or more', count);
  let held = 0;
  for (const kind of bag as readonly number[]) held += kind;
  if (count > held) rejectArgument('draw', `at most ${String(held)} card${held === 1 ? '' : 's'}`, count);
}

/** @throws RulesError if there are names, but not one for each element */
function checkNames(requested: string, names: readonly string[] | undefined, things: readonly number[]): void {
  const given: unknown = names;
  if (given === undefined) return;
  const fits =
    Array.isArray(given) && given.length === things.length && given.every((each) => typeof each === 'string');
  if (!fits) rejectArgument(requested, `${String(things.length)} names, one for each element of the list`, given);
}

/** @throws RulesError if the numbers of dice or the values are not whole numbers */
function checkPools(pools: readonly DicePool[]): void {
  if (!isList(pools)) rejectArgument('hits', 'a list of pools', pools);
  for (const { dice, value } of pools) {
    if (!isCount(dice)) rejectArgument('hits', 'dice, a whole number of 0 or more', dice);
    if (!isCount(value)) rejectArgument('hits', 'a value, a whole number of 0 or more', value);
  }
}

/** @throws RulesError if the number of dice or of sides is invalid */
function checkDice(dice: Parameters<RandomDraws['sum']>[0]): void {
  const given: Partial<typeof dice> | undefined = dice;
  const { count, sides } = { ...given };
  if (count === undefined || !isCount(count)) rejectArgument('sum', 'count, a whole number of 0 or more', count);
  if (sides === undefined || !isCount(sides) || sides === 0)
    rejectArgument('sum', 'sides, a whole number of 1 or more', sides);
}

const isDie = (faces: Faces): boolean => Array.isArray(faces) && faces.length === 6 && faces.every(isCount);

/** @throws RulesError if a die does not have six faces with whole numbers */
function checkLots(lots: readonly DiceSet[]): void {
  if (!isList(lots)) rejectArgument('faces', 'a list of dice sets', lots);
  for (const lot of lots) {
    if (!isList(lot)) rejectArgument('faces', 'dice sets, each a list of dice', lot);
    for (const die of lot)
      if (!isDie(die)) rejectArgument('faces', 'dice of six faces, whole numbers of 0 or more', die);
  }
}

// Chance source of a round: each draw has a fixed stream position in the battle. A round has the words of all its
// streams; a draw that exceeds the rest of its stream is rejected.

/** Random words by the name of the draw. */
export type Streams = Readonly<Record<string, number>>;

/** Offset of each stream in a round, and its number of words. */
export interface RoundStreams {
  readonly words: number;
  readonly slots: ReadonlyMap<string, { readonly first: number; readonly words: number }>;
  /** Decision points that the system declares. */
  readonly points: ReadonlySet<string>;
}

/** Draws of a battle, by name. */
export interface RoundContext extends Omit<RandomDraws, 'seek' | 'excess'> {
  /**
   * Sets the source of the next draws: a stream of the round, or one of its words. Compared scenarios then roll the
   * same dice for the same events. By default draws take the words of the round in sequence.
   * @param slot name of a declared stream
   * @param index 0 or more: the word of the stream, such as the index of a unit
   */
  at(slot: string, index?: number): RoundContext;
  /**
   * Returns the decision of a player; only allowed as the first call of a phase.
   * @param options allowed options, never empty
   * @param policy decision of the policy of the scenario
   */
  decide: Chance['decide'];
  /** Reports a rule that applied to a replay: its id, and the data of its sentence. */
  rule: Chance['rule'];
}

export class ModelRoundContext implements RoundContext {
  readonly #places: RoundStreams;
  #chance!: Chance;
  #base = 0;
  #next = 0;
  #left = 0;
  #slot: string | undefined;

  constructor(places: RoundStreams) {
    this.#places = places;
  }

  /**
   * Starts a phase; static, because rules see the methods of a context.
   * @param base position of the first word of the round
   * @param first word of the round for draws without a stream
   * @param words number of words of these draws
   */
  static startPhase(
    context: ModelRoundContext,
    chance: Chance,
    base: number,
    first: number,
    words: number,
  ): RoundContext {
    context.#chance = chance;
    context.#base = base;
    context.#next = first;
    context.#left = words;
    context.#slot = undefined;
    return context;
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

  sample(distribution: Distribution): number {
    this.#claim(1);
    return this.#chance.sample(distribution);
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

  /** @param name suggested stream if the words of the phase do not suffice */
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
