/**
 * States as plain data: numbers, strings, booleans, null, and lists and objects of them. Others need a key function:
 * JSON omits unknown values, so that different states would have the same key.
 */
import { type Chance, RulesError } from '../../core/index.ts';
import { getRoundLimitOutcome } from '../play-battle.ts';
import { callIsolated } from '../rules-guard.ts';
import type { Metric, Model } from '../system.ts';
import { ModelRoundContext, type RoundContext, type RoundStreams, type Streams } from './round-context.ts';

/** Maximum nesting of a state; deeper ones contain themselves. */
const DEPTH_MAX = 50;

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms have another Object.prototype.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return value - value === 0;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object' || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    // An index, not an iterator, because this runs in every step.
    for (let k = 0; k < value.length; k++) if (!isPlain(value[k], depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const name in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return false;
  return true;
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'a function' : String(value);
  const { name } = (value as { constructor?: { name?: unknown } }).constructor ?? {};
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class';
}

/** Finds the first value in a state that is not plain data, and describes it. */
function findNonPlain(value: unknown, path: string, depth: number): readonly [path: string, found: string] | undefined {
  if (isPlain(value, depth)) return undefined;
  const isNested = Array.isArray(value) || (typeof value === 'object' && value !== null && isPlainObject(value));
  if (!isNested) return [path, typeof value === 'bigint' ? `${String(value)}n` : nameOf(value)];
  if (depth > DEPTH_MAX) return ['', `more than ${String(DEPTH_MAX)} levels, or an object that contains itself`];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, each] of inner) {
    const found = findNonPlain(
      each,
      `${path}${typeof name === 'number' ? `[${String(name)}]` : `.${name}`}`,
      depth + 1,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Creates the default key of a state: its JSON.
 * @throws RulesError if the state is not plain data
 */
function createPlainKey(state: unknown): string {
  if (isPlain(state, 0)) return JSON.stringify(state);
  const [path = '', found = ''] = findNonPlain(state, 'state', 0) ?? [];
  throw new RulesError(
    `${path === '' ? 'a state' : path} is ${found}, which has no key: use numbers, strings, booleans, null, and lists and ` +
      'plain objects of them, or give the battle a "key" of everything that the future depends on',
  );
}

/** Freezes the new parts of a state, so that a step that changes its argument fails. */
function freezeState<S>(state: S): S {
  if (typeof state !== 'object' || state === null || Object.isFrozen(state) || ArrayBuffer.isView(state)) return state;
  Object.freeze(state);
  if (Array.isArray(state)) for (let k = 0; k < state.length; k++) freezeState(state[k]);
  else for (const name in state) freezeState(state[name]);
  return state;
}

// Creates a model from the definition of a battle in rounds.

/** A metric of a battle: whole numbers from `min` to `max`. */
export interface BattleMetric<S> extends Omit<Metric, 'name'> {
  /** Returns its value in a finished battle. */
  readonly of: (state: S) => number;
}

/** A phase of a round: at most one decision, which must come first, then any number of draws. */
export type Phase<S> = (state: S, chance: RoundContext) => S;

/**
 * Rules of one scenario. All functions are pure: their results depend only on the state and the chance source, and they
 * return new states instead of changing them.
 */
export interface Battle<S> {
  /** Names of all outcomes but `atRoundLimit`. */
  readonly outcomes: readonly string[];
  /** Outcome of a battle that is not over after `maxRounds`; default: `stalemate`. */
  readonly atRoundLimit?: string;
  /** By name; `rounds`, the number of rounds, is always added. */
  readonly metrics?: Readonly<Record<string, BattleMetric<S>>>;
  /**
   * Random words of a round, by the name of the draw: 1 for each roll, pick or distribution; one for every 64 dice of
   * `hits`; for `draw` one for each color except the last. Without streams a phase has 16 words, used in sequence.
   */
  readonly streams?: Streams;
  /** Returns the state before the first round, which should contain only data that the future depends on. */
  readonly start: (chance: RoundContext) => S;
  /** Phases of a round in order, or its only phase. */
  readonly round: Phase<S> | readonly Phase<S>[];
  /**
   * Returns the outcome if the battle is over. Called after every phase.
   * @param phase the next one; 0 between two rounds
   */
  readonly outcome: (state: S, phase: number) => string | undefined;
  /**
   * Returns a key that identifies the future of a state: the exact solver and the compiler merge states with the same
   * key. Default: the JSON of the state, which must be plain data: numbers, strings, booleans, null, and lists and
   * objects of them. Keys without irrelevant data make both faster.
   */
  readonly key?: (state: S) => string | number;
}

/** Returns the rules of a scenario as they are; TypeScript infers the type of the state from `start`. */
export function defineBattle<S>(battle: Battle<S>): Battle<S> {
  return battle;
}

/** State of a battle with its position. */
export interface BattleState<S> {
  /** Number of started rounds. */
  readonly round: number;
  /** The next phase of the round; 0: the round is complete. */
  readonly phase: number;
  /** State as returned by the functions of the author. */
  readonly at: S;
}

/** Words of a phase without streams. */
const PHASE_WORDS = 16;

/**
 * Positions below this are sufficiently independent (docs/explanation/randomness.md, Limits: a weak class of
 * positions).
 */
const POSITIONS_MAX = 2 ** 23 - 192;

function createRoundStreams(slots: Streams | undefined, phases: number, points: ReadonlySet<string>): RoundStreams {
  const found = new Map<string, { first: number; words: number }>();
  let words = 0;
  for (const [name, count] of Object.entries(slots ?? {})) {
    if (!Number.isInteger(count) || count < 1) throw new RulesError(`stream "${name}" needs 1 word or more`);
    found.set(name, { first: words, words: count });
    words += count;
  }
  return { points, slots: found, words: slots === undefined ? PHASE_WORDS * phases : Math.max(1, words) };
}

function checkNames(outcomes: readonly string[], metrics: readonly string[]): void {
  const twice = outcomes.find((name, at) => outcomes.indexOf(name) < at);
  if (twice !== undefined) throw new RulesError(`the outcome "${twice}" is declared twice`);
  if (outcomes.length === 0) throw new RulesError('a battle needs at least one outcome');
  if (metrics.includes('rounds')) throw new RulesError('warpool counts "rounds" itself; do not declare this metric');
}

/** Checks a state that a function of the author returned. @throws RulesError if it is invalid */
function checkState<S>(what: string, at: S): S {
  if (at === undefined) throw new RulesError(`${what} returned undefined; it has to return a state`);
  if (at instanceof Promise) throw new RulesError(`${what} returned a Promise; rules cannot be async`);
  return at;
}

/**
 * Measures a metric. @throws RulesError if the value is outside of the declared range, which would corrupt the counts
 */
function measureMetric<S>(name: string, { min, max, of }: BattleMetric<S>, at: S): number {
  const value = callIsolated(of, at, undefined);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const bounds = `${String(min)}..${String(max)}`;
  throw new RulesError(
    `the metric "${name}" is declared as an integer ${bounds}, but a battle ended with ${String(value)}`,
  );
}

/**
 * Creates the model of a battle.
 * @param points declared decision points of the system
 * @throws RulesError if the declaration is inconsistent
 */
export function createModel<S>(
  battle: Battle<S>,
  maxRounds: number,
  points: readonly string[] = [],
): Model<BattleState<S>> {
  const { start, outcome, key = createPlainKey } = battle;
  const phases = typeof battle.round === 'function' ? [battle.round] : battle.round;
  const metrics = Object.entries(battle.metrics ?? {});
  checkNames(
    battle.outcomes,
    metrics.map(([name]) => name),
  );
  const names = phases.map((_, k) => (phases.length === 1 ? 'round' : `phase ${String(k + 1)} of the round`));
  const places = createRoundStreams(battle.streams, phases.length, new Set(points));
  if (places.words * (maxRounds + 1) > POSITIONS_MAX) {
    const most = Math.floor(POSITIONS_MAX / places.words) - 1;
    throw new RulesError(
      `rounds of ${String(places.words)} words: maxRounds must be at most ${String(most)}, not ${String(maxRounds)}`,
    );
  }
  // One for all phases: rules do not run concurrently.
  const context = new ModelRoundContext(places);
  /** Positions the draws of a phase; draws of the start are in round 0. */
  const placeDraws = (chance: Chance, round: number, phase: number): RoundContext => {
    const open = battle.streams === undefined ? PHASE_WORDS : 0;
    return ModelRoundContext.startPhase(context, chance, round * places.words, phase * open, open);
  };
  const last = getRoundLimitOutcome(battle);
  const outcomes = battle.outcomes.includes(last) ? battle.outcomes : [...battle.outcomes, last];
  const known = new Set(outcomes);
  /** @throws RulesError if the outcome is not declared */
  const findOutcome = (at: S, phase: number): string | undefined => {
    const name = callIsolated(outcome, at, phase);
    if (name === undefined || known.has(name)) return name;
    throw new RulesError(`the outcome ${JSON.stringify(name)} is not one of ${outcomes.join(', ')}`);
  };
  return {
    outcomes,
    metrics: [
      { name: 'rounds', min: 0, max: maxRounds },
      ...metrics.map(([name, { of: _, ...metric }]) => ({ name, ...metric })),
    ],
    maxRounds,
    atRoundLimit: last,
    roundsMetric: 0,
    roundWords: places.words,
    start: (chance) => ({
      round: 0,
      phase: 0,
      at: checkState('start', callIsolated(start, placeDraws(chance, 0, 0), undefined)),
    }),
    step({ round, phase, at }, chance) {
      const now = phase === 0 ? round + 1 : round;
      if (phase === 0) chance.rule('round', () => ({ round: now }));
      const act = phases[phase] as Phase<S>;
      const next = checkState(names[phase] as string, callIsolated(act, at, placeDraws(chance, now, phase)));
      return { round: now, phase: (phase + 1) % phases.length, at: next };
    },
    resting: ({ phase }) => phase === 0,
    outcome: ({ phase, at }) => findOutcome(at, phase),
    measure: ({ round, at }) => [round, ...metrics.map(([name, metric]) => measureMetric(name, metric, at))],
    keep({ at }) {
      freezeState(at);
    },
    plain: battle.key === undefined ? 'key' : 'state',
    // Phases of a round with one phase need no prefix, which would make keys strings in two parts.
    key: ({ phase, at }) => {
      const own = String(callIsolated(key, at, undefined));
      return phases.length === 1 ? own : `${String(phase)} ${own}`;
    },
  };
}
