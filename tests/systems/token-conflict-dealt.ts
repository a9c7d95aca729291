/** Generators of token conflicts; the same scenarios at every run. */
import { ADVANCES, type TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { Dealer } from './dealer.ts';
import { scenario } from './token-conflict-fight.ts';

export const PLAYERS = ['egypt', 'assyria', 'rome', 'barbarians'];

function count(deal: Dealer): unknown {
  if (deal.chance(50)) return deal.below(13);
  const least = deal.below(10);
  if (deal.chance(60)) return [least, least + deal.below(4)];
  return { [String(deal.below(5))]: deal.below(4), [String(5 + deal.below(6))]: 1 + deal.below(3) / 2 };
}

function counts(deal: Dealer, keys: readonly string[], figure: (deal: Dealer) => unknown): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, figure(deal)]));
}

function cityOrder(deal: Dealer, own: readonly string[]): unknown {
  const order = deal.pick(['file', 'weakest-attack-first', 'strongest-attack-first', 'list']);
  if (order !== 'list') return order;
  const listed = deal.each(own, 70);
  return deal.chance(50) ? listed : listed.toReversed();
}

function player(deal: Dealer, areas: readonly string[], own: readonly string[]): Record<string, unknown> {
  return {
    stock: deal.chance(30) ? 0 : deal.below(9),
    ...(deal.chance(70) ? { rank: deal.below(4) } : {}),
    hand: deal.below(3),
    advances: deal.each(ADVANCES, 35),
    ships: counts(deal, deal.each(areas, 60), () => deal.below(4)),
    adjacent: counts(deal, deal.each(areas, 60), () => deal.below(4)),
    sacrifice: deal.pick(['pool-first', 'tokens-first']),
    takeCard: deal.chance(80),
    takeTreasury: deal.chance(80),
    cityOrder: cityOrder(deal, own),
  };
}

/** Returns generated scenario `index`: up to four areas and players, cities, advances, ships and adjacent tokens. */
export function dealt(index: number): TokenConflict {
  const deal = new Dealer(2027n, index);
  const names = ['Delta', 'Nubia', 'Thebes', 'Sais'].slice(0, 1 + deal.below(4));
  const areas = names.map((name) => ({
    name,
    limit: deal.chance(20) ? 30 : deal.below(10),
    ...(deal.chance(75) ? { city: deal.pick(['egypt', 'assyria', 'rome', 'pirates', 'nobody']) } : {}),
    tokens: counts(deal, deal.each(PLAYERS, names.length > 2 ? 40 : 60), count),
  }));
  const citiesOf = (player: string) => areas.filter(({ city }) => city === player).map(({ name }) => name);
  return scenario({
    areas,
    players: Object.fromEntries(
      deal.each(PLAYERS.slice(0, 3), 75).map((name) => [name, player(deal, names, citiesOf(name))]),
    ),
    needed: deal.chance(70) ? 7 : 1 + deal.below(9),
    cityTokens: deal.chance(70) ? 6 : deal.below(12),
    engineeringCity: deal.pick([6, 7]),
    treasury: deal.chance(70) ? 3 : deal.below(6),
    pirateSurvivors: deal.pick(['stay', 'remove']),
  });
}

/** Returns a scenario of seven cities of few owners, mostly of one rank, with small stocks. */
export function crowded(index: number): TokenConflict {
  const deal = new Dealer(2028n, index);
  const owners = ['x', 'y', 'z'];
  const areas = Array.from({ length: 7 }, (_, k) => {
    const owner = deal.pick([...owners, ...owners, 'pirates']);
    const attacker = deal.pick(owners.filter((name) => name !== owner));
    const tokens = deal.chance(70) ? { [attacker]: 5 + deal.below(6) } : {};
    return { name: `C${String(k)}`, city: owner, tokens, limit: deal.pick([0, 3, 30]) };
  });
  const players = owners.map((name): [string, object] => {
    const own = areas.filter((area) => area.city === name).map((area) => area.name);
    const cityOrder = deal.pick([deal.shuffled(own), 'weakest-attack-first', 'strongest-attack-first']);
    return [name, { stock: deal.below(10), hand: deal.below(3), rank: deal.chance(75) ? 1 : 2, cityOrder }];
  });
  return scenario({ areas, players: Object.fromEntries(players) });
}
