/** A battle told in a page: its rounds with what was rolled, decided and lost. */
import type { Facts } from '../../../core/chance/door.ts';
import { Recorded, type StoryEvent } from '../../../core/chance/recorded.ts';
import { Stream } from '../../../core/chance/stream.ts';
import { playBattle } from '../../../rules/battle.ts';
import { opened } from '../../../rules/opened.ts';
import type { Scenario } from '../../../rules/system.ts';
import { type ShownSide, sideNamed, sidesOf } from '../../sides.ts';
import { narrated } from '../../story.ts';
import type { Paint } from '../../text/table.ts';
import { Markup, markOf, markup } from '../markup.ts';

/** Events of a battle that are told: some 200 rounds of two sides. */
const EVENTS = 1500;

class Enough extends Error {
  override readonly name = 'Enough';
}

/** Listens to a battle until there is too much to tell. */
class Listening extends Recorded {
  override rule(id: string, facts?: () => Facts): void {
    if (this.events.length >= EVENTS) throw new Enough();
    super.rule(id, facts);
  }
}

interface Retold {
  readonly events: readonly StoryEvent[];
  /** False if the battle goes on behind them. */
  readonly whole: boolean;
}

function retold(scenario: Scenario, seed: string, battle: number): Retold {
  const door = new Listening(Stream.of(BigInt(seed), battle));
  try {
    playBattle(opened(scenario).model, door);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return { events: door.events, whole: false };
  }
  return { events: door.events, whole: true };
}

/** Where marks begin and end; cleaned texts hold no such characters. */
const [BOLD, DIM, END] = ['\u0001', '\u0002', '\u0003'];

const between = (mark: string) => (text: string) => `${mark}${text}${END}`;

const asItIs = (text: string): string => text;

const PAINT: Paint = {
  bold: between(BOLD),
  dim: between(DIM),
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};

/** A text with at most one mark, at its end. */
function piece(text: string): Markup {
  const at = Math.max(text.indexOf(BOLD), text.indexOf(DIM));
  if (at < 0) return markup`${text}`;
  const inner = text.slice(at + 1);
  return markup`${text.slice(0, at)}${text.startsWith(BOLD, at) ? markup`<b>${inner}</b>` : markup`<i>${inner}</i>`}`;
}

/** A line with its marks as elements. They do not lie within each other. */
function marked(line: string): Markup {
  const pieces = line.split(END).map(piece);
  return new Markup(pieces.map(({ text }) => text).join(''));
}

/** What is told in lines of the terminal, two blanks deep for each step, as paragraphs, with the colour of the side that each is about. */
function paragraph(line: string, sides: readonly ShownSide[]): Markup {
  if (line.startsWith(BOLD)) return markup`<h4>${line.slice(1, -1)}</h4>`;
  const text = line.trimStart();
  const deep = line.length - text.length > 2 ? markup` class="deep"` : markup``;
  const tone = sideNamed(text, sides)?.tone ?? 'none';
  return markup`<p${deep}>${markOf(tone)}${marked(text)}</p>`;
}

/** A battle told; a very long one up to where it is cut, which is said. */
export function taleOf(scenario: Scenario, seed: string, battle: number): Markup {
  const { events, whole } = retold(scenario, seed, battle);
  const lines = narrated(events, opened(scenario).system, { width: Number.POSITIVE_INFINITY, paint: PAINT });
  const sides = sidesOf(scenario);
  const told = lines.filter((line) => line !== '').map((line) => paragraph(line, sides));
  if (told.length === 0) return markup`<p class="note">Nothing is rolled, decided or lost in it.</p>`;
  const rest = whole ? [] : [markup`<p class="note">The battle goes on; the command tells all of it.</p>`];
  return markup`<div class="tale" tabindex="0">${[...told, ...rest]}</div>`;
}
