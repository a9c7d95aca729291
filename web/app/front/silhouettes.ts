/**
 * What units look like: plain shapes, drawn for this page, in a box of 32 by 32 that stands on its lower edge. A unit is known by
 * the words of its name, then by those of what is said of it, such as its class.
 */

/** A shape as the data of an SVG path. */
export interface Silhouette {
  readonly words: RegExp;
  readonly path: string;
}

const disc = (x: number, y: number, r: number): string =>
  `M${String(x - r)} ${String(y)}a${String(r)} ${String(r)} 0 1 0 ${String(2 * r)} 0a${String(r)} ${String(r)} 0 1 0 ${String(-2 * r)} 0z`;

const box = (x: number, y: number, w: number, h: number): string =>
  `M${String(x)} ${String(y)}h${String(w)}v${String(h)}h${String(-w)}z`;

const SOLDIER = `${disc(14, 7, 4)}M8 28v-11q0-5 6-5t6 5v11h-4.5v-7h-3v7zM22 28V5h2v23z`;
const HORSE = 'M7 29q0-9 5-13l-4 1q-3 0-3-3 5-7 11-9l1-3 3 3q7 4 7 13 0 6-3 11z';
const TANK = `M3 22q0-4 4-4h18q4 0 4 4t-4 4H7q-4 0-4-4zM9 17l2-6h9l1.500 2H31v2.500h-9.500L21 17z`;
const GUN = `M4 17l19-8 1.500 3.500L13 18.500l7 7.500h-4l-5-5zM6 10h3v5l-3 1.200z${disc(10, 22, 5)}`;
const PLANE = 'M16 2q2 0 2 5v5l12 7v3l-12-3.500V25l4 3v2l-6-1.500L10 30v-2l4-3v-6.500L2 22v-3l12-7V7q0-5 2-5z';
const BOMBER = 'M16 3q3 0 3 5v3h12v5l-12 2v6l5 3v2.500L16 28l-8 1.500V27l5-3v-6L1 16v-5h12V8q0-5 3-5z';
const SHIP = 'M2 20h28l-4 8H7zM9 19v-5h4v-4h6v4h5v5zM15 9V4h2v5z';
const CARRIER = 'M1 18h30l-4 9H6zM18 17v-6h6v6zM20 10V6h2v4z';
const SAILS = 'M3 21h26l-4 7H8zM15 19V3q-8 7-9 16zM17 19V5q8 5 9 14z';
const SUBMARINE = `M3 22q0-6 13-6t13 6-13 6-13-6zM14 15v-5h5v5zM18 9V5h2v4z`;
const STARSHIP = 'M2 20L30 12v5L24 20l6 2v3zM9 15l8-6 2 3z';
const SUN = `${disc(16, 17, 11)}M3 16h26v2H3z`;
const MECH = `${box(12, 3, 8, 6)}M8 11h16v9h-3v8h-4v-7h-2v7h-4v-8H8zM4 12h3v10H4zM25 12h3v10h-3z`;
const TOWER = 'M7 29V12H5V4h4v3h4V4h6v3h4V4h4v8h-2v17h-6v-6q-3-5-6 0v6z';
const HEART = 'M16 28Q3 19 4 11q1-6 6.500-6Q14.500 5 16 9q1.500-4 5.500-4Q27 5 28 11q1 8-12 17z';
const ARCHER = `${disc(13, 7, 4)}M7 28v-11q0-5 6-5t6 5v11h-4.500v-7h-3v7zM21 5q9 11 0 22l-1-1.200q7-9.800 0-19.600z`;
const CART = `${disc(9, 24, 4.5)}${disc(23, 24, 4.5)}M4 19h24v3H4zM6 18L20 5l2 2-9 11z`;
const BLOCK = 'M5 6h22v22H5zM9 10v3h3v-3zM20 10v3h3v-3zM9 21v3h3v-3zM20 21v3h3v-3z';
const ELEPHANT = 'M3 28V15q0-7 8-7h9q8 0 9 7v10h-3v-7l-3 2v8h-5v-7h-6v7z';

/** In this order: a carrier is a ship, and a war sun no soldier of a war. */
const NAMED: readonly Silhouette[] = [
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

const find = (words: string): string | undefined => NAMED.find((each) => each.words.test(words.toLowerCase()))?.path;

/** The shape of a unit; undefined of one that nothing is known of. */
export const shapeOf = (name: string, about = ''): string | undefined => find(name) ?? find(about);

/** How large it is drawn, 0.7..1: by its price or strength, if that is told. */
export function sizeOf(about: string): number {
  const [, price] = /(?:price|cost|resources:?|era) (\d+)/.exec(about) ?? /(\d+) resources/.exec(about) ?? [];
  return price === undefined ? 0.9 : Math.min(1, 0.75 + Number(price) / 50);
}
