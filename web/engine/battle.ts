/** A battle told step by step, and the next one where a condition holds. */
import type { StoryEvent } from '../../src/core/chance/recorded.ts';
import { MAX_BATTLES, parseCount, parseSeed } from '../../src/core/chance/stream.ts';
import { InputError } from '../../src/core/errors.ts';
import { opened } from '../../src/rules/opened.ts';
import { type Scenario, type System, sourceOf } from '../../src/rules/system.ts';
import { type BattleCondition, parseWhere } from '../../src/studies/find.ts';
import { lookAt, openPlay } from '../../src/studies/look.ts';
import { type ShownSide, sideIn, sideNamed, sidesOf } from '../../src/tell/sides.ts';
import { type Passage, passagesOf } from '../../src/tell/story.ts';
import { phraseOf } from '../../src/tell/survey/outcomes.ts';
import { clean } from '../../src/tell/text/clean.ts';
import { commandLine } from '../../src/tell/text/command.ts';
import { plain } from '../../src/tell/text/digits.ts';
import { PLAIN } from '../../src/tell/text/table.ts';
import { scenarioOf } from './check.ts';
import { given } from './registry.ts';
import { type Standings, standingsOf } from './standing.ts';
import { signalOf } from './task.ts';
import { type Stop, walked } from './walk.ts';

/** What was seen at the table. */
export type Seen = Exclude<StoryEvent, { kind: 'rule' }>;

/** A step of the story. */
export interface Step {
  /** The sentence of the command line's `replay`; empty where something was seen and no rule was told. */
  readonly text: string;
  /** Of the side that it is about. */
  readonly tone: number | undefined;
  /** What was seen, in words. */
  readonly notes: readonly string[];
  readonly seen: readonly Seen[];
  /** Whether a round begins. */
  readonly opens: boolean;
  readonly rule?: { readonly id: string; readonly source: string } | undefined;
  /** Index of the last state that was reached up to here; -1 before the first. */
  readonly state: number;
  /** Whether that state is the one after this step, not one before it. */
  readonly settled: boolean;
}

export interface Tale {
  readonly battle: number;
  readonly seed: string;
  readonly steps: readonly Step[];
  /** What changes in the battle, by state, and what does not. */
  readonly standings: Standings;
  readonly outcome: string;
  /** `the attacker wins` */
  readonly phrase: string;
  /** Of the side whose outcome it is. */
  readonly tone: number | undefined;
  readonly metrics: readonly (readonly [name: string, value: string, tone: number | undefined])[];
  /** What a colour of cubes is called, if the system says it, and the tone of the side whose they are. */
  readonly colours: readonly { readonly name: string; readonly tone: number | undefined }[];
  readonly command: string;
}

/** Which battle. */
export interface Which {
  readonly text: string;
  /** What its file is called, for the command line. */
  readonly file: string;
  readonly seed: string;
  readonly battle: number;
}

/** What was looked through. */
export interface Hunt {
  readonly found: number | undefined;
  /** Battles that were looked at. */
  readonly looked: number;
  /** The first battle that was not. */
  readonly next: number;
}

/** Steps that are told: nobody reads more, and a page cannot show them. */
const STEPS_MAX = 20_000;

/** Battles that are looked through at one go. */
const BATTLES_MAX = 10_000_000;

/** Milliseconds between two tellings of how far a search is. */
const TELL_EVERY = 150;

const withoutRules = (event: StoryEvent): event is Seen => event.kind !== 'rule';

/** Passages with the states that they come to. */
function stepsOf(
  passages: readonly Passage[],
  stops: readonly Pick<Stop, 'events'>[],
  { rules }: System,
  sides: readonly ShownSide[],
): Step[] {
  let state = -1;
  return passages.map(({ rule, opens, text, notes, seen, events }) => {
    while ((stops[state + 1]?.events ?? Number.POSITIVE_INFINITY) <= events) state++;
    const found = rule === undefined ? undefined : rules[rule];
    return {
      ...{ text, notes, opens, state },
      tone: sideNamed(text === '' ? notes.join(' ') : text, sides)?.tone,
      seen: seen.filter(withoutRules),
      rule: rule === undefined ? undefined : { id: rule, source: found === undefined ? '' : sourceOf(found) },
      settled: stops[state]?.events === events,
    };
  });
}

/** Colours of cubes have the names of the metrics that count them. */
function coloursOf(metrics: readonly string[], sides: readonly ShownSide[]): Tale['colours'] {
  const names = metrics.filter((name) => name.startsWith('drawn.')).map((name) => name.slice('drawn.'.length));
  return names.map((name) => ({ name, tone: sideIn(name, sides)?.tone }));
}

function conditionOf(where: string, scenario: Scenario): BattleCondition {
  try {
    return parseWhere(where, opened(scenario).shape);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const place = error.place.replace(/^where:?/, '');
    throw new InputError(place === '' ? 'condition' : `condition:${place}`, error.expected, error.found);
  }
}

export const battle = {
  /** @throws InputError for the text, RulesError for rules that fail */
  tell({ text, file, seed, battle }: Which): Tale {
    const scenario = scenarioOf(text);
    const { system } = opened(scenario);
    const sides = sidesOf(scenario);
    const { events, stops, outcome, metrics } = walked(scenario, seed, battle);
    const passages = passagesOf(events, system, PLAIN);
    if (passages.length > STEPS_MAX)
      throw new InputError(`battle ${String(battle)}`, `at most ${String(STEPS_MAX)} steps`, String(passages.length));
    return {
      ...{ battle, seed, outcome },
      phrase: phraseOf(outcome),
      tone: sideIn(outcome, sides)?.tone,
      steps: stepsOf(passages, stops, system, sides),
      standings: standingsOf(
        scenario,
        stops.map(({ state }) => state),
      ),
      metrics: Object.entries(metrics).map(([name, value]) => [clean(name), plain(value), sideIn(name, sides)?.tone]),
      colours: coloursOf(Object.keys(metrics), sides),
      command: commandLine('replay', given(file), '--seed', seed, '--battle', String(battle)),
    };
  },

  /** Reads a condition. @throws InputError with its place, `condition:9` */
  checkWhere(text: string, where: string): true {
    conditionOf(where, scenarioOf(text));
    return true;
  },

  /**
   * The next battle where a condition holds, from battle `battle` on.
   * @param tell gets how many battles were looked at, some times a second
   */
  async hunt(
    { text, seed, battle: from }: Which,
    where: string,
    task: number,
    tell: (looked: number) => void,
  ): Promise<Hunt> {
    const scenario = scenarioOf(text);
    const meets = conditionOf(where, scenario);
    const signal = signalOf(task);
    const first = parseCount(from, 'battle', 0, MAX_BATTLES - 1);
    const count = Math.min(BATTLES_MAX, MAX_BATTLES - first);
    const [play, run] = [await openPlay(scenario, count, signal), parseSeed(seed)];
    let [found, told]: [number | undefined, number] = [undefined, performance.now()];
    const looked = await lookAt(first, count, signal, (index) => {
      if (meets(play(run, index))) found = index;
      if (performance.now() - told > TELL_EVERY) {
        told = performance.now();
        tell(index - first + 1);
      }
      return found === undefined;
    });
    return { found, looked, next: first + looked };
  },
};
