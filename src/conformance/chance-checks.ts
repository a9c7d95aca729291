/**
 * Weak class of stream positions: differences of two positions in a battle's stream whose words are more correlated
 * than others (docs/explanation/randomness.md, Limits). tests/chance/places.test.ts recomputes it.
 */

import { createBattleResult, replay } from '../analysis/index.ts';
import { SampledChance, Stream, type WordStream } from '../core/index.ts';
import { formatFew, formatValue, type Model, playSeededBattle, type State, traceBattle } from '../rules/index.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  describeError,
  formatAuthorPosition,
} from './findings.ts';

/** Computes u 2^(17 + b) +- v 2^b, in both directions modulo 2^32. */
function computeWeakClass(): Set<number> {
  const found = new Set<number>();
  for (let b = 6; b <= 14; b++)
    for (const u of [1, 3])
      for (const v of [-3, -1, 1, 3]) {
        const difference = u * 2 ** (17 + b) + v * 2 ** b;
        found.add(difference >>> 0).add(-difference >>> 0);
      }
  return found;
}

export const WEAK_CLASS: ReadonlySet<number> = computeWeakClass();

/** Returns two positions whose difference is in the weak class, if any. */
export function findWeakPair(places: ReadonlySet<number>): readonly [number, number] | undefined {
  for (const place of places)
    for (const difference of WEAK_CLASS) {
      const other = (place + difference) >>> 0;
      if (places.has(other)) return place < other ? [place, other] : [other, place];
    }
  return undefined;
}

// Recording of stream positions and decisions.

/** Draw of a word, with its position in the rules. */
interface RecordedDraw {
  readonly place: number;
  readonly from: Error;
  /** Number of halves of the word that are used. */
  readonly halves: number;
}

/** Chance source of the reference model that records stream positions and decisions. */
class WitnessChance extends SampledChance {
  readonly places: Map<number, RecordedDraw>;
  readonly #seen: { halves: boolean };

  /** @param twice called for a word that two draws use */
  constructor(stream: WordStream, twice: (first: RecordedDraw, second: RecordedDraw) => void) {
    const places = new Map<number, RecordedDraw>();
    const seen = { halves: false };
    const take = (place: number): void => {
      const before = places.get(place);
      const now = { place, from: new Error('a draw'), halves: seen.halves ? 1 : 2 };
      if (before === undefined) places.set(place, now);
      else if (before.halves + now.halves > 2) twice(before, now);
      else places.set(place, { ...before, halves: 2 });
    };
    let at = 0;
    super({
      seek: (place) => {
        at = place >>> 0;
        stream.seek(place);
      },
      word: () => {
        take(at++);
        return stream.word();
      },
    });
    this.places = places;
    this.#seen = seen;
  }

  override excess(...args: Parameters<SampledChance['excess']>): number {
    this.#seen.halves = true;
    const excess = super.excess(...args);
    this.#seen.halves = false;
    return excess;
  }
}

// Checks of calls of the chance source: draws, decisions and rules.

/** Battles whose draws are checked. */
const WATCHED_BATTLES = 20;

/** Steps of each. */
const STEPS = 3000;

/** Maximum number of positions to compare with each other. */
const POSITIONS_MAX = 20_000;

/** Runs a check for a few battles until it finds a problem. */
function findFirst(count: number, act: (battle: number) => readonly CheckMessage[]): readonly CheckMessage[] {
  for (let battle = 0; battle < count; battle++) {
    const found = act(battle);
    if (found.length > 0) return found.map((each) => ({ battle, ...each }));
  }
  return [];
}

const countWatchedBattles = ({ effort }: CheckedScenario): number => Math.min(WATCHED_BATTLES, effort.battles);

/** Finds draws outside of the round that started after a step. */
function findStrayDraws(model: Model<State>, round: number, places: Iterable<RecordedDraw>): RecordedDraw[] {
  const { roundWords } = model;
  if (roundWords === undefined) return [];
  const [from, to] = [round * roundWords, (round + 1) * roundWords];
  return [...places].filter(({ place, halves }) => halves === 2 && (place < from || place >= to));
}

function checkDrawsOf({ open, seed }: CheckedScenario, battle: number): readonly CheckMessage[] {
  const { model } = open;
  const found: CheckMessage[] = [];
  const chance = new WitnessChance(Stream.forBattle(seed, battle), (first, second) => {
    const [one, other] = [formatAuthorPosition(first.from), formatAuthorPosition(second.from)];
    const where = one === other ? `one draw${one}, made twice, uses` : `two draws${one} and${other} use`;
    found.push({
      message: `${where} the same word of a battle’s stream`,
      advice:
        'Their dice would always be correlated. Give each draw a separate word: a stream for each, or an index, ' +
        'chance.at("attack", 1), in a stream of several words.',
    });
  });
  let known = 0;
  traceBattle(model, chance, STEPS, (_, act) => {
    const after = act();
    if (chance.places.size > known) {
      const [stray] = findStrayDraws(model, after.round, [...chance.places.values()].slice(known));
      known = chance.places.size;
      if (stray !== undefined)
        found.push({
          message: `a draw of round ${String(after.round)}${formatAuthorPosition(stray.from)} uses a word outside of its round (${String(stray.place)})`,
          advice:
            'It may share its dice with another round. Declare streams that are large enough and draw with chance.at.',
        });
    }
    return after;
  });
  const weak = chance.places.size > POSITIONS_MAX ? undefined : findWeakPair(new Set(chance.places.keys()));
  if (weak !== undefined)
    found.push({
      message: `the draws at stream positions ${weak.join(' and ')} are more correlated than others`,
      advice: 'Use fewer words in a round or fewer rounds (docs/explanation/randomness.md, Limits).',
    });
  return found.slice(0, 1);
}

export const drawsCheck: ConformanceCheck = {
  id: 'draws',
  title: 'every draw uses a different word of the stream of its battle',
  run: (subject) => findFirst(countWatchedBattles(subject), (battle) => checkDrawsOf(subject, battle)),
};

/** Chance source of the reference model that checks the choices of policies. */
class DecisionCheckingChance extends SampledChance {
  readonly found: CheckMessage[] = [];
  /** Decisions of the current step, and whether it has drawn. */
  decided = 0;
  drawn = false;
  #within = 0;
  readonly #subject: CheckedScenario;

  constructor(subject: CheckedScenario, stream: Stream) {
    super({
      seek: (place) => {
        stream.seek(place);
      },
      word: () => {
        if (this.#within === 0) this.drawn = true;
        return stream.word();
      },
    });
    this.#subject = subject;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    this.#subject.observed.points.add(point);
    this.#within++;
    const choice = policy();
    this.#within--;
    this.#look(point, player, options, choice);
    this.decided++;
    return choice;
  }

  #look(point: string, player: string, options: readonly (string | number)[], choice: unknown): void {
    const { system } = this.#subject.open;
    const requested = new Error('asked');
    const name = `the decision "${point}" of ${formatValue(player)}${formatAuthorPosition(requested)}`;
    const add = (message: string, advice: string): void => void this.found.push({ message, advice });
    if (!options.some((option) => option === choice))
      add(
        `${name}: the policy returned ${formatValue(choice)}, which is not among its options ${formatValue(options)}`,
        'Agents could not choose it, and replays would show a choice that is not allowed. Return one of the options.',
      );
    if (new Set(options).size < options.length)
      add(`${name} has an option twice: ${formatValue(options)}`, 'List every option once.');
    if (!system.decisions.some((decision) => decision.point === point))
      add(`${name} is not declared`, `Add { point: ${formatValue(point)}, who, about, policies } to "decisions".`);
    if (typeof (player as unknown) !== 'string' || player === '')
      add(`${name} has no player`, 'Name the deciding player.');
    this.#order(name, add);
  }

  #order(name: string, add: (message: string, advice: string) => void): void {
    if (this.#subject.open.model.turn !== undefined) return;
    if (this.decided > 0)
      add(`${name} is the second in one phase`, 'A phase has at most one decision: make two phases.');
    else if (this.drawn)
      add(`${name} comes after a draw of its phase`, 'A phase decides before it draws: make two phases.');
  }
}

export const decisionsCheck: ConformanceCheck = {
  id: 'decisions',
  title: 'policies choose allowed options at declared decision points',
  run: (subject) =>
    findFirst(countWatchedBattles(subject), (battle) => {
      const chance = new DecisionCheckingChance(subject, Stream.forBattle(subject.seed, battle));
      traceBattle(subject.open.model, chance, STEPS, (_, act) => {
        [chance.decided, chance.drawn] = [0, false];
        return act();
      });
      return chance.found.slice(0, 1);
    }),
};

const BAD = /\bundefined\b|\bNaN\b|\[object |\bnull\b/;

/** Checks the text of a replay. */
function checkReplayText({ open }: CheckedScenario, { events }: ReturnType<typeof replay>): CheckMessage[] {
  const { rules } = open.system;
  const found = new Map<string, CheckMessage>();
  for (const event of events) {
    if (event.kind !== 'rule' || found.has(event.id)) continue;
    const rule = Object.hasOwn(rules, event.id) ? rules[event.id] : undefined;
    if (rule === undefined) {
      const message = `the rule "${event.id}" is applied, but "rules" does not list it`;
      const advice = `Replays show only its id. Add it to "rules", which has ${formatFew(Object.keys(rules), 8)}.`;
      found.set(event.id, { message, advice });
      continue;
    }
    let text: unknown;
    try {
      text = rule.describe(event.facts);
    } catch (error) {
      text = describeError(error);
    }
    if (typeof text === 'string' && !BAD.test(text)) continue;
    const message = `the rule "${event.id}" is described as ${formatValue(text)} for the facts ${formatValue(event.facts)}`;
    found.set(event.id, { message, advice: 'Its description needs other facts: chance.rule(id, () => ({ ... })).' });
  }
  return [...found.values()];
}

/** Options without a description, by decision: neither `describe` nor the next rule names them. */
type UnnamedOptions = Map<string, Set<string>>;

function findUnnamedOptions(
  { open }: CheckedScenario,
  { events }: ReturnType<typeof replay>,
  found: UnnamedOptions,
): void {
  const { rules, decisions: declared } = open.system;
  for (const [at, event] of events.entries()) {
    if (event.kind !== 'decide' || event.options.length < 2) continue;
    const { point, choice } = event;
    const next = events.slice(at + 1).find(({ kind }) => kind === 'decide' || kind === 'rule');
    const sentence = next?.kind === 'rule' ? String(rules[next.id]?.describe(next.facts)) : '';
    if (declared.find((each) => each.point === point)?.describe?.[choice] || sentence.includes(String(choice)))
      continue;
    found.set(point, (found.get(point) ?? new Set()).add(String(choice)));
  }
}

function createHints(wordless: UnnamedOptions): CheckMessage[] {
  return [...wordless].map(([point, options]) => {
    const message = `options of the decision "${point}" have no description in replays: ${formatFew([...options], 4)}`;
    const [first = ''] = options;
    const advice = `Add describe: { ${formatValue(first)}: ['does ...', 'do ...'] } to the decision, or name the choice in the description of the next rule`;
    return { ok: true, message, advice: `${advice}.` };
  });
}

export const replaysCheck: ConformanceCheck = {
  id: 'replays',
  title: 'replays match the counts, and every description is complete',
  run: (subject) => {
    const wordless: UnnamedOptions = new Map();
    const wrong = findFirst(Math.min(10, countWatchedBattles(subject)), (battle) => {
      const { open, seed } = subject;
      const reported = replay(open.scenario, { seed, battle });
      const counted = createBattleResult(open.model, playSeededBattle(open, seed, battle));
      const ends = { outcome: reported.outcome, metrics: reported.metrics };
      if (formatValue(ends) !== formatValue(counted)) {
        const message = `the replay ends as ${formatValue(ends)}, but the counts have ${formatValue(counted)}`;
        return [
          {
            message,
            advice: 'chance.rule must not change anything: neither its facts nor its listeners are part of the rules.',
          },
        ];
      }
      const found = checkReplayText(subject, reported);
      if (found.length === 0) findUnnamedOptions(subject, reported, wordless);
      return found;
    });
    return wrong.length > 0 ? wrong : createHints(wordless);
  },
};
