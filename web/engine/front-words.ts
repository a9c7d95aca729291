/** Words by which fields are known for sides and for counts: those of the declared fields of games and of one's own systems. */
import type { Entry } from './shapes.ts';

/** Names of what is counted, alone or at the end of a name. */
export const COUNTED =
  /(?:^|[a-z_-])(?:units|armies|troops|men|soldiers|models|figures|blocks|ships|fleets|tokens|combatants|structures|lives|steps|wounds|points|hp|health)$/i;

/** Pairs of sides that need not be declared alike. */
const PAIRS = [
  ['attacker', 'defender'],
  ['attackers', 'defenders'],
  ['red', 'blue'],
  ['side1', 'side2'],
  ['player1', 'player2'],
  ['a', 'b'],
];

/** What a field is like, whatever it is called: fields that are alike may be sides. */
function likeness({ name, about, shape }: Entry): string {
  if (shape.kind === 'group') {
    return shape.entries.length === 0 ? '' : JSON.stringify(shape.entries.map((each) => each.name));
  }
  if (shape.kind !== 'number') return '';
  const alike = about.toLowerCase().replaceAll(name.toLowerCase(), '?');
  return alike.includes('?') ? JSON.stringify([alike, shape.low, shape.high]) : '';
}

/** The fields of a scenario that are its sides, by name. */
export function sideNames(entries: readonly Entry[]): readonly string[] {
  const names = entries.map(({ name }) => name);
  const pair = PAIRS.find((both) => both.every((each) => names.includes(each)));
  if (pair !== undefined) return pair;
  const all = entries.map((entry) => [entry.name, likeness(entry)] as const);
  const twice = all.find(([, like], e) => like !== '' && all.slice(e + 1).some(([, other]) => other === like));
  return twice === undefined ? [] : all.filter(([, like]) => like === twice[1]).map(([name]) => name);
}
