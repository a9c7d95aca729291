/**
 * Games by their familiar names: custom systems whose modules are in examples/games and are loaded on demand. These
 * entries are available without them; they repeat the texts of the modules.
 */
import { suggestName } from '../core/index.ts';

export interface GameInfo {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Names of games with such dice; the first one is displayed. */
  readonly played: readonly [string, ...string[]];
}

export const GAMES: readonly GameInfo[] = [
  {
    id: 'conquest-dice',
    title: 'Opposed sorted dice',
    about:
      'Up to three dice against two; the highest of each are compared, ties go to the defender, each pair costs an army.',
    played: ['Risk', 'Risiko'],
  },
  {
    id: 'combined-arms',
    title: 'Combined arms',
    about: 'A dozen types of units, a d6 each at its value or less, in rounds on land or at sea, as in Axis & Allies.',
    played: ['Axis & Allies', 'A&A', 'TripleA'],
  },
  {
    id: 'space-fleets',
    title: 'Space fleets and landings',
    about: 'Space cannon, barrage, rounds of combat, bombardment and ground combat, d10 each, as in Twilight Imperium.',
    played: ['Twilight Imperium', 'TI4'],
  },
  {
    id: 'hit-wound-save',
    title: 'Hit, wound, save, damage',
    about: 'A d6 to hit, to wound and to save for each attack; damage beyond the wounds of a model is lost.',
    played: ['Warhammer', 'Warhammer 40,000', '40k', 'Age of Sigmar'],
  },
  {
    id: 'symbol-dice',
    title: 'Dice with symbols',
    about: 'Dice hit by the symbol of the target or a grenade; each flag makes it retreat a hex, or lose a figure.',
    played: ['Memoir ’44', 'Commands & Colors', 'Battle Cry', 'BattleLore'],
  },
  {
    id: 'block-dice',
    title: 'Blocks and dice',
    about: 'Blocks roll a die for each step, A before B before C, the defender first; a hit reduces the strongest.',
    played: ['Hammer of the Scots', 'Crusader Rex', 'Julius Caesar', 'Columbia'],
  },
];

export const GAME_IDS: readonly string[] = GAMES.map(({ id }) => id);

export const isGame = (id: unknown): id is string => GAME_IDS.includes(id as string);

/** Formats `conquest-dice, as in Risk`. */
const formatGameName = ({ id, played: [name] }: GameInfo): string => `${id}, as in ${name}`;

/** Finds the games in a document: a scenario, or a document with scenarios. */
export function findGames(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if ('system' in value && isGame(value.system)) found.add(value.system);
  for (const inner of Object.values(value)) findGames(inner, found);
  return found;
}

/** Normalizes a name: `Axis & Allies` and `axis-and-allies` are equal. */
const normalizeName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/\band\b|&/g, '')
    .replaceAll(/[^a-z0-9]/g, '');

/** Minimum length of a prefix that identifies a game: `risk-legacy`, `warhammer40k`. */
const PREFIX_MIN = 4;

/** Finds the game with this name among players. */
function findGameByName(name: string): GameInfo | undefined {
  const wanted = normalizeName(name);
  const findGame = (by: (each: string) => boolean): GameInfo | undefined =>
    GAMES.find(({ played }) => played.some((each) => by(normalizeName(each))));
  return (
    findGame((each) => each === wanted) ?? findGame((each) => each.length >= PREFIX_MIN && wanted.startsWith(each))
  );
}

/** Returns ` (did you mean ...?)` for a system of similar spelling, or with this name among players. */
export function suggestSystem(written: string, known: readonly string[] = []): string {
  const game = findGameByName(written);
  return game === undefined
    ? suggestName(written, [...known, ...GAME_IDS])
    : ` (did you mean ${formatGameName(game)}?)`;
}

/**
 * Describes an unknown system.
 * @returns the expected value, and a hint for the found one
 */
export function describeUnknownSystem(written: string, known: readonly string[]): { expected: string; meant: string } {
  if (isGame(written)) {
    const how = `loadScenario loads it, and so does systems: await loadSystems(['${written}'])`;
    return { expected: `a system that is loaded (${how})`, meant: '' };
  }
  const meant = suggestSystem(written, known);
  const own = meant === '' ? ', or a custom system by option systems' : '';
  return { expected: `one of ${[...known, ...GAME_IDS.filter((id) => !known.includes(id))].join(', ')}${own}`, meant };
}
