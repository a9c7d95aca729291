/** One battle told as a story: what was rolled and decided, and what the rules made of it. */

import type { Dice, StoryEvent } from '../core/index.ts';
import type { System } from '../rules/index.ts';
import type { Replay } from '../studies/index.ts';
import { percent } from './figure.ts';
import { clean } from './text/clean.ts';
import { fixed, grouped, plain } from './text/digits.ts';
import { type Column, columns, dotted, type Look, lengthOf, type Paint, wrapped } from './text/table.ts';

/** The rule that every system calls when a round begins: it opens a paragraph. */
const ROUND = 'round';

function signed(value: number): string {
  return value < 0 ? ` - ${String(-value)}` : value > 0 ? ` + ${String(value)}` : '';
}

function faces({ pool, faces: shown }: Extract<StoryEvent, { kind: 'hits' }>, paint: Paint): string {
  const dice = shown.length === 1 ? 'die' : 'dice';
  const value = Math.min(6, pool.value);
  const faces = value < 1 ? 'no face' : value === 1 ? '1' : `1-${String(value)}`;
  const marked = shown.map((face) => (face <= value ? paint.bold(`${String(face)}*`) : paint.dim(String(face))));
  return `${String(shown.length)} ${dice}, hit on ${faces}: ${marked.join(' ')}`;
}

/** `a`, `a or b`, `a, b or c`. */
function either(words: readonly (string | number)[]): string {
  const last = String(words.at(-1) ?? '');
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Players that are roles; others are called by their names alone. */
const ROLES: ReadonlySet<string> = new Set(['attacker', 'defender']);

const playerOf = (player: string): string => (ROLES.has(player) ? `the ${player}` : player);

/** What else could have been done: `could fold or call`, `need not`. */
function alternatives(forms: readonly string[]): string {
  const refrain = forms.filter((form) => /^(?:do )?not\b/.test(form));
  const act = forms.filter((form) => !refrain.includes(form));
  const need = refrain.map((form) => form.replace(/^(?:do )?not\b/, 'need not'));
  return [...(act.length > 0 ? [`could ${either(act)}`] : []), ...need].join(', ');
}

/** Whether a text names a choice; a number does not stand within another one. */
function isNamed(text: string, choice: string): boolean {
  return /^\d+$/.test(choice) ? new Set<string>(text.match(/\d+/g)).has(choice) : text.includes(choice);
}

/** `takeCard` as `take card`. */
const spaced = (point: string): string => point.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

type Decided = Extract<StoryEvent, { kind: 'decide' }>;

/** What is told after something was seen, and whether one decision at most was seen. */
interface Sentence {
  readonly text: string;
  readonly one: boolean;
}

/**
 * A choice with what else could have been chosen; one that the told rule names is not named again.
 * @param one whether nobody else has decided before that rule
 */
function decision(
  { point, player, options, choice }: Decided,
  { text, one }: Sentence,
  decisions: System['decisions'],
): string {
  const others = options.filter((option) => option !== choice);
  if (one && isNamed(text, String(choice))) return `instead of ${either(others)}`;
  const verbs = decisions.find((each) => each.point === point)?.tell;
  const does = verbs?.[choice]?.[0];
  if (does === undefined)
    return `${spaced(point)}: ${playerOf(player)} chooses ${String(choice)}, not ${either(others)}`;
  const could = alternatives(others.map((option) => verbs?.[option]?.[1] ?? `choose ${String(option)}`));
  const told = `${playerOf(player)} ${does}`;
  return text === '' ? `${capital(told)} (${could}).` : `${told}, ${could}`;
}

const nameOf = ({ count, sides }: Dice): string => `${String(count)}d${String(sides)}`;

/** `2 Knight, 1 King of 3 Knight, 4 Squire, 1 King`; of things that are all different `King of 8`. */
function cards(drawn: readonly number[], bag: readonly number[], called: readonly string[]): string {
  const different = bag.every((count) => count < 2);
  const list = (counts: readonly number[]): string =>
    counts
      .flatMap((count, k) =>
        count === 0 ? [] : [different ? (called[k] ?? '') : `${String(count)} ${called[k] ?? ''}`],
      )
      .join(', ');
  const of = different ? String(bag.reduce((sum, count) => sum + count, 0)) : list(bag);
  return `drawn ${list(drawn) || 'nothing'} of ${of}`;
}

/** What somebody at the table saw, or undefined where there was nothing to see. @param said what came of it */
function noted(event: StoryEvent, said: Sentence, decisions: System['decisions'], paint: Paint): string | undefined {
  switch (event.kind) {
    case 'sum':
      return `${nameOf(event.dice)}: ${String(event.sum)}`;
    case 'excess': {
      const { dice, attack, defence, bonus } = event;
      return `${nameOf(dice)}: ${String(attack)}${signed(bonus)} against ${String(defence)}`;
    }
    case 'hits':
      return event.faces.length === 0 ? undefined : faces(event, paint);
    case 'faces':
      return `${String(event.shown.length)} ${event.shown.length === 1 ? 'die' : 'dice'}: ${event.shown.join(' ')}`;
    case 'draw':
      if (event.names !== undefined) return clean(cards(event.drawn, event.bag, event.names));
      return `drawn ${event.drawn.join(' ')} of ${event.bag.join(' ')}`;
    case 'pick': {
      const total = event.weights.reduce((sum, weight) => sum + weight, 0);
      const chance = (event.weights[event.index] ?? 0) / total;
      const name = event.names?.[event.index] ?? `number ${String(event.index + 1)} of ${String(event.weights.length)}`;
      return `${clean(name)}, chance ${percent(fixed, chance, 1)}`;
    }
    case 'take':
      return event.law === undefined
        ? `value ${String(event.value)}, chance ${percent(fixed, event.probability, 1)}`
        : `${clean(event.law)}: ${String(event.value)}`;
    case 'roll':
      return event.faces.length === 0 ? undefined : `${nameOf(event.dice)}: ${event.faces.join(' ')}`;
    case 'decide':
      return !isChoice(event) ? undefined : clean(decision(event, said, decisions));
    case 'rule':
      return undefined;
  }
}

/** A told rule with what was seen before it: behind it if the line has room, else below it. */
function told(text: string, notes: readonly string[], width: number, paint: Paint): string[] {
  if (text === '') return notes.map((note) => `  ${capital(note)}`);
  const indent = 2 + (/^ */.exec(text)?.[0].length ?? 0);
  const lines = wrapped(text, indent, width);
  if (notes.length === 0) return lines;
  const line = `  ${text}  ${paint.dim('[')}${notes.join('; ')}${paint.dim(']')}`;
  if (lengthOf(line) <= width) return [line];
  return [...lines, ...notes.flatMap((note) => wrapped(note, 6, width))];
}

const isChoice = (event: StoryEvent): boolean => event.kind === 'decide' && event.options.length > 1;

/** What of a system a story needs. */
type Told = Pick<System, 'rules' | 'decisions'>;

/** A line of the story: a rule that was told with what was seen before it, or what was seen although no rule was told after it. */
export interface Passage {
  /** The id of the rule. */
  readonly rule?: string;
  /** Whether it opens a paragraph. */
  readonly opens: boolean;
  /** What the rule tells; empty without one. */
  readonly text: string;
  readonly seen: readonly StoryEvent[];
  /** What was seen, in words. */
  readonly notes: readonly string[];
  /** Events up to it, those of the passages before it included. */
  readonly events: number;
}

class Narrator {
  readonly passages: Passage[] = [];
  readonly #rules: Told['rules'];
  readonly #decisions: Told['decisions'];
  readonly #paint: Paint;
  #seen: StoryEvent[] = [];

  constructor({ rules, decisions }: Told, paint: Paint) {
    this.#rules = rules;
    this.#decisions = decisions;
    this.#paint = paint;
  }

  hear(event: StoryEvent, at: number): void {
    if (event.kind !== 'rule') {
      this.#seen.push(event);
      return;
    }
    const { id: rule } = event;
    const text = clean(this.#rules[rule]?.tell(event.facts) ?? rule);
    const opens = rule === ROUND;
    if (opens) this.rest(at);
    this.#say({ rule, opens, text }, at + 1);
  }

  /** What was seen although no rule was told after it. */
  rest(events: number): void {
    this.#say({ opens: false, text: '' }, events);
  }

  #say(part: Pick<Passage, 'rule' | 'opens' | 'text'>, events: number): void {
    const seen = this.#seen;
    const said = { text: part.text, one: seen.filter(isChoice).length < 2 };
    const notes = seen.flatMap((event) => noted(event, said, this.#decisions, this.#paint) ?? []);
    this.#seen = [];
    if (part.text !== '' || notes.length > 0) this.passages.push({ ...part, seen, notes, events });
  }
}

/** What happened, rule by rule. */
export function passagesOf(events: readonly StoryEvent[], system: Told, paint: Paint): readonly Passage[] {
  const narrator = new Narrator(system, paint);
  for (const [at, event] of events.entries()) narrator.hear(event, at);
  narrator.rest(events.length);
  return narrator.passages;
}

/** What happened, a line each; before a round that is not the first an empty one. */
export function narrated(events: readonly StoryEvent[], system: Told, { width, paint }: Look): string[] {
  return passagesOf(events, system, paint).flatMap(({ opens, text, notes }, p) => {
    if (!opens) return told(text, notes, width, paint);
    return p === 0 ? [paint.bold(text)] : ['', paint.bold(text)];
  });
}

/**
 * A replay as text: a paragraph a round, the end at the end.
 * @param name what the scenario is called
 * @param system of the scenario
 */
export function story(replay: Replay, name: string, system: Told, look: Look): string {
  const { paint } = look;
  const title = [paint.bold(clean(name)), replay.system, `seed ${replay.seed}`, `battle ${grouped(replay.battle)}`];
  const heads: Column[] = [
    { head: '', align: 'left' },
    { head: '', align: 'point' },
  ];
  const rows = Object.entries(replay.metrics).map(([metric, value]) => [`  ${clean(metric)}`, plain(value)]);
  const ending = [`Outcome: ${paint.bold(clean(replay.outcome))}`, ...columns(heads, rows, look)];
  return `${[...dotted(title, look), '', ...narrated(replay.events, system, look), '', ...ending].join('\n')}\n`;
}
