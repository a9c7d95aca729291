/** Questions in words: "4 infantry and 2 tanks attack 5 infantry and a fighter". */
import { counted } from '../../../src/tell/odds/counted.ts';
import type { Game, Units } from './games.ts';

export interface Question {
  readonly game: Game;
  readonly attacker: Units;
  readonly defender: Units;
  /** What was not understood, as it was written. */
  readonly missed: readonly string[];
}

const NUMBERS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    single: 1,
    lone: 1,
    two: 2,
    pair: 2,
    couple: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
  },
  ...{ nine: 9, ten: 10, eleven: 11, twelve: 12, dozen: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16 },
  ...{ seventeen: 17, eighteen: 18, nineteen: 19, twenty: 20, thirty: 30, forty: 40, fifty: 50, hundred: 100 },
};

/** Words of a question that tell nothing of units. */
const FILLERS = new Set(
  `the my his her their our your its of i we you he she they it me us them who what which how should shall can could will would may might
  do does did is are be was were have has had got with for from to in on at by if then than so what's odds chance chances
  probability win wins winning likely please risk it's worth there some all when attacker attackers defender defenders side enemy opponent
  good bad idea against-all battle fight's versus-all really just only`.split(/\s+/),
);

/** What parts the sides; in the second group the one that is named first defends. */
const PARTS: readonly (readonly [RegExp, defenderFirst: boolean])[] = [
  [
    /\b(?:(?:is|are|being|get|gets) )?(?:attacked|assaulted|invaded|charged|besieged|hit) by\b|\b(?:hold|holds|hold out|stand|stands|defend|defends|survive|survives|withstand|withstands|resist|resists|repel|repels|stop|stops)(?: out| up| off)?(?: (?:against|versus|vs|v|to))?\b|\bdefend(?:s|ing)?\b/,
    true,
  ],
  [
    /\b(?:attack|attacks|attacking|assault|assaults|assaulting|invade|invades|invading|charge|charges|beat|beats|defeat|defeats|kill|kills|fight|fights|fighting|take|takes|take on|takes on|face|faces|into|against|versus|vs|v)\b(?: (?:against|on|with|versus)\b)?|-+>|→|⚔/,
    false,
  ],
];

interface Halves {
  readonly attacker: string;
  readonly defender: string;
}

/** The earliest of what parts the sides. */
function halved(text: string): Halves | undefined {
  const found = PARTS.flatMap(([pattern, defenderFirst]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ at: match.index, end: match.index + match[0].length, defenderFirst }];
  });
  const [first] = found.toSorted((a, b) => a.at - b.at || b.end - a.end);
  if (first === undefined) return undefined;
  const [before, after] = [text.slice(0, first.at), text.slice(first.end)];
  // "should I attack 5 infantry with 6"
  const [what = '', by] = after.split(/\bwith\b(.*)/s);
  if (!first.defenderFirst && by !== undefined && said(before).length === 0) return { attacker: by, defender: what };
  return first.defenderFirst ? { attacker: after, defender: before } : { attacker: before, defender: after };
}

/** So many of something; of what is undefined where a number stands alone. */
interface Said {
  readonly count: number;
  readonly words: readonly string[];
}

function numberOf(word: string): number | undefined {
  const digits = /^x?(\d{1,6})x?$/.exec(word)?.[1];
  return digits === undefined ? (Object.hasOwn(NUMBERS, word) ? NUMBERS[word] : undefined) : Number(digits);
}

const BREAK = /\s*(?:[,;+&/]|\band\b|\bplus\b|\bwith\b)\s*/;

/** What a part between conjunctions says: "3 cannons 2 knights", "infantry 4", "two dozen archers". */
function saidIn(part: string): Said[] {
  const found: { count: number | undefined; words: string[] }[] = [];
  for (const word of part.split(/\s+/).filter((each) => each !== '' && !FILLERS.has(each))) {
    const count = numberOf(word);
    const last = found.at(-1);
    if (count === undefined) {
      if (last === undefined) found.push({ count: undefined, words: [word] });
      else last.words.push(word);
    } else if (last === undefined || (last.words.length > 0 && last.count !== undefined))
      found.push({ count, words: [] });
    else if (last.count === undefined) last.count = count;
    // "two dozen", "a pair"
    else last.count *= count;
  }
  return found.flatMap(({ count, words }) =>
    count === undefined && words.length === 0 ? [] : [{ count: count ?? 1, words }],
  );
}

const said = (half: string): Said[] => half.split(BREAK).flatMap(saidIn);

/** The forms that a name in the plural may have in the singular. */
function singulars(name: string): string[] {
  const forms = [name];
  if (name.endsWith('ies')) forms.push(`${name.slice(0, -3)}y`);
  if (name.endsWith('men')) forms.push(`${name.slice(0, -3)}man`);
  if (name.endsWith('es')) forms.push(name.slice(0, -2));
  if (name.endsWith('s')) forms.push(name.slice(0, -1));
  return forms;
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** True of words that differ by one letter, as one mistypes. */
function nearly(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}

/** What a game calls what was said; undefined if it has no such unit, or several. */
export function unitOf({ units = [], also = {} }: Game, name: string): string | undefined {
  const names = new Map([...units.map((unit) => [plain(unit), unit] as const), ...Object.entries(also)]);
  const forms = singulars(plain(name));
  const exact = forms.find((form) => names.has(form));
  if (exact !== undefined) return names.get(exact);
  const only = (fits: (known: string, form: string) => boolean): string | undefined => {
    const found = new Set(
      [...names].filter(([known]) => forms.some((form) => fits(known, form))).map(([, unit]) => unit),
    );
    return found.size === 1 ? [...found][0] : undefined;
  };
  return only((known, form) => form.length > 1 && known.startsWith(form)) ?? only(nearly);
}

/** The first words that are a unit together, else the first single word that is one. */
function unitIn(game: Game, words: readonly string[]): { unit: string; missed: string[] } | undefined {
  for (let length = words.length; length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const unit = unitOf(game, words.slice(from, from + length).join(' '));
      if (unit !== undefined) return { unit, missed: [...words.slice(0, from), ...words.slice(from + length)] };
    }
  return undefined;
}

interface Read {
  readonly units: Units;
  readonly missed: readonly string[];
  readonly known: number;
}

/** What was said without the name of the game: "in risk, 10 against 8", "3 blocks". */
function nameless({ words: names = [] }: Game, all: readonly Said[]): Said[] {
  return all.flatMap(({ count, words }) => {
    const rest = words.filter((word) => !names.includes(word));
    return rest.length === 0 && words.length > 0 && count === 1 ? [] : [{ count, words: rest }];
  });
}

/** What a game calls what was said, and the words beside it. */
function namedIn(game: Game, words: readonly string[]): { unit: string; missed: readonly string[] } | undefined {
  const [single, ...others] = game.units ?? [];
  if (words.length === 0 && single !== undefined && others.length === 0) return { unit: single, missed: [] };
  return unitIn(game, words);
}

/** What a game understands of a side. */
function readIn(game: Game, all: readonly Said[]): Read {
  const units = new Map<string, number>();
  const missed: string[] = [];
  let known = 0;
  const add = (unit: string, count: number): void => {
    const most = game.most ?? count;
    if (count > most) missed.push(`${String(count)} ${unit}: at most ${String(most)}`);
    units.set(unit, Math.min(most, (units.get(unit) ?? 0) + count));
  };
  for (const { count, words } of nameless(game, all)) {
    const found = namedIn(game, words);
    const other = game.one === true && found !== undefined && units.size > 0 && !units.has(found.unit);
    if (found === undefined || other) {
      missed.push([...(words.length === 0 || other ? [String(count)] : []), ...words].join(' '));
      continue;
    }
    if (words.length > 0) known++;
    missed.push(...found.missed);
    if (count > 0) add(found.unit, count);
  }
  return { units: Object.fromEntries(units), missed, known };
}

const isEmpty = (units: Units): boolean => Object.keys(units).length === 0;

/** More than what is known of any question: a game that it names itself comes first. */
const NAMED = 1000;

/** Understands a question as one of a game; undefined if none has such units on both sides. */
export function understood(text: string, games: readonly Game[]): Question | undefined {
  const spoken = text
    .toLowerCase()
    .replaceAll(/[?!.:"“”‘’()]/g, ' ')
    .replaceAll(/\bmemoir\W+44\b/g, 'memoir')
    .replaceAll(/(\d)\s*[x×]\s/g, '$1 ');
  const halves = halved(spoken);
  if (halves === undefined) return undefined;
  const [attacker, defender] = [said(halves.attacker), said(halves.defender)];
  const names = new Set(spoken.split(/[\s,;]+/));
  const read = games.flatMap((game) => {
    if (game.write === undefined) return [];
    const [a, d] = [readIn(game, attacker), readIn(game, defender)];
    if (isEmpty(a.units) || isEmpty(d.units)) return [];
    const missed = [...a.missed, ...d.missed];
    const named = game.words?.some((word) => names.has(word)) === true ? NAMED : 0;
    return [{ game, attacker: a.units, defender: d.units, missed, known: named + a.known + d.known - missed.length }];
  });
  const best = read.toSorted((a, b) => b.known - a.known)[0];
  return best && { game: best.game, attacker: best.attacker, defender: best.defender, missed: best.missed };
}

/** The scenario of a question; what was asked stands in its first line. */
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
