/**
 * Games and systems that the start offers, with the unit names that questions may use. A test compares them with the
 * declarations of the systems.
 */

/** Counts of units by type. */
export type UnitQuantities = Readonly<Record<string, number>>;

export interface GameOption {
  /** Id of its system. */
  readonly id: string;
  readonly title: string;
  /** Name of a well-known game. */
  readonly knownAs?: string;
  /** Description in one line. */
  readonly line: string;
  /** Unit that its picture shows. */
  readonly picture: string;
  /** Simplest shipped scenario. */
  readonly plain: string;
  /** Unit names for questions. */
  readonly units?: readonly string[];
  /** Other words for units, by word. */
  readonly also?: Readonly<Record<string, string>>;
  /** Regular expression of further names of the game in questions. */
  readonly called?: string;
  /** Words of the game that do not name a unit: "3 figures of infantry". */
  readonly words?: readonly string[];
  /** Assumptions of a question, as a sentence. */
  readonly assumes?: string;
  /** Maximum number of units of a type. */
  readonly most?: number;
  /** Returns why units cannot fight each other, as a sentence. */
  readonly rejects?: (attacker: UnitQuantities, defender: UnitQuantities) => string | undefined;
  /** Writes the scenario of a question, without its first line. */
  readonly write?: (attacker: UnitQuantities, defender: UnitQuantities) => string;
}

const formatFlow = (units: UnitQuantities): string =>
  `{ ${Object.entries(units)
    .map(([name, count]) => `${name}: ${String(count)}`)
    .join(', ')} }`.replace('{  }', '{}');

const formatBothSides = (attacker: UnitQuantities, defender: UnitQuantities): string =>
  `attacker: ${formatFlow(attacker)}\ndefender: ${formatFlow(defender)}\n`;

const hasUnits = (units: UnitQuantities, names: readonly string[]): boolean =>
  names.some((name) => (units[name] ?? 0) > 0);

/** Ships that fight only at sea; battleships and cruisers of an attacker can bombard a coast. */
const AT_SEA = ['submarine', 'destroyer', 'carrier'];
const BOMBARDING = ['battleship', 'cruiser', 'damaged'];
const ON_LAND = ['infantry', 'artillery', 'tank', 'gun'];

function chooseBattlefield(attacker: UnitQuantities, defender: UnitQuantities): string {
  const sea = hasUnits(attacker, AT_SEA) || hasUnits(defender, [...AT_SEA, ...BOMBARDING]);
  const land = hasUnits(attacker, ON_LAND) || hasUnits(defender, ON_LAND);
  return sea || (!land && hasUnits(attacker, BOMBARDING)) ? 'place: sea\n' : '';
}

const ships = ['galley', 'caravel', 'frigate', 'battleship'];
const AFLOAT = [...ships, 'biplane', 'monoplane', 'jet', 'stealth'];

const APART = 'Land and sea units do not meet in one battle.';

const sumUnits = (units: UnitQuantities): number => Object.values(units).reduce((all, each) => all + each, 0);

const rejectWhere =
  (reason: string, isWrong: (units: UnitQuantities) => boolean): NonNullable<GameOption['rejects']> =>
  (attacker, defender) =>
    isWrong(attacker) || isWrong(defender) ? reason : undefined;

/** Formats a unit of one kind. */
const formatFigures = (units: UnitQuantities): string =>
  Object.entries(units)
    .slice(0, 1)
    .map(([kind, count]) => `{ kind: ${kind}, figures: ${String(count)} }`)
    .join('');

/** Ratings `A1` to `D6`: order of fire, and highest roll that hits. */
const RATINGS = ['A', 'B', 'C', 'D'].flatMap((letter) =>
  [1, 2, 3, 4, 5, 6].map((power) => `${letter}${String(power)}`),
);

/** Maximum number of blocks of an army. */
const BLOCKS = 10;

const formatBlocks = (units: UnitQuantities): string => {
  const all = Object.entries(units).flatMap(([rating, count]) => Array.from({ length: count }, () => rating));
  const listed = all.map((rating) => `{ rating: ${rating}, steps: 4 }`);
  return `{ blocks: [${listed.join(', ')}] }`;
};

/** Well-known games, then the systems of warpool. */
export const GAMES: readonly GameOption[] = [
  {
    id: 'conquest-dice',
    title: 'Conquest dice',
    knownAs: 'Risk',
    line: 'Armies against armies: three dice against two, the highest first.',
    picture: 'armies',
    plain: 'conquest-dice-osborne',
    units: ['armies'],
    called: '(?<!\\bthe )risk(?! of\\b)|risiko',
    also: { army: 'armies', troop: 'armies', unit: 'armies', men: 'armies', man: 'armies', soldier: 'armies' },
    most: 1000,
    write: (attacker, defender) => `attacker: ${String(sumUnits(attacker))}\ndefender: ${String(sumUnits(defender))}\n`,
  },
  {
    id: 'combined-arms',
    title: 'Combined arms',
    knownAs: 'Axis & Allies',
    line: 'Infantry, tanks, planes and ships; a d6 each, both sides at once.',
    picture: 'tank',
    plain: 'combined-arms-land',
    called: 'axis(?:\\W+(?:and )?allies)?(?: 19\\d\\d)?|allies|a&a|triple ?a',
    units: [
      'infantry',
      'artillery',
      'tank',
      'fighter',
      'bomber',
      'gun',
      'battleship',
      'cruiser',
      'carrier',
      'destroyer',
      'submarine',
    ],
    also: {
      ...{ armour: 'tank', armor: 'tank', panzer: 'tank', plane: 'fighter', aircraft: 'fighter', sub: 'submarine' },
      ...{ 'anti-aircraft gun': 'gun', 'aa gun': 'gun', aa: 'gun', aagun: 'gun', aaa: 'gun', flak: 'gun' },
      ...{ arty: 'artillery', inf: 'infantry', soldier: 'infantry', 'aircraft carrier': 'carrier' },
      ...{ ftr: 'fighter', bmb: 'bomber', dd: 'destroyer', bb: 'battleship' },
    },
    most: 40,
    rejects(attacker, defender) {
      if (hasUnits({ ...attacker, ...defender }, ON_LAND) && chooseBattlefield(attacker, defender) !== '') return APART;
      return hasUnits(attacker, ['gun'])
        ? 'An anti-aircraft gun only defends: the attacker cannot have one.'
        : undefined;
    },
    write: (attacker, defender) => `${chooseBattlefield(attacker, defender)}${formatBothSides(attacker, defender)}`,
  },
  {
    id: 'space-fleets',
    title: 'Space fleets',
    knownAs: 'Twilight Imperium',
    line: 'Fleets in space, then a landing under fire; a d10 each.',
    picture: 'dreadnought',
    plain: 'space-fleets-dreadnoughts',
    called: 'twilight(?: imperium)?(?: 4| iv)?|imperium|ti4',
    units: [
      'fighter',
      'destroyer',
      'cruiser',
      'carrier',
      'dreadnought',
      'flagship',
      'warSun',
      'infantry',
      'mech',
      'pds',
    ],
    also: {
      ...{ 'war sun': 'warSun', 'space cannon': 'pds', dread: 'dreadnought' },
      ...{ 'ground force': 'infantry', gf: 'infantry' },
    },
    most: 30,
    rejects: rejectWhere('A side has at most 12 PDS.', ({ pds = 0 }) => pds > 12),
    write: formatBothSides,
  },
  {
    id: 'hit-wound-save',
    title: 'Hit, wound, save',
    knownAs: 'Warhammer',
    line: 'A die to hit, one to wound, one to save: how many models fall.',
    picture: 'knight',
    plain: 'hit-wound-save-fight',
    called: 'warhammer(?:\\W+40(?:k|\\W?000))?|40k|age of sigmar',
    units: ['models'],
    also: { miniature: 'models', marine: 'models', 'space marine': 'models', ork: 'models', warrior: 'models' },
    most: 60,
    assumes: 'They hit and wound on 4+, without saves. Change these numbers next.',
    write: (attacker, defender) =>
      `attacker: { models: ${String(sumUnits(attacker))}, weapons: [{}] }\ndefender: { models: ${String(sumUnits(defender))}, weapons: [{}] }\n`,
  },
  {
    id: 'symbol-dice',
    title: 'Dice with symbols',
    knownAs: 'Memoir ’44',
    line: 'Infantry, armour and artillery: dice hit by symbol, flags drive back.',
    picture: 'artillery',
    plain: 'symbol-dice-hill',
    called: 'memoir(?:\\W*44)?',
    words: ['figures', 'figure'],
    units: ['infantry', 'armour', 'artillery'],
    also: { armor: 'armour', tank: 'armour', cannon: 'artillery' },
    rejects: rejectWhere('A unit of Memoir ’44 has figures of one type.', (units) => Object.keys(units).length > 1),
    most: 6,
    assumes: 'They are adjacent, in the open.',
    write: (attacker, defender) => `attacker: ${formatFigures(attacker)}\ndefender: ${formatFigures(defender)}\n`,
  },
  {
    id: 'block-dice',
    title: 'Blocks and dice',
    knownAs: 'Hammer of the Scots',
    line: 'Blocks with a die for each step: A fires before B before C.',
    picture: 'block',
    plain: 'block-dice-knight',
    called: 'hammer of the scots',
    words: ['block', 'blocks'],
    units: RATINGS,
    most: BLOCKS,
    rejects: rejectWhere(`An army has at most ${String(BLOCKS)} blocks.`, (units) => sumUnits(units) > BLOCKS),
    assumes: 'Each has four steps.',
    write: (attacker, defender) => `attacker: ${formatBlocks(attacker)}\ndefender: ${formatBlocks(defender)}\n`,
  },
  {
    id: 'phased-dice',
    title: 'Phased dice',
    line: 'Cannons, cavalry and infantry of all ages, phase after phase.',
    picture: 'cannon',
    plain: 'phased-dice-ground',
    units: [
      ...[
        'cannon',
        'knight',
        'dragoon',
        'rifleman',
        'trebuchet',
        'catapult',
        'howitzer',
        'chariot',
        'tank',
        'spearman',
        'pikeman',
      ],
      ...[
        'mechanized-infantry',
        'biplane',
        'monoplane',
        'jet',
        'stealth',
        'galley',
        'caravel',
        'frigate',
        'battleship',
      ],
    ],
    also: { rifle: 'rifleman', spear: 'spearman', pike: 'pikeman', 'mech inf': 'mechanized-infantry' },
    most: 1000,
    rejects(attacker, defender) {
      const units = { ...attacker, ...defender };
      return hasUnits(units, ships) && Object.keys(units).some((unit) => !AFLOAT.includes(unit)) ? APART : undefined;
    },
    write(attacker, defender) {
      const mode = hasUnits(attacker, ships) || hasUnits(defender, ships) ? 'fleet' : 'ground';
      return `mode: ${mode}\nattacker: { units: ${formatFlow(attacker)} }\ndefender: { units: ${formatFlow(defender)} }\n`;
    },
  },
  {
    id: 'cube-bag',
    title: 'Cubes from a bag',
    line: 'Both sides put cubes into a bag; the drawn cubes decide.',
    picture: 'spearman',
    called: 'cubes from a bag',
    plain: 'cube-bag-field',
    units: ['spearman', 'swordsman', 'archer', 'cavalryman', 'peasant', 'catapult', 'trebuchet', 'galley'],
    also: { cavalry: 'cavalryman', horse: 'cavalryman', horseman: 'cavalryman', sword: 'swordsman', bowman: 'archer' },
    most: 400,
    write: (attacker, defender) =>
      `attacker: { armies: [{ units: ${formatFlow(attacker)} }] }\ndefender: { armies: [{ units: ${formatFlow(defender)} }] }\n`,
  },
  {
    id: 'attrition',
    title: 'Attrition',
    line: 'Attack against defense in sums of dice, until one side falls.',
    picture: 'swordsman',
    plain: 'attrition-direct',
  },
  {
    id: 'strength-cards',
    title: 'Strength and cards',
    line: 'Corps with secret cards, dice for the losses.',
    picture: 'tower',
    plain: 'strength-cards-island',
  },
  {
    id: 'token-conflict',
    title: 'Token conflict',
    line: 'Several players crowd an area; no dice at all.',
    picture: 'hit points',
    plain: 'token-conflict-open',
  },
];

export const findGame = (id: string): GameOption | undefined => GAMES.find((each) => each.id === id);
