/** Questions in words: "4 infantry and 2 tanks attack 5 infantry and a fighter". */
import { counted } from '../../../src/tell/index.ts';
import type { Game, Units } from './games.ts';
import { countAt, isArticle, separateNumbers } from './numerals.ts';
import { hasVerb, split } from './sides.ts';
import { correct, FILLERS, plain, unitOf } from './vocabulary.ts';

export interface Question {
  readonly game: Game;
  readonly attacker: Units;
  readonly defender: Units;
}

/** A question that was understood as a whole, or what is wrong with it. A part of a question is never answered. */
export type Reading =
  | { readonly question: Question }
  | {
      /** Sentences; undefined if it does not look like a question about a battle yet. */
      readonly problem: string | undefined;
      /** The question without what was not understood, if there is one. */
      readonly instead?: string | undefined;
    };

/** What is said of words that do not look like a question about a battle. */
export const HINT =
  'Not understood yet. Say how many units of what attack how many of what, such as “10 models against 5”, “2 B3 blocks attack 3 C2 blocks”, or choose a game below.';

const DICE = 'Rolls of single dice are not computed here, only battles: say how many units attack how many.';

const LONGEST = 1000;

/** A count of something, as it was said. */
interface Said {
  /** Undefined if none was said. */
  count: number | undefined;
  readonly words: string[];
  /** The count came behind the words, so that no word follows: "infantry 4". */
  closed?: boolean;
}

/** What separates units of a side. Within numbers, as in "1,5" or "3+", these signs are no separators. */
const BREAK = /\s*(?:[;&]|,(?!\d)|(?<!\d),|(?<!\d)\+|\/(?!\d)|\band\b|\bplus\b|\bwith\b)\s*/;

/** Reads a part between conjunctions: "3 cannons 2 knights", "infantry 4", "two dozen archers". */
function saidIn(part: string): Said[] {
  const found: Said[] = [];
  const all = part.split(/\s+/).filter((word) => word !== '');
  const isIdle = (w: number): boolean => {
    const [word = '', next] = [all[w], all[w + 1]];
    // An article counts where a unit follows it.
    if (isArticle(word)) return next === undefined || FILLERS.has(next) || countAt(all, w + 1) !== undefined;
    return FILLERS.has(word);
  };
  const words = all.filter((_, w) => !isIdle(w));
  for (let at = 0; at < words.length; ) {
    const number = countAt(words, at);
    const last = found.at(-1);
    if (number === undefined) {
      const word = words[at++] ?? '';
      if (last === undefined || last.closed === true) found.push({ count: undefined, words: [word] });
      else last.words.push(word);
      continue;
    }
    at = number.end;
    if (last === undefined || (last.words.length > 0 && last.count !== undefined))
      found.push({ count: number.count, words: [] });
    else if (last.count === undefined) {
      last.count = number.count;
      last.closed = true;
    } else last.words.push(`${String(last.count)} ${String(number.count)}`);
  }
  return found;
}

const said = (half: string): Said[] => half.split(BREAK).flatMap(saidIn);

/** Words of the longest name of a unit: "anti-aircraft gun" without its hyphen. */
const NAME_WORDS = 3;

/** Finds the first words that are a unit together, else the first single word that is one. */
function unitIn(game: Game, words: readonly string[]): { unit: string; rest: string[] } | undefined {
  const [single, ...others] = game.units ?? [];
  if (words.length === 0 && single !== undefined && others.length === 0) return { unit: single, rest: [] };
  for (let length = Math.min(NAME_WORDS, words.length); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const unit = unitOf(game, words.slice(from, from + length).join(' '));
      if (unit !== undefined) return { unit, rest: [...words.slice(0, from), ...words.slice(from + length)] };
    }
  return undefined;
}

function wordProblem(word: string): string {
  if (/^\d{1,3}(?:\.\d{3})+$/.test(word))
    return `“${word}” could mean two numbers: write ${word.replaceAll('.', '')}, or a whole number.`;
  return /\d/.test(word) ? `“${word}” is not a whole number of units.` : `“${word}” is not understood.`;
}

interface Side {
  readonly units: Units;
  readonly problems: readonly string[];
  /** Names of units that were understood. */
  readonly known: number;
  /** A count has no unit, or a unit no count: what remains is another question. */
  readonly isPart: boolean;
}

/** Finds the unit of a group of words, and says what is wrong with the others. @param alone the side has no other group */
function readGroup(
  game: Game,
  { count, words }: Said,
  alone: boolean,
): { unit: string | undefined; problems: string[] } {
  // A number alone is one of units only where nothing else is said: "10 against 8".
  const found = words.length === 0 && !alone ? undefined : unitIn(game, words);
  const rest = found === undefined ? words : found.rest.filter((word) => !/^units?$/.test(word));
  if (rest.length > 0) return { unit: found?.unit, problems: rest.map(wordProblem) };
  if (found === undefined) return { unit: undefined, problems: [`“${String(count)}” of which units?`] };
  return { unit: found.unit, problems: count === undefined ? [`How many “${words.join(' ')}”?`] : [] };
}

/** Reads a side as units of a game. */
function readSide(game: Game, all: readonly Said[]): Side {
  const units = new Map<string, number>();
  const problems: string[] = [];
  let [known, isPart] = [0, false];
  const groups = all
    .map(({ count, words }) => ({ count, words: words.filter((word) => game.words?.includes(word) !== true) }))
    .filter(({ count, words }) => words.length > 0 || count !== undefined);
  for (const group of groups) {
    const { count, words } = group;
    const { unit, problems: wrong } = readGroup(game, group, groups.length === 1);
    problems.push(...wrong);
    isPart ||= (unit === undefined) !== (count === undefined) || /“[^”]*\d/.test(wrong.join(' '));
    if (unit === undefined) continue;
    known += Number(words.length > 0);
    if (count !== undefined && count > 0) units.set(unit, (units.get(unit) ?? 0) + count);
  }
  return { units: Object.fromEntries(units), problems, known, isPart };
}

const isEmpty = (units: Units): boolean => Object.keys(units).length === 0;

/** What players call a game. */
export const nameOf = ({ known, title }: Game): string => known ?? title;

/** Why the rules of a game do not have such a battle, although all words were understood. */
function refusal({ game, attacker, defender }: Question): string | undefined {
  const { most = Number.POSITIVE_INFINITY } = game;
  const excess = [attacker, defender].flatMap(Object.entries<number>).find(([, count]) => count > most);
  if (excess === undefined) return game.refuses?.(attacker, defender);
  const [unit, count] = excess;
  return `${nameOf(game)} takes at most ${told({ [unit]: most })} on a side: ${String(count)} are too many.`;
}

interface Read extends Question, Pick<Side, 'problems' | 'known' | 'isPart'> {}

function readIn(game: Game, attacker: readonly Said[], defender: readonly Said[]): Read {
  const [a, d] = [readSide(game, attacker), readSide(game, defender)];
  const problems = [...new Set([...a.problems, ...d.problems])];
  const nobody = (['attacker', 'defender'] as const).filter((_, s) => isEmpty([a, d][s]?.units ?? {}));
  if (problems.length === 0) problems.push(...nobody.map((side) => `Which units has the ${side}?`));
  return {
    game,
    attacker: a.units,
    defender: d.units,
    problems,
    known: a.known + d.known,
    isPart: a.isPart || d.isPart,
  };
}

/** The games that a question can be about, and the question without their names. */
function named(text: string, games: readonly Game[]): { rest: string; among: readonly Game[] } {
  let rest = text;
  const found = games.filter(({ id, called = '', words = [] }) => {
    const pattern = new RegExp(`\\b(?:${called}${called && '|'}${id.replaceAll('-', '[ -]')})(?![\\p{L}\\p{N}])`, 'gu');
    const before = rest;
    rest = rest.replaceAll(pattern, ' ; ');
    return rest !== before || words.some((word) => new RegExp(`\\b${word}\\b`).test(text));
  });
  return { rest, among: found.length === 0 ? games : found };
}

const ROLLS = /\bdice\b|\d+d\d|\bd(?:[6-9]|\d\d+)\b/;

/** Prepares a text: small letters, plain signs, separate numbers, and words that are not mistyped. No text of rolls. */
function prepare(text: string, games: readonly Game[]): { spoken: string | undefined; among: readonly Game[] } {
  const small = text
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑–—−]/g, '-')
    .replaceAll(/\ban? (?:army|fleet|force|group|stack|squad|unit) of\b|\bfigure out\b/g, ' ');
  const { rest, among } = named(small, games);
  // Blocks have ratings such as D6.
  const isOfBlocks = among.every(({ id }) => id === 'block-dice');
  if (!isOfBlocks && ROLLS.test(rest)) return { spoken: undefined, among };
  const plainSigns = rest
    .replaceAll(/[?!"“”()[\]…]|:(?!\d)|(?<!\d):|(?<=\p{L})\.+|\.+(?![\d.])/gu, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, ' ');
  const spoken = separateNumbers(plainSigns).replaceAll(/\p{L}{5,}/gu, (word) => correct(word, among));
  // "8-5" without other numbers and verbs is a battle.
  const isPair = spoken.match(/\d+/g)?.length === 2 && !hasVerb(spoken);
  const paired = isPair ? spoken.replace(/(?<!\S)(\d+) ?[-:] ?(\d+)(?!\S)/, '$1 against $2') : spoken;
  return { spoken: paired.replaceAll(/(?<!\S)-+(?!\S)/g, ';'), among };
}

const score = ({ problems, known }: Read): number => (problems.length === 0 ? 1000 : 0) + known - problems.length;

/** Reads a question as one of a game. */
export function readQuestion(text: string, all: readonly Game[]): Reading {
  // Questions come with links too, from strangers.
  if (text.length > LONGEST) return { problem: `A question has at most ${String(LONGEST)} letters.` };
  const games = all.filter(({ write }) => write !== undefined);
  const { spoken, among } = prepare(text, games);
  if (spoken === undefined) return { problem: DICE };
  const halves = split(spoken);
  if (halves === undefined || typeof halves === 'string') return { problem: halves };
  const [attacker, defender] = [said(halves.attacker), said(halves.defender)];
  const [best] = among.map((game) => readIn(game, attacker, defender)).toSorted((a, b) => score(b) - score(a));
  if (best === undefined || (attacker.length === 0 && defender.length === 0)) return { problem: undefined };
  const { game, problems, known, isPart } = best;
  const question: Question = { game, attacker: best.attacker, defender: best.defender };
  if (problems.length === 0) {
    const refused = refusal(question);
    return refused === undefined ? { question } : { problem: refused };
  }
  const place = known > 0 || among.length === 1 ? `As ${nameOf(game)}: ` : '';
  return { problem: `${place}${problems.join(' ')}`, instead: isPart ? undefined : rephrase(question, all) };
}

/** Says what was understood as a question of its own, if it means the same. */
function rephrase({ game, attacker, defender }: Question, games: readonly Game[]): string | undefined {
  if (isEmpty(attacker) || isEmpty(defender)) return undefined;
  const words = `${told(attacker)} against ${told(defender)}`;
  return [words, `${nameOf(game)}: ${words}`].find((each) => understood(each, games)?.game === game);
}

/** The question that a text asks; undefined if a part of it is not understood. */
export function understood(text: string, games: readonly Game[]): Question | undefined {
  const reading = readQuestion(text, games);
  return 'question' in reading ? reading.question : undefined;
}

/** Writes the scenario of a question, with the question in its first line. */
export function scenarioOf({ game, attacker, defender }: Question, asked: string): string {
  const line = asked.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  return `# ${line}\nsystem: ${game.id}\n${game.write?.(attacker, defender) ?? ''}`;
}

const words = (unit: string): string => plain(unit.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

const toldOf = (count: number, unit: string): string =>
  unit === unit.toUpperCase() ? `${String(count)} ${unit}` : counted(count, words(unit));

/** `4 infantry, 2 tanks`; what is in capitals is a rating: `2 B3` */
export const told = (units: Units): string =>
  Object.entries(units)
    .map(([unit, count]) => toldOf(count, unit))
    .join(', ');
