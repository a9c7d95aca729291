/** Text of a replay: rolls, decisions and rules of one battle. */

import type { Replay } from '../../analysis/index.ts';
import type { Dice, ReplayEvent } from '../../core/index.ts';
import type { System } from '../../rules/index.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { formatFixed, formatGrouped, formatNumber } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import {
  formatTable,
  joinFacts,
  measureText,
  type Paint,
  type TerminalStyle,
  type TextColumn,
  wrapText,
} from '../text/table.ts';

/** Rule that every system reports at the beginning of a round. It begins a paragraph. */
const ROUND_RULE = 'round';

function formatSigned(value: number): string {
  return value < 0 ? ` - ${String(-value)}` : value > 0 ? ` + ${String(value)}` : '';
}

function formatFaces({ pool, faces: shown }: Extract<ReplayEvent, { kind: 'hits' }>, paint: Paint): string {
  const dice = shown.length === 1 ? 'die' : 'dice';
  const value = Math.min(6, pool.value);
  const faces = value < 1 ? 'no face' : value === 1 ? '1' : `1-${String(value)}`;
  const marked = shown.map((face) => (face <= value ? paint.bold(`${String(face)}*`) : paint.dim(String(face))));
  return `${String(shown.length)} ${dice}, hit on ${faces}: ${marked.join(' ')}`;
}

/** `a`, `a or b`, `a, b or c`. */
function joinAlternatives(words: readonly (string | number)[]): string {
  const last = String(words.at(-1) ?? '');
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

const capitalizeWord = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Players that are roles, which need an article; others are names. */
const ROLES: ReadonlySet<string> = new Set(['attacker', 'defender']);

const formatPlayer = (player: string): string => (ROLES.has(player) ? `the ${player}` : player);

/** Formats the other options: `could fold or call`, `need not`. */
function formatOtherChoices(forms: readonly string[]): string {
  const refrain = forms.filter((form) => /^(?:do )?not\b/.test(form));
  const act = forms.filter((form) => !refrain.includes(form));
  const need = refrain.map((form) => form.replace(/^(?:do )?not\b/, 'need not'));
  return [...(act.length > 0 ? [`could ${joinAlternatives(act)}`] : []), ...need].join(', ');
}

/** True if a text contains a choice; numbers only as whole numbers. */
function isMentioned(text: string, choice: string): boolean {
  return /^\d+$/.test(choice) ? new Set<string>(text.match(/\d+/g)).has(choice) : text.includes(choice);
}

/** `take card` for `takeCard`. */
const splitCamelCase = (point: string): string => point.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

type DecisionEvent = Extract<ReplayEvent, { kind: 'decide' }>;

/** Sentence of the rule after some observations; `one` is true if these contain at most one decision. */
interface RuleSentence {
  readonly text: string;
  readonly one: boolean;
}

/**
 * Formats a choice with the other options. If the sentence of the next rule names the choice, only the others.
 */
function formatDecision(
  { point, player, options, choice }: DecisionEvent,
  { text, one }: RuleSentence,
  decisions: System['decisions'],
): string {
  const others = options.filter((option) => option !== choice);
  if (one && isMentioned(text, String(choice))) return `instead of ${joinAlternatives(others)}`;
  const verbs = decisions.find((each) => each.point === point)?.describe;
  const does = verbs?.[choice]?.[0];
  if (does === undefined)
    return `${splitCamelCase(point)}: ${formatPlayer(player)} chooses ${String(choice)}, not ${joinAlternatives(others)}`;
  const could = formatOtherChoices(others.map((option) => verbs?.[option]?.[1] ?? `choose ${String(option)}`));
  const reported = `${formatPlayer(player)} ${does}`;
  return text === '' ? `${capitalizeWord(reported)} (${could}).` : `${reported}, ${could}`;
}

const formatDice = ({ count, sides }: Dice): string => `${String(count)}d${String(sides)}`;

/** `2 Knight, 1 King of 3 Knight, 4 Squire, 1 King`; if all cards are different, `King of 8`. */
function formatDrawnCards(drawn: readonly number[], bag: readonly number[], called: readonly string[]): string {
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

/** Formats an event; undefined if there was nothing to observe. @param sentence sentence of the next rule */
function formatObservation(
  event: ReplayEvent,
  sentence: RuleSentence,
  decisions: System['decisions'],
  paint: Paint,
): string | undefined {
  switch (event.kind) {
    case 'sum':
      return `${formatDice(event.dice)}: ${String(event.sum)}`;
    case 'excess': {
      const { dice, attack, defence, bonus } = event;
      return `${formatDice(dice)}: ${String(attack)}${formatSigned(bonus)} against ${String(defence)}`;
    }
    case 'hits':
      return event.faces.length === 0 ? undefined : formatFaces(event, paint);
    case 'faces':
      return `${String(event.shown.length)} ${event.shown.length === 1 ? 'die' : 'dice'}: ${event.shown.join(' ')}`;
    case 'draw':
      if (event.names !== undefined) return sanitizeLine(formatDrawnCards(event.drawn, event.bag, event.names));
      return `drawn ${event.drawn.join(' ')} of ${event.bag.join(' ')}`;
    case 'pick': {
      const total = event.weights.reduce((sum, weight) => sum + weight, 0);
      const chance = (event.weights[event.index] ?? 0) / total;
      const name = event.names?.[event.index] ?? `number ${String(event.index + 1)} of ${String(event.weights.length)}`;
      return `${sanitizeLine(name)}, chance ${formatPercent(formatFixed, chance, 1)}`;
    }
    case 'sample':
      return event.distribution === undefined
        ? `value ${String(event.value)}, chance ${formatPercent(formatFixed, event.probability, 1)}`
        : `${sanitizeLine(event.distribution)}: ${String(event.value)}`;
    case 'roll':
      return event.faces.length === 0 ? undefined : `${formatDice(event.dice)}: ${event.faces.join(' ')}`;
    case 'decide':
      return !isChoice(event) ? undefined : sanitizeLine(formatDecision(event, sentence, decisions));
    case 'rule':
      return undefined;
  }
}

/** Formats a rule with the observations before it, on the same line if they fit, otherwise below. */
function formatRuleLines(text: string, notes: readonly string[], width: number, paint: Paint): string[] {
  if (text === '') return notes.map((note) => `  ${capitalizeWord(note)}`);
  const indent = 2 + (/^ */.exec(text)?.[0].length ?? 0);
  const lines = wrapText(text, indent, width);
  if (notes.length === 0) return lines;
  const line = `  ${text}  ${paint.dim('[')}${notes.join('; ')}${paint.dim(']')}`;
  if (measureText(line) <= width) return [line];
  return [...lines, ...notes.flatMap((note) => wrapText(note, 6, width))];
}

const isChoice = (event: ReplayEvent): boolean => event.kind === 'decide' && event.options.length > 1;

/** Parts of a system that replays need. */
type ReplaySystem = Pick<System, 'rules' | 'decisions'>;

/** Line of a replay: a rule with the observations before it, or observations without a following rule. */
export interface ReplayLine {
  /** Id of the rule. */
  readonly rule?: string;
  /** True if it begins a paragraph. */
  readonly opens: boolean;
  /** Sentence of the rule; empty without one. */
  readonly text: string;
  readonly observed: readonly ReplayEvent[];
  /** Texts of the observations. */
  readonly notes: readonly string[];
  /** Number of events up to this line. */
  readonly events: number;
}

class ReplayWriter {
  readonly lines: ReplayLine[] = [];
  readonly #rules: ReplaySystem['rules'];
  readonly #decisions: ReplaySystem['decisions'];
  readonly #paint: Paint;
  #seen: ReplayEvent[] = [];

  constructor({ rules, decisions }: ReplaySystem, paint: Paint) {
    this.#rules = rules;
    this.#decisions = decisions;
    this.#paint = paint;
  }

  addEvent(event: ReplayEvent, at: number): void {
    if (event.kind !== 'rule') {
      this.#seen.push(event);
      return;
    }
    const { id: rule } = event;
    const text = sanitizeLine(this.#rules[rule]?.describe(event.facts) ?? rule);
    const opens = rule === ROUND_RULE;
    if (opens) this.finish(at);
    this.#printEvents({ rule, opens, text }, at + 1);
  }

  /** Adds observations without a following rule. */
  finish(events: number): void {
    this.#printEvents({ opens: false, text: '' }, events);
  }

  #printEvents(part: Pick<ReplayLine, 'rule' | 'opens' | 'text'>, events: number): void {
    const seen = this.#seen;
    const said = { text: part.text, one: seen.filter(isChoice).length < 2 };
    const notes = seen.flatMap((event) => formatObservation(event, said, this.#decisions, this.#paint) ?? []);
    this.#seen = [];
    if (part.text !== '' || notes.length > 0) this.lines.push({ ...part, observed: seen, notes, events });
  }
}

/** Creates the lines of a replay, rule by rule. */
export function createReplayLines(
  events: readonly ReplayEvent[],
  system: ReplaySystem,
  paint: Paint,
): readonly ReplayLine[] {
  const narrator = new ReplayWriter(system, paint);
  for (const [at, event] of events.entries()) narrator.addEvent(event, at);
  narrator.finish(events.length);
  return narrator.lines;
}

/** Formats the events, with an empty line between rounds. */
export function formatReplayLines(
  events: readonly ReplayEvent[],
  system: ReplaySystem,
  { width, paint }: TerminalStyle,
): string[] {
  return createReplayLines(events, system, paint).flatMap(({ opens, text, notes }, p) => {
    if (!opens) return formatRuleLines(text, notes, width, paint);
    return p === 0 ? [paint.bold(text)] : ['', paint.bold(text)];
  });
}

/**
 * Formats a replay: one paragraph for each round, and the result.
 * @param name label of the scenario
 */
export function formatReplay(replay: Replay, name: string, system: ReplaySystem, look: TerminalStyle): string {
  const { paint } = look;
  const title = [
    paint.bold(sanitizeLine(name)),
    replay.system,
    `seed ${replay.seed}`,
    `battle ${formatGrouped(replay.battle)}`,
  ];
  const heads: TextColumn[] = [
    { head: '', align: 'left' },
    { head: '', align: 'point' },
  ];
  const rows = Object.entries(replay.metrics).map(([metric, value]) => [
    `  ${sanitizeLine(metric)}`,
    formatNumber(value),
  ]);
  const result = [`Outcome: ${paint.bold(sanitizeLine(replay.outcome))}`, ...formatTable(heads, rows, look)];
  return `${[...joinFacts(title, look), '', ...formatReplayLines(replay.events, system, look), '', ...result].join('\n')}\n`;
}
