/** Questions in words: "4 infantry and 2 tanks attack 5 infantry and a fighter". */
import { formatCountedNoun } from '../../../src/report/index.ts';
import type { GameOption, UnitQuantities } from './games.ts';
import { isArticle, parseCountAt, separateNumbers } from './numerals.ts';
import { hasVerb, splitSides } from './question-sides.ts';
import { correctWord, FILLERS, findUnitByName, normalizeName } from './vocabulary.ts';

export interface BattleQuestion {
  readonly game: GameOption;
  readonly attacker: UnitQuantities;
  readonly defender: UnitQuantities;
}

/** A question that was understood completely, or its problems. Parts of a question are never answered. */
export type ParsedQuestion =
  | { readonly question: BattleQuestion }
  | {
      /** Sentences; undefined if the text is not a question about a battle yet. */
      readonly problem: string | undefined;
      /** The question without the words that were not understood, if possible. */
      readonly instead?: string | undefined;
    };

/** Hint for text that is not a question about a battle. */
export const QUESTION_HINT =
  'Not understood. Try “10 models against 5” or “2 B3 blocks attack 3 C2 blocks”, or choose a game below.';

const DICE_HINT = 'Rolls of single dice are not supported. Enter a battle, such as “10 against 8”.';

const MAX_QUESTION_LENGTH = 1000;

/** A count with its words. */
interface CountedWords {
  /** Undefined without a number. */
  count: number | undefined;
  readonly words: string[];
  /** True if the count followed the words ("infantry 4"), so that no word can follow. */
  closed?: boolean;
}

/** Pattern between units of a side. Within numbers, as in "1,5" or "3+", these characters do not separate. */
const UNIT_SEPARATOR = /\s*(?:[;&]|,(?!\d)|(?<!\d),|(?<!\d)\+|\/(?!\d)|\band\b|\bplus\b|\bwith\b)\s*/;

/** Parses a part between conjunctions: "3 cannons 2 knights", "infantry 4", "two dozen archers". */
function parseCounts(part: string): CountedWords[] {
  const found: CountedWords[] = [];
  const all = part.split(/\s+/).filter((word) => word !== '');
  const isIdle = (w: number): boolean => {
    const [word = '', next] = [all[w], all[w + 1]];
    // An article means one before a unit.
    if (isArticle(word)) return next === undefined || FILLERS.has(next) || parseCountAt(all, w + 1) !== undefined;
    return FILLERS.has(word);
  };
  const words = all.filter((_, w) => !isIdle(w));
  for (let at = 0; at < words.length; ) {
    const number = parseCountAt(words, at);
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

const parseHalf = (half: string): CountedWords[] => half.split(UNIT_SEPARATOR).flatMap(parseCounts);

/** Maximum words of a unit name: "anti-aircraft gun" without its hyphen. */
const MAX_NAME_WORDS = 3;

/** Finds the unit with the most words, at the earliest position. */
function findUnit(game: GameOption, words: readonly string[]): { unit: string; rest: string[] } | undefined {
  const [single, ...others] = game.units ?? [];
  if (words.length === 0 && single !== undefined && others.length === 0) return { unit: single, rest: [] };
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const unit = findUnitByName(game, words.slice(from, from + length).join(' '));
      if (unit !== undefined) return { unit, rest: [...words.slice(0, from), ...words.slice(from + length)] };
    }
  return undefined;
}

function describeWordProblem(word: string): string {
  if (/^\d{1,3}(?:\.\d{3})+$/.test(word))
    return `“${word}” could mean two numbers: write ${word.replaceAll('.', '')}, or a whole number.`;
  return /\d/.test(word) ? `“${word}” is not a whole number of units.` : `“${word}” is not understood.`;
}

interface ParsedSide {
  readonly units: UnitQuantities;
  readonly problems: readonly string[];
  /** Number of unit names that were understood. */
  readonly known: number;
  /** True if a count has no unit or a unit has no count: the rest is a different question. */
  readonly isPart: boolean;
}

/**
 * Finds the unit of a group of words and the problems of the other words. @param alone true if it is the only group of
 * the side
 */
function parseGroup(
  game: GameOption,
  { count, words }: CountedWords,
  alone: boolean,
): { unit: string | undefined; problems: string[] } {
  // A number without a word counts units only if it is the only group: "10 against 8".
  const found = words.length === 0 && !alone ? undefined : findUnit(game, words);
  const rest = found === undefined ? words : found.rest.filter((word) => !/^units?$/.test(word));
  if (rest.length > 0) return { unit: found?.unit, problems: rest.map(describeWordProblem) };
  if (found === undefined) return { unit: undefined, problems: [`“${String(count)}” of which units?`] };
  return { unit: found.unit, problems: count === undefined ? [`How many “${words.join(' ')}”?`] : [] };
}

/** Parses a side as units of a game. */
function parseSide(game: GameOption, all: readonly CountedWords[]): ParsedSide {
  const units = new Map<string, number>();
  const problems: string[] = [];
  let [known, isPart] = [0, false];
  const groups = all
    .map(({ count, words }) => ({ count, words: words.filter((word) => game.words?.includes(word) !== true) }))
    .filter(({ count, words }) => words.length > 0 || count !== undefined);
  for (const group of groups) {
    const { count, words } = group;
    const { unit, problems: wrong } = parseGroup(game, group, groups.length === 1);
    problems.push(...wrong);
    isPart ||= (unit === undefined) !== (count === undefined) || /“[^”]*\d/.test(wrong.join(' '));
    if (unit === undefined) continue;
    known += Number(words.length > 0);
    if (count !== undefined && count > 0) units.set(unit, (units.get(unit) ?? 0) + count);
  }
  return { units: Object.fromEntries(units), problems, known, isPart };
}

const isEmpty = (units: UnitQuantities): boolean => Object.keys(units).length === 0;

/** Returns the name that players use for a game. */
export const getGameName = ({ knownAs, title }: GameOption): string => knownAs ?? title;

/** Returns why the rules reject a battle whose words were all understood. */
function findRejection({ game, attacker, defender }: BattleQuestion): string | undefined {
  const { most = Number.POSITIVE_INFINITY } = game;
  const excess = [attacker, defender].flatMap(Object.entries<number>).find(([, count]) => count > most);
  if (excess === undefined) return game.rejects?.(attacker, defender);
  const [unit, count] = excess;
  return `${getGameName(game)} takes at most ${formatUnits({ [unit]: most })} on a side: ${String(count)} are too many.`;
}

interface ParsedBattle extends BattleQuestion, Pick<ParsedSide, 'problems' | 'known' | 'isPart'> {}

function parseForGame(
  game: GameOption,
  attacker: readonly CountedWords[],
  defender: readonly CountedWords[],
): ParsedBattle {
  const [a, d] = [parseSide(game, attacker), parseSide(game, defender)];
  const problems = [...new Set([...a.problems, ...d.problems])];
  const nobody = (['attacker', 'defender'] as const).filter((_, s) => isEmpty([a, d][s]?.units ?? {}));
  if (problems.length === 0) problems.push(...nobody.map((side) => `Which units does the ${side} have?`));
  return {
    game,
    attacker: a.units,
    defender: d.units,
    problems,
    known: a.known + d.known,
    isPart: a.isPart || d.isPart,
  };
}

/** Finds the games that a question names, and removes their names; all games if it names none. */
function findNamedGames(text: string, games: readonly GameOption[]): { rest: string; among: readonly GameOption[] } {
  let rest = text;
  const found = games.filter(({ id, called = '', words = [] }) => {
    const pattern = new RegExp(`\\b(?:${called}${called && '|'}${id.replaceAll('-', '[ -]')})(?![\\p{L}\\p{N}])`, 'gu');
    const before = rest;
    rest = rest.replaceAll(pattern, ' ; ');
    return rest !== before || words.some((word) => new RegExp(`\\b${word}\\b`).test(text));
  });
  return { rest, among: found.length === 0 ? games : found };
}

const ROLL_PATTERN = /\bdice\b|\d+d\d|\bd(?:[6-9]|\d\d+)\b/;

/** Normalizes a text: lower case, plain characters, separate numbers, corrected typos. Undefined for dice rolls. */
function normalizeQuestion(
  text: string,
  games: readonly GameOption[],
): { normalized: string | undefined; among: readonly GameOption[] } {
  const small = text
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑–—−]/g, '-')
    .replaceAll(/\ban? (?:army|fleet|force|group|stack|squad|unit) of\b|\bfigure out\b/g, ' ');
  const { rest, among } = findNamedGames(small, games);
  // Ratings of blocks, such as D6, look like dice.
  const isOfBlocks = among.every(({ id }) => id === 'block-dice');
  if (!isOfBlocks && ROLL_PATTERN.test(rest)) return { normalized: undefined, among };
  const plainSigns = rest
    .replaceAll(/[?!"“”()[\]…]|:(?!\d)|(?<!\d):|(?<=\p{L})\.+|\.+(?![\d.])/gu, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, ' ');
  const spoken = separateNumbers(plainSigns).replaceAll(/\p{L}{5,}/gu, (word) => correctWord(word, among));
  // "8-5" is a battle if there are no other numbers and verbs.
  const isPair = spoken.match(/\d+/g)?.length === 2 && !hasVerb(spoken);
  const paired = isPair ? spoken.replace(/(?<!\S)(\d+) ?[-:] ?(\d+)(?!\S)/, '$1 against $2') : spoken;
  return { normalized: paired.replaceAll(/(?<!\S)-+(?!\S)/g, ';'), among };
}

const scoreBattle = ({ problems, known }: ParsedBattle): number =>
  (problems.length === 0 ? 1000 : 0) + known - problems.length;

/** Parses a question. */
export function parseQuestion(text: string, all: readonly GameOption[]): ParsedQuestion {
  // Links from strangers may contain questions.
  if (text.length > MAX_QUESTION_LENGTH)
    return { problem: `A question has at most ${String(MAX_QUESTION_LENGTH)} characters.` };
  const games = all.filter(({ write }) => write !== undefined);
  const { normalized, among } = normalizeQuestion(text, games);
  if (normalized === undefined) return { problem: DICE_HINT };
  const halves = splitSides(normalized);
  if (halves === undefined || typeof halves === 'string') return { problem: halves };
  const [attacker, defender] = [parseHalf(halves.attacker), parseHalf(halves.defender)];
  const [best] = among
    .map((game) => parseForGame(game, attacker, defender))
    .toSorted((a, b) => scoreBattle(b) - scoreBattle(a));
  if (best === undefined || (attacker.length === 0 && defender.length === 0)) return { problem: undefined };
  const { game, problems, known, isPart } = best;
  const question: BattleQuestion = { game, attacker: best.attacker, defender: best.defender };
  if (problems.length === 0) {
    const rejected = findRejection(question);
    return rejected === undefined ? { question } : { problem: rejected };
  }
  const place = known > 0 || among.length === 1 ? `As ${getGameName(game)}: ` : '';
  return { problem: `${place}${problems.join(' ')}`, instead: isPart ? undefined : rephraseQuestion(question, all) };
}

/** Formats the understood part as a question, if it is parsed as the same battle. */
function rephraseQuestion(
  { game, attacker, defender }: BattleQuestion,
  games: readonly GameOption[],
): string | undefined {
  if (isEmpty(attacker) || isEmpty(defender)) return undefined;
  const words = `${formatUnits(attacker)} against ${formatUnits(defender)}`;
  return [words, `${getGameName(game)}: ${words}`].find((each) => parseCompleteQuestion(each, games)?.game === game);
}

/** Parses a question; undefined unless all of it is understood. */
export function parseCompleteQuestion(text: string, games: readonly GameOption[]): BattleQuestion | undefined {
  const reading = parseQuestion(text, games);
  return 'question' in reading ? reading.question : undefined;
}

/** Writes the scenario of a question, with the question as its first line. */
export function writeScenario({ game, attacker, defender }: BattleQuestion, requested: string): string {
  const line = requested.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  return `# ${line}\nsystem: ${game.id}\n${game.write?.(attacker, defender) ?? ''}`;
}

const splitUnitName = (unit: string): string => normalizeName(unit.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

const formatUnitCount = (count: number, unit: string): string =>
  unit === unit.toUpperCase() ? `${String(count)} ${unit}` : formatCountedNoun(count, splitUnitName(unit));

/** Formats units: `4 infantry, 2 tanks`, and ratings in capitals: `2 B3`. */
export const formatUnits = (units: UnitQuantities): string =>
  Object.entries(units)
    .map(([unit, count]) => formatUnitCount(count, unit))
    .join(', ');
