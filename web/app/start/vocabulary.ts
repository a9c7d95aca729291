/** Words of questions: fillers, unit names, typos. */
import { computeEditDistance } from '../../../src/core/index.ts';
import type { GameOption } from './games.ts';
import { NUMERALS } from './numerals.ts';

/** Words that do not name a unit. */
export const FILLERS: ReadonlySet<string> = new Set(
  `and the my his her their our your its of i we you he she they it me us them who what which how should shall can could will would may might
  do does did is are am be been being was were have has had got get with for from to in on at by if then than so what's let let's odds
  chance chances risk probability percent win wins won winning lose loses likely likelihood outcome result expected please it's i'm i've we're
  they're there all when attacker attackers attacking defender defenders defending defense defence side sides enemy enemies opponent
  opponents player good bad idea battle battles combat fight's really just only now here this that these those use using send sending
  move moving want tell say calculate simulate hi hello ok thanks succeed success versus-all army's`.split(/\s+/),
);

const ROLES =
  'attack attacks attacking attacked attacker attackers defend defends defending defended defender defenders'.split(
    ' ',
  );

/** Words that are recognized with one wrong letter. */
const CORRECTABLE_WORDS: readonly string[] = [
  ...[...ROLES, 'against', 'versus', 'assault', 'assaults', 'invade', 'invades', 'survive', 'survives', 'withstand'],
  ...NUMERALS.filter((word) => word.length >= 5),
];

/** Words that are similar to numbers. */
const ORDINALS = new Set('first second third fourth forth fifth sixth seventh eighth ninth tenth twelfth'.split(' '));

/** Returns whether words differ by one letter or by two swapped letters. */
const isNear = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 5 && Math.abs(a.length - b.length) <= 1 && computeEditDistance(a, b) <= 1;

/** Lists the possible singular forms of a name. */
function listSingulars(name: string): string[] {
  const forms = [name];
  if (name.endsWith('ies')) forms.push(`${name.slice(0, -3)}y`);
  if (name.endsWith('men')) forms.push(`${name.slice(0, -3)}man`);
  if (name.endsWith('es')) forms.push(name.slice(0, -2));
  if (name.endsWith('s')) forms.push(name.slice(0, -1));
  return forms;
}

/** Normalizes a name: lower-case letters and digits, separated by spaces. */
export const normalizeName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Finds a unit by its name, plural, abbreviation, or with a typo; undefined if none or several match. */
export function findUnitByName({ units = [], also = {} }: GameOption, name: string): string | undefined {
  const names = new Map(
    [...units.map((unit) => [unit, unit] as const), ...Object.entries(also)].map(([n, u]) => [normalizeName(n), u]),
  );
  const forms = listSingulars(normalizeName(name));
  const exact = forms.find((form) => names.has(form));
  if (exact !== undefined) return names.get(exact);
  const findOnly = (fits: (known: string, form: string) => boolean): string | undefined => {
    const found = new Set(
      [...names].filter(([known]) => forms.some((form) => fits(known, form))).map(([, unit]) => unit),
    );
    return found.size === 1 ? [...found][0] : undefined;
  };
  return findOnly((known, form) => form.length > 2 && known.startsWith(form)) ?? findOnly(isNear);
}

/** Corrects a verb or number word with one wrong letter; other words stay. */
export function correctWord(word: string, games: readonly GameOption[]): string {
  if (FILLERS.has(word) || ORDINALS.has(word) || CORRECTABLE_WORDS.includes(word)) return word;
  // "dozens" is not "dozen".
  const meant = CORRECTABLE_WORDS.find((each) => each[0] === word[0] && word !== `${each}s` && isNear(word, each));
  return meant === undefined || games.some((game) => findUnitByName(game, word) !== undefined) ? word : meant;
}
