/**
 * Shapes of units in a box of 32 by 32, aligned at its lower edge. A unit is matched by its name, then by its
 * description.
 */

/** A shape as SVG path data. */
export interface Silhouette {
  readonly words: RegExp;
  readonly path: string;
}

const createDisc = (x: number, y: number, r: number): string =>
  `M${String(x - r)} ${String(y)}a${String(r)} ${String(r)} 0 1 1 ${String(2 * r)} 0a${String(r)} ${String(r)} 0 1 1 ${String(-2 * r)} 0z`;

const SOLDIER = `${createDisc(15, 6, 4)}M8 29v-10q0-7 7-7t7 7v2h-2.500v8H16v-7h-2v7H9.500v-8L8 29zM24 28V3l1.200-2L26.500 3v25z`;
const HORSE = 'M6 30q-1-6 3-10 3-3 3-6l-4 2.500q-3 1.500-5-.5t-.5-4L9 5.500V2l3.500 2.500q8 1 11.500 7.500 4 7 4 18z';
const TANK = `M2 23q0-5 5-5h18q5 0 5 5t-5 5H7q-5 0-5-5zM8 17l2-5q.5-2 3-2h7q2 0 2.500 1.500H31v3h-8.500L23 17z`;
const GUN = `M4 15.500L27 6l1.800 4.300L9 19.500zM7 9l3.500-1.500 3 7.500-4 2zM12 20l13 8h-5l-9-5z${createDisc(10, 22, 7)}`;
const PLANE =
  'M16 1q2.500 0 2.500 6v5L31 19v3.500L18.500 19v6.500L22 28v2.500L16 29l-6 1.500V28l3.500-2.500V19L1 22.500V19l12.500-7V7q0-6 2.500-6z';
const BOMBER = 'M16 3q3 0 3 5v3h12v5l-12 2v6l5 3v2.500L16 28l-8 1.500V27l5-3v-6L1 16v-5h12V8q0-5 3-5z';
const SHIP = 'M1 20h30l-5 9H6zM8 19v-5h5V9h7v5h5v5zM15 8V2h3v6z';
const CARRIER = 'M1 18h30v3l-4 8H7l-6-8zM19 17v-7h7v7zM21 9V4h2.500v5z';
const SAILS = 'M2 22h28l-5 8H8zM15 20V2Q6 10 4 20zM17.500 20V4Q26 10 28 20z';
const SUBMARINE = 'M2 22q0-6 14-6t14 6-14 6-14-6zM13 15v-5h6v5zM17.500 9V4h5v2h-3v3z';
const STARSHIP = 'M1 22L31 10v5.500L25 21l6 3v4zM9 15l9-9 4 3z';
const SUN = `${createDisc(16, 16, 13)}M4 15v2.500h24V15z`;
const MECH = 'M12 2h8v7h-8zM8 10.500h16V20h-2.500v10H17v-8h-2v8h-4.500V20H8zM3.500 11H7v12H3.500zM25 11h3.500v12H25z';
const TOWER = 'M7 29V12H5V4h4v3h4V4h6v3h4V4h4v8h-2v17h-6v-6q-3-5-6 0v6z';
const HEART = 'M16 28Q3 19 4 11q1-6 6.500-6Q14.500 5 16 9q1.500-4 5.500-4Q27 5 28 11q1 8-12 17z';
const ARCHER = `${createDisc(12, 6, 4)}M5 29v-10q0-7 7-7t7 7v2h-2.500v8H13v-7h-2v7H6.500v-8zM20 4q10 12 0 24l-.8-1.300q7.500-10.700 0-21.400z`;
const CART = `${createDisc(9, 25, 5)}${createDisc(23, 25, 5)}M3 19h26v4H3zM8 19L20 4l-1.500-2 5 .500-1 4.500L13 19z`;
const BLOCK = 'M5 6h22v22H5zM9 10v3h3v-3zM20 10v3h3v-3zM9 21v3h3v-3zM20 21v3h3v-3z';
const ELEPHANT = 'M2 14q0-7 8-7h11q9 0 9 8v12q-3 1-3-2v-6l-3 2v8h-5v-7h-7v7H7V20q-2-.5-2.500 2v3H2z';

/** Order matters: a carrier is a ship, and a war sun is not a soldier. */
const SILHOUETTES: readonly Silhouette[] = [
  { words: /submarine|\bu-?boat/, path: SUBMARINE },
  { words: /war ?sun|death|planet/, path: SUN },
  { words: /dreadnought|flagship|starship|space/, path: STARSHIP },
  { words: /elephant/, path: ELEPHANT },
  { words: /bomber|stealth/, path: BOMBER },
  { words: /fighter|plane|jet|aircraft|air token/, path: PLANE },
  { words: /carrier/, path: CARRIER },
  { words: /galley|caravel|frigate|sail|galleon/, path: SAILS },
  { words: /ship|cruiser|destroyer|fleet|vessel|boat/, path: SHIP },
  { words: /mech\b|robot|walker/, path: MECH },
  { words: /tank|armou?r|mechani[sz]ed|motori[sz]ed|panzer/, path: TANK },
  { words: /catapult|trebuchet|siege|ram\b|wagon/, path: CART },
  { words: /artillery|cannon|gun|howitzer|mortar|pds|battery|engine/, path: GUN },
  { words: /cavalry|knight|dragoon|chariot|horse|rider|lancer/, path: HORSE },
  { words: /archer|bow|skirmish|slinger/, path: ARCHER },
  {
    words:
      /infantry|rifle|spear|pike|peasant|sword|soldier|men\b|guard|troop|arm(?:y|ies)|corps|model|figure|militia|levies|garrison|battalion/,
    path: SOLDIER,
  },
  { words: /wall|city|castle|tower|building|fort|structure|palisade/, path: TOWER },
  { words: /li(?:fe|ves)|hit points|health|heart|wounds/, path: HEART },
  { words: /block|steps|^[a-d]\d$/, path: BLOCK },
];

const findPath = (words: string): string | undefined =>
  SILHOUETTES.find((each) => each.words.test(words.toLowerCase()))?.path;

/** Returns the shape of a unit; undefined if it is unknown. */
export const getUnitShape = (name: string, about = ''): string | undefined => findPath(name) ?? findPath(about);

/** Returns the scale of a shape, 0.75..1, by the price or strength in the description (default 0.9). */
export function getUnitSize(about: string): number {
  const [, price] = /(?:price|cost|resources:?|era) (\d+)/.exec(about) ?? /(\d+) resources/.exec(about) ?? [];
  return price === undefined ? 0.9 : Math.min(1, 0.75 + Number(price) / 50);
}
